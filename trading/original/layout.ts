// How a file of XQ is laid out (domain §8.3): a table under its header, a list of closed trades, or lines as scripts print them.
import Papa from 'papaparse'
import {
  type AskedEncoding,
  COLUMN_FIELDS,
  type ColumnField,
  type ColumnMapping,
  type FileEncoding,
  FileFault,
  ORIGINAL_ROW_CHARS,
  ORIGINAL_ROWS,
} from './shape.ts'

// The text of a file of XQ: UTF-8, or Big5 as Windows writes it (code page 950), with the private-use and ETEN signs that the platforms'
// own decoders give in different ways, or not at all (docs/decisions/stock-strategies.md).

interface DecodedFile {
  encoding: FileEncoding
  text: string
}

/** Bytes decoded between two pauses; every piece ends with a line, which is no part of a sign in either encoding. */
const SLICE = 32 * 1024
/** Bytes only looked through between two pauses. */
const LOOKED = 256 * 1024
/** Blank lines and quoted line breaks are no rows; beyond it nobody exported this. */
const LINES_MOST = 4 * ORIGINAL_ROWS
/** A row that is too long is refused by itself; a line so long is no row, and nothing could be read of it in pieces. */
const LINE_BYTES_MOST = 8 * ORIGINAL_ROW_CHARS
/** Of so many lines one may hold a sign that nobody can read; more are another encoding. */
const BAD_SHARE = 0.01

const KINDS: readonly [string, readonly number[], string][] = [
  ['Excel 檔案（.xlsx）或壓縮檔', [0x50, 0x4b, 0x03, 0x04], '請先另存成 CSV'],
  ['Excel 檔案（.xls）', [0xd0, 0xcf, 0x11, 0xe0], '請先另存成 CSV'],
  ['壓縮檔', [0x1f, 0x8b], '請先解壓縮'],
  ['PDF', [0x25, 0x50, 0x44, 0x46], '請從 XQ 匯出文字檔'],
  ['UTF-16 文字', [0xff, 0xfe], '請用記事本另存成 UTF-8'],
  ['UTF-16 文字', [0xfe, 0xff], '請用記事本另存成 UTF-8'],
]

/** The file's text; yields the share that is done, 0 to 1. Throws a FileFault. */
export function* decodeInSlices(bytes: Uint8Array, asked: AskedEncoding): Generator<number, DecodedFile> {
  if (bytes.length === 0) throw new FileFault('檔案是空的')
  for (const [kind, head, way] of KINDS)
    if (head.every((byte, i) => bytes[i] === byte)) throw new FileFault(`這是${kind}，不是文字檔：${way}`)
  if (bytes.subarray(0, 1024).includes(0))
    throw new FileFault('這不是文字檔（裡面有空字元）：請從 XQ 匯出 CSV、TXT 或 LOG')
  yield* requireLines(bytes)
  const utf8 = yield* slices(bytes, utf8Of(), 0, asked === 'utf-8' ? 1 : 0.5)
  if ('text' in utf8) {
    // Whatever was asked for: Chinese in Big5 is hardly ever right UTF-8, and read as Big5 it would be other signs.
    if (asked === 'big5' && /[^\0-\x7f]/.test(utf8.text))
      throw new FileFault('這個檔案是 UTF-8，不是 Big5：請把檔案編碼改成 UTF-8 或自動')
    return { encoding: asked === 'big5' ? 'big5' : 'utf-8', text: utf8.text }
  }
  if (utf8.cut) throw cutAt(utf8.line())
  if (asked === 'utf-8')
    throw new FileFault(`這個檔案不是 UTF-8（第 ${utf8.line()} 行讀不出來）：請把檔案編碼改成 Big5 或自動`)
  if (bytes.at(-1) !== 0x0a && endsInLead(bytes)) throw cutAt(linesIn(bytes))
  const big5 = yield* slices(bytes, big5Of, 0.5, 1)
  if (!('text' in big5)) throw new FileFault('檔案讀不出來：請重新匯出')
  const { text, lines, bad, first_bad } = big5
  if (bad > Math.max(1, lines * BAD_SHARE))
    throw new FileFault(
      `檔案編碼不對：有 ${bad} 行有讀不出的字（第一個在第 ${first_bad} 行），不是 UTF-8 也不是 Big5。請從 XQ 重新匯出，或用記事本另存成 UTF-8`,
    )
  return { encoding: 'big5', text }
}

