// What the limits take for one sender: an IPv4 address, or everything in one /64 however its addresses are written.
import { expect, test } from 'vitest'
import { network, senders } from '#server/limits/network.ts'

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

test('the wide networks of an address: a /64, the /56 and the /48 around it, each with more room, of what is held at once no /48 with more than double', () => {
  expect(senders('203.0.113.7')).toEqual([{ key: '203.0.113.7', times: 1, holds: 1 }])
  expect(senders('2001:db8:1:2fa::9')).toEqual([
    { key: '2001:db8:1:2fa', times: 1, holds: 1 },
    { key: '2001:db8:1:2/56', times: 4, holds: 1.5 },
    { key: '2001:db8:1/48', times: 16, holds: 2 },
  ])
  const wide = (ip: string) => senders(ip).map(({ key }) => key)
  expect(wide('2001:db8:1:a1::1').slice(1)).toEqual(wide('2001:db8:1:2::1').slice(1))
  expect(wide('2001:db8:1:100::1')[1]).not.toBe(wide('2001:db8:1:2::1')[1])
  expect(wide('2001:db8:1:ff00::1')[2]).toBe(wide('2001:db8:1:2::1')[2])
})
