// How a file of XQ is laid out (domain §8.3): a table under its header, a list of closed trades, or lines as scripts print them.
import Papa from 'papaparse'
import {
  COLUMN_FIELDS,
  type ColumnField,
  type ColumnMapping,
  FileFault,
  ORIGINAL_ROW_CHARS,
} from './shape.ts'

const DELIMITERS = ['\t', ',', ';', ' '] as const
export type Delimiter = (typeof DELIMITERS)[number]

export interface Layout {
  kind: 'table' | 'trades' | 'lines'
  delimiter: Delimiter | null
  /** Its header's cells; null where it has none. */
  columns: string[] | null
  /** Column by field, from 0. */
  places: Partial<Record<ColumnField, number>>
  /** Where the first row begins in the text, and its line, from 1. */
  start: number
  first_line: number
}

/** Lines that may stand before the header. */
const TITLES_MOST = 10

const ALIASES: Record<ColumnField, string> = {
  symbol: '代碼 代號 商品代碼 商品代號 股票代號 股票代碼 證券代號 證券代碼 symbol ticker code',
  name: '商品 名稱 商品名稱 股票名稱 股票 name',
  action: '動作 方向 買賣 買賣別 交易方向 訊號 action side',
  trigger: '觸發訊息 訊息 訊號內容 message',
  price: '價格 成交 成交價 成交價格 觸發價 觸發價格 訊號價 訊號價格 價位 price',
  quantity: '數量 張數 股數 交易數量 成交數量 quantity qty shares',
  date: '日期 交易日期 觸發日期 訊號日期 date',
  time: '時間 觸發時間 訊號時間 成交時間 日期時間 time datetime',
  volume: '成交量 總量 volume',
  note: '備註 說明 note',
  entry_time: '進場時間 進場日期時間',
  entry_side: '進場方向 進場買賣',
  entry_price: '進場價格 進場價',
  exit_time: '出場時間 出場日期時間',
  exit_side: '出場方向 出場買賣',
  exit_price: '出場價格 出場價',
}
const FIELD_OF = new Map(
  COLUMN_FIELDS.flatMap((field) => ALIASES[field].split(' ').map((alias) => [alias, field] as const)),
)

/** A header's cell as it is compared. */
export function headerKey(cell: string): string {
  return cell
    .normalize('NFKC')
    .replace(/\s|[（(][^（(）)]*[）)]$|^["']+|(?<!["'])["']+$/g, '')
    .toLowerCase()
}

