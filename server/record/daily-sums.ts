// What the records of a strategy and a trading date come to, written with them, so that nobody counts records to show a day or a month.
// The truth is `signals`: sums are what counting it gives, to the last digit (tests/server/daily-sums.test.ts).
import { type ExpressionBuilder, type RawBuilder, sql } from 'kysely'
import { addDays } from '#trading/calendar.ts'
import { isSignal } from '#trading/day.ts'
import { scaled, toNumber } from '#trading/decimal.ts'
import { visibleSignals, visibleStrategies } from '../access/strategies.ts'
import type { AccessMap, Actor } from '../context.ts'
import { type Bulk, bulkInsert, partsOf } from '../db/bulk.ts'
import type { DailySumRow, Db, Schema, StoredRecord } from '../db/schema.ts'
import type { UnitOfWork } from './unit-of-work.ts'

const ADDED = ` on conflict (scope, trading_date, strategy_id) do update set
  signal_count = daily_sums.signal_count + excluded.signal_count,
  realised_pnl = daily_sums.realised_pnl + excluded.realised_pnl`

const plain = bulkInsert('daily_sums', {
  scope: 'text',
  trading_date: 'text',
  strategy_id: 'text',
  signal_count: 'integer',
  realised_pnl: 'bigint',
})
const ADD: Bulk<keyof DailySumRow> = {
  ...plain,
  each: plain.each + ADDED,
  // Without the condition SQL would take what follows for that of a join.
  all: `${plain.all} where true${ADDED}`,
}

type Summed = Pick<StoredRecord, 'scope' | 'trading_date' | 'strategy_id' | 'source' | 'realised_pnl'>

/** Adds records that this commit stores, as they are stored. */
export async function addToDays(uow: UnitOfWork, records: readonly Summed[]): Promise<void> {
  const days = new Map<string, DailySumRow>()
  for (const { scope, trading_date, strategy_id, source, realised_pnl } of records) {
    const key = `${strategy_id} ${trading_date}`
    const day = days.get(key) ?? { scope, trading_date, strategy_id, signal_count: 0, realised_pnl: 0 }
    days.set(key, day)
    if (isSignal({ source: source as 'webhook' })) day.signal_count += 1
    day.realised_pnl += Number(scaled(realised_pnl ?? 0))
  }
  // In a fixed order: two processes that lock rows take them in the same order.
  const rows = [...days].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, day]) => day)
  await uow.write(ADD, rows)
}

/** To be called before stored records get another P&L: their days change by the difference. */
export async function movePnl(
  db: Db,
  changes: readonly Pick<StoredRecord, 'id' | 'realised_pnl'>[],
): Promise<void> {
  for (const some of partsOf(changes, 200)) {
    const rows = some.map(
      ({ id, realised_pnl }) => sql`(${id}, cast(${Number(scaled(realised_pnl ?? 0))} as bigint))`,
    )
    // column1… are the names both engines give to the columns of VALUES.
    await moved(db, rows, { count: sql`0`, amount: sql`v.column2 - ${STORED}`, day: sql`s.trading_date` })
  }
}

/** To be called before stored records get another trading date: what they come to goes from the one to the other. */
export async function moveDays(
  db: Db,
  moves: readonly { readonly id: string; readonly from: string; readonly to: string }[],
): Promise<void> {
  for (const some of partsOf(moves, 100)) {
    const rows = some.flatMap(({ id, from, to }) => [sql`(${id}, ${from}, -1)`, sql`(${id}, ${to}, 1)`])
    const signals = sql`case when s.source in ('void', 'correction') then 0 else 1 end`
    await moved(db, rows, {
      count: sql`${signals} * v.column3`,
      amount: sql`${STORED} * v.column3`,
      day: sql`v.column2`,
    })
  }
}

const STORED = sql`cast(round(coalesce(s.realised_pnl, 0) * 10000) as bigint)`

