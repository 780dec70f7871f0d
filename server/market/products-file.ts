// DATA_DIR/market/products.json: products changed or added, laid over those that are built in by their code.
import type { Hours, Product, ProductSession } from '#trading/tables.ts'
import { tradingSessionsOf } from './dated-files.ts'
import { fieldsOf, jsonOf, lineOf, listOf, type MarketFile, MarketFileError } from './symbols-file.ts'

const KEYS = [
  ...[
    'code',
    'taifex_code',
    'name',
    'short_name',
    'point_value',
    'tick',
    'tick_table',
    'tax_rate',
    'has_night',
  ],
  ...['sessions', 'default_fee', 'weeklies'],
]

/** Domestic products of the tables, with those of the file over them. Whoever says no hours has the market's. */
export function productsOf(file: MarketFile | null, built_in: readonly Product[], hours: Hours): Product[] {
  const all = new Map<string, Product>(
    built_in.map((one) => [one.code, { ...one, sessions: marketHours(one, hours) }]),
  )
  if (!file) return [...all.values()]
  const seen = new Set<string>()
  for (const written of listOf(file, jsonOf(file), '檔案')) {
    const at = seen.size + 1
    const row = fieldsOf(file, written, KEYS, `第 ${at} 個商品`, null)
    const code = row['code']
    if (typeof code !== 'string' || !/^[A-Z][A-Z0-9]{2}$/.test(code))
      throw new MarketFileError(file.path, null, `第 ${at} 個商品的 "code" 要是三碼大寫，例如 "TXF"`)
    const line = lineOf(file, 'code', code, seen.has(code) ? 1 : 0)
    if (seen.has(code)) throw new MarketFileError(file.path, line, `${code} 寫了兩次，請只留一個`)
    seen.add(code)
    all.set(code, productOf(file, row, code, all.get(code), hours, line))
  }
  sameTaifexCode(file, [...all.values()])
  return [...all.values()]
}

function marketHours({ has_night }: Pick<Product, 'has_night'>, { futures }: Hours): ProductSession[] {
  return futures.filter(({ kind }) => has_night || kind === 'day')
}

function productOf(
  file: MarketFile,
  row: Record<string, unknown>,
  code: string,
  before: Product | undefined,
  hours: Hours,
  line: number | null,
): Product {
  const wrong = (key: string, wants: string) =>
    new MarketFileError(file.path, line, `${code} 的 "${key}" ${wants}`)
  const take = <K extends keyof Product>(
    key: K,
    fits: (value: unknown) => boolean,
    wants: string,
    left_out?: Product[K],
  ): Product[K] => {
    if (row[key] === undefined) {
      const value = before?.[key] ?? left_out
      if (value === undefined) throw wrong(key, `必填（這是新的商品）：${wants}`)
      return value
    }
    if (!fits(row[key])) throw wrong(key, wants)
    return row[key] as Product[K]
  }
  const words = (value: unknown) => typeof value === 'string' && value.trim() !== '' && value.length <= 40
  const from_list =
    (...list: unknown[]) =>
    (value: unknown) =>
      list.includes(value)
  const above =
    (most: number, least = 0) =>
    (value: unknown) =>
      typeof value === 'number' &&
      value > least &&
      value <= most &&
      Number.isInteger(Math.round(value * 1e9) / 1e5)
  const tick_table = row['tick_table'] === undefined ? (before?.tick_table ?? null) : row['tick_table']
  if (![null, 'stock', 'etf'].includes(tick_table as string | null))
    throw wrong('tick_table', '要是 "stock"、"etf" 或 null')
  const name = take('name', words, '要是 1–40 字的名稱')
  const own =
    row['sessions'] === undefined
      ? null
      : tradingSessionsOf(file, row['sessions'], `${code} 的 "sessions"`, line)
  const has_night = own
    ? own.some(({ kind }) => kind === 'night')
    : take('has_night', from_list(true, false), '要是 true 或 false', false)
  return {
    code,
    taifex_code: take(
      'taifex_code',
      (value) => typeof value === 'string' && /^[A-Z0-9]{2,3}$/.test(value),
      '要是期交所的契約代號，例如 "TX"',
      code,
    ),
    name,
    short_name: take('short_name', words, '要是 1–40 字的名稱', name),
    point_value: take('point_value', above(1_000_000), '要是大於 0 的數字（一點幾元）'),
    tick: take(
      'tick',
      above(10_000),
      '要是大於 0、至多四位小數的數字',
      tick_table === null ? undefined : 0.01,
    ),
    tick_table: tick_table as Product['tick_table'],
    tax_rate: take(
      'tax_rate',
      (value) => typeof value === 'number' && value >= 0 && value < 0.1,
      '要是 0 以上的稅率，例如 0.00002',
      0.00002,
    ),
    has_night,
    sessions: own ?? marketHours({ has_night }, hours),
    default_fee: take(
      'default_fee',
      (value) => Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 1000,
      '要是 0–1,000 的整數',
      50,
    ),
    weeklies: take('weeklies', from_list(true, false), '要是 true 或 false', false),
  }
}

/** A sender's MTX must mean one product. */
function sameTaifexCode(file: MarketFile, products: readonly Product[]): void {
  const by = new Map<string, string>()
  for (const { code, taifex_code } of products) {
    const other = by.get(taifex_code)
    if (other !== undefined)
      throw new MarketFileError(
        file.path,
        lineOf(file, 'code', code) ?? lineOf(file, 'code', other),
        `${other} 與 ${code} 的 "taifex_code" 都是 ${taifex_code}，請改成不同的`,
      )
    by.set(taifex_code, code)
  }
}
