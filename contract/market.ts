// What the market offers: futures products with their trading sessions and months (wire.md §7).
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { day } from './fields.ts'

export const product = z.object({
  code: z.string(),
  taifex_code: z.string(),
  name: z.string(),
  short_name: z.string(),
  point_value: z.number(),
  tick: z.number(),
  tax_rate: z.number(),
  has_night: z.boolean(),
  sessions: z.array(z.object({ kind: z.enum(['day', 'night']), from: z.string(), to: z.string() })),
  contract_months: z.array(z.string()),
  default_fee: z.number(),
})
export type Product = z.infer<typeof product>

export const listProducts = endpoint({
  name: 'market.products',
  method: 'GET',
  path: '/products',
  who: 'login',
  when_offline: 'fail',
  as_member: true,
  about: '期貨商品',
  input: z.object({}),
  output: z.array(product),
})

/** A year of closed weekdays. `provisional`: not yet announced, worked out; `own`: the administrator's list. */
export const calendar_year = z.object({
  year: z.int().check(z.gte(1990), z.lte(2100)),
  status: z.enum(['official', 'provisional', 'own']),
  /** Where the days are known from, and what is not certain; a sentence to show. */
  source: z.string().check(z.minLength(1)),
  days: z.array(day()),
})

export const getCalendar = endpoint({
  name: 'market.calendar',
  method: 'GET',
  path: '/market/calendar',
  who: 'login',
  when_offline: 'fail',
  as_member: true,
  about: '休市日；裝置用它算出與伺服器相同的交易日',
  input: z.object({}),
  output: z.object({
    /** All of them, ascending. */
    closed_days: z.array(day()),
    years: z.array(calendar_year),
    /** Of this year and the next (Taipei) those no closed day is known of. */
    missing: z.array(z.int()),
  }),
})