/** Adds what the rows of VALUES say of the records they name. */
async function moved(
  db: Db,
  rows: readonly RawBuilder<unknown>[],
  { count, amount, day }: Record<'count' | 'amount' | 'day', RawBuilder<unknown>>,
): Promise<void> {
  await sql`insert into daily_sums (scope, trading_date, strategy_id, signal_count, realised_pnl)
    select s.scope, ${day}, s.strategy_id, sum(${count}), sum(${amount})
    from (values ${sql.join(rows)}) as v join signals as s on s.id = v.column1
    group by s.scope, ${day}, s.strategy_id
    having sum(${count}) <> 0 or sum(${amount}) <> 0
    order by 3, 2${sql.raw(ADDED)}`.execute(db)
}

// Read: by an owner whole, by a member as far as its days go.

type Reader = Pick<Actor, 'scope' | 'access'>

/** A trading date's records may have come since the close before it, and between that and it lie no more closed days than this. */
const REACH_DAYS = 21

/** Since this trading date everything of a strategy is the member's: what came before its first day belongs to earlier ones. */
const wholeFrom = (visible_from: string) => addDays(visible_from, REACH_DAYS)

/**
 * Realised P&L of the strategies the reader sees by trading date from…to, both included; NT$ with at most 4 decimals. Over the
 * whole record, as the figures of a strategy are: for those to whom these are shown (ruling A11).
 */
export async function realisedByDate(
  db: Db,
  reader: Reader,
  from: string,
  to: string,
): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('daily_sums')
    .select(({ fn }) => ['trading_date', fn.sum<number>('realised_pnl').as('realised')])
    .where('scope', '=', reader.scope)
    .where('trading_date', '>=', from)
    .where('trading_date', '<=', to)
    .where((eb) => (reader.access === null ? isThere(eb, db, reader) : isGiven(eb, reader.access)))
    .groupBy('trading_date')
    .execute()
  return new Map(rows.map(({ trading_date, realised }) => [trading_date, toNumber(BigInt(realised))]))
}

/** Not of a deleted strategy: of those there are fewer than of the others, and the days are read as one stretch. */
function isThere(eb: ExpressionBuilder<Schema, 'daily_sums'>, db: Db, { scope }: Reader) {
  const gone = db
    .selectFrom('strategies')
    .select('id')
    .where('scope', '=', scope)
    .where('deleted_at', 'is not', null)
  return eb('strategy_id', 'not in', gone)
}

const isGiven = (eb: ExpressionBuilder<Schema, 'daily_sums'>, access: AccessMap) =>
  access.size === 0 ? eb.lit(false) : eb('strategy_id', 'in', [...access.keys()])

/** Signals (voids and corrections are none) on a trading date. Counted are those that its sum says too much of. */
export async function countOn(db: Db, reader: Reader, trading_date: string): Promise<number> {
  const { access } = reader
  const recent = [...(access ?? [])].filter(([, { visible_from }]) => wholeFrom(visible_from) > trading_date)
  const partial = new Map(recent)
  const whole = { ...reader, access: access && without(access, partial) }
  const rows = await db
    .selectFrom('daily_sums')
    .innerJoin('strategies', 'strategies.id', 'daily_sums.strategy_id')
    .select(['strategies.id', 'signal_count', 'shown_seq'])
    .where('daily_sums.scope', '=', reader.scope)
    .where('trading_date', '=', trading_date)
    .where('strategies.id', 'in', visibleStrategies(db, whole).select('strategies.id'))
    .execute()
  // A file that is coming in, or going, is shown when all of it is there.
  const hiding = rows.filter(({ shown_seq }) => shown_seq !== null).map(({ id }) => id)
  const summed = rows.reduce((sum, row) => sum + (row.shown_seq === null ? row.signal_count : 0), 0)
  const asked = [...hiding, ...partial.keys()]
  if (asked.length === 0) return summed
  const { count } = await visibleSignals(db, reader)
    .select((eb) => eb.fn.countAll().as('count'))
    .where('signals.strategy_id', 'in', asked)
    .where('trading_date', '=', trading_date)
    .where('source', 'not in', ['void', 'correction'])
    .executeTakeFirstOrThrow()
  return summed + Number(count)
}

const without = (access: AccessMap, left_out: AccessMap): AccessMap =>
  new Map([...access].filter(([id]) => !left_out.has(id)))
