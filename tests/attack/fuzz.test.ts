// Generated requests, 2,000 (25,000 in the soak), to every endpoint and to the webhook door (T5, T6): no 5xx, on either database; and what is stored comes back as it was sent.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Endpoint, route } from '#contract/endpoint.ts'
import { hasAddress, hasControl } from '#contract/fields.ts'
import { ENDPOINTS } from '#contract/index.ts'
import { BODY_KEPT_BYTES } from '#contract/limits.ts'
import { getProfile, updateName } from '#contract/profile.ts'
import { getStrategy, updateStrategy } from '#contract/strategy.ts'
import { listDeliveries } from '#contract/webhook.ts'
import { sha256 } from '#server/ids.ts'
import { type Desk, openDesk } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { TRIALS } from '#tests/support/matrix.ts'
import { fileQuery } from '#tests/support/people.ts'
import { fc } from '#tests/support/property.ts'
import { SOAK, sized } from '#tests/support/tier.ts'
import type { Things } from '#tests/support/trial.ts'
import { withoutBlanks } from '#trading/unseen.ts'
import { inputsOf, nastyText, TEXTS, TORTURE, wornOut } from './nasty.ts'

/** Both databases together, four in five on the quicker one. */
const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? sized(2_000, 25_000))
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_120)
/** Hashing a password is slow on purpose, a stream is a socket: few of them are enough. */
const FEW: Record<string, number> = {
  'session.login': sized(10, 100),
  'session.register': sized(10, 60),
  'event.stream': sized(10, 40),
  'profile.avatar': sized(10, 200),
  'organization.logo': sized(10, 200),
}
const AT_ONCE = 16
/** No call takes a second; what takes so long hangs. This is no measurement. */
const HANGS_MS = 60_000

interface Probe {
  endpoint: string
  method: string
  path: string
  body?: string | Uint8Array
  headers: Record<string, string>
}

