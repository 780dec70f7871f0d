// What the market offers: futures products with their sessions and months (wire.md §7).
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
  about: '期貨商品',
  input: z.object({}),
  output: z.array(product),
})

export const getCalendar = endpoint({
  name: 'market.calendar',
  method: 'GET',
  path: '/market/calendar',
  who: 'login',
  when_offline: 'fail',
  about: '休市日；裝置用它算出與伺服器相同的交易日',
  input: z.object({}),
  output: z.object({ closed_days: z.array(day()) }),
})
