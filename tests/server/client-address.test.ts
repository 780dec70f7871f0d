// Who is on the other end, behind proxies that write an address in their own ways.
import { expect, test } from 'vitest'
import { addressOf } from '#server/http/address.ts'

const PROXY = { trusted_proxies: ['127.0.0.1', '10.0.0.0/8'] }

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['203.0.113.9:5678', '203.0.113.9'],
  ['203.0.113.9:5678,', '203.0.113.9'],
  ['203.0.113.9, ', '203.0.113.9'],
  [' , 203.0.113.9 ,, 10.1.2.3:443', '203.0.113.9'],
  ['[2001:db8::7]:5678', '2001:db8::7'],
  ['[2001:db8::7]', '2001:db8::7'],
  ['"[2001:db8::7]:443"', '2001:db8::7'],
  ['2001:db8::7', '2001:db8::7'],
  ['::FFFF:203.0.113.9', '203.0.113.9'],
  ['198.51.100.1, 203.0.113.9:80', '203.0.113.9'],
  // what is no address ends the chain at the last one that was
  ['unknown', '127.0.0.1'],
  ['203.0.113.9:port', '127.0.0.1'],
  ['', '127.0.0.1'],
])('X-Forwarded-For: %s', (header, address) => {
  expect(addressOf(PROXY, '127.0.0.1', header)).toBe(address)
})

test('from nobody whom we trust the header counts for nothing', () => {
  expect(addressOf(PROXY, '192.0.2.1', '203.0.113.9')).toBe('192.0.2.1')
  expect(addressOf({ trusted_proxies: [] }, '127.0.0.1', '203.0.113.9')).toBe('127.0.0.1')
})
