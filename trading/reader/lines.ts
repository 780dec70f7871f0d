// `k=v` pairs between ; & | , blanks or line ends, also after 達錢's TOTC.…@ head; and lines of `name: value`.

import { STOCK_NAMES, stockName } from '../products.ts'
import { productIn, resolveSymbol } from '../symbols.ts'
import { isAll, isSize, sizeIn, unitOfWord } from './amount.ts'
import {
  FORBIDDEN_NAME,
  flatLeaves,
  isForbidden,
  isPrivate,
  isSecret,
  keyTwice,
  type Leaf,
  type Message,
  SEVERAL,
  type TextReader,
  type UnreadMessage,
  unread,
} from './json.ts'
import type { Mapping } from './shape.ts'
import { halfWidth } from './values.ts'
import {
  compact,
  fieldOfName,
  inWords,
  isDoubted,
  isOption,
  isTrial,
  isWeightless,
  keyName,
  meaningOf,
  otherWord,
  saysPart,
  wordOf,
} from './words.ts'

export const pairs: TextReader = { read: readPairs }
export const lines: TextReader = { read: readLines }

/** In pairs VOLUME is the order's size, but beside a bar's prices; in JSON it is the bar's volume. */
const VOLUMES = new Set(['volume', 'vol'])
/** Who sends these sends a bar, and its volume with it. */
const BARS = new Set('open high low 開盤 最高 最低 開盤價 最高價 最低價'.split(' '))

function readPairs(text: string, body: string): Message | UnreadMessage | null {
  if (!text.includes('=')) return null
  const at = text.startsWith('TOTC.') ? text.indexOf('@') : -1
  const head = text.slice(0, at + 1)
  const rest = text.slice(at + 1)
  const separator = separatorOf(rest)
  const pieces = rest
    .split(separator === ' ' ? /[ \t\r\n]+/ : separator === '\n' ? /\r?\n/ : separator)
    .flatMap((piece) => (separator === ' ' || separator === '\n' ? [piece] : piece.split(/[\r\n]+/)))
  return gather(pieces, '=', body, (kept) => head + kept.join(separator))
}

/** Lines of `name: value`; two of the names at least must be known, or it is prose. */
function readLines(text: string, body: string): Message | UnreadMessage | null {
  const all = text.split(/\r?\n/).map((line) => line.replace('：', ':'))
  const named = all.filter((line) => fieldOfName(line.slice(0, Math.max(line.indexOf(':'), 0))) !== undefined)
  if (named.length < 2) return null
  return gather(all, ':', body, (kept) => kept.join('\n'))
}

function gather(
  pieces: readonly string[],
  sign: '=' | ':',
  body: string,
  join: (kept: string[]) => string,
): Message | UnreadMessage | null {
  const leaves: Leaf[] = []
  const kept: string[] = []
  const seen = new Map<string, string>()
  let secret: string | null = null
  let whole = true
  let count = 0
  for (const [i, piece] of pieces.entries()) {
    const eq = piece.indexOf(sign)
    const key = unquote(piece.slice(0, Math.max(eq, 0)))
    const value = unquote(piece.slice(eq + 1))
    const named = eq > 0 && key !== '' && key.length <= 40 && !key.startsWith('//')
    if (named && isSecret(key)) secret ??= value
    if (named && isPrivate(key)) {
      whole = false
      continue
    }
    if (piece.trim() === '') continue
    kept.push(piece.trim())
    if (!named) {
      leaves.push({ path: `#${i + 1}`, name: '', value: unquote(piece), zone: 'legs' })
      continue
    }
    if (isForbidden(key.toLowerCase())) return unread('unreadable', FORBIDDEN_NAME)
    const name = compact(keyName(key))
    const before = seen.get(name)
    if (before !== undefined) return keyTwice(key)
    if (sign === '=' && MIXED.test(value))
      return unread(
        'unreadable',
        `欄位「${key.slice(0, 40)}」的內容裡還有另一個欄位：請全部用同一種分隔符號`,
        key,
      )
    count += 1
    seen.set(name, value)
    leaves.push({ path: key, name: key, value, zone: 'order' })
  }
  if (seen.has('s') && seen.has('b'))
    for (const leaf of leaves)
      Object.assign(leaf, AUTOVIEW[leaf.path] && { name: AUTOVIEW[leaf.path], wrote: leaf.path })
  if (count < 2 || !leaves.some(({ name }) => fieldOfName(name) !== undefined || isWeightless(name)))
    return null
  const has = (names: ReadonlySet<string>) => leaves.some(({ name }) => names.has(compact(keyName(name))))
  if (sign === '=' && !leaves.some(({ name }) => isSize(fieldOfName(name))) && !has(BARS))
    for (const leaf of leaves) if (VOLUMES.has(compact(keyName(leaf.name)))) leaf.name = 'quantity'
  return { kind: 'message', shape: 'pairs', leaves, secret, clean: whole ? body : join(kept) }
}

