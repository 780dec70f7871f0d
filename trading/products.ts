// Taiwan's futures: a product by its code, and the months it is listed in (domain §§2.1–2.3). The rows stand in the tables.
import { addDays, lastTradingDay, nthWeekday, thirdWednesday } from './calendar.ts'
import type { Facts } from './record.ts'
import { stockTick, stockType } from './stocks.ts'
import { type Product, type Tables, tables } from './tables.ts'

export type { Product, ProductSession } from './tables.ts'
export { PRODUCTS } from './tables.ts'

interface Codes {
  own: ReadonlyMap<string, Product>
  taifex: ReadonlyMap<string, Product>
}
const codes = new WeakMap<Tables, Codes>()

function codesIn(table: Tables): Codes {
  let known = codes.get(table)
  if (known === undefined) {
    known = {
      own: new Map(table.products.map((p) => [p.code, p])),
      taifex: new Map(table.products.map((p) => [p.taifex_code, p])),
    }
    codes.set(table, known)
  }
  return known
}

/** The product of a ticker (TXF), undefined when unknown. */
export function findProduct(code: string, table = tables()): Product | undefined {
  return codesIn(table).own.get(code)
}

/** The product of a ticker or of TAIFEX's own code (MTX → MXF). TF means FXF: never read it as TXF. */
export function findByAnyCode(code: string): Product | undefined {
  const { own, taifex } = codesIn(tables())
  return own.get(code) ?? taifex.get(code)
}

/** Listed months on a Taipei day: spot, the next two, the next three quarter months; MXF also its next two weeklies. */
export function contractMonths(code: string, on: string, closed_days?: ReadonlySet<string>): string[] {
  const product = findProduct(code)
  if (!product) return []
  let [year, month] = [Number(on.slice(0, 4)), Number(on.slice(5, 7))]
  const step = () => {
    month += 1
    if (month > 12) [year, month] = [year + 1, 1]
  }
  const label = () => `${year}${String(month).padStart(2, '0')}`
  if ((lastTradingDay(label(), closed_days) ?? '') < on) step()
  const months: string[] = []
  for (let i = 0; i < 3; i++, step()) months.push(label())
  for (let quarters = 0; quarters < 3; step()) {
    if (month % 3 !== 0) continue
    months.push(label())
    quarters += 1
  }
  return product.weeklies ? [...weeklies(on, 2), ...months] : months
}

/** The next n Wednesday weeklies not yet expired on a day; the third Wednesday is the monthly contract. */
function weeklies(on: string, n: number): string[] {
  const found: string[] = []
  for (let day = on; found.length < n; day = addDays(day, 1)) {
    const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7))]
    if (day === thirdWednesday(year, month)) continue
    const week = [1, 2, 4, 5].find((w) => nthWeekday(year, month, 3, w) === day)
    if (week !== undefined) found.push(`${day.slice(0, 4)}${day.slice(5, 7)}W${week}`)
  }
  return found
}

// The step of a price: a product's own, or what the table of its prices says.
/** Tick of a price on a day; `own` is a product's where its terms say it. */
export function tickAt(
  { asset, symbol }: Pick<Facts, 'asset' | 'symbol'>,
  price: number,
  on: string,
  table = tables(),
  own?: number,
): number {
  const product = asset === 'futures' ? findProduct(symbol, table) : undefined
  const tick = product?.tick_table ? undefined : (own ?? product?.tick)
  return tick ?? stockTick(price, product?.tick_table ?? stockType(symbol, table), on, table)
}
