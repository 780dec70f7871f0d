// What folding leaves behind per strategy: recomputed from the records, kept in memory by the intake, written as one row.
import { sql } from 'kysely'
import type { StatsSummary } from '#contract/statistics.ts'
import { TRAIL, type Trail } from '#trading/fold/run.ts'
import type { Tally } from '#trading/fold/state.ts'
import { type FoldState, foldKept } from '#trading/fold.ts'
import { assetOf } from '#trading/kinds.ts'
import {
  type DerivedWithFlags,
  type Facts,
  FLAGS,
  type Flag,
  type Position,
  type Trade,
} from '#trading/record.ts'
import { type Running, runningOf } from '#trading/statistics/running.ts'
import { miniCurveOf, summaryOf } from '#trading/statistics/summary.ts'
import { tables } from '#trading/tables.ts'
import { partsOf } from '../db/bulk.ts'
import type { Db, StoredRecord, StrategyFiguresRow, StrategyRow } from '../db/schema.ts'
import { calendarKey } from './calendar.ts'
import { moveDays, movePnl } from './daily-sums.ts'
import { type MarketPlace, marketPlace } from './facts.ts'
import { loadTerms } from './terms.ts'

// Rewriting what folding says about stored records; their facts, hashes and numbers are never touched.

/** Flags that folding decides; the others came with the record's reading and stay. */
const FOLD_FLAGS: ReadonlySet<Flag> = new Set([
  'out_of_order',
  'position_gap',
  'off_tick',
  'price_suspect',
  'outside_session',
  'over_max_position',
])
/** Five parameters a row: stays below every engine's limit. */
const BATCH = 200

/** The columns of a record that folding owns, as they are stored. */
export type DerivedChange = Pick<StoredRecord, 'id' | 'derived' | 'flags' | 'effect' | 'realised_pnl'>

/** The flags of a record: those of its reading, then those of its fold, in the order of wire §6. */
function mergeFlags(read: readonly Flag[], folded: readonly Flag[]): Flag[] {
  const all = new Set([...read.filter((flag) => !FOLD_FLAGS.has(flag)), ...folded])
  return FLAGS.filter((flag) => all.has(flag))
}

/** What a record's fold-owned columns should hold. `stored.flags` is the JSON column. */
export function withFoldFlags(
  stored: Pick<StoredRecord, 'id' | 'flags'>,
  derived: DerivedWithFlags,
): DerivedChange {
  const { flags, ...figures } = derived
  return {
    id: stored.id,
    derived: JSON.stringify(figures),
    flags: JSON.stringify(mergeFlags(JSON.parse(stored.flags) as Flag[], flags)),
    effect: derived.effect,
    realised_pnl: derived.realised_pnl,
  }
}

/** True when a record already holds what folding says (key order aside). */
export function sameAsStored(
  stored: Pick<StoredRecord, 'flags' | 'derived'>,
  change: DerivedChange,
): boolean {
  // Order is no difference.
  const flags = (text: string) => (JSON.parse(text) as Flag[]).sort().join()
  if (stored.flags !== change.flags && flags(stored.flags) !== flags(change.flags)) return false
  if (stored.derived === change.derived) return true
  const [a, b] = [JSON.parse(stored.derived), JSON.parse(change.derived)] as Record<string, unknown>[]
  return Object.keys(b ?? {}).every((key) => a?.[key] === b?.[key])
}

/** Writes changed records, many per statement: a changed fee can touch every record of a year. */
export async function rewriteDerived(db: Db, changes: readonly DerivedChange[]): Promise<void> {
  await movePnl(db, changes)
  for (const some of partsOf(changes, BATCH)) {
    const rows = some.map(
      (c) =>
        sql`(${c.id}, ${c.derived}, ${c.flags}, ${c.effect}, cast(${c.realised_pnl} as double precision))`,
    )
    // column1… are the names both engines give to the columns of VALUES.
    await sql`update signals set derived = v.column2, flags = v.column3, effect = v.column4, realised_pnl = v.column5
      from (values ${sql.join(rows)}) as v where signals.id = v.column1`.execute(db)
  }
}

/** Everything the rows of strategy_folds and strategy_figures say, and the trades behind it (memory only, never stored). */
export interface FoldView extends Tally {
  state: FoldState
  trades: Trade[]
  /** Figures carried on with the trades (memory only); made when somebody first looks. */
  running?: Running
  positions: Position[]
  summary: StatsSummary
  /** 30 points of equity. */
  curve: number[]
}

export interface Refolded extends FoldView {
  /** From where records out of order can be folded in (memory only). */
  kept: Trail
  /** Lowest chain_seq whose derived columns changed (event strategy/refolded), null when none did. */
  changed_from: number | null
  /** The rewritten columns, by record in chain order. */
  changes: readonly DerivedChange[]
}

/**
 * The view of a folded strategy; `trades` is taken as it is (push new ones onto it). Without `running` its cost grows with
 * the trades.
 */