/** Neither end of a line is a part of a sign, in both encodings. */
const endsLine = (byte: number | undefined) => byte === 0x0a || byte === 0x0d

function* requireLines(bytes: Uint8Array): Generator<number, void> {
  for (let i = 0, start = 0, line = 1; i <= bytes.length; i++) {
    if (i % LOOKED === LOOKED - 1) yield 0
    if (i < bytes.length && !endsLine(bytes[i])) continue
    if (i - start > LINE_BYTES_MOST)
      throw new FileFault(`第 ${line} 行太長，一行最多 2,000 字：請重新匯出，每一筆一行`)
    start = i + 1
    if (bytes[i] === 0x0d && bytes[start] === 0x0a) continue
    if (++line > LINES_MOST) throw new FileFault('檔案的行數太多，一次最多 20,000 筆：請依日期分成幾個檔案')
  }
}

function cutAt(line: number): FileFault {
  return new FileFault(
    `檔案在第 ${line} 行中斷，最後一個字只有一半：可能沒有完整匯出或複製。請重新匯出整個檔案，沒有匯入任何一筆`,
  )
}

/** Null: these bytes are not of that encoding. */
type Decode = (bytes: Uint8Array) => string | null
type Slices =
  | { text: string; lines: number; bad: number; first_bad: number }
  /** Where it is not of that encoding; whether that is but the end of it. */
  | { line: () => number; cut: boolean }

function* slices(bytes: Uint8Array, decode: Decode, from: number, to: number): Generator<number, Slices> {
  const parts: string[] = []
  let [lines, bad, first_bad] = [1, 0, 0]
  for (let start = 0; start < bytes.length; ) {
    let stop = Math.min(start + SLICE, bytes.length)
    while (stop < bytes.length && !endsLine(bytes[stop - 1])) stop--
    if (bytes[stop - 1] === 0x0d && bytes[stop] === 0x0a) stop++
    const slice = bytes.subarray(start, stop)
    const part = decode(slice)
    if (part === null) {
      const before = bytes.subarray(0, start)
      return {
        line: () => linesIn(before) + badLine(slice, decode),
        cut: stop === bytes.length && isCut(slice, decode),
      }
    }
    const text = plain(start === 0 && part.charCodeAt(0) === 0xfeff ? part.slice(1) : part)
    if (text.includes('\uFFFD'))
      for (const [i, line] of text.split('\n').entries()) {
        if (!line.includes('\uFFFD')) continue
        bad++
        first_bad ||= lines + i
      }
    lines += text.split('\n').length - 1
    parts.push(text)
    start = stop
    yield from + ((to - from) * stop) / bytes.length
  }
  return { text: parts.join(''), lines, bad, first_bad }
}

function utf8Of(): Decode {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  return (bytes) => {
    try {
      return decoder.decode(bytes)
    } catch {
      // Not UTF-8: that is the question.
      return null
    }
  }
}

/** Whether all but the last sign, of which some bytes are missing, is of that encoding and holds more than ASCII. */
function isCut(bytes: Uint8Array, decode: Decode): boolean {
  for (let gone = 1; gone <= 3 && gone < bytes.length; gone++) {
    const lead = bytes[bytes.length - gone] as number
    if (lead < 0xc2) continue
    const wants = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2
    const before = decode(bytes.subarray(0, -gone))
    return gone < wants && before !== null && /[^\0-\x7f]/.test(before)
  }
  return false
}

function linesIn(bytes: Uint8Array): number {
  let lines = 1
  for (const byte of bytes) if (byte === 0x0a) lines++
  return lines
}

/** The line, from 0, that cannot be decoded. */
function badLine(bytes: Uint8Array, decode: Decode): number {
  for (let line = 0, start = 0; start < bytes.length; line++) {
    const end = bytes.indexOf(0x0a, start)
    const stop = end === -1 ? bytes.length : end + 1
    if (decode(bytes.subarray(start, stop)) === null) return line
    start = stop
  }
  return 0
}

