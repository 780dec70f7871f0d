// What a strategy of each kind is set to: futures, stock, XQ stock; as stored, and as written with what is left out filled in.
import * as z from 'zod/mini'
import { int, num, seen, text } from './fields.ts'

export const CONTRACT_MONTH = /^20\d{2}(0[1-9]|1[0-2])([WF][1-5])?$/

export const futures_fields = {
  product_code: z.string('請選商品').check(z.trim(), z.regex(/^[A-Z][A-Z0-9]{2}$/, '請選商品')),
  contract_rule: z.enum(['near', 'next', 'month'], '請選合約'),
  contract_month: z.nullable(
    z.string().check(z.regex(CONTRACT_MONTH, '合約月份寫成 YYYYMM，週契約加 W1 或 F1')),
  ),
  session: z.enum(['day', 'day_night'], '請選交易時段'),
  fee_per_side: int(0, 1_000, '元'),
}
const stock_fields = {
  symbols: z
    .array(
      z
        .string()
        .check(
          z.trim(),
          z.toUpperCase(),
          z.regex(/^(\d{4}[A-Z]?|00\d{2,4}[A-Z]?|\d{5,6}[A-Z]?)$/, '股票代號不正確，例如 2330、00878'),
        ),
    )
    .check(z.maxLength(200, '最多 200 檔')),
  unit: z.enum(['board_lot', 'share'], '請選張或股'),
  // The one number with six decimals: the standard rate is 0.001425.
  commission_rate: z.number('請輸入數字').check(z.gte(0, '最少 0'), z.lte(0.01, '最多 0.01')),
  commission_discount: num(0.01, 1),
  min_fee: int(0, 100, '元'),
  odd_lot_min_fee: int(0, 100, '元'),
  allow_day_trade: z.boolean(),
}
export const xq_fields = {
  ...stock_fields,
  xq_script_name: text(1, 60, '請輸入 XQ 腳本名稱'),
  script_type: z.enum(['sensor', 'filter', 'autotrade'], '請選腳本類型'),
  data_source: z.enum(['webhook', 'csv', 'both'], '請選資料來源'),
  file_encoding: z.enum(['auto', 'utf-8', 'big5'], '請選檔案編碼'),
  default_action: z.enum(['entry', 'exit', 'by_content'], '請選觸發視為'),
  dedupe_per_day: z.boolean(),
  csv_mapping: z.nullable(
    z.record(z.string().check(z.maxLength(40), seen()), z.string().check(z.maxLength(100), seen())),
  ),
}

export const futures_settings = z.object({ ...futures_fields, tax_rate: z.number() })
export const stock_settings = z.object(stock_fields)
export const xq_settings = z.object(xq_fields)
export type FuturesSettings = z.infer<typeof futures_settings>
export type StockSettings = z.infer<typeof stock_settings>
export type XqSettings = z.infer<typeof xq_settings>

export const futures_input = z.object({
  ...futures_fields,
  contract_rule: z._default(futures_fields.contract_rule, 'near'),
  contract_month: z._default(futures_fields.contract_month, null),
  session: z._default(futures_fields.session, 'day_night'),
  /** Absent: the product's usual fee. */
  fee_per_side: z.optional(futures_fields.fee_per_side),
})
const stock_defaults = {
  symbols: z._default(stock_fields.symbols, []),
  unit: z._default(stock_fields.unit, 'board_lot'),
  commission_rate: z._default(stock_fields.commission_rate, 0.001425),
  commission_discount: z._default(stock_fields.commission_discount, 0.6),
  min_fee: z._default(stock_fields.min_fee, 20),
  odd_lot_min_fee: z._default(stock_fields.odd_lot_min_fee, 1),
  allow_day_trade: z._default(stock_fields.allow_day_trade, false),
}
export const stock_input = z.object(stock_defaults)
export const xq_input = z.object({
  ...stock_defaults,
  xq_script_name: xq_fields.xq_script_name,
  script_type: z._default(xq_fields.script_type, 'sensor'),
  data_source: z._default(xq_fields.data_source, 'webhook'),
  file_encoding: z._default(xq_fields.file_encoding, 'auto'),
  default_action: z._default(xq_fields.default_action, 'entry'),
  dedupe_per_day: z.optional(xq_fields.dedupe_per_day),
  csv_mapping: z._default(xq_fields.csv_mapping, null),
})
