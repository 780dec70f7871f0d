// Reads committed events after a number, and where a scope's numbers stand now.
import type { AppEvent, Scope } from '#contract/events.ts'
import type { Db } from '../db/schema.ts'

export const PAGE = 200

/** The next events of a scope after `seq`, in order, at most `PAGE`. */
export async function eventsAfter(db: Db, scope: Scope, seq: number): Promise<AppEvent[]> {
  const rows = await db
    .selectFrom('events')
    .selectAll()
    .where('scope', '=', scope)
    .where('seq', '>', seq)
    .orderBy('seq')
    .limit(PAGE)
    .execute()
  return rows.map(({ data, ...row }) => ({ ...row, data: JSON.parse(data) }) as AppEvent)
}

/** The last number given out in each scope (0 = none yet). */
export async function heads(db: Db, scopes: readonly Scope[]): Promise<Map<Scope, number>> {
  const rows = await db
    .selectFrom('counters')
    .selectAll()
    .where('scope', 'in', [...scopes])
    .execute()
  const known = new Map(rows.map(({ scope, seq }) => [scope, seq]))
  return new Map(scopes.map((scope) => [scope, known.get(scope) ?? 0]))
}
