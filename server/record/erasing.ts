// Erasing in parts: each takes away a bounded number of rows in a transaction of its own, and knows what comes after it. Whatever was
// done before a stop is gone; beginning anew does the rest.
import { type RawBuilder, sql } from 'kysely'
import type { Db, Schema } from '../db/schema.ts'
import { blank, NAMING } from './erase.ts'

/** A bounded part of the work; gives what is left of the same, null when that was all. */
export type ErasurePart = (db: Db) => Promise<ErasurePart | null>

/** Rows of one part: some milliseconds. */
const ROWS = 200
/** Kinds of events that carry what a message or a record said, or when one came. */
const TELLING = ['signal', 'signal-voided', 'delivery', 'silence', 'format'] as const

/** Everything of a strategy but its row, those of its webhooks and what they are found by. Signals go from the first on: what is left is a chain. */
export function* ofStrategy(id: string, rows = ROWS): Generator<ErasurePart> {
  for (const { table, by, fate, many } of NAMING)
    if (fate === 'delete')
      yield many ? someRows(table, namedBy(by, id), rows) : allRows(table, namedBy(by, id))
  // Whoever folds it just now has lost it.
  yield once((db) => db.deleteFrom('jobs').where('kind', '=', 'refold').where('key', '=', id).execute())
}

/**
 * The same of every strategy of an owner that is no more, with what its events told; the rows stay, empty. So does the counter of
 * its events: what a script still sends to a closed door is numbered on.
 */
export async function* ofScope(db: Db, scope: string, rows = ROWS): AsyncGenerator<ErasurePart> {
  yield eventsOf(scope, rows)
  const strategies = await db
    .selectFrom('strategies')
    .select('id')
    .where('scope', '=', scope)
    .orderBy('id')
    .execute()
  for (const { id } of strategies) {
    yield* ofStrategy(id, rows)
    yield once((inner) => blank(inner, id))
  }
}

/** What the scope's events told of a strategy whose records are still there. */
export function toldOf(scope: string, id: string, rows = ROWS): ErasurePart {
  const after =
    (seq: number): ErasurePart =>
    async (db) => {
      const events = await db
        .selectFrom('events')
        .select(['seq', 'kind', 'data'])
        .where('scope', '=', scope)
        .where('seq', '>', seq)
        .where('kind', 'in', TELLING)
        .orderBy('seq')
        .limit(rows)
        .execute()
      const seqs = await tellingOf(db, scope, id, events)
      if (seqs.length > 0)
        await db.deleteFrom('events').where('scope', '=', scope).where('seq', 'in', seqs).execute()
      return events.length < rows ? null : after(Number(events.at(-1)?.seq))
    }
  return after(-1)
}

/** The groups of an organization that nobody belongs to any more, what was told of it, who could see what in it, and its row. */
export async function* ofOrganization(db: Db, id: string, rows = ROWS): AsyncGenerator<ErasurePart> {
  const groups = await db
    .selectFrom('strategy_groups')
    .select('id')
    .where('organization_id', '=', id)
    .orderBy('id')
    .execute()
  for (const group of groups) {
    yield someRows('group_strategies', sql`group_id = ${group.id}`, rows, 'strategy_id')
    yield someRows('group_members', sql`group_id = ${group.id}`, rows, 'user_id')
    yield once((inner) => inner.deleteFrom('strategy_groups').where('id', '=', group.id).execute())
  }
  yield someRows('announcements', sql`organization_id = ${id}`, rows)
  // What was told of a strategy goes with it: these are announcements, and access that ends soon.
  yield someRows('notifications', sql`organization_id = ${id} and strategy_id is null`, rows)
  yield someRows('access_changes', sql`organization_id = ${id}`, rows)
  yield once((inner) => inner.deleteFrom('organizations').where('id', '=', id).execute())
}

/** One statement or two, that need no second time. */
export function once(work: (db: Db) => Promise<unknown>): ErasurePart {
  return async (db) => {
    await work(db)
    return null
  }
}

type Told = { seq: number; kind: string; data: string }

/** Numbers of those of these events that are about the strategy. */
async function tellingOf(db: Db, scope: string, id: string, events: readonly Told[]): Promise<number[]> {
  const webhooks = await db.selectFrom('webhooks').select('id').where('strategy_id', '=', id).execute()
  const own = new Set([id, ...webhooks.map((webhook) => webhook.id)])
  const read = events.map(
    ({ seq, data }) => ({ seq, ...(JSON.parse(data) as Record<string, unknown>) }) as Carried,
  )
  // Events stored before they were short carry the records and messages themselves.
  const long = read.filter((one) => own.has(one.strategy_id ?? '') || own.has(one.webhook_id ?? ''))
  const signals = events.filter(({ kind }) => kind !== 'delivery').map(({ seq }) => seq)
  const deliveries = new Map(
    read.flatMap(({ seq, id: delivery }, i) =>
      events[i]?.kind === 'delivery' && delivery !== undefined ? [[delivery, seq] as const] : [],
    ),
  )
  const short_signals =
    signals.length === 0
      ? []
      : await db
          .selectFrom('signals')
          .select('seq')
          .where('scope', '=', scope)
          .where('seq', 'in', signals)
          .where('strategy_id', '=', id)
          .execute()
  const short_deliveries =
    deliveries.size === 0
      ? []
      : await db
          .selectFrom('deliveries')
          .select('id')
          .where('id', 'in', [...deliveries.keys()])
          .where('strategy_id', '=', id)
          .execute()
  return [
    ...long.map(({ seq }) => seq),
    ...short_signals.map(({ seq }) => Number(seq)),
    ...short_deliveries.map((row) => deliveries.get(row.id) as number),
  ]
}

interface Carried {
  readonly seq: number
  readonly id?: string
  readonly strategy_id?: string
  readonly webhook_id?: string
}

type Condition = RawBuilder<unknown>

function namedBy(by: 'strategy_id' | 'webhook_id', id: string): Condition {
  return by === 'strategy_id'
    ? sql`strategy_id = ${id}`
    : sql`webhook_id in (select id from webhooks where strategy_id = ${id})`
}

/** Some rows, found by a column that is another one in each, then the others. */
export function someRows(table: keyof Schema, which: Condition, rows = ROWS, key = 'id'): ErasurePart {
  const order = table === 'signals' ? sql`order by chain_seq` : sql``
  const part: ErasurePart = async (db) => {
    const from = sql.table(table)
    const some = sql`select ${sql.ref(key)} from ${from} where ${which} ${order} limit ${rows}`
    const gone = sql`delete from ${from} where ${which} and ${sql.ref(key)} in (${some})`
    const { numAffectedRows } = await gone.execute(db)
    return (numAffectedRows ?? 0n) >= rows ? part : null
  }
  return part
}

function allRows(table: keyof Schema, which: Condition): ErasurePart {
  return once((db) => sql`delete from ${sql.table(table)} where ${which}`.execute(db))
}

function eventsOf(scope: string, rows: number): ErasurePart {
  const part: ErasurePart = async (db) => {
    const { numDeletedRows } = await db
      .deleteFrom('events')
      .where('scope', '=', scope)
      .where('seq', 'in', (eb) =>
        eb.selectFrom('events').select('seq').where('scope', '=', scope).orderBy('seq').limit(rows),
      )
      .executeTakeFirstOrThrow()
    return numDeletedRows >= rows ? part : null
  }
  return part
}
