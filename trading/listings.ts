// Stocks and funds by code and name, and the search in them. Dated data, 40 KB: fetched by the screens that look something up.
import { TPEX_FUNDS, TWSE_FUNDS } from './listings/funds.ts'
import { TPEX } from './listings/tpex.ts'
import { TWSE } from './listings/twse.ts'
import { stockType } from './stocks.ts'
import { BUILT_IN } from './tables/built-in.ts'
import type { StockMarket, StockType } from './tables/shape.ts'

/** The day of the lists: the exchanges' ISIN pages (isin.twse.com.tw) as twstock's codes/*.csv of that day hold them. Without warrants. */
export const LISTED_ON = '2026-03-26'

export const LISTED_FROM = '證交所 ISIN 代碼查詢（上市、上櫃；不含權證）'

export interface Listing {
  symbol: string
  name: string
  market: StockMarket
  type: StockType
  /** Its first day on this market, where the list says so. */
  listed_on?: string | undefined
}

/** A list of securities made ready to be searched, however long. */
export interface Directory {
  /** By code; what is neither a share nor a fund (warrants) after the rest. */
  readonly all: readonly Listing[]
  /** What fits what was typed, best first: its code, codes and names that start with it, names that hold it. */
  search(typed: string, most: number): Listing[]
  find(symbol: string): Listing | undefined
}

/** How names are compared: width and case do not matter, nor which of 台 and 臺 is written. */
const plain = (text: string) => text.normalize('NFKC').trim().toLowerCase().replaceAll('臺', '台')

const isWarrant = ({ type, symbol }: Listing) => type === 'other' && symbol.length === 6

/** True for what a list on a device holds: all but warrants, which are nine of ten. */
export const isCommon = (one: Listing): boolean => !isWarrant(one)

export function directory(list: readonly Listing[]): Directory {
  const all = [...list].sort(
    (a, b) => Number(isWarrant(a)) - Number(isWarrant(b)) || (a.symbol < b.symbol ? -1 : 1),
  )
  const codes = all.map(({ symbol }) => symbol.toLowerCase())
  const names = all.map(({ name }) => plain(name))
  const by_code = new Map(all.map((one) => [one.symbol, one]))
  return {
    all,
    find: (symbol) => by_code.get(symbol),
    search(typed, most) {
      const wanted = plain(typed)
      if (wanted === '') return []
      const ranks: Listing[][] = [[], [], [], []]
      for (let i = 0; i < all.length; i++) {
        const rank = rankOf(codes[i] as string, names[i] as string, wanted)
        if (rank !== null && (ranks[rank] as Listing[]).length < most) ranks[rank]?.push(all[i] as Listing)
      }
      return ranks.flat().slice(0, most)
    },
  }
}

function rankOf(symbol: string, name: string, wanted: string): number | null {
  if (symbol === wanted || name === wanted) return 0
  if (symbol.startsWith(wanted)) return 1
  const at = name.indexOf(wanted)
  return at < 0 ? null : at === 0 ? 2 : 3
}

let shipped: Directory | undefined

/** The lists that are built in. */
export function builtIn(): Directory {
  shipped ??= directory([
    ...read(TWSE, 'twse'),
    ...read(TWSE_FUNDS, 'twse'),
    ...read(TPEX, 'tpex'),
    ...read(TPEX_FUNDS, 'tpex'),
  ])
  return shipped
}

function read(list: string, market: Listing['market']): Listing[] {
  return list
    .trim()
    .split(/\s+/)
    .map((entry) => {
      const at = entry.indexOf(':')
      const symbol = entry.slice(0, at)
      return {
        symbol,
        name: entry.slice(at + 1).replaceAll('_', ' '),
        market,
        type: stockType(symbol, BUILT_IN),
      }
    })
}
