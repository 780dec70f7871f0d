// The figures of one strategy from its stored records: what is asked of the worker, and what becomes of its answer. Pages that start
// have this; the fold itself is the worker's (folded.ts).
import type { SignalRecord } from '#contract/signal.ts'
import type { Statistics } from '#contract/statistics.ts'
import type { Strategy } from '#contract/strategy.ts'
import { isSignal } from '#trading/day.ts'
import type { Facts, RecordStatus } from '#trading/record.ts'
import type { Tables } from '#trading/tables.ts'
import type { KindForTerms, StrategyForTerms } from '#trading/terms.ts'

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
