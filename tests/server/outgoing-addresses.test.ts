// Which addresses may be called, which push services are known: by table, without a network (threat T22).
import { describe, expect, test } from 'vitest'
import { isPushService, judgeOf } from '#server/outgoing.ts'

const PUBLIC = '93.184.216.34'

describe('addresses', () => {
  const judge = judgeOf(['127.0.0.2/32', 'fd12::/16'])
  test.each([
    ['0.0.0.0', '0.1.2.3', '10.0.0.1', '100.64.0.1', '100.127.255.255', '100.100.100.200', '127.0.0.1'],
    ['127.255.255.254', '169.254.169.254', '172.16.0.1', '172.31.255.255', '192.168.1.1', '192.0.0.8'],
    ['192.0.2.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '224.0.0.1', '240.0.0.1', '255.255.255.255'],
    ['::', '::1', '::127.0.0.1', '::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:a00:1', '::ffff:169.254.1.1'],
    ['64:ff9b::7f00:1', '64:ff9b::10.0.0.1', '64:ff9b:1::1', 'fc00::1', 'fd00:ec2::254', 'fe80::1'],
    ['fe80::1%eth0', 'fec0::1', 'ff02::1', '2001::1', '2001:db8::1', '2002:7f00:1::', '3fff::1', '100::1'],
    ['fd12::1%lo', 'localhost', '', '1.2.3', '::ffff:0:0', '5f00::1'],
  ])('%s and the like may not be called', (...all) => {
    expect(all.filter((one) => judge(one) !== 'forbidden')).toEqual([])
  })
  test('public ones may, and what the operator named may in every writing', () => {
    const open = [
      PUBLIC,
      '1.1.1.1',
      '100.63.255.255',
      '100.128.0.1',
      '172.32.0.1',
      '192.169.0.1',
      '223.255.255.1',
    ]
    const six = ['2606:4700:4700::1111', '2a00:1450:4001:82a::200e', '::ffff:8.8.8.8', '64:ff9b::808:808']
    expect([...open, ...six].filter((one) => judge(one) !== 'public')).toEqual([])
    const named = ['127.0.0.2', '::ffff:127.0.0.2', '::ffff:7f00:2', 'fd12::1']
    expect(named.filter((one) => judge(one) !== 'allowed')).toEqual([])
  })
})

describe('push services', () => {
  test.each([
    'https://fcm.googleapis.com/fcm/send/abc',
    'https://jmt17.google.com/fcm/send/abc',
    'https://updates.push.services.mozilla.com/wpush/v2/x',
    'https://web.push.apple.com/Q',
    'https://sg2p.notify.windows.com/w/?token=x',
  ])('%s is one', (endpoint) => expect(isPushService(endpoint)).toBe(true))
  test.each([
    'http://fcm.googleapis.com/fcm/send/abc',
    'https://fcm.googleapis.com:8443/x',
    'https://fcm.googleapis.com.evil.test/x',
    'https://evil.test/fcm.googleapis.com',
    'https://fcm.googleapis.com@evil.test/x',
    'https://xfcm.googleapis.com/x',
    'https://notify.windows.com.evil.test/',
    'https://evilpush.apple.com/',
    'nothing',
  ])('%s is none', (endpoint) => expect(isPushService(endpoint)).toBe(false))
})
