// Web Push: what goes into a message, what the answers of a push service mean, and which addresses are none (T22).
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listPushSubscriptions, subscribePush } from '#contract/binding.ts'
import { PUSH_BYTES } from '#contract/limits.ts'
import type { SignalRecord } from '#contract/signal.ts'
import type { OutgoingMessage } from '#server/notify/channel.ts'
import { payloadsOf, push } from '#server/notify/channels/push.ts'
import { openReceiver, receiversOf } from '#server/notify/receivers.ts'
import { type Desk, openDesk } from '#tests/support/desk.ts'
import { UNHURRIED } from '#tests/support/port.ts'
import { openPushDesk } from '#tests/support/push-desk.ts'
import { type PushService, startPushService } from '#tests/support/push-service.ts'
import { record } from '../data/support/backend.ts'

const message = (more: Partial<OutgoingMessage> = {}): OutgoingMessage => ({
  ...{ key: '0197a1b2-0000-7000-8000-000000000001', kind: 'signal', count: 1, notification_id: null },
  ...{ words: { title: '標題', lines: ['一行'] }, strategy_id: '0197a1b2-0000-7000-8000-000000000002' },
  ...{ url: 'https://lingbo.example/', ctx: 'personal', record: null, urgent: false, attention: 0 },
  at: new Date().toISOString(),
  ...more,
})

test('what is too long loses the note first, then the other long fields, then the record; never above the limit', () => {
  const whole = record(1)
  const forms = (more: Partial<SignalRecord>, lines = ['一行']) =>
    [...payloadsOf('u1', message({ record: { ...whole, ...more }, words: { title: '標題', lines } }))].map(
      (form) => {
        expect(Buffer.byteLength(form)).toBeLessThanOrEqual(PUSH_BYTES)
        return JSON.parse(form)
      },
    )
  const long = '漲'.repeat(900)
  expect(forms({ note: '短' })[0].lingbo.record.note).toBe('短')
  const [noted] = forms({ note: long, external_id: 'x1' }, ['一行', long])
  expect(noted.lingbo.record).toEqual({ ...whole, note: null, external_id: 'x1' })
  expect(noted.notification.body).toMatch(/^一行\n漲+…$/)
  const [barer] = forms({ external_id: long })
  expect(barer.lingbo.record).toEqual({ ...whole, note: null, external_id: null, symbol_raw: null })
  const [bare] = forms({ symbol_name: long })
  expect(bare.lingbo.record).toBeNull()
  expect(bare.notification.body).toBe('一行')
})

describe('what a service answers', () => {
  let desk: Desk
  let service: PushService
  beforeAll(async () => {
    ;({ desk, service } = await openPushDesk())
    await desk.person.call(subscribePush, service.subscribe(desk.server.app.vapid.public))
  })
  afterAll(async () => {
    await desk.server.close()
    await service.close()
    expect(service.wrong).toEqual([])
  })

  const sent = async (signal = new AbortController().signal) => {
    const { app } = desk.server
    const [row] = await receiversOf(app.db, desk.person.uid, 'push')
    if (!row) throw new Error('no device')
    return push.send(app, openReceiver(app, row), message(), signal)
  }
  test.each([
    [404, { kind: 'lost', state: 'gone' }],
    [410, { kind: 'lost', state: 'gone' }],
    [429, { kind: 'again', after_ms: 7_000 }],
    [500, { kind: 'again' }],
    [503, { kind: 'again', after_ms: 7_000 }],
    // A clock that runs wrong is no reason to forget anybody's device.
    [401, { kind: 'again' }],
    [403, { kind: 'again' }],
    [400, { kind: 'refused' }],
  ])('%i', async (status, outcome) => {
    service.faults.next({ status, ...('after_ms' in outcome && { retry_after: 7 }) })
    expect(await sent()).toMatchObject(outcome)
  })

  test('413: a shorter form goes out at once', async () => {
    const before = service.arrivals.length
    service.faults.next({ status: 413 })
    expect(await sent()).toEqual({ kind: 'sent' })
    const [long, short] = service.arrivals.slice(before)
    expect(short?.body.length).toBeLessThan(long?.body.length ?? 0)
  })

  test('silence and a cut line are tried again', async () => {
    service.faults.next({ hang: true })
    const stop = new AbortController()
    const before = service.arrivals.length
    const outcome = sent(stop.signal)
    await expect.poll(() => service.arrivals.length).toBe(before + 1)
    stop.abort()
    expect(await outcome).toMatchObject({ kind: 'again' })
    service.faults.next({ drop: true })
    expect(await sent()).toMatchObject({ kind: 'again' })
  })

  test('with another key of the server nobody is called: the device has to come again', async () => {
    const { app } = desk.server
    const [row] = await receiversOf(app.db, desk.person.uid, 'push')
    if (!row) throw new Error('no device')
    const receiver = openReceiver(app, row)
    const before = service.arrivals.length
    const other = { ...receiver, config: { ...receiver.config, sender: 'another' } }
    expect(await push.send(app, other, message(), new AbortController().signal)).toMatchObject({
      kind: 'lost',
      state: 'failing',
    })
    expect(service.arrivals.length).toBe(before)
  })
})

test('T22: addresses inside are no push services: nobody there is called', async () => {
  const canary = createServer(UNHURRIED, (_, response) => {
    hits++
    response.end()
  })
  let hits = 0
  await new Promise<void>((ready) => canary.listen(0, '127.0.0.1', ready))
  const { port } = canary.address() as AddressInfo
  const desk = await openDesk()
  const service = await startPushService()
  const { keys } = service.subscribe()
  const refused = [
    `http://127.0.0.1:${port}/x`,
    `https://127.0.0.1:${port}/x`,
    `https://2130706433:${port}/x`,
    `https://0177.0.0.1:${port}/x`,
    `https://[::ffff:127.0.0.1]:${port}/x`,
    `https://[::1]:${port}/x`,
    'https://169.254.169.254/latest',
    'http://fcm.googleapis.com.127.0.0.1.invalid/x',
    'https://user:word@fcm.googleapis.com/x',
    'ftp://fcm.googleapis.com/x',
    'no address',
  ]
  for (const endpoint of refused)
    await expect(desk.person.call(subscribePush, { endpoint, keys }), endpoint).rejects.toMatchObject({
      code: 4220,
      details: { fields: { endpoint: expect.any(String) } },
    })
  expect(await desk.person.call(listPushSubscriptions, {})).toEqual([])
  // A known service is taken as it is; keys that are none are not.
  await desk.person.call(subscribePush, { endpoint: 'https://fcm.googleapis.com/fcm/send/abc', keys })
  const no_point = { ...keys, p256dh: `B${'A'.repeat(86)}` }
  await expect(
    desk.person.call(subscribePush, { endpoint: 'https://fcm.googleapis.com/x', keys: no_point }),
  ).rejects.toMatchObject({ details: { fields: { 'keys.p256dh': expect.any(String) } } })
  expect(hits).toBe(0)
  await desk.server.close()
  await service.close()
  await new Promise((done) => canary.close(done))
})
