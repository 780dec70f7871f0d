// A real HTTP server that speaks the contract as far as src/data listens: feed, refolded records, dashboard, profile, events.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type OutputOf, refuse, succeed } from '#contract/endpoint.ts'
import { ApiError } from '#contract/errors.ts'
import type { AppEvent, EventData, EventKind, Scope } from '#contract/events.ts'
import type { SignalRecord, signalFeed } from '#contract/signal.ts'
import { UNHURRIED } from '../../support/port.ts'
import { token } from './device.ts'

export interface Asked {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
  body: string
}
export type Answer =
  | 'drop'
  | ((response: ServerResponse) => void)
  | { status?: number; json?: unknown; text?: string; headers?: Record<string, string> }

/** A server with any behaviour. `url` has no path. */
export async function serve(answer: (asked: Asked, nth: number) => Answer | Promise<Answer>) {
  const asked: Asked[] = []
  const server = createServer(UNHURRIED, async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const url = new URL(request.url ?? '/', 'http://server')
    const one: Asked = {
      method: request.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      body,
    }
    asked.push(one)
    const given = await answer(one, asked.length)
    if (given === 'drop') request.socket.destroy()
    else if (typeof given === 'function') given(response)
    else {
      const json = given.text === undefined
      response.writeHead(given.status ?? 200, {
        'content-type': json ? 'application/json' : 'text/html',
        ...given.headers,
      })
      response.end(given.text ?? JSON.stringify(given.json))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const uuid = (n: number) => `01900000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`
export const STRATEGY = uuid(0xa)
export const OTHER_STRATEGY = uuid(0xb)

/** Record number `n`: one minute after the one before. */
export function record(n: number, change: Partial<SignalRecord> = {}): SignalRecord {
  const at = new Date(Date.parse('2026-01-01T00:00:00.000Z') + n * 60_000).toISOString()
  return {
    id: uuid(0x1000 + n),
    strategy_id: STRATEGY,
    chain_seq: n,
    source: 'webhook',
    refers_to: null,
    external_id: null,
    asset: 'futures',
    symbol_raw: null,
    symbol: 'MXF',
    contract: 'C1',
    action: 'long_entry',
    quantity: 1,
    unit: 'lot',
    target_position: null,
    reported_prev: null,
    price: 20_000 + n,
    occurred_at: at,
    received_at: at,
    timeframe: null,
    note: null,
    reason: null,
    body_sha256: null,
    created_by: null,
    seq: n,
    prev_hash: '0'.repeat(64),
    hash: '1'.repeat(64),
    webhook_id: null,
    delivery_id: null,
    symbol_name: '小型臺指',
    trading_date: at.slice(0, 10),
    session: 'day',
    quiet: false,
    flags: [],
    derived: {
      status: 'ok',
      effect: 'open',
      none_reason: null,
      side: 'long',
      position_before: 0,
      position_after: 1,
      avg_price_after: null,
      price_used: null,
      realised_pnl: null,
      fee: null,
      tax: null,
    },
    ...change,
  }
}

/** What a scope may read; the version changes with each. */
interface Grant {
  version: number
  access: OutputOf<typeof signalFeed>['access']
  forget: string[]
  lease_until: string | null
}

interface Heard {
  cursor: number
  event: AppEvent
}

const STARTED_S = Math.floor(Date.now() / 1000)
/** What the server gives in exchange for an old token. */
export const renewed = (uid: string): string => token({ uid, sid: 's', iat: STARTED_S, exp: 2 ** 31 })

/** One product server in small: records by scope, a stream with numbered cursors, one dashboard. */
export async function startBackend() {
  const records = new Map<Scope, SignalRecord[]>()
  const log: Heard[] = []
  const streams = new Set<{ response: ServerResponse; last_event_id: string | null }>()
  let members: readonly string[] = []
  let epoch = 'first'
  let fails = false
  let places = false
  const delays = new Map<string, Promise<void>>()
  let refusal: Exclude<Answer, 'drop'> | null = null
  const own = (scope: Scope) => records.get(scope) ?? []

  const more = new Map<string, unknown>()
  const grants = new Map<Scope, Grant>()

  const rewound = new Set<Scope>()
  const feed = (scope: Scope, query: URLSearchParams) => {
    const grant = grants.get(scope)
    const strategy_id = query.get('strategy_id')
    // One that was rewound stands behind what was read of it.
    const head = rewound.has(scope) ? Math.max(0, ...own(scope).map(({ seq }) => seq)) : Infinity
    const reset = (query.get('epoch') ?? epoch) !== epoch || Number(query.get('after') ?? 0) > head
    const list = own(scope).filter(
      (one) =>
        (strategy_id === null || one.strategy_id === strategy_id) &&
        (!grant?.access ||
          grant.access.some(
            ({ strategy_id: id, visible_from }) =>
              id === one.strategy_id && (visible_from === null || one.trading_date >= visible_from),
          )),
    )
    const limit = Number(query.get('limit') ?? 200)
    const by_seq = list.toSorted((a, b) => a.seq - b.seq)
    const before = Number(query.get('before') ?? Number.POSITIVE_INFINITY)
    const found =
      query.get('latest') === 'true'
        ? by_seq.filter(({ seq }) => seq < before).reverse()
        : by_seq.filter(({ seq }) => seq > Number(query.get('after') ?? 0))
    const items = reset ? [] : found.slice(0, limit)
    const next_after = reset ? 0 : (items.at(-1)?.seq ?? Number(query.get('after') ?? 0))
    return {
      items,
      next_after,
      epoch,
      ...(reset && { reset }),
      more: found.length > limit,
      access_version: grant?.version ?? 1,
      ...(grant?.access && query.get('access_version') !== String(grant.version) && { access: grant.access }),
      forget: grant?.forget ?? [],
      lease_until: grant?.lease_until ?? null,
      server_time: new Date().toISOString(),
    }
  }
  const backend = await serve(async (asked): Promise<Answer> => {
    await delays.get(asked.path)
    const given = answer(asked)
    if (!places || !asked.headers['lb-cursor'] || typeof given !== 'object') return given
    return { ...given, headers: { 'lb-cursor': String(log.length) } }
  })
  const answer = ({ method, path, query, headers }: Asked): Answer => {
    const claims = headers.authorization?.split('.')[1]
    if (fails) return 'drop'
    if (refusal) return refusal
    if (!claims) return { status: 401, json: refuse(new ApiError(4010)) }
    const { uid } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { uid: string }
    const org = headers['lb-org-id']
    // Ruling A1: calls about the person ignore the header.
    if (path === '/api/v1/user/profile')
      return {
        json: succeed({ id: uid, name: `name of ${uid}`, organizations: members.map((id) => ({ id })) }),
      }
    if (path === '/api/v1/user/token/renew') return { json: succeed({ access_token: renewed(uid) }) }
    if (path === '/api/v1/user/logout') return { json: succeed(null) }
    const known = more.get(`${method} ${path}`)
    if (known !== undefined) return { json: succeed(known) }
    if (typeof org === 'string' && !members.includes(org))
      return { status: 403, json: refuse(new ApiError(4031)) }
    const scope: Scope = typeof org === 'string' ? `o:${org}` : `p:${uid}`
    if (path === '/api/v1/events') return (response) => openStream(response, headers['last-event-id'])
    if (path === '/api/v1/signals') return { json: succeed(feed(scope, query)) }
    if (path === '/api/v1/dashboard') return { json: succeed({ context: scope, latest: [] }) }
    const strategy_id = /^\/api\/v1\/strategies\/([^/]+)\/signals$/.exec(path)?.[1]
    if (strategy_id) {
      const from = Number(query.get('min_chain_seq') ?? 0)
      const items = own(scope).filter((one) => one.strategy_id === strategy_id && one.chain_seq >= from)
      return { json: succeed({ items: items.toReversed(), next_before: null }) }
    }
    return { status: 404, json: refuse(new ApiError(4040)) }
  }
  const openStream = (response: ServerResponse, last_event_id: unknown) => {
    const id = typeof last_event_id === 'string' ? last_event_id : null
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(`id: ${id ?? log.length}\n\n`)
    for (const { cursor, event } of log)
      if (id !== null && cursor > Number(id)) write(response, cursor, event)
    const stream = { response, last_event_id: id }
    streams.add(stream)
    response.on('close', () => streams.delete(stream))
  }
  const write = (response: ServerResponse, cursor: number, event: AppEvent) =>
    response.write(`id: ${cursor}\nevent: ${event.kind}\ndata: ${JSON.stringify(event)}\n\n`)

  return {
    ...backend,
    streams,
    /** Stored on the server; nobody is told. */
    store: (scope: Scope, ...given: SignalRecord[]) => {
      records.set(scope, [...own(scope).filter(({ id }) => !given.some((one) => one.id === id)), ...given])
    },
    /** What the feed of this scope gives from now on, and until when. */
    grant(scope: Scope, change: Partial<Omit<Grant, 'version'>>) {
      const before = grants.get(scope)
      const version = (before?.version ?? 1) + 1
      grants.set(scope, { access: undefined, forget: [], lease_until: null, ...before, ...change, version })
    },
    clear: (scope: Scope) => records.delete(scope),
    /** An earlier state of the same database: its records are gone, and its count begins anew. */
    rewind(scope: Scope) {
      rewound.add(scope)
      records.delete(scope)
    },
    /** A copy of an earlier day took the database's place: other numbers, another epoch. */
    restore(name: string) {
      epoch = name
      records.clear()
    },
    /** Told on every stream. */
    tell<K extends EventKind>(scope: Scope, kind: K, data: EventData[K]) {
      const event = {
        seq: log.length + 1,
        scope,
        at: new Date().toISOString(),
        kind,
        data,
      } as unknown as AppEvent
      log.push({ cursor: log.length + 1, event })
      for (const { response } of streams) write(response, log.length, event)
    },
    /** The last events once more, as after a resume from an old cursor. */
    repeat() {
      for (const { response } of streams) for (const { cursor, event } of log) write(response, cursor, event)
    },
    heartbeat() {
      for (const { response } of streams) response.write(': still here\n\n')
    },
    cut() {
      for (const { response } of [...streams]) response.destroy()
    },
    /** One more call, and what it gives. */
    knows(method: string, path: string, result: unknown) {
      more.set(`${method} /api/v1${path}`, result)
    },
    members(...ids: string[]) {
      members = ids
    },
    /** What is asked of this path is answered after that. */
    delay(path: string, until: Promise<void>) {
      delays.set(`/api/v1${path}`, until)
    },
    /** Answers say where the stream stood, to who asks for it; a server of before does not. */
    places() {
      places = true
    },
    /** Every token is refused from now on. */
    endSessions() {
      refusal = { status: 401, json: refuse(new ApiError(4012)) }
    },
    /** Every call is answered so from now on, whatever it asks. */
    refuseAll(answer: Exclude<Answer, 'drop'>) {
      refusal = answer
    },
    /** Every connection is dropped without an answer. */
    break(on: boolean) {
      fails = on
    },
  }
}
export type Backend = Awaited<ReturnType<typeof startBackend>>
