// The rows of a file of XQ as signals (domain §8.3): what a row says is read by the same reader as a message (domain §4.8); its price and
// its time are put in afterwards, so that rows that say the same of everything else are read once.

import { stockName } from '../products.ts'
import { readUnasked } from '../reader/read.ts'
import type { PayloadStrategy, ReadSignal } from '../reader/shape.ts'
import { halfWidth, numberOf, priceOf, timeOf } from '../reader/values.ts'
import { meaningOf } from '../reader/words.ts'
import type { Flag } from '../record.ts'
import { isStockCode } from '../symbols.ts'
import {
  cutRow,
  type Delimiter,
  decodeInSlices,
  headerKey,
  type KeptLayout,
  type Layout,
  layoutOf,
  rowsIn,
  type SplitRow,
} from './layout.ts'
import {
  type AskedEncoding,
  type ColumnField,
  type ColumnMapping,
  type FileEncoding,
  FileFault,
  ORIGINAL_FILE_BYTES,
  ORIGINAL_ROW_CHARS,
  ORIGINAL_ROWS,
} from './shape.ts'

/** What was read of a row, as it is shown; null = it says nothing of it. */
interface ParsedRow {
  symbol: string | null
  name: string | null
  action: string | null
  price: number | null
  quantity: number | null
  volume: number | null
  time: string | null
  note: string | null
}

/** A signal that a row makes; a closed trade makes two. */
export interface OriginalRow {
  row_no: number
  /** Of a closed trade. */
  leg: 'entry' | 'exit' | null
  raw: string
  parsed: ParsedRow | null
  signal: ReadSignal | null
  flags: Flag[]
  /** Why it makes none, in words. */
  error: string | null
}

export interface ReadFile {
  encoding: FileEncoding
  delimiter: Delimiter | null
  kind: Layout['kind']
  layout: KeptLayout
  /** The header, with the field that each column holds. */
  columns: { name: string; field: ColumnField | null }[]
  rows: OriginalRow[]
  /** Rows of the file: a closed trade is one. */
  count: number
}

export interface ReadFileOptions {
  bytes: Uint8Array
  file_name: string
  encoding: AskedEncoding
  mapping: ColumnMapping
  strategy: PayloadStrategy
  /** ISO instant; no row may be later. */
  now: string
  /** Rows beyond are counted, not read. */
  most?: number
}

/** Rows read between two pauses. */
const SLICE = 16

/** Reads a whole file; yields the share that is done, 0 to 1. Throws a FileFault: then nothing of it is taken. */
export function* readFileInSlices(options: ReadFileOptions): Generator<number, ReadFile> {
  const { bytes, encoding: asked, mapping, most = ORIGINAL_ROWS } = options
  if (bytes.length > ORIGINAL_FILE_BYTES)
    throw new FileFault(`檔案有 ${(bytes.length / 1024 / 1024).toFixed(1)} MB，最多 10 MB：請分成幾個檔案`)
  const decoding = decodeInSlices(bytes, asked)
  let step = decoding.next()
  for (; !step.done; step = decoding.next()) yield step.value * 0.2
  const { encoding, text } = step.value
  const layout = layoutOf(text, mapping)
  const reader = new RowReader(options, layout)
  const rows: OriginalRow[] = []
  let [count, at, seen, last_no] = [0, 0, 0, 0]
  // Each is read as it is split: cells of all rows at once would be most of what a file takes.
  for (const row of rowsIn(text, layout)) {
    at += row.raw.length + 1
    if (row.cells !== null || !isParameters(row.raw)) {
      if (count++ < most) rows.push(...reader.read(row))
      last_no = row.row_no
    }
    if (++seen % SLICE === 0) yield 0.2 + (0.8 * at) / text.length
  }
  if (count === 0) throw new FileFault('檔案裡沒有任何一筆資料：只有標題或空白')
  if (count > ORIGINAL_ROWS)
    throw new FileFault(
      `檔案有 ${count.toLocaleString('en-US')} 筆，一次最多 20,000 筆：請依日期分成幾個檔案`,
    )
  const read = rows.at(-1)
  // A last line without its end that cannot be read: what is missing of it may be missing of more.
  if (count <= most && !text.endsWith('\n') && rows.length > 1 && read?.error && readable(rows))
    throw cutRow(last_no, '最後一行讀不出來，也沒有換行')
  if (layout.kind === 'lines' && rows.every(({ error }) => error !== null)) throw nothingRead(rows)
  const columns = (layout.columns ?? []).map((name, at) => ({
    name,
    field: (Object.entries(layout.places).find(([, place]) => place === at)?.[0] ??
      null) as ColumnField | null,
  }))
  const { delimiter, kind } = layout
  const kept: KeptLayout = { kind, delimiter, columns: layout.columns }
  return { encoding, delimiter, kind, layout: kept, columns, rows, count }
}

