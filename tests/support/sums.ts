// Whether the sums of days are what counting the records gives, to the last digit.
import { expect } from 'vitest'
import type { Db } from '#server/db/schema.ts'
import { amountSum, isSignal } from '#trading/day.ts'
import { toNumber } from '#trading/decimal.ts'
import type { Source } from '#trading/record.ts'

/** `<strategy> <trading date>` with signals and P&L, of all strategies or of one; days of nothing are left out. */
export async function expectSums(db: Db, strategy_id?: string): Promise<Map<string, [number, number]>> {
  const [signals, sums] = [db.selectFrom('signals').selectAll(), db.selectFrom('daily_sums').selectAll()]
  const own = strategy_id !== undefined
  const rows = await (own ? signals.where('strategy_id', '=', strategy_id) : signals).execute()
  const days = Map.groupBy(rows, (row) => `${row.strategy_id} ${row.scope} ${row.trading_date}`)
  const counted = [...days].map(([key, some]): [string, [number, number]] => [
    key,
    [
      some.filter(({ source }) => isSignal({ source: source as Source })).length,
      amountSum(some.map(({ realised_pnl }) => realised_pnl ?? 0)),
    ],
  ])
  const stored = await (own ? sums.where('strategy_id', '=', strategy_id) : sums).execute()
  const summed = stored.map((day): [string, [number, number]] => [
    `${day.strategy_id} ${day.scope} ${day.trading_date}`,
    [day.signal_count, toNumber(BigInt(day.realised_pnl))],
  ])
  const told = (all: [string, [number, number]][]) =>
    new Map(all.filter(([, sum]) => sum.some(Boolean)).sort())
  expect(told(summed)).toEqual(told(counted))
  return told(summed)
}
