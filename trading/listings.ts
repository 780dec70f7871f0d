// Stocks and funds by code and name, and the search in them. Dated data, 40 KB: fetched by the screens that look something up.
import { TPEX_FUNDS, TWSE_FUNDS } from './listings/funds.ts'
import { TPEX } from './listings/tpex.ts'
import { TWSE } from './listings/twse.ts'

/** The day of the lists: the exchanges' ISIN pages (isin.twse.com.tw) as twstock's codes/*.csv of that day hold them. Without warrants. */
export const LISTED_ON = '2026-03-26'

export interface Listing {
  symbol: string
  name: string
  market: 'twse' | 'tpex'
}

/** Everything in the lists, by code. */
export function listings(): readonly Listing[] {
  all ??= [
    ...read(TWSE, 'twse'),
    ...read(TWSE_FUNDS, 'twse'),
    ...read(TPEX, 'tpex'),
    ...read(TPEX_FUNDS, 'tpex'),
  ].sort((a, b) => (a.symbol < b.symbol ? -1 : 1))
  return all
}
let all: Listing[] | undefined

function read(list: string, market: Listing['market']): Listing[] {
  return list
    .trim()
    .split(/\s+/)
    .map((entry) => {
      const at = entry.indexOf(':')
      return { symbol: entry.slice(0, at), name: entry.slice(at + 1).replaceAll('_', ' '), market }
    })
}

/** How names are compared: width and case do not matter, nor which of 台 and 臺 is written. */
const plain = (text: string) => text.normalize('NFKC').trim().toLowerCase().replaceAll('臺', '台')

/** What fits what was typed, best first: its code, codes and names that start with it, names that hold it. */
export function searchListings(typed: string, most: number): Listing[] {
  const wanted = plain(typed)
  if (wanted === '') return []
  const ranked = listings().flatMap((one) => {
    const rank = rankOf(one.symbol.toLowerCase(), plain(one.name), wanted)
    return rank === null ? [] : [{ one, rank }]
  })
  return ranked
    .sort((a, b) => a.rank - b.rank)
    .slice(0, most)
    .map(({ one }) => one)
}

function rankOf(symbol: string, name: string, wanted: string): number | null {
  if (symbol === wanted || name === wanted) return 0
  if (symbol.startsWith(wanted)) return 1
  if (name.startsWith(wanted)) return 2
  return name.includes(wanted) ? 3 : null
}

/** A listing by its code. */
export function findListing(symbol: string): Listing | undefined {
  return listings().find((one) => one.symbol === symbol)
}
