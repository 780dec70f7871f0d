// One owner with very many records over many strategies, stored as the intake stores them; and every statement that is sent.
import { DefaultQueryExecutor, sql } from 'kysely'
import { createStrategy } from '#contract/strategy.ts'
import { record } from '#tests/trading/records.ts'
import { instantOf } from '#trading/calendar.ts'
import { append, bareOf } from './append.ts'
import { type Person, signUp } from './people.ts'
import type { TestServer } from './server.ts'

const DAY_MS = 86_400_000
/** Records a strategy has a day, and those of a commit. */
const [A_DAY, BATCH] = [4, 100]
const HOURS = ['09:00', '09:30', '10:15', '13:00']

export interface Grown {
  person: Person
  ids: string[]
  /** The path of each one's webhook. */
  hooks: string[]
  /** One more record in each of these strategies. */
  more(ids: readonly string[]): Promise<void>
}

/** So many strategies that have so many records together, which came in turn and end today. */
export async function grow(server: TestServer, strategies: number, records: number): Promise<Grown> {
  const { app } = server
  const person = await signUp({ ...server, request: server.dispatch }, '大戶')
  const [ids, hooks] = [[] as string[], [] as string[]]
  for (let s = 0; s < strategies; s++) {
    const settings = { product_code: 'MXF' }
    const made = await person.call(createStrategy, { kind: 'futures', name: `策略 ${s}`, settings })
    ids.push(made.id)
    hooks.push(new URL(made.webhooks?.[0]?.url as string).pathname)
  }
  const each = Math.ceil(records / strategies)
  const first = Date.now() - Math.ceil(each / A_DAY) * DAY_MS
  const next = new Map(ids.map((id) => [id, 0]))
  const add = async (id: string, count: number) => {
    const done = next.get(id) as number
    next.set(id, done + count)
    const drafts = Array.from({ length: count }, (_, i) => {
      const at = done + i
      const day = new Date(first + Math.floor(at / A_DAY) * DAY_MS).toISOString().slice(0, 10)
      const occurred_at = instantOf(day, HOURS[at % A_DAY] as string)
      return bareOf(
        id,
        record(at + 1, at % 2 ? 'sell' : 'buy', 1, 46_000 + ((at * 7) % 400), { occurred_at }),
      )
    })
    await append(app, id, app.fold_cache, drafts)
  }
  for (let done = 0; done < each; done += BATCH)
    for (const id of ids) await add(id, Math.min(BATCH, each - done))
  // Nobody was to be told of them.
  await sql`delete from notify_cursors`.execute(app.db)
  await sql`insert into notify_cursors (scope, seq) select scope, seq from counters`.execute(app.db)
  // PostgreSQL does it by itself; on SQLite nobody does.
  if (app.engine === 'postgres') await sql`analyze`.execute(app.db)
  return {
    ...{ person, ids, hooks },
    async more(of) {
      for (const id of of) await add(id, 1)
    },
  }
}

export interface Statement {
  sql: string
  parameters: readonly unknown[]
  ms: number
}

/** Every statement that this process sends from now on, until `stop`. */
export function statements(): { list: Statement[]; stop(): void } {
  const list: Statement[] = []
  const { executeQuery } = DefaultQueryExecutor.prototype
  DefaultQueryExecutor.prototype.executeQuery = async function (query, ...rest) {
    const began = performance.now()
    try {
      return (await executeQuery.call(this, query, ...rest)) as never
    } finally {
      const { sql: text, parameters } = query
      list.push({ sql: text, parameters, ms: performance.now() - began })
    }
  }
  const stop = () => {
    DefaultQueryExecutor.prototype.executeQuery = executeQuery
  }
  return { list, stop }
}
