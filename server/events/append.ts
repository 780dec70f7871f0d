// Numbers and stores events: the number comes from the scope's counter row, updated in the same transaction as the effect.
import type { AppEvent, Scope } from '#contract/events.ts'
import type { Tx } from '../context.ts'
import { bulkInsert, compiled, isPostgres, runBulk } from '../db/bulk.ts'
import type { Db } from '../db/schema.ts'

/** What each running transaction will tell once it is committed. */
const told = new WeakMap<Tx, AppEvent[]>()

const EVENTS = bulkInsert('events', { scope: 'text', seq: 'bigint', at: 'text', kind: 'text', data: 'text' })
const UP = 'on conflict (scope) do update set seq = counters.seq + excluded.seq returning seq'
const NEXT = {
  sqlite: `insert into counters (scope, seq) values (?, ?) ${UP}`,
  postgres: `insert into counters (scope, seq) values ($1, $2) ${UP}`,
}

/** Reserves `count` numbers of the scope and gives the LAST of them. Order of numbers = order of commits. */
export async function nextSeq(db: Db, scope: Scope, count: number): Promise<number> {
  const text = NEXT[isPostgres(db) ? 'postgres' : 'sqlite']
  const { rows } = await db.executeQuery<{ seq: number }>(compiled(text, [scope, count]))
  const [row] = rows
  if (!row) throw new Error(`no number was given in ${scope}`)
  return row.seq
}

/** Stores events that carry their numbers (from `nextSeq`) and publishes them after the commit. */
export async function appendNumbered(tx: Tx, events: readonly AppEvent[]): Promise<void> {
  await runBulk(
    tx.db,
    EVENTS,
    events.map((event) => ({
      scope: event.scope,
      seq: event.seq,
      at: event.at,
      kind: event.kind,
      data: keptOf(event),
    })),
  )
  const list = told.get(tx)
  if (list) list.push(...events)
  else told.set(tx, [...events])
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
      return JSON.stringify({ id: event.data.id })
    default:
      return JSON.stringify(event.data)
  }
}
