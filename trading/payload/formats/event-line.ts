// Lines that XQ and MultiCharts print: `20261120093000 46520 新買`, `20261120.000000 93000.000000 2330.TW 1085.00 突破20日高`,
// PowerLanguage's dates too (domain §4.3, §4.4).

import { STOCK_NAMES } from '../../stocks.ts'
import { productIn, resolveSymbol } from '../../symbols.ts'
import { isAll, sizeIn } from '../amount.ts'
import type { Leaf } from '../leaf.ts'
import { isDoubted, isTrial, saysPart } from '../vocabulary/free-text.ts'
import { inWords, isOption, meaningOf, otherWord } from '../vocabulary/words.ts'
import { type Format, SEVERAL, unread } from './message.ts'

export const eventLine: Format = {
  id: 'event-line',
  read(text, body) {
    const all = text
      .split('\n')
      .map((line) =>
        line
          .replaceAll('\t', ' ')
          .trim()
          .split(/[ \r\u3000]+/)
          .join(' '),
      )
      .filter((line) => line !== '' && !isHeader(line))
    const read = all.map(readLine)
    if (!read.some(Boolean)) return null
    if (all.length > 1) return unread('several_orders', SEVERAL)
    const leaves = read[0]
    return leaves ? { kind: 'message', shape: 'line', leaves, secret: null, clean: body } : null
  },
}

/** XQ's files may begin with a line of parameters: twelve numbers or more. */
function isHeader(line: string): boolean {
  return line.split(/[ ,]/).filter((token) => /^-?\d{1,20}(?:\.\d{1,20})?$/.test(token)).length >= 12
}

/** One bracket on either side of a word. */
const BRACKETS = /^[([（【「]|[)\]）】」]$/g

/** Whether a word names a product hangs on no instant; which month it names is asked again later. */
const AT = '2026-01-01T00:00:00.000Z'

/** Orders of the first cells behind the clock. */
const ORDERS = [
  ['price', 'action'],
  ['action', 'price'],
  ['symbol', 'price', 'action'],
  ['symbol', 'action', 'price'],
  ['symbol', 'price'],
] as const

function readLine(line: string): Leaf[] | null {
  const tokens = line.split(' ')
  const clock = readClock(tokens)
  if (!clock) return null
  const rest = tokens.slice(clock.used)
  const fits = {
    price: isNumber,
    action: (text: string) => meaningOf(text) !== null,
    symbol: (text: string) => text !== '',
  }
  const order = ORDERS.find((names) => names.every((name, i) => fits[name](rest[i] ?? '')))
  if (!order) return null
  const cell = (name: string, value: string, i: number): Leaf => ({
    path: `#${i + 1}`,
    name,
    value,
    zone: 'order',
    inside: [],
  })
  const leaves = [
    cell('timenow', clock.text, 0),
    ...order.map((name, i) => cell(name, rest[i] as string, clock.used + i)),
  ]
  const words: string[] = []
  for (const [i, token] of rest.slice(order.length).entries()) {
    const place = clock.used + order.length + i
    const as = tailOf(token, order)
    if (as === 'note') words.push(token)
    else if (as === '') leaves.push({ ...cell('', token.replace(BRACKETS, ''), place), zone: 'unknown' })
    else leaves.push(cell(as, as === 'symbol' ? (productSaid(token) ?? token) : token, place))
  }
  if (words.length > 0) leaves.push(cell('note', words.join(' '), tokens.length))
  return leaves
}

/** What a word behind the first cells is: the order's size or product, a word that nobody can be certain of (''), or the note's. */
export function tailOf(token: string, order: readonly string[]): 'quantity' | 'symbol' | '' | 'note' {
  const bare = token.replace(BRACKETS, '')
  // A size with its unit is the order's; so is a part of one, which is refused there.
  if (/^[\d.,]+\D+$/.test(token) && sizeIn(token) !== null) return 'quantity'
  if (/^[+\-−]\d/.test(token)) return ''
  if (saysPart(bare) || isAll(bare)) return 'quantity'
  const other = otherWord(bare)
  if (other === 'test' || other === 'not_a_trade' || isOption(bare) || (bare !== token && isTrial(bare)))
    return ''
  if (isNumber(token) || meaningOf(token) !== null || turns(order, bare)) return ''
  if (productSaid(bare) !== null) return 'symbol'
  return order.includes('action') && isDoubted(bare) ? '' : 'note'
}

/** A product or a stock's name in a word. */
function productSaid(word: string): string | null {
  const bare = word.replace(BRACKETS, '')
  if (Object.values(STOCK_NAMES).includes(bare)) return bare
  if (/^[A-Za-z]/.test(bare) && resolveSymbol(bare, AT) !== null) return bare
  return productIn(bare, AT)
}

/** Behind an action a word of a stop or of a state may take it back: 新買 停損. */
function turns(order: readonly string[], word: string): boolean {
  const said = order.includes('action') && !/\d/.test(word)
  const inside = said ? inWords(word) : null
  return inside === 'stop' || inside === 'state'
}

/** Date and time tokens at the head of a line; a decimal tail is what XQ's Print adds to numbers. */
export function readClock(tokens: readonly string[]): { text: string; used: number } | null {
  const digits = (i: number) => /^(\d{1,14})(?:\.0{1,9})?$/.exec(tokens[i] ?? '')?.[1] ?? ''
  const first = digits(0)
  if (first.length === 14) return { text: first, used: 1 }
  const slashed = /^(\d{4})[/-](\d{1,2})[/-](\d{1,2})$/.exec(tokens[0] ?? '')
  if (slashed && /^\d{1,2}:\d{2}(?::\d{2})?$/.test(tokens[1] ?? ''))
    return { text: `${tokens[0]} ${tokens[1]}`, used: 2 }
  // PowerLanguage writes years since 1900: 1261120 is 2026-11-20.
  // A year of the Republic, 115, has as many digits; it is left as it is, and refused as a time.
  const republic = first.length === 7 && Number(first) < 1_200_000
  const date = first.length === 7 && !republic ? String(Number(first) + 19_000_000) : first
  if (date.length !== 8 && !republic) return null
  const time = digits(1)
  if (time === '' || time.length > 6) return null
  // Without seconds, 915 and 0915, the text has none either: what that means hangs on the time of receipt. PowerLanguage's have none ever.
  const clock = time.padStart(time.length <= 4 ? 4 : 6, '0')
  return { text: `${date}${clock}${first.length === 7 && clock.length === 4 ? '00' : ''}`, used: 2 }
}

/** A plain price, as far as a line's cell goes. */
export function isNumber(text: string): boolean {
  return /^\d{1,9}(?:,\d{3}){0,3}(?:\.\d{0,12})?$/.test(text)
}
