// Numbers and stores events: the number comes from the scope's counter row, updated in the same transaction as the effect.
import type { AppEvent, Scope } from '#contract/events.ts'
import type { Tx } from '../context.ts'
import type { Db } from '../db/schema.ts'

/** SQLite takes 32,766 parameters in a statement, an event needs five. */
const ROWS_AT_ONCE = 1_000

/** What each running transaction will tell once it is committed. */
const told = new WeakMap<Tx, AppEvent[]>()

/** Reserves `count` numbers of the scope and gives the LAST of them. Order of numbers = order of commits. */
export async function nextSeq(db: Db, scope: Scope, count: number): Promise<number> {
  const row = await db
    .insertInto('counters')
    .values({ scope, seq: count })
    .onConflict((conflict) =>
      conflict.column('scope').doUpdateSet((eb) => ({ seq: eb('counters.seq', '+', count) })),
    )
    .returning('seq')
    .executeTakeFirstOrThrow()
  return row.seq
}

/** Stores events that carry their numbers (from `nextSeq`) and publishes them after the commit. */
export async function appendNumbered(tx: Tx, events: readonly AppEvent[]): Promise<void> {
  for (let from = 0; from < events.length; from += ROWS_AT_ONCE)
    await tx.db
      .insertInto('events')
      .values(
        events
          .slice(from, from + ROWS_AT_ONCE)
          .map(({ scope, seq, at, kind, data }) => ({ scope, seq, at, kind, data: JSON.stringify(data) })),
      )
      .execute()
  const list = told.get(tx)
  if (list) list.push(...events)
  else told.set(tx, [...events])
}

/** What the transaction appended, in the order of the numbers of each scope. */
export function appended(tx: Tx): AppEvent[] {
  return (told.get(tx) ?? []).sort((a, b) => a.seq - b.seq)
}
