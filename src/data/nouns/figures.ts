// The figures of one strategy folded on the device from its stored records: the same code and the same answer as the server's.
import type { SignalRecord } from '#contract/signal.ts'
import type { Statistics } from '#contract/statistics.ts'
import type { Strategy } from '#contract/strategy.ts'
import { isSignal } from '#trading/day.ts'
import { fold } from '#trading/fold.ts'
import type { Facts, RecordStatus } from '#trading/record.ts'
import { statisticsOf, TRADES_SHOWN } from '#trading/statistics/report.ts'
import { type StockStatistics, stockStatistics } from '#trading/stock-statistics.ts'
import type { Tables } from '#trading/tables.ts'
import { type KindForTerms, type StrategyForTerms, termsOf } from '#trading/terms.ts'

/** What the worker is asked: plain data, every record of the strategy. */
export interface FiguresQuestion {
  facts: readonly Facts[]
  strategy: StrategyForTerms & { initial_capital: number }
  closed_days: readonly string[]
  /** The page's tables: a worker knows only those that are built in. */
  tables: Tables
  /** First trading date of the period, null = from the start. */
  from: string | null
  trade_limit?: number
}

/** True when the device holds the whole chain 1…head, each record once; then its figures are the server's. */
export function isWhole(records: readonly Pick<SignalRecord, 'chain_seq'>[], head: number): boolean {
  const last = records.reduce((most, { chain_seq }) => Math.max(most, chain_seq), 0)
  // Ids are held once and a number belongs to one id, so as many as the highest number means no gap.
  return last >= head && records.length === last
}

/** The part of a strategy that decides its figures. */
export function termsPart(strategy: Strategy): FiguresQuestion['strategy'] {
  const { kind, direction, allow_pyramiding, allow_reversal, default_quantity, max_position } = strategy
  const { slippage_ticks, initial_capital, settings, assumed } = strategy
  const limits = {
    direction,
    // kept from before the field: it was said
    assumed: assumed ?? [],
    allow_pyramiding,
    allow_reversal,
    default_quantity,
    max_position,
    slippage_ticks,
  }
  // kind and settings of a strategy belong together
  return { ...limits, initial_capital, ...({ kind, settings } as KindForTerms) }
}

/** What records say of a strategy now: its figures and its open positions. */
export interface StrategyStanding {
  figures: Statistics
  positions: Strategy['positions']
}

/** Folds and sums. 5,000 records take a phone some hundred milliseconds, so screens ask the worker. */
export function standingOf(question: FiguresQuestion): StrategyStanding {
  const { facts, strategy, closed_days, from, trade_limit } = question
  const closed = new Set(closed_days)
  const terms = termsOf(strategy, closed, question.tables)
  const { trades, state, positions } = fold(facts, terms)
  const figures = statisticsOf(trades, {
    initial_capital: strategy.initial_capital,
    closed_days: closed,
    excluded_count: state.excluded_count,
    chain_seq: facts.reduce((most, { chain_seq }) => Math.max(most, chain_seq), 0),
    market: terms.asset,
    has_night: terms.futures?.has_night ?? false,
    sessions: terms.futures?.sessions,
    from,
    trade_limit: trade_limit ?? TRADES_SHOWN,
  })
  return { figures, positions }
}

/** The figures of each stock in the period, folded from the same records. */
export function stocksOf({ facts, strategy, closed_days, tables, from }: FiguresQuestion): StockStatistics {
  const closed = new Set(closed_days)
  return stockStatistics(facts, fold(facts, termsOf(strategy, closed, tables)), { from, closed_days: closed })
}

/** The strategy with what its records say in place of what an older answer said. `records` all of its, newest first. */
export function broughtUp(
  strategy: Strategy,
  records: readonly SignalRecord[],
  { figures, positions }: StrategyStanding,
): Strategy {
  const end = figures.curve.at(-1)?.equity
  const signals = records.filter(isSignal)
  return {
    ...strategy,
    positions: positions.map((one) => ({ ...one, symbol_name: nameIn(records, one) })),
    summary: figures.summary,
    curve:
      end === undefined || strategy.curve.length < 2 ? strategy.curve : [...strategy.curve.slice(1), end],
    signal_count: signals.length,
    pending_price_count: count(signals, 'pending_price'),
    price_suspect_count: count(signals, 'price_suspect'),
    last_signal: signals[0] ?? null,
  }
}

const count = (signals: readonly SignalRecord[], status: RecordStatus) =>
  signals.filter(({ derived }) => derived.status === status).length

/** A worker knows few names; the records came with theirs. */
function nameIn(
  records: readonly Pick<SignalRecord, 'symbol' | 'symbol_name'>[],
  { symbol, symbol_name }: Strategy['positions'][number],
): string {
  return records.find((one) => one.symbol === symbol)?.symbol_name ?? symbol_name
}