/** Whether those before the last were right: then it is the end that is missing. */
function readable(rows: readonly OriginalRow[]): boolean {
  return rows.slice(0, -1).filter(({ error }) => error === null).length * 2 > rows.length
}

function nothingRead(rows: readonly OriginalRow[]): FileFault {
  const [first] = rows as [OriginalRow]
  return new FileFault(
    `看不出檔案的格式：沒有認得的標題，每一行也都讀不出來。第 ${first.row_no} 行「${first.raw.slice(0, 40)}」：${first.error}`,
  )
}

/** XQ's files may begin with a line of parameters: twelve numbers or more. */
function isParameters(line: string): boolean {
  return line.split(/[\s,;]+/).filter((token) => /^-?\d{1,20}(?:\.\d{1,20})?$/.test(token)).length >= 12
}

/** What rows that are alike but for price and time come to. */
type Template = Pick<OriginalRow, 'signal' | 'flags' | 'error'>

const KEPT: ReadonlySet<Flag> = new Set(['default_quantity', 'default_symbol', 'symbol_mismatch'])
const TEMPLATES_MOST = 20_000
/** Stands where the clock and the price of a line were. */
const CLOCK = '20240605102100'
const PRICE = '100.5'

/** Reads rows of one layout under one strategy. */
export class RowReader {
  readonly #layout: Layout
  readonly #strategy: PayloadStrategy
  readonly #now: string
  readonly #now_ms: number
  /** From the file's name: `20261120_突破_2330.TW_1D.log`. */
  readonly #named: { symbol: string | null; date: string | null }
  readonly #templates = new Map<string, Template>()

  constructor(
    { file_name, strategy, now }: Pick<ReadFileOptions, 'file_name' | 'strategy' | 'now'>,
    layout: Layout,
  ) {
    this.#layout = layout
    this.#now = now
    this.#now_ms = Date.parse(now)
    this.#named = inFileName(file_name)
    const { symbol } = this.#named
    const fits = symbol !== null && (strategy.symbols.length === 0 || strategy.symbols.includes(symbol))
    this.#strategy = fits ? { ...strategy, symbols: [symbol] } : strategy
  }