export function viewOf(
  folded: Pick<FoldView, 'state' | 'trades' | 'running' | 'positions'>,
  tally: Tally,
  row: Pick<StrategyRow, 'kind' | 'initial_capital'>,
  closed_days: ReadonlySet<string>,
): FoldView {
  const { state, trades, positions } = folded
  const running = folded.running ?? runningOf(trades)
  return { ...tally, state, trades, running, positions, ...figuresOf(running, state, row, closed_days) }
}

/** Summary and small curve of a strategy's trades. */
export function figuresOf(
  running: Running,
  { excluded_count }: Pick<FoldState, 'excluded_count'>,
  row: Pick<StrategyRow, 'kind' | 'initial_capital'>,
  closed_days: ReadonlySet<string>,
): Pick<FoldView, 'summary' | 'curve'> {
  const { initial_capital } = row
  const market = assetOf(row)
  return {
    summary: summaryOf(running, { initial_capital, closed_days, excluded_count, market }),
    curve: miniCurveOf(running, initial_capital),
  }
}

/**
 * Folds a strategy's whole record again: rewrites the derived columns of signals that changed, writes fold and
 * figures for `row.version`, gives the view. Call it inside the transaction that made it necessary.
 */
export async function refold(
  db: Db,
  row: StrategyRow,
  closed_days: ReadonlySet<string>,
  limits = TRAIL,
  table = tables(),
): Promise<Refolded> {
  const stored = await db
    .selectFrom('signals')
    .select(['id', 'chain_seq', 'facts', 'flags', 'derived', 'trading_date', 'session'])
    .where('strategy_id', '=', row.id)
    .orderBy('chain_seq')
    .execute()
  const facts = stored.map((signal) => JSON.parse(signal.facts) as Facts)
  const folded = foldKept(facts, loadTerms(row, closed_days, table), limits)
  const changes: DerivedChange[] = []
  let changed_from: number | null = null
  stored.forEach((signal) => {
    const derived = folded.derived.get(signal.id)
    if (!derived) throw new Error(`fold left out record ${signal.id}`)
    const change = withFoldFlags(signal, derived)
    if (sameAsStored(signal, change)) return
    changes.push(change)
    changed_from ??= signal.chain_seq
  })
  await rewriteDerived(db, changes)
  await rewritePlaces(
    db,
    stored.map((signal, i) => ({ ...signal, place: marketPlace(facts[i] as Facts, closed_days) })),
  )
  // The states of earlier were made with other terms, or with records in another order.
  await db.deleteFrom('fold_marks').where('strategy_id', '=', row.id).execute()
  const { tally, kept } = folded
  const view = viewOf(folded, tally, row, closed_days)
  await writeFold(db, row.id, row.version, view.chain_seq, view, calendarKey(closed_days, table))
  return { ...view, kept, changed_from, changes }
}

/** Trading date and trading session of records around a day that was declared closed, or open again. */
export async function rewritePlaces(
  db: Db,
  signals: readonly (Pick<StoredRecord, 'id' | 'trading_date' | 'session'> & { place: MarketPlace })[],
): Promise<void> {
  const moved = signals.filter(
    ({ trading_date, session, place }) => trading_date !== place.trading_date || session !== place.session,
  )
  await moveDays(
    db,
    moved.map(({ id, trading_date, place }) => ({ id, from: trading_date, to: place.trading_date })),
  )
  for (const { id, place } of moved) {
    const { trading_date, session } = place
    await db.updateTable('signals').set({ trading_date, session }).where('id', '=', id).execute()
  }
}

/** Summary and curve as strategy_figures keeps them, worked out up to record `chain_seq`. */
export function figureColumns(
  { summary, curve }: Pick<FoldView, 'summary' | 'curve'>,
  chain_seq: number,
  calendar: string,
): Omit<StrategyFiguresRow, 'strategy_id'> {
  return {
    summary: JSON.stringify(summary),
    curve: JSON.stringify(curve),
    net_profit: summary.net_profit,
    win_rate: summary.win_rate,
    max_drawdown: summary.max_drawdown,
    figures_seq: chain_seq,
    calendar,
  }
}

/** Writes fold and figures: what `view` says after record `chain_seq` under strategy `version`. */
export async function writeFold(
  db: Db,
  strategy_id: string,
  version: number,
  chain_seq: number,
  view: Omit<FoldView, 'trades'>,
  calendar: string,
): Promise<void> {
  const { state, positions } = view
  const values = {
    chain_seq,
    version,
    state: JSON.stringify(state),
    positions: JSON.stringify(positions),
    last_signal_id: view.last_signal_id,
    last_occurred_at: view.last_occurred_at,
    signal_count: view.signal_count,
    pending_price_count: view.pending_price_count,
    price_suspect_count: view.price_suspect_count,
    position_gaps: JSON.stringify(view.position_gaps),
    calendar,
  }
  const figures = figureColumns(view, chain_seq, calendar)
  await db
    .insertInto('strategy_folds')
    .values({ strategy_id, ...values })
    .onConflict((conflict) => conflict.column('strategy_id').doUpdateSet(values))
    .execute()
  await db
    .insertInto('strategy_figures')
    .values({ strategy_id, ...figures })
    .onConflict((conflict) => conflict.column('strategy_id').doUpdateSet(figures))
    .execute()
}