/** Whether the last byte is the first half of a pair. */
function endsInLead(bytes: Uint8Array): boolean {
  let lead = false
  for (let i = bytes.lastIndexOf(0x0a) + 1; i < bytes.length; i++)
    lead = !lead && (bytes[i] as number) >= 0x81 && (bytes[i] as number) <= 0xfe
  return lead
}

const platform = new TextDecoder('big5')

/** Runs of common signs go to the platform, whose tables agree on them; pairs of a private or ETEN area are looked up here. */
function big5Of(bytes: Uint8Array): string {
  let text = ''
  let run = 0
  for (let i = 0; i < bytes.length; ) {
    const byte = bytes[i] as number
    if (byte < 0x80) {
      i++
      continue
    }
    const trail = bytes[i + 1] ?? 0
    const pair = byte === 0x80 || byte === 0xff ? -1 : isTrail(trail) ? ownSign(byte, trail) : 0
    if (pair === 0) {
      i += isTrail(trail) ? 2 : 1
      continue
    }
    if (i > run) text += platform.decode(bytes.subarray(run, i))
    text += pair === -1 ? '\uFFFD' : String.fromCharCode(pair)
    i += pair === -1 ? 1 : 2
    run = i
  }
  return text + (run === 0 ? platform.decode(bytes) : platform.decode(bytes.subarray(run)))
}

function isTrail(byte: number): boolean {
  return (byte >= 0x40 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xfe)
}

/** Where a pair stands in a row of 157. */
function placeIn(trail: number): number {
  return trail <= 0x7e ? trail - 0x40 : trail - 0xa1 + 63
}

/** The private-use sign of code page 950 for a pair; 0 = it is none. */
function ownSign(lead: number, trail: number): number {
  if (lead >= 0xfa) return 0xe000 + (lead - 0xfa) * 157 + placeIn(trail)
  if (lead >= 0x8e && lead <= 0xa0) return 0xe311 + (lead - 0x8e) * 157 + placeIn(trail)
  if (lead <= 0x8d) return 0xeeb8 + (lead - 0x81) * 157 + placeIn(trail)
  if (lead === 0xc6 && trail >= 0xa1) return ETEN_FROM + trail - 0xa1
  if (lead === 0xc7 || lead === 0xc8) return ETEN_FROM + 94 + (lead - 0xc7) * 157 + placeIn(trail)
  return 0
}

/** Where code page 950 puts the signs that ETEN added, from C6A1 on; ? = it has none there. */
const ETEN_FROM = 0xf6b1
const ETEN =
  '①②③④⑤⑥⑦⑧⑨⑩⑴⑵⑶⑷⑸⑹⑺⑻⑼⑽ⅰⅱⅲⅳⅴⅵⅶⅷⅸⅹ丶丿亅亠冂冖冫勹匸卩厶夊宀巛⼳广廴彐彡攴无疒癶辵隶¨ˆヽヾゝゞ〃仝々〆〇ー［］✽ぁあぃいぅうぇえぉおかがきぎくぐけげこご' +
  'さざしじすずせぜそぞただちぢっつづてでとどなにぬねのはばぱひびぴふぶぷへべぺほぼぽまみむめもゃやゅゆょよらりるれろゎわゐゑをんァアィイゥウェエォオカガキギクグケゲコゴサザシジスズセ' +
  'ゼソゾタダチヂッツヅテデトドナニヌネノハバパヒビピフブプヘベペホボポマミムメモャヤュユョヨラリルレロヮワヰヱヲンヴヵヶАБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭ' +
  'ЮЯабвгдеёжзийклмнопрстуфхцчшщъыьэюя⇧↸↹㇏?乚?刂䒑龰冈龱?????????????????????????????????????????￢￤' +
  '＇＂㈱№℡'

/** Windows hands ETEN's signs on as private ones, in UTF-8 too: they have places of their own. */
function plain(text: string): string {
  return text
    .replace(/[\uF6B1-\uF848]/g, (sign) => {
      const known = ETEN[sign.charCodeAt(0) - ETEN_FROM]
      return known === undefined || known === '?' ? sign : known
    })
    .replaceAll('\r\n', '\n')
    .replaceAll('\r', '\n')
}

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
