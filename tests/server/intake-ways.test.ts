// Two ways lead to the intake, Node's socket and the router: every message is answered and kept the same on both.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { setWebhookStatus, updateWebhook, type Webhook } from '#contract/webhook.ts'
import { type Desk, openDesk } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'

interface Message {
  body?: string | Uint8Array
  headers?: Record<string, string>
  /** In place of the webhook's token. */
  token?: string
  times?: number
}

const SIGNAL = '{"id":"7","symbol":"MXF1!","action":"buy","price":46500,"timenow":"2026-01-05T02:00:00.000Z"}'
const padded = (bytes: number) => {
  const frame = '{"symbol":"MXF1!","action":"buy","price":46500,"x":""}'
  return frame.replace('""', `"${'a'.repeat(bytes - frame.length)}"`)
}
const MESSAGES: [string, Message][] = [
  ['a signal', { body: SIGNAL }],
  ['the same signal twice', { body: SIGNAL, times: 2 }],
  ['plain words', { body: 'MXF1! buy 46500' }],
  ['Chinese', { body: '{"symbol":"MXF1!","action":"做多","price":46500}' }],
  ['a heartbeat', { body: 'PING' }],
  ['nothing', { body: '' }],
  ['no message', { body: 'hello' }],
  ['no UTF-8', { body: new Uint8Array([0x7b, 0xff, 0xfe, 0x7d]) }],
  ['a NUL', { body: '{"symbol":"MXF1!","action":"buy\0","price":46500}' }],
  ['64 KB', { body: padded(64 * 1024) }],
  ['64 KB and one', { body: padded(64 * 1024 + 1) }],
  ['JSON by its type', { body: SIGNAL, headers: { 'content-type': 'application/json; charset=utf-8' } }],
  ['a type too long', { body: SIGNAL, headers: { 'content-type': `text/${'x'.repeat(300)}` } }],
  ['a foreign address', { body: SIGNAL, headers: { 'x-forwarded-for': '203.0.113.9, 10.0.0.1' } }],
  ['an unknown token', { body: SIGNAL, token: 'A'.repeat(43) }],
  ['the longest token', { body: SIGNAL, token: 'A'.repeat(64) }],
  ['a token too long', { body: SIGNAL, token: 'A'.repeat(65) }],
  ['a token of other signs', { body: SIGNAL, token: 'a%20b' }],
]

describeEngines('two ways in', (engine) => {
  let desk: Desk
  beforeAll(async () => {
    desk = await openDesk({ engine })
    // A message without a time happens when it comes.
    desk.setClock(Date.now())
  })
  afterAll(() => desk.server.close())

  /** What can be compared: ids and times are each their own. */
  const told = (key: string, value: unknown) =>
    /(^|_)id$|^duplicate_of$|^received_at$|^duration_ms$/.test(key) && value !== null ? typeof value : value

  async function go(
    query: '' | '?by=router',
    message: Message,
    change?: (webhook: Webhook) => Promise<unknown>,
  ) {
    const { strategy, webhook } = await desk.strategy()
    await change?.(webhook)
    const { pathname } = new URL(webhook.url as string)
    const path = message.token === undefined ? pathname : `/hooks/${message.token}`
    const answers = []
    for (let i = 0; i < (message.times ?? 1); i++) {
      const response = await desk.server.request(`${path}${query}`, {
        method: 'POST',
        body: message.body as BodyInit,
        headers: { 'content-type': 'text/plain', ...message.headers },
      })
      const headers = Object.fromEntries(response.headers)
      for (const carried of ['date', 'connection', 'keep-alive', 'transfer-encoding']) delete headers[carried]
      answers.push({ status: response.status, headers, answer: await response.json() })
    }
    const kept = {
      deliveries: await desk.deliveries(webhook),
      records: (await desk.records(strategy)).length,
    }
    return JSON.parse(JSON.stringify({ answers, kept }, told))
  }

  test.each(MESSAGES)('%s', async (_name, message) => {
    const [direct, routed] = [await go('', message), await go('?by=router', message)]
    expect(direct).toEqual(routed)
  })

  test.each<[string, (webhook: Webhook) => Promise<unknown>]>([
    ['switched off', ({ id }) => desk.person.call(setWebhookStatus, { id, enabled: false })],
    ['with a secret', ({ id }) => desk.person.call(updateWebhook, { id, body_secret: 'open-sesame-77' })],
    ['for others only', ({ id }) => desk.person.call(updateWebhook, { id, ip_allow: ['10.0.0.0/8'] })],
  ])('a webhook %s', async (_name, change) => {
    const direct = await go('', { body: SIGNAL }, change)
    expect(direct).toEqual(await go('?by=router', { body: SIGNAL }, change))
    expect(direct.answers[0].status).toBeGreaterThanOrEqual(400)
  })
})

describeEngines('beyond the burst', (engine) => {
  test('too many are told the same, too', async () => {
    const at = Date.now()
    const desk = await openDesk({ engine, env: { HOOK_RATE_PER_MINUTE: '60', HOOK_BURST: '1' } })
    desk.setClock(at)
    try {
      const refusals = []
      for (const query of ['', '?by=router']) {
        const { webhook } = await desk.strategy()
        const { pathname } = new URL(webhook.url as string)
        const post = () => desk.server.request(`${pathname}${query}`, { method: 'POST', body: 'PING' })
        await post()
        const refused = await post()
        refusals.push([refused.status, refused.headers.get('retry-after'), await refused.json()])
      }
      expect(refusals[0]).toEqual(refusals[1])
      expect(refusals[0]?.[0]).toBe(429)
    } finally {
      await desk.server.close()
    }
  })
})
