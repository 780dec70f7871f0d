// 外送 Webhook: signed as Standard Webhooks says, only records, only 2xx is a yes, nothing inside is reached (threat T22).
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { SignalRecord } from '#contract/signal.ts'
import type { OutgoingMessage } from '#server/notify/channel.ts'
import { newSecret, resultOf, rotated, webhook } from '#server/notify/channels/webhook.ts'
import { openOutgoing } from '#server/outgoing.ts'
import { outgoingMessageOf, receiverOf } from '#tests/support/outgoing-message.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { startWebhookReceiver, type WebhookReceiver } from '#tests/support/webhook-receiver.ts'

/** What the robot reads of it; the whole shape is tried where a real record comes this way (notify-addressed). */
const record = (more: Partial<SignalRecord> = {}) =>
  ({
    id: '01990000-0000-7000-8000-0000000000ff',
    source: 'webhook',
    price: 23_150.5,
    ...more,
  }) as SignalRecord

const secret = newSecret()
let robot: WebhookReceiver
let server: TestServer
beforeEach(async () => {
  robot = await startWebhookReceiver({ secret })
  server = await startServer({ env: { OUTGOING_ALLOW: '127.0.0.0/8' } })
})
afterEach(async () => {
  await server.close()
  await robot.close()
})

const send = (
  message: OutgoingMessage,
  config: Record<string, unknown> = { secret },
  url = `${robot.url}/lingbo`,
) => webhook.send(server.app, receiverOf(url, { config }), message, new AbortController().signal)

test('a record arrives as it is, with the id of the message; the same message again has the same id', async () => {
  const message = outgoingMessageOf({ record: record() })
  for (let times = 0; times < 2; times++) expect(await send(message)).toEqual({ kind: 'sent' })
  expect(robot.wrong).toEqual([])
  expect(robot.messages).toMatchObject([
    { id: message.key, type: 'signal.created', timestamp: message.at, data: record() },
  ])
  expect(robot.repeated).toEqual([message.key])
})
test('a void and a correction are told as such, a test carries no record', async () => {
  await send(outgoingMessageOf({ key: 'a', record: record({ source: 'void' }) }))
  await send(outgoingMessageOf({ key: 'b', record: record({ source: 'correction' }) }))
  await send(outgoingMessageOf({ key: 'c', kind: 'test' }))
  expect(robot.messages.map(({ type, data }) => [type, (data as SignalRecord | null)?.source])).toEqual([
    ['signal.voided', 'void'],
    ['signal.voided', 'correction'],
    ['test', undefined],
  ])
})
test('nothing but records goes to a robot', async () => {
  for (const kind of ['announcement', 'organization', 'alarm'] as const)
    expect(await send(outgoingMessageOf({ kind, record: record() }))).toMatchObject({ kind: 'refused' })
  expect(await send(outgoingMessageOf({ record: null }))).toMatchObject({ kind: 'refused' })
  expect(robot.arrivals).toEqual([])
  expect(webhook).toMatchObject({ kinds: ['signal'], gathers: false, rests: false })
})
test('after a change of the secret both sign for a day, then the new one alone', async () => {
  const changed = rotated({ secret }, server.app.now())
  const message = (key: string) => outgoingMessageOf({ key, record: record() })
  expect(await send(message('old'), { ...changed })).toEqual({ kind: 'sent' })
  robot.expects(changed.secret)
  expect(await send(message('new'), { ...changed })).toEqual({ kind: 'sent' })
  const over = { ...changed, old: { secret, until: new Date(server.app.now()).toISOString() } }
  expect(await send(message('later'), over)).toEqual({ kind: 'sent' })
  robot.expects(secret)
  expect(await send(message('too late'), over)).toMatchObject({ kind: 'again' })
  expect(robot.messages.map(({ id }) => id)).toEqual(['old', 'new', 'later'])
})
test('only 2xx is a yes; a redirect is followed nowhere', async () => {
  const elsewhere = await startWebhookReceiver({ secret })
  try {
    const message = outgoingMessageOf({ record: record() })
    robot.faults.next(
      { status: 500 },
      { status: 429, retry_after: 7 },
      { status: 410 },
      { drop: true },
      { status: 308 },
    )
    expect(await send(message)).toEqual({ kind: 'again', reason: '對方沒有收下（500）' })
    expect(await send(message)).toEqual({ kind: 'again', reason: '對方要求放慢（429）', after_ms: 7_000 })
    expect(await send(message)).toMatchObject({ kind: 'lost', state: 'gone' })
    expect(await send(message)).toMatchObject({ kind: 'again', reason: /連線中斷/ })
    expect(await send(message)).toMatchObject({ kind: 'refused', reason: /308/ })
    expect(elsewhere.arrivals).toEqual([])
  } finally {
    await elsewhere.close()
  }
})
test('a name that leads inside by now is not followed there', async () => {
  const outgoing = openOutgoing({ outgoing_allow: [], resolve: async () => ['127.0.0.1'] })
  const strict = await startServer({ overrides: { outgoing } })
  try {
    const to = receiverOf(`https://robot.example.com:${robot.port}/`, { config: { secret } })
    const outcome = await webhook.send(
      strict.app,
      to,
      outgoingMessageOf({ record: record() }),
      new AbortController().signal,
    )
    expect(outcome).toEqual({ kind: 'refused', reason: '位址不允許：那是內部網路，不是公開的位址' })
    expect(robot.arrivals).toEqual([])
  } finally {
    await strict.close()
  }
})
test('an address is shown without its query, and entered without a password', async () => {
  expect(webhook.typed?.shown('https://robot.example.com/in?key=1')).toBe('https://robot.example.com/in?…')
  expect(await webhook.typed?.check(server.app, `${robot.url}/in#x`)).toEqual({
    address: `${robot.url}/in`,
    name: `127.0.0.1:${robot.port}`,
  })
  const strict = await startServer()
  try {
    for (const typed of [
      'robot',
      'https://me:secret@1.1.1.1/',
      'http://1.1.1.1/',
      `${robot.url}/in`,
      'ftp://1.1.1.1',
    ])
      expect(await webhook.typed?.check(strict.app, typed), typed).toEqual({ wrong: expect.any(String) })
  } finally {
    await strict.close()
  }
  expect(robot.arrivals).toEqual([])
})
test('an hour to wait may be said as a date; more than a day is a day', () => {
  const now = Date.parse('2026-11-23T04:00:00Z')
  expect(resultOf(503, 'Mon, 23 Nov 2026 05:00:00 GMT', now)).toMatchObject({ after_ms: 3_600_000 })
  expect(resultOf(503, '999999999', now)).toMatchObject({ after_ms: 86_400_000 })
  expect(resultOf(503, 'soon', now)).not.toHaveProperty('after_ms')
})
