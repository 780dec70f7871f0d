// Reads committed events after a number, whole again, and where a scope's numbers stand now.
import type { AppEvent, Scope } from '#contract/events.ts'
import type { Db } from '../db/schema.ts'
import { IN_SIGNALS } from '../events/append.ts'
import { presentDelivery } from '../ingest/present.ts'
import { presentSignal } from '../record/present.ts'

/** What others wait for at most. */
export const PAGE = 100

export interface Page {
  /** In order. An event whose record was erased since is not among them: a gap in the numbers. */
  events: AppEvent[]
  /** How many stood in the table, as many as were asked for when there may be more. */
  found: number
  /** The number of the last of them, null when there is none. */
  last: number | null
}

/**
 * The next events of a scope after `seq`, at most `most`; signals and deliveries as they stand now. With `deliveries: 'rejected'`
 * the others are left out: they need not be read where they say nothing.
 */
export async function eventsAfter(
  db: Db,
  scope: Scope,
  seq: number,
  { most = PAGE, deliveries: wanted }: { most?: number; deliveries?: 'rejected' } = {},
): Promise<Page> {
  const rows = await db
    .selectFrom('events')
    .selectAll()
    .where('scope', '=', scope)
    .where('seq', '>', seq)
    .orderBy('seq')
    .limit(most)
    .execute()
  const read = rows.map(({ data, ...row }) => ({ ...row, data: JSON.parse(data) }) as AppEvent)
  const signals = rows.filter(({ data }) => data === IN_SIGNALS).map((row) => row.seq)
  const deliveries = read.filter(isShort).map(({ data }) => data.id)
  const [signal_of, delivery_of] = [
    await signalsAt(db, scope, signals),
    await deliveriesOf(db, scope, deliveries, wanted),
  ]
  const wanting = new Set(signals)
  const events = read.flatMap((event) => {
    const data = wanting.has(event.seq)
      ? signal_of.get(event.seq)
      : isShort(event)
        ? delivery_of.get(event.data.id)
        : event.data
    return data === undefined ? [] : [{ ...event, data } as AppEvent]
  })
  return { events, found: rows.length, last: rows.at(-1)?.seq ?? null }
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

/** Events stored before they were short carry the whole delivery. */
function isShort(event: AppEvent): event is AppEvent & { kind: 'delivery' } {
  return event.kind === 'delivery' && !('outcome' in event.data)
}

/** Strategies deleted for good whose records are still being erased: they have nothing to say any more. */
function erasedIn(db: Db, scope: Scope) {
  return db.selectFrom('owed_erasures').select('id').where('scope', '=', scope)
}

async function signalsAt(db: Db, scope: Scope, seqs: readonly number[]) {
  if (seqs.length === 0) return new Map<number, never>()
  const rows = await db
    .selectFrom('signals')
    .selectAll()
    .where('scope', '=', scope)
    .where('seq', 'in', seqs)
    .where('strategy_id', 'not in', erasedIn(db, scope))
    .execute()
  return new Map(rows.map((row) => [row.seq, presentSignal(row, { edit: true })]))
}

async function deliveriesOf(db: Db, scope: Scope, ids: readonly string[], wanted?: 'rejected') {
  if (ids.length === 0) return new Map<string, never>()
  const query = db
    .selectFrom('deliveries')
    .selectAll()
    .where('id', 'in', ids)
    .where('strategy_id', 'not in', erasedIn(db, scope))
  const rows = await (wanted === undefined ? query : query.where('outcome', '=', wanted)).execute()
  return new Map(
    rows.map((row) => {
      const { body: _kept, ...data } = presentDelivery(row)
      return [row.id, data]
    }),
  )
}
