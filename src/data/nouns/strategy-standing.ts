// Strategies as this device's records leave them, asked of the worker where the server's answer is older than they are.
import { queryOptions } from '@tanstack/react-query'
import type { Strategy } from '#contract/strategy.ts'
import type { Tables } from '#trading/tables.ts'
import type { Ctx } from '../context.ts'
import { getData } from '../current.ts'
import { keys } from '../keys.ts'
import { following, newsOf } from './board.ts'
import { broughtUp, isWhole, termsPart } from './figures.ts'
import { figuresInWorker } from './figures-worker.ts'

/** Strategies by id, only those whose records are newer than what the server said of them. */
export function strategyStandingQuery(
  ctx: Ctx,
  strategies: readonly Strategy[],
  closed_days: readonly string[],
  table: Tables,
) {
  const { signals } = getData()
  const behind = strategies.flatMap((strategy) => {
    const records = signals.ofStrategy(strategy.id)
    const news = newsOf(strategy, records)
    return news.length > 0 ? [{ strategy, records, news }] : []
  })
  const heads = behind.map(({ strategy, records }) => [strategy.id, strategy.chain_head, records.length])
  return queryOptions({
    queryKey: keys.figures.standing(ctx, JSON.stringify(heads), closed_days.length, table.key),
    queryFn: async () =>
      new Map(
        await Promise.all(
          behind.map(async ({ strategy, records, news }) => {
            const whole = isWhole(records, strategy.chain_head.chain_seq)
            const terms = termsPart(strategy)
            const common = { closed_days, tables: table, from: null, trade_limit: 0 }
            const question = { facts: records, strategy: terms, ...common }
            const now = whole
              ? broughtUp(strategy, records, await figuresInWorker('standing', question))
              : following(strategy, news)
            return [strategy.id, now] as const
          }),
        ),
      ),
    enabled: behind.length > 0,
    networkMode: 'always',
    staleTime: Number.POSITIVE_INFINITY,
    meta: { keep: false },
  })
}
