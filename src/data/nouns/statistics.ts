// What is asked about a strategy's figures: of the device where the whole record is held, else of the server.
import { queryOptions } from '@tanstack/react-query'
import type { SignalRecord } from '#contract/signal.ts'
import { getStatistics, getStockStatistics } from '#contract/statistics.ts'
import type { Strategy } from '#contract/strategy.ts'
import type { Tables } from '#trading/tables.ts'
import type { Ctx } from '../context.ts'
import { getData, write } from '../current.ts'
import { isUnder, keys } from '../keys.ts'
import { figuresInWorker } from './board.ts'
import { type FiguresQuestion, termsPart } from './figures.ts'

/**
 * Folded from `records`, all of the strategy's, in the worker. What decides the figures is in the key, so they are never stale;
 * the next signal's take their place, they do not make the page blink.
 */
function foldedOnDevice<T>(
  keyOf: typeof keys.figures.of | typeof keys.figures.stocks,
  fold: (question: FiguresQuestion) => Promise<T>,
) {
  return (
    ctx: Ctx,
    strategy: Strategy,
    records: readonly SignalRecord[],
    closed_days: readonly string[],
    tables: Tables,
    from: string | null,
  ) => {
    const terms = termsPart(strategy)
    return queryOptions({
      queryKey: keyOf(
        ctx,
        strategy.id,
        from,
        records.length,
        JSON.stringify(terms),
        closed_days.join(),
        tables.key,
      ),
      queryFn: () => fold({ facts: records, strategy: terms, closed_days, tables, from }),
      placeholderData: (previous, query) =>
        query && isUnder(query.queryKey, keyOf(ctx, strategy.id, from)) ? previous : undefined,
      networkMode: 'always',
      staleTime: Number.POSITIVE_INFINITY,
      meta: { keep: false },
    })
  }
}

export const statisticsQueries = {
  /** The server's answer for a period, kept for offline. A signal of the strategy asks again. */
  ofServer: (ctx: Ctx, id: string, from: string | null) =>
    queryOptions({
      queryKey: keys.strategy.statistics(ctx, id, from),
      queryFn: ({ signal }) =>
        getData().client.call(getStatistics, { id, ...(from !== null && { from }) }, { signal, ctx }),
    }),
  /** The same answer, with every trade instead of the newest 200. */
  ofDevice: foldedOnDevice(keys.figures.of, (question) =>
    figuresInWorker('standing', { ...question, trade_limit: Number.POSITIVE_INFINITY }).then(
      ({ figures }) => figures,
    ),
  ),
}

export const statisticsMutations = {
  /** The server's page of trades before one of them; changes nothing. */
  older: (ctx: Ctx, id: string) =>
    write((before: string) => getData().client.call(getStatistics, { id, before }, { ctx })),
}

// What is asked about a strategy's stocks one by one: of the device where the whole record is held, else of the server.

export const stockStatisticsQueries = {
  /** The server's answer for a period, kept for offline. A signal of the strategy asks again. */
  ofServer: (ctx: Ctx, id: string, from: string | null) =>
    queryOptions({
      queryKey: keys.strategy.stocks(ctx, id, from),
      queryFn: ({ signal }) =>
        getData().client.call(getStockStatistics, { id, ...(from !== null && { from }) }, { signal, ctx }),
    }),
  /** The same rows and sum. */
  ofDevice: foldedOnDevice(keys.figures.stocks, (question) => figuresInWorker('stocks', question)),
}