/** How the text is laid out; `mapping` says which columns hold what where their headers do not. Throws a FileFault. */
export function layoutOf(text: string, mapping: ColumnMapping): Layout {
  const named = namesOf(mapping)
  let best: { layout: Layout; score: number } | null = null
  let start = 0
  for (let line = 1; line <= TITLES_MOST && start < text.length; line++) {
    const end = endOfLine(text, start)
    const head = text.slice(start, end)
    // A line that is too long for a row is no header.
    for (const delimiter of head.length > ORIGINAL_ROW_CHARS ? [] : DELIMITERS) {
      const columns = cellsOf(head, delimiter)
      if (columns.length < 2) continue
      const places = placesIn(columns, mapping)
      const score = Object.keys(places).length
      const known = columns.some((one) => FIELD_OF.has(headerKey(one)) || named.has(headerKey(one)))
      if (!known || score < 2 || score <= (best?.score ?? 0)) continue
      const layout = {
        kind: kindOf(places),
        delimiter,
        columns,
        places,
        start: end + 1,
        first_line: line + 1,
      }
      best = { layout, score }
    }
    start = end + 1
  }
  if (best) return complete(best.layout)
  const numbered = Object.values(mapping).some((source) => /^#\d+$/.test(source))
  const head = text.slice(0, Math.min(endOfLine(text, 0), ORIGINAL_ROW_CHARS))
  if (numbered) return headerless(head, mapping)
  strangeHeader(head)
  const none = { delimiter: null, columns: null, places: {} }
  return { kind: 'lines', ...none, start: 0, first_line: 1 }
}

function namesOf(mapping: ColumnMapping): ReadonlySet<string> {
  return new Set(
    Object.values(mapping)
      .filter((source) => source !== '' && !source.startsWith('#'))
      .map(headerKey),
  )
}

function placesIn(columns: readonly string[], mapping: ColumnMapping): Layout['places'] {
  const places: Layout['places'] = {}
  const keys = columns.map(headerKey)
  const taken = new Set<number>()
  for (const field of COLUMN_FIELDS) {
    const source = mapping[field]
    if (source === undefined) continue
    const at = /^#\d+$/.test(source) ? Number(source.slice(1)) - 1 : keys.indexOf(headerKey(source))
    if (source !== '' && at >= 0 && at < columns.length) {
      places[field] = at
      taken.add(at)
    }
  }
  keys.forEach((key, at) => {
    const field = FIELD_OF.get(key)
    if (field && !taken.has(at) && places[field] === undefined && mapping[field] !== '') places[field] = at
  })
  return places
}

function kindOf(places: Layout['places']): 'table' | 'trades' {
  return places.entry_time !== undefined || places.exit_time !== undefined ? 'trades' : 'table'
}

/** Throws where a column is missing that no row can do without. */
function complete(layout: Layout): Layout {
  const { kind, places, columns } = layout
  const wants: [ColumnField[], string][] =
    kind === 'trades'
      ? [
          [['entry_time'], '進場時間'],
          [['entry_side'], '進場方向'],
          [['entry_price'], '進場價格'],
          [['exit_time'], '出場時間'],
          [['exit_price'], '出場價格'],
        ]
      : [[['time', 'date'], '時間']]
  const lacking = wants
    .filter(([fields]) => fields.every((field) => places[field] === undefined))
    .map(([, word]) => word)
  if (lacking.length > 0)
    throw new FileFault(
      `找不到${lacking.map((word) => `「${word}」`).join('、')}欄位（標題有：${(columns ?? []).slice(0, 12).join('、')}）：請在欄位對應指出是哪一欄`,
    )
  return layout
}

function headerless(head: string, mapping: ColumnMapping): Layout {
  const [delimiter] = [...DELIMITERS].sort((a, b) => cellsOf(head, b).length - cellsOf(head, a).length)
  const columns = cellsOf(head, delimiter as Delimiter).map((_, i) => `#${i + 1}`)
  const places = placesIn(columns, mapping)
  const layout = { delimiter: delimiter as Delimiter, columns, places, start: 0, first_line: 1 }
  return complete({ kind: kindOf(places), ...layout })
}

/** A header whose cells are parted by a sign that no file here uses: every row would be refused with another reason. */
function strangeHeader(head: string): void {
  for (const sign of ['|', '｜', '，', '、', '/', ':'])
    if (head.split(sign).filter((cell) => FIELD_OF.has(headerKey(cell))).length >= 2)
      throw new FileFault(`標題的欄位是用「${sign}」分開的：請用逗號、Tab、分號或空白分隔，再匯入一次`)
}

function endOfLine(text: string, start: number): number {
  const end = text.indexOf('\n', start)
  return end === -1 ? text.length : end
}

function cellsOf(line: string, delimiter: Delimiter): string[] {
  if (delimiter === ' ') return line.trim().split(/\s+/)
  const [cells = []] = Papa.parse<string[]>(line, { delimiter }).data
  return cells.map((cell) => cell.trim())
}

/** What of a layout is kept to read single rows again. */
export type KeptLayout = Pick<Layout, 'kind' | 'delimiter' | 'columns'>

/** The layout of rows that were split before, with the columns as they are named now. */
export function layoutAgain({ kind, delimiter, columns }: KeptLayout, mapping: ColumnMapping): Layout {
  const places = columns === null ? {} : placesIn(columns, mapping)
  return { kind, delimiter, columns, places, start: 0, first_line: 1 }
}

/** One row that was split before. */
export function splitAgain(raw: string, row_no: number, { delimiter, columns }: KeptLayout): SplitRow {
  if (delimiter === null) return { row_no, raw, cells: null, fault: null }
  const cells = cellsOf(raw, delimiter)
  return { row_no, raw, cells, fault: widthFault(cells, columns) }
}

/** One row of the file, its cells where it is a table's; `cells` null = its line is read as it stands. */
export interface SplitRow {
  row_no: number
  raw: string
  cells: string[] | null
  fault: string | null
}

/** Signs split at a time; a row whose quotes do not close in as many is cut. */
const WINDOW = 64 * 1024

/** The rows under the header, one after the other. Throws a FileFault where the file ends within a row, or is no table after all. */
export function* rowsIn(text: string, layout: Layout): Generator<SplitRow, void> {
  const { columns, delimiter } = layout
  const plain = delimiter === null || delimiter === ' '
  let [count, wrong] = [0, 0]
  let first_wrong: SplitRow | null = null
  let last: SplitRow | null = null
  for (const row of plain ? lines(text, layout) : quoted(text, layout, delimiter)) {
    count++
    last = row
    if (row.fault !== null) {
      wrong++
      first_wrong ??= row
    }
    yield row
  }
  if (!plain && last?.cells && columns && !text.endsWith('\n') && last.cells.length < columns.length)
    throw cutRow(last.row_no, `只有 ${last.cells.length} 欄，標題有 ${columns.length} 欄`)
  // More than half of the rows are parted otherwise than the header.
  if (columns && first_wrong?.cells && wrong * 2 > count)
    throw new FileFault(
      `分隔符號不一致：標題有 ${columns.length} 欄，${wrong} 行不是（例如第 ${first_wrong.row_no} 行有 ${first_wrong.cells.length} 欄）。請用同一種分隔符號重新匯出`,
    )
}

function* quoted(
  text: string,
  { columns, start, first_line }: Layout,
  delimiter: Delimiter,
): Generator<SplitRow> {
  let [at, line, last_line] = [start, first_line, 0]
  while (at < text.length) {
    const ends = at + WINDOW >= text.length
    const piece = text.slice(at, ends ? text.length : text.lastIndexOf('\n', at + WINDOW) + 1)
    const rows: SplitRow[] = []
    let from = 0
    let open = false
    Papa.parse<string[]>(piece, {
      delimiter,
      newline: '\n',
      step: ({ data, errors, meta }) => {
        open ||= errors.some(({ code }) => code === 'MissingQuotes')
        // It may go on behind the piece.
        if (open && !ends) return
        const raw = piece.slice(from, meta.cursor).replace(/\n$/, '')
        if (raw.trim() !== '') rows.push({ row_no: line, raw, cells: data, fault: widthFault(data, columns) })
        for (const sign of piece.slice(from, meta.cursor)) if (sign === '\n') line++
        from = meta.cursor
      },
    })
    last_line = rows.at(-1)?.row_no ?? last_line
    if (open && (ends || from === 0)) throw cutRow(ends ? last_line || line : line, '引號沒有關上')
    if (from === 0) return
    at += from
    yield* rows
  }
}

function* lines(text: string, { delimiter, columns, start, first_line }: Layout): Generator<SplitRow> {
  let line = first_line
  for (let at = start; at < text.length; line++) {
    const end = endOfLine(text, at)
    const raw = text.slice(at, end)
    if (raw.trim() !== '') {
      const cells = delimiter === null ? null : raw.trim().split(/\s+/)
      yield { row_no: line, raw, cells, fault: cells && widthFault(cells, columns) }
    }
    at = end + 1
  }
}

/** A further delimiter at the end of every line makes empty cells: they say nothing. */
function widthFault(cells: string[], columns: readonly string[] | null): string | null {
  if (columns === null) return null
  while (cells.length > columns.length && cells.at(-1)?.trim() === '') cells.pop()
  if (cells.length === columns.length) return null
  const more = cells.length > columns.length
  return `這一行有 ${cells.length} 欄，標題有 ${columns.length} 欄：${more ? '價格的千分位逗號要拿掉，或用引號括起來' : '請檢查分隔符號'}`
}

export function cutRow(row_no: number, why: string): FileFault {
  return new FileFault(
    `檔案在第 ${row_no} 行中斷（${why}）：可能沒有完整匯出或複製。請重新匯出整個檔案，沒有匯入任何一筆`,
  )
}
