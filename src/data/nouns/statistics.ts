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
import { termsPart } from './figures.ts'

export const statisticsQueries = {
  /** The server's answer for a period, kept for offline. A signal of the strategy asks again. */
  ofServer: (ctx: Ctx, id: string, from: string | null) =>
    queryOptions({
      queryKey: keys.strategy.statistics(ctx, id, from),
      queryFn: ({ signal }) =>
        getData().client.call(getStatistics, { id, ...(from !== null && { from }) }, { signal, ctx }),
    }),
  /**
   * The same answer folded from `records`, all of the strategy's, with every trade instead of the newest 200. What decides
   * the figures is in the key, so it is never stale.
   */
  ofDevice: (
    ctx: Ctx,
    strategy: Strategy,
    records: readonly SignalRecord[],
    closed_days: readonly string[],
    table: Tables,
    from: string | null,
  ) => {
    const terms = termsPart(strategy)
    return queryOptions({
      queryKey: keys.figures.of(
        ctx,
        strategy.id,
        from,
        records.length,
        JSON.stringify(terms),
        closed_days.join(),
        table.key,
      ),
      queryFn: () =>
        figuresInWorker('standing', {
          facts: records,
          strategy: terms,
          closed_days,
          tables: table,
          from,
          trade_limit: Number.POSITIVE_INFINITY,
        }).then(({ figures }) => figures),
      // The next signal's figures take the place of these, they do not make the page blink.
      placeholderData: (previous, query) =>
        query && isUnder(query.queryKey, keys.figures.of(ctx, strategy.id, from)) ? previous : undefined,
      networkMode: 'always',
      staleTime: Number.POSITIVE_INFINITY,
      meta: { keep: false },
    })
  },
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
  /** The same rows and sum folded from `records`, all of the strategy's; never stale, as what decides them is in the key. */
  ofDevice: (
    ctx: Ctx,
    strategy: Strategy,
    records: readonly SignalRecord[],
    closed_days: readonly string[],
    table: Tables,
    from: string | null,
  ) => {
    const terms = termsPart(strategy)
    return queryOptions({
      queryKey: keys.figures.stocks(
        ctx,
        strategy.id,
        from,
        records.length,
        JSON.stringify(terms),
        closed_days.join(),
        table.key,
      ),
      queryFn: () =>
        figuresInWorker('stocks', { facts: records, strategy: terms, closed_days, tables: table, from }),
      // The next signal's figures take the place of these, they do not make the page blink.
      placeholderData: (previous, query) =>
        query && isUnder(query.queryKey, keys.figures.stocks(ctx, strategy.id, from)) ? previous : undefined,
      networkMode: 'always',
      staleTime: Number.POSITIVE_INFINITY,
      meta: { keep: false },
    })
  },
}