  read({ row_no, raw, cells, fault }: SplitRow): OriginalRow[] {
    const kept = raw.slice(0, ORIGINAL_ROW_CHARS)
    const none = { row_no, raw: kept, parsed: null, signal: null, flags: [] }
    const refuse = (error: string, leg: OriginalRow['leg'] = null) => [{ ...none, leg, error }]
    if (raw.length > ORIGINAL_ROW_CHARS) return refuse(`這一行有 ${raw.length} 字，最多 2,000 字`)
    if (raw.includes('\uFFFD')) return refuse('這一行有讀不出的字，檔案編碼可能不對')
    if (fault !== null) return refuse(fault)
    const parts = cells === null ? [this.#line(raw)] : this.#cells(cells)
    return parts.map((part) => ({ row_no, raw: kept, ...part }))
  }

  #cells(cells: readonly string[]): Omit<OriginalRow, 'row_no' | 'raw'>[] {
    const { places, kind, columns } = this.#layout
    const cell = (field: ColumnField) => {
      const at = places[field]
      return at === undefined ? '' : tidy(cells[at] ?? '')
    }
    const symbol = cell('symbol') || cell('name')
    const size = places.quantity === undefined ? '' : headerKey(columns?.[places.quantity] ?? '')
    const shared = {
      symbol,
      name: places.symbol === undefined ? '' : cell('name'),
      quantity: cell('quantity'),
      size: size === '張數' || size === '股數' ? size : 'quantity',
      volume: numberOf(cell('volume')),
    }
    if (kind === 'table')
      return [
        {
          leg: null,
          ...this.#part({
            ...shared,
            action: cell('action'),
            price: cell('price'),
            time: this.#clock(cell('date'), cell('time')),
            note: cell('trigger') || cell('note'),
          }),
        },
      ]
    const side = sideOf(cell('entry_side'))
    const out = cell('exit_side')
    const left = out === '' || side === null ? side : sideOf(out, true)
    const trade = (leg: 'entry' | 'exit', price: string, time: string) => {
      if (side === null) return broken(leg, `看不懂進場方向「${cell('entry_side')}」：請寫買進或賣出`)
      if (left !== side)
        return broken(leg, `進場${cell('entry_side')}、出場${out}，方向互相矛盾：出場要和進場相反`)
      return {
        leg,
        ...this.#part({ ...shared, action: `${side}_${leg}`, price, time, note: cell('note') }),
      }
    }
    return [
      trade('entry', cell('entry_price'), this.#clock(cell('date'), cell('entry_time'))),
      trade('exit', cell('exit_price'), this.#clock(cell('date'), cell('exit_time'))),
    ]
  }

  /** A day and a clock as one text; XQ and Excel write both in one cell or in two. */
  #clock(date: string, time: string): string {
    const day =
      date || (/^(?:[上下]午)?\s*\d{1,2}:|^\d{1,6}(?:\.0+)?$/.test(time) ? (this.#named.date ?? '') : '')
    const [digits, clock] = [day.replace(/\.0+$/, ''), inDay(time)]
    if (digits === '') return clock
    if (clock === '') return digits
    if (/^\d{4,6}(?:\.0+)?$/.test(clock)) {
      const six = clock.replace(/\.0+$/, '')
      const eight = digits.replace(
        /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})$/,
        (_all, y: string, m: string, d: string) => `${y}${m.padStart(2, '0')}${d.padStart(2, '0')}`,
      )
      return `${eight}${six.length <= 4 ? `${six.padStart(4, '0')}00` : six.padStart(6, '0')}`
    }
    // The time's cell has its own day.
    if (/^\d{4}[-/]|^\d{8}/.test(clock)) return clock
    return `${digits.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3')} ${clock}`
  }

  #part(of: {
    symbol: string
    name: string
    action: string
    size: string
    quantity: string
    price: string
    volume: number | null
    time: string
    note: string
  }): Omit<OriginalRow, 'row_no' | 'raw' | 'leg'> {
    const said = {
      ...(of.symbol !== '' && { symbol: of.symbol }),
      ...(of.action !== '' && { action: of.action }),
      ...(of.quantity !== '' && { [of.size]: of.quantity }),
      ...(of.note !== '' && { note: of.note }),
    }
    const body = JSON.stringify(said)
    const template = this.#template(body, () => body)
    return this.#filled(template, of.price, of.time, {
      name: of.name || null,
      volume: of.volume,
      symbol: of.symbol,
      action: of.action,
      note: of.note,
    })
  }

  #line(raw: string): Omit<OriginalRow, 'row_no' | 'raw'> {
    const tokens = raw.trim().split(/[\s　]+/)
    const clock = clockOf(tokens)
    const rest = clock ? tokens.slice(clock.used) : []
    const at = priceIn(rest)
    const text = at === null ? '' : (rest[at] as string)
    // A price that may be a stock's code is not told from one without itself.
    const plain =
      at !== null && (at > 0 || (stockName(text) === text && !this.#strategy.symbols.includes(text)))
    if (!clock || !plain) return { leg: null, ...this.#whole(raw) }
    const shape = [CLOCK, ...rest.with(at, PRICE)].join(' ')
    const template = this.#template(shape, () => shape)
    return { leg: null, ...this.#filled(template, text, clock.text, { name: null, volume: null }) }
  }

  /** A line that is read as it stands, price and time too. */
  #whole(body: string): Omit<OriginalRow, 'row_no' | 'raw' | 'leg'> {
    const read = this.#read(body)
    const { signal } = read
    if (!signal) return { parsed: null, signal: null, flags: [], error: read.error }
    if (read.timeless) return { parsed: parsedOf(signal), signal: null, flags: [], error: NO_TIME }
    if (Date.parse(signal.occurred_at) > this.#now_ms + 60_000)
      return { parsed: parsedOf(signal), signal: null, flags: [], error: AHEAD }
    return { parsed: parsedOf(signal), signal, flags: read.flags, error: null }
  }

  #template(key: string, body: () => string): Template {
    const known = this.#templates.get(key)
    if (known) return known
    const { signal, flags, error } = this.#read(body())
    const made = { signal, flags, error }
    if (this.#templates.size < TEMPLATES_MOST) this.#templates.set(key, made)
    return made
  }

  #read(body: string): Template & { timeless: boolean } {
    const read = readUnasked({
      body,
      ...{ format: 'auto', mapping: null, unparsed_rule: null },
      received_at: this.#now,
      strategy: this.#strategy,
    })
    if (read.kind === 'signal')
      return {
        signal: read.signal,
        flags: read.flags.filter((flag) => KEPT.has(flag)),
        error: null,
        timeless: !read.time_given,
      }
    const error = read.kind === 'heartbeat' ? '心跳訊息，不是訊號' : read.reason
    return { signal: null, flags: [], error: inFile(error), timeless: false }
  }

  #filled(
    { signal, flags, error }: Template,
    price_text: string,
    time_text: string,
    said: { name: string | null; volume: number | null; symbol?: string; action?: string; note?: string },
  ): Omit<OriginalRow, 'row_no' | 'raw' | 'leg'> {
    const ms = timeOf(time_text)
    const price = priceOf(price_text)
    const parsed: ParsedRow = {
      symbol: signal?.symbol ?? (said.symbol || null),
      name: said.name,
      action: signal?.action ?? (said.action || null),
      price: price === 'bad' ? null : price,
      quantity: signal?.quantity ?? null,
      volume: said.volume,
      time: typeof ms === 'number' ? new Date(ms).toISOString() : null,
      note: signal?.note ?? (said.note || null),
    }
    const refuse = (why: string) => ({ parsed, signal: null, flags: [], error: why })
    if (!signal) return refuse(error ?? '讀不出來')
    if (ms === null) return refuse(NO_TIME)
    if (ms === 'bad' || (/^(?:\d{4}[-/]\d{1,2}[-/]\d{1,2}|\d{8}(?:\.0+)?)$/.test(time_text) && ms !== null))
      return refuse(
        ms === 'bad'
          ? `時間「${time_text}」讀不出來：請寫成 2026/11/20 09:30:00`
          : `時間「${time_text}」只有日期：請加上時刻，例如 09:30:00`,
      )
    if (ms > this.#now_ms + 60_000) return refuse(AHEAD)
    if (price === 'bad') return refuse(`價格「${price_text}」讀不出來：請寫大於 0、最多 4 位小數的數字`)
    return {
      parsed,
      signal: { ...signal, price, occurred_at: new Date(ms).toISOString() },
      flags,
      error: null,
    }
  }
}

const NO_TIME = '沒有時間：請在檔案裡加上日期與時間'
const AHEAD = '時間在未來：請檢查年份與時區'

function broken(leg: 'entry' | 'exit', error: string) {
  return { leg, parsed: null, signal: null, flags: [], error }
}

function parsedOf(signal: ReadSignal): ParsedRow {
  const { symbol, action, price, quantity, occurred_at: time, note } = signal
  return { symbol, name: null, action, price, quantity, volume: null, time, note }
}

/** `="2330"` is how spreadsheets keep the zeros in front. */
function tidy(cell: string): string {
  return halfWidth(cell.trim())
    .replace(/^="([^"]*)"$/, '$1')
    .replace(/^'(?=\d)/, '')
    .trim()
}

/** 上午 09:30:00 as spreadsheets of Taiwan write it, at the front of a clock or between day and clock. */
function inDay(time: string): string {
  return time.replace(
    /^(.*?)([上下])午\s*(\d{1,2})(:.*)$/,
    (_all, before: string, half: string, hour: string, rest: string) => {
      const day = before.trimEnd()
      const h = (Number(hour) % 12) + (half === '下' ? 12 : 0)
      return `${day}${day === '' ? '' : ' '}${String(h).padStart(2, '0')}${rest}`
    },
  )
}

/** The side that a word of an entry goes in by; of an exit the side that it leaves. */
function sideOf(word: string, leaves = false): 'long' | 'short' | null {
  const plain = word.replace(/\s/g, '')
  const up = /^(?:買進?|買入|多單?|做多|新買|B|buy|long)$/i.test(plain)
  const down = /^(?:賣出?|空單?|做空|放空|新賣|S|sell|short)$/i.test(plain)
  if (leaves) {
    if (/^(?:回補|平買)$/.test(plain)) return 'short'
    if (/^平賣$/.test(plain)) return 'long'
    return up ? 'short' : down ? 'long' : null
  }
  return up ? 'long' : down ? 'short' : null
}

/** The clock at the head of a line where there is no doubt of it; all others are read with their line. */
function clockOf(tokens: readonly string[]): { text: string; used: number } | null {
  const [first = '', second = ''] = tokens
  const plain = first.replace(/\.0+$/, '')
  if (/^\d{14}$/.test(plain)) return { text: plain, used: 1 }
  const clock = second.replace(/\.0+$/, '')
  if (/^\d{8}$/.test(plain) && /^\d{5,6}$/.test(clock))
    return { text: `${plain}${clock.padStart(6, '0')}`, used: 2 }
  if (/^\d{4}[-/]\d{1,2}[-/]\d{1,2}$/.test(first) && /^\d{1,2}:\d{2}(?::\d{2})?$/.test(second))
    return { text: `${first} ${second}`, used: 2 }
  return null
}

/** Where a line's price stands behind its clock: the orders that the reader knows. */
function priceIn(rest: readonly string[]): number | null {
  const isNumber = (i: number) => /^\d{1,9}(?:,\d{3}){0,3}(?:\.\d{0,12})?$/.test(rest[i] ?? '')
  if (isNumber(0) && meaningOf(rest[1] ?? '') !== null) return 0
  if (isNumber(1)) return 1
  return isNumber(2) && meaningOf(rest[1] ?? '') !== null ? 2 : null
}

function inFileName(name: string): { symbol: string | null; date: string | null } {
  const words = name.replace(/\.(?:csv|txt|log)$/i, '').split(/[_\s]+/)
  const codes = words.flatMap((word) => /^(\d{4,6}[A-Z]?)(?:\.(?:TW|TWO|TE))?$/i.exec(word)?.[1] ?? [])
  const [symbol, ...others] = [...new Set(codes)].filter(isStockCode)
  const date = words.find((word) => /^20\d{2}[01]\d[0-3]\d$/.test(word)) ?? null
  return { symbol: symbol !== undefined && others.length === 0 ? symbol : null, date }
}

/** What the reader says to senders of messages, said of a row. */
function inFile(reason: string): string {
  return reason
    .replace(
      '訊息缺少商品代號：請加上欄位 symbol，例如 "symbol":"2330"',
      '沒有商品代號：請加上代碼欄，或在策略設定只留一檔股票',
    )
    .replace(/（欄位 [a-z_]+）/g, '')
    .replace(/請改用 buy、sell、[a-z_、 或]+/, '請改用買進、賣出、平倉等字')
    .replace('，或在訊息格式裡說明這個字的意思', '')
    .replaceAll(
      '請修改快訊的商品，或在策略設定改為「接受並標示」',
      '可在策略設定加上這檔股票，或改為「接受並標示」',
    )
}
