// The strategy as it will stand when what waits here has arrived: position and count (a refused entry takes its part back by leaving the outbox).
import type { OutboxRow } from '#contract/outbox.ts'
import type { SignalRecord } from '#contract/signal.ts'
import type { Strategy } from '#contract/strategy.ts'
import { symbolName } from '#trading/costs.ts'
import { positionOf } from '#trading/fold/state.ts'
import { averageOf } from '#trading/fold/step.ts'
import { assetOf } from '#trading/kinds.ts'
import type { Tables } from '#trading/tables.ts'
import { foldTerms, foreseenAll } from './foreseen.ts'
import { entryOf } from './manual.ts'

/** The same object when nothing of it waits. `records` of the strategy on this device. */
export function layWaiting(
  strategy: Strategy,
  waiting: readonly OutboxRow[],
  closed_days: readonly string[],
  table: Tables,
  records: readonly SignalRecord[],
): Strategy {
  const own = waiting.filter(({ params }) => params['strategy_id'] === strategy.id)
  if (own.length === 0) return strategy
  const newest = own.at(-1)?.created_at ?? strategy.updated_at
  const terms = foldTerms(strategy, closed_days, table)
  const { open } = foreseenAll(strategy, own, { terms, now: newest, records })
  const touched = new Set(own.map((row) => entryOf(row).symbol.trim().toUpperCase()))
  const rest = strategy.positions.filter(({ symbol }) => !touched.has(symbol))
  const laid = open
    .filter(({ symbol }) => touched.has(symbol))
    .map((one) => ({
      symbol: one.symbol,
      symbol_name: symbolName(one.symbol, assetOf(strategy)),
      contract: one.contract,
      quantity: positionOf(one),
      avg_price: averageOf(one),
      ref_price: one.ref_price,
      ref_at: one.ref_at,
      // of a price that nobody has confirmed there is nothing to value it by
      unrealised_pnl: null,
      waits: true,
    }))
  return { ...strategy, signal_count: strategy.signal_count + own.length, positions: [...rest, ...laid] }
}
