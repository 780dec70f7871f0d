// One line of cells, `symbol,action,price[,qty[,time]]`, or a header of known names with one line under it; commas or tabs.
import { flatLeaves, type Leaf } from '../leaf.ts'
import { fieldOfName, isWeightless } from '../vocabulary/names.ts'
import { meaningOf } from '../vocabulary/words.ts'
import { isNumber } from './event-line.ts'
import { type Format, type Message, SEVERAL, type UnreadMessage, unread } from './message.ts'

export const csv: Format = { id: 'csv', read }

const PLACES = ['symbol', 'action', 'price', 'quantity', 'timenow'] as const

function read(text: string, body: string, loose = false): Message | UnreadMessage | null {
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const [first = '', second = ''] = lines
  const names = cellsOf(first)
  if (lines.length > 1 && isHeader(names)) {
    if (lines.length > 2) return unread('several_orders', SEVERAL)
    const cells = cellsOf(second)
    if (cells.length !== names.length)
      return unread('unreadable', `標題有 ${names.length} 欄，內容有 ${cells.length} 欄：請檢查分隔符號`)
    return message(flatLeaves(names.map((name, i) => [`#${i + 1}`, name, cells[i] ?? ''] as const)), body)
  }
  const found = lines.map((line) => positional(line, loose))
  if (!found.some(Boolean)) return null
  if (lines.length > 1) return unread('several_orders', SEVERAL)
  if (found[0] === 'grouped')
    return unread('bad_price', '價格裡的千分位逗號與分隔各欄的逗號分不開：請拿掉價格裡的逗號')
  return found[0] ? message(found[0], body) : null
}

function message(leaves: Leaf[], body: string): Message {
  return { kind: 'message', shape: 'csv', leaves, secret: null, clean: body }
}

/** Known names, nothing else: three at least, one of them an action or a side. */
function isHeader(names: readonly string[]): boolean {
  if (names.length < 3) return false
  const fields = names.map((name) => fieldOfName(name))
  const known = names.every((name, i) => fields[i] !== undefined || isWeightless(name))
  return known && fields.some((field) => field === 'action' || field === 'side' || field === 'weak_action')
}

function positional(line: string, loose: boolean): Leaf[] | 'grouped' | null {
  const cells = cellsOf(line)
  const [symbol = '', action = '', price = ''] = cells
  if (cells.length < 3 || cells.length > 5 || symbol === '' || meaningOf(action) === null) return null
  if (price !== '' && !isNumber(price)) return null
  if (cells.length === 5 && /^\d{1,3}$/.test(price) && /^\d{3}$/.test(cells[3] ?? '')) return 'grouped'
  // The size before the price: a small whole figure beside one that can only be a price.
  const turned =
    loose &&
    cells.length === 4 &&
    maySize(symbol, price) &&
    isNumber(cells[3] ?? '') &&
    !maySize(symbol, cells[3] ?? '')
  const names = turned ? (['symbol', 'action', 'quantity', 'price'] as const) : PLACES
  const leaves = flatLeaves(cells.map((cell, i) => [`#${i + 1}`, names[i] as string, cell] as const))
  // Without a cell for the size, a small whole number may be the size as well as the price: it is either, to the reader.
  const third = leaves[2]
  if (third && (cells[3] ?? '') === '' && maySize(symbol, price)) third.name = ''
  return leaves
}

/** Whether a whole number could be lots as well as a price; products of futures stand in the hundreds at least. */
function maySize(symbol: string, figure: string): boolean {
  return /^\d{1,3}$/.test(figure) && Number(figure) < (/^\d/.test(symbol) ? 100 : 1000)
}

function cellsOf(line: string): string[] {
  return line.split(line.includes('\t') ? '\t' : ',').map((cell) =>
    cell
      .trim()
      .replace(/^["']+|["']{1,4}$/g, '')
      .trim(),
  )
}
