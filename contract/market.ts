// What the market offers: futures products with their trading sessions and months (wire.md §7).
import * as z from 'zod/mini'
import type { Tables } from '#trading/tables.ts'
import { endpoint } from './endpoint.ts'
import { day, query_int, seen } from './fields.ts'

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

// What the market goes by on this server, for the device that counts like it; and the securities there are (wire.md §7).

const trading_session = z.object({ kind: z.enum(['day', 'night']), from: z.string(), to: z.string() })
const steps = z.array(z.tuple([z.nullable(z.number()), z.number()]))
const cuts = z.array(z.object({ from: day(), until: day(), rate: z.number() }))
const stock_type = z.enum(['stock', 'etf', 'bond_etf', 'other'])

const tables = z.object({
  /** The same key, the same tables; empty: as built in. */
  key: z.string(),
  products: z.array(
    z.object({
      code: z.string(),
      taifex_code: z.string(),
      name: z.string(),
      short_name: z.string(),
      point_value: z.number(),
      tick: z.number(),
      tick_table: z.nullable(z.enum(['stock', 'etf'])),
      tax_rate: z.number(),
      has_night: z.boolean(),
      sessions: z.array(trading_session),
      default_fee: z.number(),
      weeklies: z.boolean(),
    }),
  ),
  ticks: z.array(z.object({ from: day(), stock: steps, etf: steps })),
  hours: z.object({ futures: z.array(trading_session), stock: z.array(trading_session) }),
  taxes: z.object({ day_trade: cuts, bond_etf: cuts }),
  types: z.record(z.string(), stock_type),
}) satisfies z.ZodMiniType<Tables, unknown>

export const getTables = endpoint({
  name: 'market.tables',
  method: 'GET',
  path: '/market/tables',
  who: 'login',
  when_offline: 'fail',
  as_member: true,
  about: '市場資料：商品、檔位、時段、稅率；裝置用它算出與伺服器相同的損益。以 key 分辨版本',
  input: z.object({}),
  output: z.object({
    tables,
    /** The list of securities; `version` empty: as built in. */
    symbols: z.object({ version: z.string(), count: z.int(), listed_on: day() }),
    /** ETFs without price limits, by the day from which they are these. Not part of the tables: nothing folds by it. Absent in answers kept from before. */
    unlimited: z.optional(z.array(z.object({ from: day(), symbols: z.array(z.string()) }))),
  }),
})

const stock_symbol = z.object({
  symbol: z.string(),
  name: z.string(),
  market: z.enum(['twse', 'tpex', 'emerging']),
  type: stock_type,
  /** Its first day on this market, where the list says so. */
  listed_on: z.optional(day()),
})

/** All shares and funds of three markets, without warrants. */
export const SYMBOLS_MOST = 5_000

export const listSymbols = endpoint({
  name: 'market.symbols',
  method: 'GET',
  path: '/stock-symbols',
  who: 'login',
  when_offline: 'fail',
  as_member: true,
  about: '股票代號：依代號或名稱搜尋；不給 search 時是權證以外的全部，依代號排序',
  input: z.object({
    search: z._default(z.string().check(z.maxLength(60), seen()), ''),
    limit: z._default(query_int(1, SYMBOLS_MOST, '至少 1 檔', `一次最多 ${SYMBOLS_MOST} 檔`), 20),
  }),
  output: z.array(stock_symbol),
})
