// Numbers and stores events: the number comes from the scope's counter row, updated in the same transaction as the effect.
import type { AppEvent, Scope } from '#contract/events.ts'
import type { App, Tx } from '../context.ts'
import { type Bulk, bulk, bulkInsert, runBulk, type Work } from '../db/bulk.ts'
import { codeOf } from '../db/condition.ts'
import type { Db } from '../db/schema.ts'
import { EACH } from '../db/sqlite.ts'

/** What each running transaction will tell once it is committed. */
const told = new WeakMap<Tx, AppEvent[]>()

const EVENTS = bulkInsert('events', { scope: 'text', seq: 'bigint', at: 'text', kind: 'text', data: 'text' })
const UP = `on conflict (scope) do update set seq = counters.seq + excluded.seq, touched = excluded.touched
  returning scope, seq`
const NEXT: Bulk<'scope' | 'seq' | 'touched'> = {
  // The scopes in a fixed order: two processes that lock counters take them in the same one.
  ...bulk(
    { scope: 'text', seq: 'bigint', touched: 'integer' },
    (source) =>
      `insert into counters (scope, seq, touched) select v.scope, v.seq, v.touched from ${source} as v order by v.scope ${UP}`,
  ),
  each: `${EACH}insert into counters (scope, seq, touched) values (?, ?, ?) ${UP}`,
}

/** By the clock of the machine, whatever time is believed: what counts is only that it was lately. */
export const minuteNow = (): number => Math.floor(Date.now() / 60_000)

/** Reserves so many numbers of each scope and gives the LAST of each. Order of numbers = order of commits. */
export async function nextSeqs(db: Db, counts: ReadonlyMap<Scope, number>): Promise<Map<Scope, number>> {
  const touched = minuteNow()
  const asked = [...counts]
    .map(([scope, seq]) => ({ scope, seq, touched }))
    .sort((a, b) => (a.scope < b.scope ? -1 : 1))
  const rows = await runBulk<'scope' | 'seq' | 'touched', { scope: Scope; seq: number }>(db, NEXT, asked)
  return new Map(rows.map(({ scope, seq }) => [scope, seq]))
}

/** Reserves `count` numbers of the scope and gives the LAST of them. */
export async function nextSeq(db: Db, scope: Scope, count: number): Promise<number> {
  const last = (await nextSeqs(db, new Map([[scope, count]]))).get(scope)
  if (last === undefined) throw new Error(`no number was given in ${scope}`)
  return last
}

/** Stores events that carry their numbers (from `nextSeq`) and publishes them after the commit. */
export async function appendNumbered(tx: Tx, events: readonly AppEvent[]): Promise<void> {
  const { bulk, rows } = eventRows(tx, events)
  await runBulk(tx.db, bulk, rows)
}

/** The same for somebody who stores the rows together with others. */
export function eventRows(tx: Tx, events: readonly AppEvent[]): Work {
  publishLater(tx, events)
  const rows = events.map((event) => ({
    scope: event.scope,
    seq: event.seq,
    at: event.at,
    kind: event.kind,
    data: keptOf(event),
  }))
  return { bulk: EVENTS, rows }
}

/** Publishes events after the commit; something else stores them. */
export function publishLater(tx: Tx, events: readonly AppEvent[]): void {
  const list = told.get(tx)
  if (list) list.push(...events)
  else told.set(tx, [...events])
}

/** Numbers events of any scopes in the order given, stores them and publishes them after the commit: two journeys to PostgreSQL, however many. */
export async function appendMany(
  tx: Tx,
  news: readonly Pick<AppEvent, 'scope' | 'kind' | 'data'>[],
): Promise<void> {
  const counts = new Map<Scope, number>()
  for (const { scope } of news) counts.set(scope, (counts.get(scope) ?? 0) + 1)
  const next = new Map<Scope, number>()
  for (const [scope, last] of await nextSeqs(tx.db, counts))
    next.set(scope, last - (counts.get(scope) ?? 0) + 1)
  const events = news.map((one) => {
    const seq = next.get(one.scope)
    if (seq === undefined) throw new Error(`no number was given in ${one.scope}`)
    next.set(one.scope, seq + 1)
    return { ...one, seq, at: tx.at } as AppEvent
  })
  await appendNumbered(tx, events)
}

/** What the transaction appended, in the order of the numbers of each scope. */
export function appended(tx: Tx): AppEvent[] {
  return (told.get(tx) ?? []).sort((a, b) => a.seq - b.seq)
}

/** Stands where everything is found in the signals, under the event's own scope and number. */
export const IN_SIGNALS = '{}'

/** What of an event is stored with it: nothing that stands in another row already (read.ts fills it in again). */
function keptOf(event: AppEvent): string {
  switch (event.kind) {
    case 'signal':
    case 'signal-voided':
      return IN_SIGNALS
    case 'delivery':
    case 'notification':
      return JSON.stringify({ id: event.data.id })
    default:
      return JSON.stringify(event.data)
  }
}

// Runs a piece of work in one transaction and tells the world only after its commit.

/** Serialisation failure and deadlock on PostgreSQL: nothing happened, the same work may run again. */
const RETRIED = new Set(['40001', '40P01'])
const ATTEMPTS = 5

/**
 * One transaction (begin immediate on SQLite). `run` uses only `tx.db`: on SQLite there is one connection, and `app.db` inside
 * would wait for itself. It may run again after a deadlock on PostgreSQL, so it changes nothing outside. `by` = whose call it is.
 */
export async function inTransaction<T>(
  app: Pick<App, 'db' | 'now' | 'events' | 'log'>,
  run: (tx: Tx) => Promise<T>,
  by?: string,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const after: (() => void)[] = []
    const at = new Date(app.now()).toISOString()
    let events: AppEvent[] = []
    let result: T
    try {
      result = await app.db.transaction().execute(async (db) => {
        const tx: Tx = {
          db,
          at,
          ...(by !== undefined && { by }),
          append: async (scope, kind, data) => {
            const event = { seq: await nextSeq(db, scope, 1), scope, at, kind, data } as AppEvent
            await appendNumbered(tx, [event])
          },
          appendMany: (news) => appendMany(tx, news),
          afterCommit: (what) => {
            after.push(what)
          },
        }
        const outcome = await run(tx)
        events = appended(tx)
        return outcome
      })
    } catch (error) {
      if (attempt < ATTEMPTS && RETRIED.has(codeOf(error))) continue
      throw error
    }
    if (events.length > 0) app.events.publish(events)
    for (const what of after) {
      try {
        what()
      } catch (error) {
        // The commit stands: what follows it can only be noted.
        app.log.error({ err: error }, 'after commit')
      }
    }
    return result
  }
}
