// A published list as text and as cells: Big5, UTF-8 or UTF-16, quoted fields, any of the usual separators, and the line each row begins on.

/** A row and the line of the file (from 1) it begins on. */
export interface CsvRow {
  readonly line: number
  readonly cells: readonly string[]
}

/** Bytes that are neither UTF-8 nor Big5. */
export class UnreadableLine extends Error {
  readonly line: number
  constructor(line: number) {
    super(`line ${line} is neither UTF-8 nor Big5`)
    this.line = line
  }
}

/** How a list is written, for whoever reads the report. */
export const ENCODINGS = { 'utf-8': 'UTF-8', big5: 'Big5', 'utf-16': 'UTF-16' } as const
export type Encoding = keyof typeof ENCODINGS

/**
 * UTF-8 when it is that, else Big5 as the exchanges write it; UTF-16 by its mark (a spreadsheet's 「Unicode 文字」). Which of them
 * is said; lines end in one way. Throws `UnreadableLine`.
 */
export function decodeList(bytes: Uint8Array): { text: string; encoding: Encoding } {
  const { text, encoding } = decoded(bytes)
  return { text: text.replace(/\r\n?/g, '\n'), encoding }
}

function decoded(bytes: Uint8Array): { text: string; encoding: Encoding } {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe)
    return { text: new TextDecoder('utf-16le').decode(bytes), encoding: 'utf-16' }
  if (first === 0xfe && second === 0xff)
    return { text: new TextDecoder('utf-16be').decode(bytes), encoding: 'utf-16' }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'utf-8' }
  } catch {
    return { text: big5(bytes), encoding: 'big5' }
  }
}

function big5(bytes: Uint8Array): string {
  try {
    return new TextDecoder('big5', { fatal: true }).decode(bytes)
  } catch {
    throw new UnreadableLine(firstUnreadable(bytes))
  }
}

/** No character of Big5 holds the byte of a line's end, so lines can be tried one by one. */
function firstUnreadable(bytes: Uint8Array): number {
  let from = 0
  for (let line = 1; ; line++) {
    const end = bytes.indexOf(10, from)
    try {
      new TextDecoder('big5', { fatal: true }).decode(bytes.subarray(from, end < 0 ? undefined : end))
    } catch {
      return line
    }
    if (end < 0) return line
    from = end + 1
  }
}

/** The first of them where they are equally many. */
const SEPARATORS = [',', '\t', ';']

/** Rows of a text; cells trimmed, ="0050" as 0050. A quote that is never closed is told by the line it stands on. */
export function csvRows(text: string): { rows: CsvRow[]; unclosed: number | null } {
  const head = text.slice(0, 4_000)
  const count = (one: string) => head.split(one).length
  const separator = SEPARATORS.reduce((most, one) => (count(one) > count(most) ? one : most))
  const rows: CsvRow[] = []
  let at = 0
  let line = 1
  while (at < text.length) {
    const began = line
    const cells: string[] = []
    for (;;) {
      const quoted = /[ ]*=?"/y
      quoted.lastIndex = at
      const opened = quoted.exec(text)
      let cell: string
      if (opened) {
        let end = at + opened[0].length
        cell = ''
        for (;;) {
          const close = text.indexOf('"', end)
          if (close < 0) return { rows, unclosed: began }
          cell += text.slice(end, close)
          end = close + 1
          if (text[end] !== '"') break
          cell += '"'
          end += 1
        }
        line += cell.split('\n').length - 1
        at = end
        // what stands between the closing quote and the separator belongs to no cell
        while (at < text.length && text[at] !== separator && text[at] !== '\n') at += 1
      } else {
        let end = at
        while (end < text.length && text[end] !== separator && text[end] !== '\n') end += 1
        cell = text.slice(at, end)
        at = end
      }
      cells.push(cell.replace(/^\uFEFF/, '').trim())
      if (text[at] === separator) {
        at += 1
        continue
      }
      break
    }
    at += 1
    line += 1
    if (cells.some((one) => one !== '')) rows.push({ line: began, cells })
  }
  return { rows, unclosed: null }
}
