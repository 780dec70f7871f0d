// What the limits take for one sender: an IPv4 address, or everything in one /64 however its addresses are written.
import { expect, test } from 'vitest'
import { network } from '#server/session/network.ts'

test('an IPv4 address is its own network', () => {
  expect(network('203.0.113.7')).toBe('203.0.113.7')
  expect(network('')).toBe('')
})

test.each([
  ['2001:db8::1', '2001:db8::2'],
  ['2001:db8::a:b:c:d', '2001:db8::ffff:b:c:d'],
  ['2001:db8::a:b:c:d', '2001:db8:0:0:1::'],
  ['2001:db8:1::1', '2001:db8:1:0:a:b:c:d'],
  ['2001:db8:1:2::', '2001:db8:1:2:ffff:ffff:ffff:ffff'],
  ['2001:0DB8:0001:0002::1', '2001:db8:1:2::2'],
  ['::1', '::2:3:4:5'],
  ['fe80::1%eth0', 'fe80::2%eth1'],
])('%s and %s are one sender', (a, b) => {
  expect(network(a)).toBe(network(b))
})

test.each([
  ['2001:db8::1', '2001:db8:0:1::1'],
  ['2001:db8:1:2::1', '2001:db8:1:3::1'],
  ['2001:db8::1', '2001:db9::1'],
  ['1::2:3:4:5:6', '1:2:3:4:5:6:0:0'],
])('%s and %s are two', (a, b) => {
  expect(network(a)).not.toBe(network(b))
})
