// What becomes of strategies that go for good. With their organization or their owner's account everything that names them goes, and
// of a strategy and its webhooks an empty row stays, so that their addresses can say 410 (ruling C9). Deleted by itself, no row stays.

import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../context.ts'
import type { Db, StrategyRow, TableName, WebhookRow } from '../db/schema.ts'
import { enqueue } from '../jobs/table.ts'

type Fate = 'blank' | 'keep'
type Blank<F> = { [K in keyof F]: F[K] extends 'blank' ? K : never }[keyof F]

/** Kept is what tells whose row it was and since when it is closed; a hash tells nothing without what it was made of. */
export const OF_STRATEGY = {
  ...{ id: 'keep', kind: 'keep', scope: 'keep', owner_type: 'keep', owner_id: 'keep' },
  ...{ status: 'keep', version: 'keep', rules_version: 'keep', chain_seq: 'keep', chain_hash: 'keep' },
  ...{ shown_seq: 'keep', shown_hash: 'keep' },
  ...{ created_by: 'keep', created_at: 'keep', updated_at: 'keep', deleted_at: 'keep' },
  ...{
    name: 'blank',
    name_key: 'blank',
    search_key: 'blank',
    summary: 'blank',
    note: 'blank',
    tags: 'blank',
  },
  // How it traded is as much of it as what it was called.
  ...{
    direction: 'blank',
    trade_style: 'blank',
    timeframe: 'blank',
    initial_capital: 'blank',
    assumed: 'blank',
  },
  ...{ quantity_mode: 'blank', default_quantity: 'blank', max_position: 'blank', allow_pyramiding: 'blank' },
  ...{ allow_reversal: 'blank', slippage_ticks: 'blank', stop_loss: 'blank', take_profit: 'blank' },
  ...{ late_after_s: 'blank', on_symbol_mismatch: 'blank', silence_alarm: 'blank', settings: 'blank' },
  ...{ watched_from: 'blank', silent_since: 'blank' },
} as const satisfies Record<keyof StrategyRow, Fate>

const EMPTY_STRATEGY: Pick<StrategyRow, Blank<typeof OF_STRATEGY>> = {
  ...{ name: '', name_key: '', search_key: '', summary: '', note: '', tags: '[]' },
  ...{ direction: 'both', trade_style: null, timeframe: null, initial_capital: 0, assumed: '[]' },
  ...{ quantity_mode: 'signal', default_quantity: 0, max_position: 0, allow_pyramiding: 0 },
  ...{ allow_reversal: 0, slippage_ticks: 0, stop_loss: null, take_profit: null },
  ...{ late_after_s: 0, on_symbol_mismatch: 'reject', silence_alarm: '{}', settings: '{}' },
  ...{ watched_from: null, silent_since: null },
}

export const OF_WEBHOOK = {
  ...{ id: 'keep', strategy_id: 'keep', enabled: 'keep' },
  ...{ created_at: 'keep', updated_at: 'keep', deleted_at: 'keep' },
  ...{ name: 'blank', token_cipher: 'blank', format: 'blank', mapping: 'blank', secret_hash: 'blank' },
  ...{ ip_allow: 'blank', unparsed_rule: 'blank', old_url_until: 'blank', refused_bytes: 'blank' },
  ...{ signal_bytes: 'blank', kept: 'blank', let_go: 'blank' },
  ...{ accepted: 'blank', late: 'blank', duplicate: 'blank', ignored: 'blank', rejected: 'blank' },
  ...{ mismatch: 'blank', last_accepted_at: 'blank', last_rejected_at: 'blank', last_duplicate_at: 'blank' },
  ...{ last_heard_at: 'blank', sequence: 'blank', held: 'blank', formats_rev: 'blank' },
  ...{ formats_grace_until: 'blank', formats_due: 'blank', formats_used: 'blank', asked_at: 'blank' },
} as const satisfies Record<keyof WebhookRow, Fate>

const EMPTY_WEBHOOK: Pick<WebhookRow, Blank<typeof OF_WEBHOOK>> = {
  ...{ name: '', token_cipher: '', format: '', mapping: null, secret_hash: null },
  ...{ ip_allow: '[]', unparsed_rule: null, old_url_until: null, refused_bytes: 0 },
  ...{ signal_bytes: 0, kept: 0, let_go: '' },
  ...{ accepted: 0, late: 0, duplicate: 0, ignored: 0, rejected: 0 },
  ...{ mismatch: 0, last_accepted_at: null, last_rejected_at: null, last_duplicate_at: null },
  ...{ last_heard_at: null, sequence: null, held: 0, formats_rev: 0 },
  ...{ formats_grace_until: null, formats_due: 0, formats_used: '[]', asked_at: null },
}

