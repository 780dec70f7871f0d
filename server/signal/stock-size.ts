// The size of a stock's record as people in Taiwan count it, and what it is worth.
import { ApiError } from '#contract/errors.ts'
import type { SignalRecord } from '#contract/signal.ts'
import { scaled, toNumber } from '#trading/decimal.ts'
import { ASSET_FACTS, assetOf, BOARD_LOT } from '#trading/kinds.ts'
import type { StrategyRow } from '../db/schema.ts'

/** 張, the 股 beside them, and NT$; null where the record does not say. */
export function stockSize({ quantity, price }: Pick<SignalRecord, 'quantity' | 'price'>) {
  const board_lots = quantity === null ? null : Math.trunc(quantity / BOARD_LOT)
  const odd_shares = quantity === null ? null : quantity % BOARD_LOT
  const amount = quantity === null || price === null ? null : toNumber(scaled(price) * BigInt(quantity))
  return { board_lots, odd_shares, amount }
}

/** 4220 of a strategy that trades no stocks. */
export function requireStocks(row: StrategyRow): void {
  const { each, name } = ASSET_FACTS[assetOf(row)]
  if (each === null) throw new ApiError(4220, { text: `這是${name}策略，沒有張與股；請看訊號紀錄` })
}
