// The settings of an XQ strategy: those of a stock strategy, and where its signals come from (wire §4).
import * as z from 'zod/mini'
import { plain_name, seen } from '../fields.ts'
import { optional, required, withDefault } from './setting.ts'
import { STOCK_SETTINGS } from './stock.ts'

const column = z.string().check(z.maxLength(40), seen())
const names = z.string().check(z.maxLength(100), seen())

const SCRIPT_TYPES = ['sensor', 'filter', 'autotrade'] as const
export type ScriptType = (typeof SCRIPT_TYPES)[number]
/** One signal a day per code is what alarms and filters mean; automatic trading means each of its orders (domain §7.3). */
export const firesOnce = (type: ScriptType): boolean => type !== 'autotrade'

export const XQ_SETTINGS = {
  ...STOCK_SETTINGS,
  xq_script_name: required(plain_name(60, '請輸入 XQ 策略名稱')),
  script_type: withDefault(z.enum(SCRIPT_TYPES, '請選腳本類型'), 'sensor'),
  data_source: withDefault(z.enum(['webhook', 'csv', 'both'], '請選資料來源'), 'webhook'),
  file_encoding: withDefault(z.enum(['auto', 'utf-8', 'big5'], '請選檔案編碼'), 'auto'),
  default_action: withDefault(z.enum(['entry', 'exit', 'by_content'], '請選觸發視為'), 'entry'),
  /** Left out: decided by the kind of script. */
  dedupe_per_day: optional(z.boolean()),
  csv_mapping: withDefault(z.nullable(z.record(column, names)), null),
}
