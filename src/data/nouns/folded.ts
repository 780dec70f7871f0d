// The figures of one strategy folded on the device from its stored records: the same code and the same answer as the server's.
import { fold } from '#trading/fold.ts'
import { statisticsOf, TRADES_SHOWN } from '#trading/statistics/report.ts'
import { type StockStatistics, stockStatistics } from '#trading/stock-statistics.ts'
import { termsOf } from '#trading/terms.ts'
import type { FiguresQuestion, StrategyStanding } from './figures.ts'

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
