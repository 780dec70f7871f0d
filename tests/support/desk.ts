// A server with a trader and a stranger, and the few things tests of strategies, webhooks and signals keep doing.
import type { ApiError } from '#contract/errors.ts'
import { createStrategy, type Strategy, type StrategyInput } from '#contract/strategy.ts'
import type { HookAnswer } from '#contract/webhook.ts'
import { type Person, signUp } from './people.ts'
import { type Engine, type StartOptions, startServer, type TestServer } from './server.ts'

export interface Desk {
  server: TestServer
  person: Person
  stranger: Person
  /** A futures strategy on TXF (or what `over` says) with a name of its own. */
  make(over?: Record<string, unknown>): Promise<Strategy>
  /** Sends a message through the strategy's first webhook; throws unless it is answered with `status`. */
  hook(strategy: Strategy, body: Record<string, unknown> | string, status?: number): Promise<HookAnswer>
  /** What was told about a strategy, in order. */
  told(strategy_id: string): Promise<{ id: string; change: string; from_chain_seq?: number }[]>
  close(): Promise<void>
}

/** Starts the server and signs both people up. */
export async function openDesk(engine: Engine, options: Omit<StartOptions, 'engine'> = {}): Promise<Desk> {
  const server = await startServer({ ...options, engine })
  const person = await signUp(server, '王小明')
  const stranger = await signUp(server, '陳外人')
  let count = 0
  return {
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
    async hook(strategy, body, status = 200) {
      const answer = await server.request(hookPath(strategy), {
        method: 'POST',
        body: typeof body === 'string' ? body : JSON.stringify(body),
      })
      if (answer.status !== status)
        throw new Error(`the hook answered ${answer.status}: ${await answer.text()}`)
      return (await answer.json()) as HookAnswer
    },
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
    close: () => server.close(),
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