/** A table whose rows name a strategy or one of its webhooks. */
interface Naming {
  readonly table: TableName
  readonly by: 'strategy_id' | 'webhook_id'
  readonly fate: 'delete' | Fate
  /** One row for every signal or message: taken away in small steps, so that signals of others pass in between. */
  readonly many?: true
}

/** A table that is missing here fails tests/server/strategy-erase.test.ts. */
export const NAMING: readonly Naming[] = [
  { table: 'signals', by: 'strategy_id', fate: 'delete', many: true },
  { table: 'messages', by: 'webhook_id', fate: 'delete', many: true },
  { table: 'webhook_formats', by: 'webhook_id', fate: 'delete' },
  { table: 'daily_sums', by: 'strategy_id', fate: 'delete' },
  { table: 'snapshots', by: 'strategy_id', fate: 'delete' },
  { table: 'gap_answers', by: 'strategy_id', fate: 'delete' },
  { table: 'strategy_notify', by: 'strategy_id', fate: 'delete' },
  // What they told goes with them.
  { table: 'stock_signal_settings', by: 'strategy_id', fate: 'delete' },
  { table: 'original_rows', by: 'strategy_id', fate: 'delete', many: true },
  { table: 'original_batches', by: 'strategy_id', fate: 'delete' },
  // What was told of it names it, and its positions.
  { table: 'notifications', by: 'strategy_id', fate: 'delete', many: true },
  { table: 'group_strategies', by: 'strategy_id', fate: 'delete' },
  // The pictures themselves go with the files of their scope.
  { table: 'note_images', by: 'strategy_id', fate: 'delete' },
  { table: 'webhooks', by: 'strategy_id', fate: 'blank' },
  // Only the hash of an address: by it the closed door is known.
  { table: 'webhook_tokens', by: 'webhook_id', fate: 'keep' },
  // The organization's own account of who could see what: it goes with the organization, and with nothing less.
  { table: 'access_changes', by: 'strategy_id', fate: 'keep' },
]

/** Nothing comes in any more: from now on the webhooks answer 410. Gives the ids of the strategies. */
export async function closeDoors({ db, at }: Tx, scope: string): Promise<string[]> {
  const strategies = await db
    .updateTable('strategies')
    .set({ deleted_at: at, updated_at: at })
    .where('scope', '=', scope)
    .returning('id')
    .execute()
  await db
    .updateTable('webhooks')
    .set({ deleted_at: at, updated_at: at, enabled: 0 })
    .where('strategy_id', 'in', (eb) => eb.selectFrom('strategies').select('id').where('scope', '=', scope))
    .where('deleted_at', 'is', null)
    .execute()
  return strategies.map(({ id }) => id)
}

/**
 * Closes the doors of one strategy that is deleted with its records: nobody sees it or anything of it from now on, its addresses
 * are none. What is left is noted and goes some rows at a time (erasures.ts).
 */
export async function closeForGood(
  { db, at }: Tx,
  { id, scope }: Pick<StrategyRow, 'id' | 'scope'>,
): Promise<void> {
  const webhooks = db.selectFrom('webhooks').select('id').where('strategy_id', '=', id)
  await db.deleteFrom('webhook_tokens').where('webhook_id', 'in', webhooks).execute()
  await db.deleteFrom('group_strategies').where('strategy_id', '=', id).execute()
  await db
    .updateTable('webhooks')
    .set({ ...EMPTY_WEBHOOK, deleted_at: at, updated_at: at, enabled: 0 })
    .where('strategy_id', '=', id)
    .execute()
  await db
    .updateTable('strategies')
    .set({ ...EMPTY_STRATEGY, deleted_at: at, updated_at: at })
    .where('id', '=', id)
    .execute()
  await enqueue(db, { kind: 'erase', key: id, owner: scope, data: null })
}

/** Of a strategy whose records are gone only the empty row stays, and those of its webhooks. */
export async function blank(db: Db, id: string): Promise<void> {
  await db.updateTable('webhooks').set(EMPTY_WEBHOOK).where('strategy_id', '=', id).execute()
  await db.updateTable('strategies').set(EMPTY_STRATEGY).where('id', '=', id).execute()
}

// Erasing in parts: each takes away a bounded number of rows in a transaction of its own, and knows what comes after it. Whatever was
// done before a stop is gone; beginning anew does the rest.

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
          .selectFrom('messages')
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
export function someRows(table: TableName, which: Condition, rows = ROWS, key = 'id'): ErasurePart {
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

function allRows(table: TableName, which: Condition): ErasurePart {
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
