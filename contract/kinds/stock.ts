// The settings of a stock strategy (wire §4).
import * as z from 'zod/mini'
import { STOCK_START, STOCK_UNITS } from '#trading/kinds.ts'
import { int, num } from '../fields.ts'
import { withDefault } from './setting.ts'

export const STOCK_CODE = /^(\d{4}[A-Z]?|00\d{2,4}[A-Z]?|\d{5,6}[A-Z]?)$/
export const SYMBOLS_MOST = 200
const code = z
  .string()
  .check(z.trim(), z.toUpperCase(), z.regex(STOCK_CODE, '股票代號不正確，例如 2330、00878'))

export const STOCK_SETTINGS = {
  /** None listed means every stock. */
  symbols: withDefault(z.array(code).check(z.maxLength(SYMBOLS_MOST, `最多 ${SYMBOLS_MOST} 檔`)), []),
  unit: withDefault(z.enum(STOCK_UNITS, '請選張或股'), STOCK_START.unit),
  /** The one number with six decimals: the standard rate is 0.001425. */
  commission_rate: withDefault(
    z.number('請輸入數字').check(z.gte(0, '最少 0'), z.lte(0.01, '最多 1%（0.01）')),
    STOCK_START.commission_rate,
  ),
  commission_discount: withDefault(num(0.01, 1), STOCK_START.commission_discount),
  min_fee: withDefault(int(0, 100, '元'), STOCK_START.min_fee),
  odd_lot_min_fee: withDefault(int(0, 100, '元'), STOCK_START.odd_lot_min_fee),
  allow_day_trade: withDefault(z.boolean(), STOCK_START.allow_day_trade),
}
