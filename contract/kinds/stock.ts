// The settings of a stock strategy (wire §4).
import * as z from 'zod/mini'
import { int, num } from '../fields.ts'
import { starts } from './setting.ts'

export const STOCK_CODE = /^(\d{4}[A-Z]?|00\d{2,4}[A-Z]?|\d{5,6}[A-Z]?)$/
export const SYMBOLS_MOST = 200
const code = z
  .string()
  .check(z.trim(), z.toUpperCase(), z.regex(STOCK_CODE, '股票代號不正確，例如 2330、00878'))

export const STOCK_SETTINGS = {
  /** None listed means every stock. */
  symbols: starts(z.array(code).check(z.maxLength(SYMBOLS_MOST, `最多 ${SYMBOLS_MOST} 檔`)), []),
  unit: starts(z.enum(['board_lot', 'share'], '請選張或股'), 'board_lot'),
  /** The one number with six decimals: the standard rate is 0.001425. */
  commission_rate: starts(
    z.number('請輸入數字').check(z.gte(0, '最少 0'), z.lte(0.01, '最多 1%（0.01）')),
    0.001425,
  ),
  commission_discount: starts(num(0.01, 1), 0.6),
  min_fee: starts(int(0, 100, '元'), 20),
  odd_lot_min_fee: starts(int(0, 100, '元'), 1),
  allow_day_trade: starts(z.boolean(), false),
}
