// Whether the sums of days are what counting the records gives, to the last digit.
import { expect } from 'vitest'
import { isPostgres } from '#server/db/bulk.ts'
import type { Db } from '#server/db/schema.ts'
import { amountSum, isSignal } from '#trading/day.ts'
import { toNumber } from '#trading/decimal.ts'
import type { Source } from '#trading/record.ts'

/** `<strategy> <trading date>` with signals and P&L, of all strategies or of one; days of nothing are left out. */
export async function expectSums(db: Db, strategy_id?: string): Promise<Map<string, [number, number]>> {
  const own = strategy_id !== undefined
  // Of one moment: jobs go on meanwhile.
  const view = isPostgres(db) ? db.transaction().setIsolationLevel('repeatable read') : db.transaction()
  const { rows, stored } = await view.execute(async (tx) => {
    const [signals, sums] = [tx.selectFrom('signals').selectAll(), tx.selectFrom('daily_sums').selectAll()]
    return {
      rows: await (own ? signals.where('strategy_id', '=', strategy_id) : signals).execute(),
      stored: await (own ? sums.where('strategy_id', '=', strategy_id) : sums).execute(),
    }
  })
  const days = Map.groupBy(rows, (row) => `${row.strategy_id} ${row.scope} ${row.trading_date}`)
  const counted = [...days].map(([key, some]): [string, [number, number]] => [
    key,
    [
      some.filter(({ source }) => isSignal({ source: source as Source })).length,
      amountSum(some.map(({ realised_pnl }) => realised_pnl ?? 0)),
    ],
  ])
  const summed = stored.map((day): [string, [number, number]] => [
    `${day.strategy_id} ${day.scope} ${day.trading_date}`,
    [day.signal_count, toNumber(BigInt(day.realised_pnl))],
  ])
  const told = (all: [string, [number, number]][]) =>
    new Map(all.filter(([, sum]) => sum.some(Boolean)).sort())
  expect(told(summed)).toEqual(told(counted))
  return told(summed)
}
