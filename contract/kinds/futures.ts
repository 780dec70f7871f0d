// The settings of a futures strategy (wire §4).
import * as z from 'zod/mini'
import { FUTURES_START } from '#trading/kinds.ts'
import { CONTRACT_RULES } from '#trading/record.ts'
import { int } from '../fields.ts'
import { optional, readOnly, required, withDefault } from './setting.ts'

export const CONTRACT_MONTH = /^20\d{2}(0[1-9]|1[0-2])([WF][1-5])?$/
const month = z.string().check(z.regex(CONTRACT_MONTH, '合約月份寫成 YYYYMM，週契約加 W1 或 F1'))

export const FUTURES_SETTINGS = {
  product_code: required(z.string('請選商品').check(z.trim(), z.regex(/^[A-Z][A-Z0-9]{2}$/, '請選商品'))),
  contract_rule: withDefault(z.enum(CONTRACT_RULES, '請選合約'), FUTURES_START.contract_rule),
  contract_month: withDefault(z.nullable(month), null),
  session: withDefault(z.enum(['day', 'day_night'], '請選交易時段'), 'day_night'),
  /** Left out: the product's usual fee. */
  fee_per_side: optional(int(0, 1_000, '元')),
  tax_rate: readOnly(z.number()),
}
