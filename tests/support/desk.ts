// A server with a trader and a stranger, and the few things tests of strategies, webhooks and signals keep doing.
import type { ApiError } from '#contract/errors.ts'
import { getSignal, listStrategySignals, type SignalRecord } from '#contract/signal.ts'
import { createStrategy, type Strategy, type StrategyInput } from '#contract/strategy.ts'
import {
  type Delivery,
  type HookAnswer,
  listDeliveries,
  type Mapping,
  type Webhook,
} from '#contract/webhook.ts'
import { confirmFormat, listFormats } from '#contract/webhook-format.ts'
import { answer } from '#server/ingest/request.ts'
import type { Answers } from '#trading/reader/format.ts'
import type { Action } from '#trading/record.ts'
import { type Person, signUp } from './people.ts'
import { type StartOptions, startServer, type TestServer } from './server.ts'

export interface HookReply {
  status: number
  answer: HookAnswer
  headers: Headers
}
/** Posts a message to one webhook, as TradingView or curl would. */
export type Send = (body: string | Uint8Array, headers?: Record<string, string>) => Promise<HookReply>

/** What is said of a message that waits: `action` picks the answers under which it is that. */
interface Said {
  mapping?: Mapping | null
  action?: Action
  answers?: Answers
}

export interface Desk {
  server: TestServer
  person: Person
  stranger: Person
  /** A futures strategy on TXF (or what `over` says) with a name of its own. */
  make(over?: Record<string, unknown>): Promise<Strategy>
  /** The same on MXF, with its first webhook and the sender of it. */
  strategy(over?: Record<string, unknown>): Promise<{ strategy: Strategy; webhook: Webhook; send: Send }>
  sender(webhook: Webhook): Send
  /**
   * The same, with somebody beside it who confirms what is held, as it is proposed or with this mapping, and answers what is asked:
   * answered as what became of it.
   */
  asking(webhook: Webhook, said?: Said): Send
  /** Sends a message through the strategy's first webhook; throws unless it is answered with `status`. */
  hook(strategy: Strategy, body: Record<string, unknown> | string, status?: number): Promise<HookAnswer>
  records(of: Strategy): Promise<SignalRecord[]>
  deliveries(of: Webhook): Promise<Delivery[]>
  /** What was told about a strategy, in order. */
  told(strategy_id: string): Promise<{ id: string; change: string; from_chain_seq?: number }[]>
  /** An instant `offset_s` seconds from now. */
  at(offset_s?: number): string
  /** Sets the server's clock; null lets it run again. */
  setClock(ms: number | null): void
}

/** Starts the server and signs both people up; close `desk.server` afterwards. */
export async function openDesk(options: StartOptions = {}): Promise<Desk> {
  let fixed: number | null = null
  const { now = Date.now } = options.overrides ?? {}
  const overrides = { ...options.overrides, now: () => fixed ?? now() }
  const server = await startServer({ ...options, overrides })
  const person = await signUp(server, '王小明')
  const stranger = await signUp(server, '陳外人')
  let count = 0
  const desk: Desk = {
    server,
    person,
    stranger,
    make: (over = {}) =>
      person.call(createStrategy, {
        kind: 'futures',
        settings: { product_code: 'TXF' },
        name: `策略 ${++count}`,
        ...over,
      } as StrategyInput),
    async strategy(over = {}) {
      const strategy = await desk.make({ settings: { product_code: 'MXF' }, ...over })
      const webhook = strategy.webhooks?.[0] as Webhook
      return { strategy, webhook, send: desk.sender(webhook) }
    },
    sender: (webhook) => senderTo(server, webhook),
    asking:
      (webhook, { mapping, action, answers } = {}) =>
      async (body, headers) => {
        const reply = await desk.sender(webhook)(body, headers)
        if (reply.status !== 202) return reply
        const { format_id } = reply.answer
        const { items } = await person.call(listFormats, { id: webhook.id })
        const questions = items.find(({ id }) => id === format_id)?.questions ?? []
        const right = questions.map(({ id, options }) => {
          const option = options.find(({ proposal }) => proposal?.action === action)
          return [id, option?.value]
        })
        await person.call(confirmFormat, {
          ...{ id: webhook.id, format_id: format_id as string, waiting: 'take' },
          answers: answers ?? Object.fromEntries(right),
          ...(mapping !== undefined && { mapping }),
        })
        const read = (await desk.deliveries(webhook)).find(
          ({ id }) => id === reply.answer.delivery_id,
        ) as Delivery
        const { outcome, http_status: status, signal_id, duplicate_of, reason_code, reason } = read
        const record = signal_id === null ? null : await person.call(getSignal, { id: signal_id })
        const said = {
          signal_id,
          duplicate_of,
          format_id: read.format_id,
          reason_code,
          reason,
          flags: record?.flags ?? [],
        }
        return { ...reply, status, answer: answer(outcome, read.id, said) }
      },
    async hook(strategy, body, status = 200) {
      const send = desk.sender(strategy.webhooks?.[0] as Webhook)
      const reply = await send(typeof body === 'string' ? body : JSON.stringify(body))
      if (reply.status !== status)
        throw new Error(`the hook answered ${reply.status}: ${JSON.stringify(reply.answer)}`)
      return reply.answer
    },
    records: async (of) => (await person.call(listStrategySignals, { id: of.id, limit: 200 })).items,
    deliveries: async (of) => (await person.call(listDeliveries, { id: of.id, limit: 200 })).items,
    async told(strategy_id) {
      const rows = await server.app.db
        .selectFrom('events')
        .select('data')
        .where('kind', '=', 'strategy')
        .where('data', 'like', `%${strategy_id}%`)
        .orderBy('scope')
        .orderBy('seq')
        .execute()
      return rows.map((row) => JSON.parse(row.data))
    },
    at: (offset_s = 0) => new Date(Date.now() + offset_s * 1_000).toISOString(),
    setClock(ms) {
      fixed = ms
    },
  }
  return desk
}

/** Sends through a webhook to any server of its database. */
export function senderTo(server: Pick<TestServer, 'request'>, webhook: Webhook): Send {
  return async (body, headers = {}) => {
    const response = await server.request(new URL(webhook.url as string).pathname, {
      method: 'POST',
      body: body as BodyInit,
      headers: { 'content-type': 'text/plain', ...headers },
    })
    return {
      status: response.status,
      answer: (await response.json()) as HookAnswer,
      headers: response.headers,
    }
  }
}

/** The path of the strategy's first webhook, as the answer of its creation names it. */
export function hookPath(strategy: Strategy): string {
  return new URL(strategy.webhooks?.[0]?.url as string).pathname
}

/** The refusal of a call that must be refused. */
export function refused(promise: Promise<unknown>): Promise<ApiError> {
  return promise.then(
    () => Promise.reject(new Error('was not refused')),
    (error: ApiError) => error,
  )
}
