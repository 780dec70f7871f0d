// A person with strategies whose webhooks tests post to, as TradingView or curl would.
import { listStrategySignals, type SignalRecord } from '#contract/signal.ts'
import { createStrategy, type Strategy, type StrategyInput } from '#contract/strategy.ts'
import { type Delivery, type HookAnswer, listDeliveries, type Webhook } from '#contract/webhook.ts'
import { type Person, signUp } from './people.ts'
import { type StartOptions, startServer, type TestServer } from './server.ts'

export interface HookReply {
  status: number
  answer: HookAnswer
  headers: Headers
}
export type Send = (body: string | Uint8Array, headers?: Record<string, string>) => Promise<HookReply>

export interface Desk {
  server: TestServer
  person: Person
  /** A new futures strategy on MXF, or as `over` says, with the sender of its first webhook. */
  strategy(over?: Record<string, unknown>): Promise<{ strategy: Strategy; webhook: Webhook; send: Send }>
  sender(webhook: Webhook): Send
  records(of: Strategy): Promise<SignalRecord[]>
  deliveries(of: Webhook): Promise<Delivery[]>
  /** An instant `offset_s` seconds from now. */
  at(offset_s?: number): string
  /** Sets the server's clock; null lets it run again. */
  setClock(ms: number | null): void
}

/** A running server with one person on it; close `desk.server` afterwards. */
export async function openDesk(options: StartOptions = {}): Promise<Desk> {
  let fixed: number | null = null
  const server = await startServer({ ...options, overrides: { now: () => fixed ?? Date.now() } })
  const person = await signUp(server, '收訊人')
  let count = 0
  const sender =
    (webhook: Webhook): Send =>
    async (body, headers = {}) => {
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
  return {
    server,
    person,
    sender,
    async strategy(over = {}) {
      count += 1
      const input = { kind: 'futures', name: `策略 ${count}`, settings: { product_code: 'MXF' }, ...over }
      const made = await person.call(createStrategy, input as StrategyInput)
      const webhook = made.webhooks?.[0] as Webhook
      return { strategy: made, webhook, send: sender(webhook) }
    },
    records: async (of) => (await person.call(listStrategySignals, { id: of.id, limit: 200 })).items,
    deliveries: async (of) => (await person.call(listDeliveries, { id: of.id, limit: 200 })).items,
    at: (offset_s = 0) => new Date(Date.now() + offset_s * 1_000).toISOString(),
    setClock(ms) {
      fixed = ms
    },
  }
}
