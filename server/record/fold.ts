// What folding leaves behind per strategy: recomputed from the records, kept in memory by the intake, written as one row.
import type { StatsSummary } from '#contract/statistics.ts'
import type { Tally } from '#trading/fold/state.ts'
import { TRAIL, type Trail } from '#trading/fold/trail.ts'
import { type FoldState, foldKept } from '#trading/fold.ts'
import { assetOf } from '#trading/kinds.ts'
import type { Facts, Position, Trade } from '#trading/record.ts'
import { miniCurveOf, type Running, runningOf, summaryOf } from '#trading/statistics.ts'
import { tables } from '#trading/tables.ts'
import type { Db, StoredRecord, StrategyFiguresRow, StrategyRow } from '../db/schema.ts'
import { calendarKey } from './calendar.ts'
import { type DerivedChange, rewriteDerived, sameAsStored, withFoldFlags } from './derived.ts'
import { type MarketPlace, marketPlace } from './facts.ts'
import { loadTerms } from './terms.ts'

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