describeEngines('generated requests', (engine) => {
  const share = engine === 'sqlite' ? sized(1, 0.8) : 0.2
  let desk: Desk
  let things: Things
  let hook = ''
  beforeAll(async () => {
    desk = await openDesk({ engine })
    await renew()
  })
  afterAll(() => desk.server.close())

  /** A strategy with a webhook, a delivery and a signal: what requests may name. */
  async function renew() {
    const { strategy, webhook, send } = await desk.strategy()
    const body = { id: 'f', symbol: 'MXF1!', action: 'buy', qty: 1, price: 46_000, timenow: desk.at() }
    const { answer } = await send(JSON.stringify(body))
    const waiting = await send(JSON.stringify({ symbol: 'MXF1!', side: 'buy', lots: 1, px: 46_000 }))
    hook = new URL(webhook.url as string).pathname
    const stock = await desk.make({ kind: 'stock', settings: { symbols: ['2330'] } })
    things = {
      strategy_id: strategy.id,
      strategy_name: strategy.name,
      stock_id: stock.id,
      webhook_id: webhook.id,
      delivery_id: answer.delivery_id as string,
      format_id: waiting.answer.format_id as string,
      signal_id: answer.signal_id as string,
      image_id: '0'.repeat(40),
      session_id: '01890000-0000-7000-8000-000000000000',
      email: desk.person.email,
    }
  }
  const headers = (more: Record<string, string> = {}) => ({
    authorization: `Bearer ${desk.person.token}`,
    'content-type': 'application/json',
    ...more,
  })

  function probeOf(endpoint: Endpoint, input: Record<string, unknown>): Probe {
    const named = { ...input }
    for (const [, name = ''] of endpoint.path.matchAll(/:([a-z_]+)/g)) {
      const value = named[name]
      named[name] = (typeof value === 'string' ? value.toWellFormed() : JSON.stringify(value)) || 'x'
    }
    const { path, rest } = route(endpoint, named)
    const { body = 'json' } = endpoint
    if (body !== 'json')
      return {
        endpoint: endpoint.name,
        method: endpoint.method,
        path: `/api/v1${path}${body === 'file' ? fileQuery(rest) : ''}`,
        body: rest[body] instanceof Uint8Array ? rest[body] : JSON.stringify(rest),
        headers: headers({ 'content-type': 'application/octet-stream' }),
      }
    if (endpoint.method !== 'GET')
      return {
        endpoint: endpoint.name,
        method: endpoint.method,
        path: `/api/v1${path}`,
        body: JSON.stringify(rest),
        headers: headers(),
      }
    const query = new URLSearchParams()
    for (const [key, value] of Object.entries(rest))
      query.set(key, typeof value === 'object' ? JSON.stringify(value) : String(value))
    return { endpoint: endpoint.name, method: 'GET', path: `/api/v1${path}?${query}`, headers: headers() }
  }

  /** Sends all; gives those answered with 5xx (or not at all), shortened. */
  async function fire(probes: readonly Probe[], by = desk.server.dispatch): Promise<string[]> {
    const bad: string[] = []
    let next = 0
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let probe = probes[next++]; probe; probe = probes[next++]) {
          const { method, path, body, headers } = probe
          const shown = `${method} ${path} ${typeof body === 'string' ? body.slice(0, 300) : ''}`
          try {
            const answer = await inTime(
              by(path, {
                method,
                headers,
                ...(body !== undefined && { body: body as BodyInit }),
              }),
            )
            if (answer.status >= 500) bad.push(`${answer.status} ${shown} ${await answer.text()}`)
            else await answer.body?.cancel()
          } catch (error) {
            bad.push(`${String(error)} ${shown}`)
          }
        }
      }),
    )
    return bad
  }

  test.each(ENDPOINTS.map((endpoint) => [endpoint.name, endpoint] as const))('%s', async (name, endpoint) => {
    const count = FEW[name] ?? Math.ceil((REQUESTS * share) / (ENDPOINTS.length - Object.keys(FEW).length))
    await renew()
    const bases = (TRIALS[name] ?? []).map((trial) => trial.input(things))
    const inputs = fc.oneof(
      ...bases.map(wornOut),
      inputsOf(endpoint).map((input) => ({ ...bases[0], ...input })),
    )
    const probes = fc.sample(inputs, { seed: SEED, numRuns: count }).map((input) => probeOf(endpoint, input))
    // It would end the session that all others need.
    if (name === 'session.logout') for (const probe of probes) probe.headers['authorization'] = 'Bearer a.b.c'
    expect(await fire(probes)).toEqual([])
  })

  test('the webhook door', async () => {
    await renew()
    const count = Math.ceil((REQUESTS * share) / 20)
    const base = { id: 'x', symbol: 'MXF1!', action: 'buy', qty: 1, price: 46_000, timenow: desk.at() }
    const bodies = fc.sample(
      fc.oneof(
        wornOut(base).map((body) => JSON.stringify(body)),
        nastyText,
      ),
      {
        seed: SEED,
        numRuns: count,
      },
    )
    const probe = (body: string | Uint8Array): Probe => ({
      endpoint: 'hook',
      method: 'POST',
      path: hook,
      body,
      headers: { 'content-type': 'text/plain' },
    })
    expect(await fire([...bodies, ...TORTURE].map(probe))).toEqual([])
    // Over sockets a plain post goes another way than through the router.
    expect(
      await fire([...bodies.slice(0, sized(30, 300)), ...TORTURE].map(probe), desk.server.request),
    ).toEqual([])
  })

  test('bodies that are no JSON, to every endpoint that reads one', async () => {
    await renew()
    const probes = ENDPOINTS.filter(
      (endpoint) => endpoint.method !== 'GET' && endpoint.name !== 'session.logout',
    ).flatMap((endpoint, at) => {
      const base = probeOf(endpoint, TRIALS[endpoint.name]?.[0]?.input(things) ?? {})
      const bodies = TORTURE.filter((_body, n) => SOAK || n % 20 === at % 20)
      return bodies.map((body) => ({ ...base, body }))
    })
    expect(await fire(probes)).toEqual([])
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  test('headers of every kind', async () => {
    const values = TEXTS.filter((text) => /^[\t\x20-\x7e\x80-\xff]*$/.test(text) && text.length < 4_000)
    const names = [
      'authorization',
      'lb-org-id',
      'idempotency-key',
      'content-type',
      'accept-encoding',
      'x-forwarded-for',
    ]
    const probes = ENDPOINTS.filter(({ name }) => !FEW[name] && name !== 'session.logout').flatMap(
      (endpoint) => {
        const base = probeOf(endpoint, TRIALS[endpoint.name]?.[0]?.input(things) ?? {})
        return names.flatMap((name) =>
          fc.sample(fc.constantFrom(...values), { seed: SEED, numRuns: sized(1, 5) }).map((value) => ({
            ...base,
            headers: { ...base.headers, [name]: value },
          })),
        )
      },
    )
    const cursors = values.map((value) => ({
      endpoint: 'event.stream',
      method: 'GET',
      path: '/api/v1/events',
      headers: headers({ 'last-event-id': value }),
    }))
    expect(await fire([...probes, ...cursors])).toEqual([])
  })

  describe('comes back as it was sent', () => {
    const keepable = TEXTS.map((text) => text.trim()).filter((text) => text !== '' && !hasControl(text))
    test('a name, a note, tags', async () => {
      await renew()
      // A name is one line and no address (tests/server/entered-texts.test.ts).
      const names = keepable.filter((one) => one.length <= 40 && !/[\t\r\n\u2028\u2029]/.test(one))
      for (const text of names.filter((one) => !hasAddress(one) && withoutBlanks(one) !== '')) {
        await desk.person.call(updateName, { name: text })
        // what draws nothing is no part of a name
        expect((await desk.person.call(getProfile, {})).name).toBe(withoutBlanks(text))
      }
      for (const note of keepable.filter((one) => one.length <= 1_000)) {
        await desk.person.call(updateStrategy, { id: things.strategy_id, note })
        expect((await desk.person.call(getStrategy, { id: things.strategy_id })).note).toBe(note)
      }
    })

    test('a message as it came, with the spaces around it and the mark before it', async () => {
      const { webhook, send } = await desk.strategy()
      const readable = [
        '{"symbol":"MXF1!","action":"buy","qty":1}',
        'symbol=MXF1!,action=buy,qty=1',
        'PING',
        ' ',
      ]
      const texts = [
        ...TEXTS.filter((text) => text.isWellFormed() && !text.includes('\0') && text !== ''),
        ...readable.flatMap((text) => [` ${text}\r\n`, `\ufeff${text}`]),
      ]
      for (const text of texts) await send(text)
      const asked = { id: webhook.id, limit: 200 }
      const { items: listed } = await desk.person.call(listDeliveries, asked)
      // a PING is listed only where it is asked for (docs/decisions/stock-strategies.md)
      const pings = await desk.person.call(listDeliveries, { ...asked, reason_code: 'heartbeat' })
      const kept = [...listed, ...pings.items].sort((a, b) => (a.id < b.id ? 1 : -1))
      expect(kept).toHaveLength(texts.length)
      // Of what nobody could read and is longer than 2 KB the beginning is kept (wire §5).
      const beginning = (text: string) => Buffer.from(text).subarray(0, BODY_KEPT_BYTES).toString()
      const whole = new Map(kept.map(({ id }, i) => [id, texts.at(-1 - i) as string]))
      for (const { id, body, body_cut, reason_code } of kept) {
        const text = whole.get(id) as string
        expect(body).toBe(body_cut ? beginning(text) : text)
        if (body_cut) expect(reason_code).toBe('unreadable')
        if (body_cut) expect(Buffer.byteLength(text)).toBeGreaterThan(BODY_KEPT_BYTES)
      }
      expect(kept.filter(({ body_cut }) => body_cut).length).toBeGreaterThan(0)
      const rows = await desk.server.app.db
        .selectFrom('deliveries')
        .select(['id', 'body_sha256'])
        .where('id', 'in', [...whole.keys()])
        .execute()
      for (const { id, body_sha256 } of rows) expect(body_sha256).toBe(sha256(whole.get(id) as string))
    })
  })
})

/** The answer, or an error when there is none yet. */
function inTime(answer: Promise<Response>): Promise<Response> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_none, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${HANGS_MS} ms`)), HANGS_MS)
  })
  return Promise.race([answer, late]).finally(() => clearTimeout(timer))
}