/** Autoview's one-letter names; what it closes or cancels is no order of its own. */
const AUTOVIEW: Readonly<Record<string, string>> = {
  ...{
    e: 'exchange',
    s: 'symbol',
    b: 'side',
    q: 'quantity',
    t: 'order_type',
    p: 'price',
    c: 'close_or_cancel',
  },
}

/** A second pair inside a value: the separators are mixed. */
const MIXED = /[\s,;&|][^\s=,;&|]{1,40}=/

function separatorOf(text: string): ';' | '&' | '|' | '\n' | ',' | ' ' {
  if (text.includes(';')) return ';'
  if (text.includes('&')) return '&'
  if (text.includes('|')) return '|'
  const first = text.includes('\n') ? text.slice(0, text.indexOf('\n')) : ''
  if (text.includes('\n') && !first.includes(',')) return '\n'
  return !text.includes(',') && text.split(/\s+/).filter((token) => token.indexOf('=') > 0).length > 1
    ? ' '
    : ','
}

function unquote(text: string): string {
  const trimmed = text.trim()
  // {{…}} is a variable, not a quotation.
  if (trimmed.startsWith('{{')) return trimmed
  return trimmed
    .replace(/^["'{“]+/, '')
    .replace(/["'}”]{1,4}$/, '')
    .trim()
}

// One line of cells, `symbol,action,price[,qty[,time]]`, or a header of known names with one line under it; commas or tabs.
export const csv: TextReader = { read: readCsv }

const PLACES = ['symbol', 'action', 'price', 'quantity', 'timenow'] as const

function readCsv(text: string, body: string, loose = false): Message | UnreadMessage | null {
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const [first = '', second = ''] = lines
  const names = csvCells(first)
  if (lines.length > 1 && isHeader(names)) {
    if (lines.length > 2) return unread('several_orders', SEVERAL)
    const cells = csvCells(second)
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
  const all = csvCells(line)
  const before = loose ? when(all) : []
  const behind = loose && all.length > 3 && isOpenClose(all.at(-1) ?? '') ? ['open_close'] : []
  const cells = all.slice(before.length, all.length - behind.length)
  const [symbol = '', action = '', price = ''] = cells
  const most = before.length > 0 ? 4 : 5
  if (cells.length < 3 || cells.length > most || symbol === '' || meaningOf(action) === null) return null
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
  const named = [...before, ...names.slice(0, cells.length), ...behind]
  const leaves = flatLeaves(all.map((cell, i) => [`#${i + 1}`, named[i] as string, cell] as const))
  // Without a cell for the size, a small whole number may be the size as well as the price: it is either, to the reader.
  const third = leaves[before.length + 2]
  if (third && (cells[3] ?? '') === '' && maySize(symbol, price)) third.name = ''
  return leaves
}

/** What cells in front of the symbol say when it was: a day and an hour, or both in one. */
function when([first = '', second = '']: readonly string[]): string[] {
  const day = String.raw`(?:\d{4}[-/]\d{1,2}[-/]\d{1,2}|20\d{6})`
  const hour = String.raw`(?:\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?|\d{6})`
  if (new RegExp(`^${day}[T ]${hour}Z?$`).test(first)) return ['timenow']
  if (!new RegExp(`^${day}$`).test(first)) return []
  return new RegExp(`^${hour}$`).test(second) ? ['date', 'time'] : ['date']
}

/** 新倉, 平倉 behind an order that says buy or sell. */
function isOpenClose(cell: string): boolean {
  const { verb, side, neutral } = meaningOf(cell) ?? {}
  return (verb === 'entry' || verb === 'exit') && side === undefined && neutral === undefined
}

/** Whether a whole number could be lots as well as a price; products of futures stand in the hundreds at least. */
function maySize(symbol: string, figure: string): boolean {
  return /^\d{1,3}$/.test(figure) && Number(figure) < (/^\d/.test(symbol) ? 100 : 1000)
}

function csvCells(line: string): string[] {
  const bare = (cell: string) => cell.trim().replace(/^["']+|["']{1,4}$/g, '')
  return line.split(line.includes('\t') ? '\t' : ',').map((cell) => bare(cell).trim())
}

// An order in words, `BUY 2 lots MXF1! @ 46500`, `買進 台指期 2口 價格 46500`: read only when every word is one of an order's.
/** Words that only join the others. */
const JOINTS = new Set(['at', '@', '以', '於', '價', '價格', '成交價', 'price', 'limit', '限價', ':', '：'])
const TOKENS_MOST = 12

export const words: TextReader = {
  read(text, body, loose) {
    const tokens = (loose ? apart(text) : halfWidth(text.slice(0, 400)).replace(/[，,、;；|]\s/g, ' '))
      .replace(/@/g, ' @ ')
      .split(/\s+/)
      .filter((token) => token !== '')
    if (text.length > 400 || tokens.length < 3 || tokens.length > TOKENS_MOST) return null
    const leaves: Leaf[] = []
    for (let i = 0; i < tokens.length; ) {
      const next = tokens[i + 1] ?? ''
      const [name, value, used] = wordAt(tokens[i] as string, next, loose === true) ?? []
      if (name === undefined || value === undefined || used === undefined) return null
      leaves.push({ path: `#${used === 2 && value === next ? i + 2 : i + 1}`, name, value, zone: 'order' })
      i += used
    }
    if (loose && !placed(leaves)) return null
    // A figure alone that stands for no stock that is known may be the price.
    const [symbol, ...others] = leaves.filter((leaf) => leaf.name === 'symbol')
    const figure = String(symbol?.value)
    const code = others.length === 0 && /^\d{4,6}$/.test(figure) && stockName(figure) === figure
    if (code && !leaves.some((leaf) => leaf.name === 'price')) return null
    // BUY STOP places an order that waits for its price; only alone the word may mean that a stop was hit.
    const actions = leaves.filter((leaf) => leaf.name === 'action')
    if (actions.length > 1 && actions.some((leaf) => wordOf(String(leaf.value)) === 'stop')) return null
    if (actions.length === 0 || symbol === undefined) return null
    // The same order twice is two orders, on two lines or on one.
    if (others.length > 0 && actions.length > 1) return unread('several_orders', SEVERAL)
    return { kind: 'message', shape: 'words', leaves, secret: null, clean: body }
  },
}

/** What a word of a line is, its value, and how many words it takes; null when it is none of an order's. */
function wordAt(
  token: string,
  next: string,
  loose: boolean,
): [name: string, value: string, used: number] | null {
  // with its blank, as the sender wrote it: a reason quotes it
  const two = `${token} ${next}`
  if (next !== '' && meaningOf(two)?.verb !== undefined) return ['action', two, 2]
  if (meaningOf(token) !== null) return ['action', token, 1]
  if (loose && otherWord(token) === 'market') return ['order_type', token, 1]
  if (isNumber(next) && JOINTS.has(token.toLowerCase())) return ['price', next, 2]
  if (isNumber(next) && isSize(fieldOfName(token))) return [token, next, 2]
  if (isNumber(token) && unitOfWord(next) !== undefined) return ['quantity', `${token}${next}`, 2]
  if (/^\d[\d,.]*\D/.test(token) && sizeIn(token)?.unit !== undefined && !resolvable(token))
    return ['quantity', token, 1]
  if (loose && isNumber(token)) return ['figure', token, 1]
  return resolvable(token) ? ['symbol', token, 1] : null
}

/** A line's words and figures apart, whether blanks, signs or nothing stands between them: 小台多單進場2口46500. */
function apart(text: string): string {
  const label = /^\s*[【[]([^】\]\n]{1,30})[】\]]/.exec(text)
  const heading =
    label && productIn(label[1] as string, AT) === null && meaningOf(label[1] as string) === null
  const spaced = halfWidth(text.slice(heading ? label[0].length : 0, 400))
    .replace(/(\d),(?=\d{3}(?!\d))/g, '$1')
    .replace(/[，,、;；|：:【】[\]()（）\n]+/g, ' ')
    .replace(/(\p{Script=Han})(?=[\dA-Za-z@])|([\dA-Za-z!])(?=\p{Script=Han})/gu, '$& ')
  return spaced.split(/\s+/).map(productAndAction).join(' ')
}

/** 小台多單進場: what stands before or behind a word of action is a product. */
function productAndAction(word: string): string {
  if (!/^\p{Script=Han}{3,12}$/u.test(word) || meaningOf(word) !== null || resolvable(word)) return word
  for (let i = 1; i < word.length; i++) {
    const [front, back] = [word.slice(0, i), word.slice(i)]
    if (resolvable(front) && meaningOf(back) !== null) return `${front} ${back}`
    if (meaningOf(front) !== null && resolvable(back)) return `${front} ${back}`
  }
  return word
}

/** What a bare figure is: a stock that is listed, else the price; false where there are two of a kind. */
function placed(leaves: Leaf[]): boolean {
  const has = (name: string) => leaves.some((leaf) => leaf.name === name)
  const figures = leaves.filter(({ name }) => name === 'figure')
  if (figures.length > 0 && leaves.filter(({ name }) => name === 'action').length > 1) return false
  // A small one beside a larger: so many lots at that price.
  const small = figures.filter(({ value }) => /^\d{1,3}$/.test(String(value)))
  if (small.length === 1 && !has('quantity') && (has('price') ? figures.length === 1 : figures.length === 2))
    for (const leaf of small) leaf.name = 'quantity'
  for (const leaf of figures) {
    if (leaf.name === 'quantity') continue
    const text = String(leaf.value)
    const four = /^\d{4,6}$/.test(text)
    const listed = four && stockName(text) !== text
    const code = !has('symbol') && (listed || (four && figures.length === 1))
    if (!code && (has('price') || listed || /^\d{1,2}$/.test(text))) return false
    leaf.name = code ? 'symbol' : 'price'
  }
  return true
}

function resolvable(token: string): boolean {
  return resolveSymbol(token, AT) !== null
}

// Lines that XQ and MultiCharts print: `20261120093000 46520 新買`, `20261120.000000 93000.000000 2330.TW 1085.00 突破20日高`,
// PowerLanguage's dates too (domain §4.3, §4.4).
export const eventLine: TextReader = {
  read(text, body) {
    const all = text
      .split('\n')
      .map((line) => line.trim().replace(/[ \t\r\u3000]+/g, ' '))
      .filter((line) => line !== '' && !isParameters(line))
    const read = all.map(readLine)
    if (!read.some(Boolean)) return null
    if (all.length > 1) return unread('several_orders', SEVERAL)
    const leaves = read[0]
    return leaves ? { kind: 'message', shape: 'line', leaves, secret: null, clean: body } : null
  },
}

/** XQ's files may begin with a line of parameters: twelve numbers or more. */
function isParameters(line: string): boolean {
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

// TradingView's default strategy message: «name (inputs): order buy @ 1 filled on TXF1!. New strategy position is 1».
/** In English, and as TradingView's Chinese screens write it: 訂單buy @ 1已成交TXF1!。新策略倉位是1. */
const SENTENCE =
  /order (buy|sell) @ ([\d.,]{1,20}) filled on (\S{1,60}?)\.? New strategy position is (-?[\d.,]{1,20}?)\.?(?= |$)/i
const CHINESE =
  /[訂订][單单] ?(buy|sell) ?@ ?([\d.,]{1,20}) ?已?成交 ?([^\s。]{1,60})。 ?新策略[倉仓]位[是為为]? ?(-?[\d.,]{1,20}?)[.。]?(?= |$)/i

const TAKEN_BACK = /不要|請勿|忽略|取消|模擬|^[[(]?test[\])]?$/i
const LABEL = /^[[(（【]([^\])）】]{1,20})[\])）】]$/
/** A name with its inputs, (12, 26), is a strategy's; without them it may be a label. */
const INPUTS = /[(（]/

/** What takes the order back in front of it. A strategy may be called anything, but not by a word that does so. */
export function against(front: string): string | undefined {
  const trial = (text: string) => isTrial(text) || otherWord(text) === 'test'
  const word = front
    .split(/[\s:：]+/)
    .find((one) => isTrial(one) || TAKEN_BACK.test(one) || trial(LABEL.exec(one)?.[1] ?? ''))
  if (word !== undefined || INPUTS.test(front)) return word
  return trial(front) || otherWord(front) === 'not_a_trade' || isDoubted(front.slice(0, 20))
    ? front
    : undefined
}

/** The strategy's name in front becomes the note; what stands behind the sentence is accounted for like any other text. */
export const sentence: TextReader = {
  read(text, body) {
    const line = text.split(/\s+/).join(' ')
    if (!line.includes('@')) return null
    const m = SENTENCE.exec(line) ?? CHINESE.exec(line)
    if (!m) return null
    const [found, action = '', contracts = '', ticker = '', position = ''] = m
    const behind = line.slice(m.index + found.length).trim()
    if (SENTENCE.test(behind) || CHINESE.test(behind)) return unread('several_orders', SEVERAL)
    const name = line
      .slice(0, m.index)
      .replace(/[:：]? ?$/, '')
      .trim()
    const leaves: Leaf[] = flatLeaves([
      ['action', 'action', action],
      ['contracts', 'contracts', contracts],
      ['ticker', 'ticker', ticker],
      ['position_size', 'position_size', position],
      ['note', 'note', name],
    ])
    for (const beside of [against(name), behind])
      if (beside) leaves.push({ path: '#outside', name: '', value: beside.slice(0, 500), zone: 'unknown' })
    return { kind: 'message', shape: 'sentence', leaves, secret: null, clean: body }
  },
}

// Any line as cells #1, #2 …, for a mapping that names them; without one nothing says what a cell is.
/** The line's cells; null when the mapping names none, or one that is not there: cells are known by their number only. */
export function readCells(
  text: string,
  body: string,
  mapping: Mapping | null,
): Message | UnreadMessage | null {
  const named = Object.values(mapping?.fields ?? {}).filter(
    (source): source is string => typeof source === 'string' && source.startsWith('#'),
  )
  if (named.length === 0) return null
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '')
  if (lines.length > 1) return unread('several_orders', SEVERAL)
  const leaves: Leaf[] = cellsOf(lines[0] ?? '').map((value, i) => ({
    path: `#${i + 1}`,
    name: '',
    value,
    zone: 'unknown',
  }))
  if (!named.every((path) => leaves.some((leaf) => leaf.path === path))) return null
  return { kind: 'message', shape: 'csv', leaves, secret: null, clean: body }
}

/** The cells of a line: by tab, comma, semicolon or bar where it has them, else by blanks. */
export function cellsOf(line: string): string[] {
  const sign = ['\t', ',', ';', '|'].find((one) => line.includes(one)) ?? /\s+/
  return line
    .split(sign)
    .slice(0, 200)
    .map((cell) => cell.trim())
}
