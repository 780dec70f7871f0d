// A list that was saved as the page it is shown on (the exchanges' ISIN pages are no files): the rows of its tables.
import type { CsvRow } from './csv.ts'

export const isPage = (text: string): boolean => /<html|<table|<body/i.test(text.slice(0, 4_000))

/** What stands before the first row is a row of one cell: it says the day and the market. */
export function pageRows(text: string): CsvRow[] {
  const begins = [...text.matchAll(/<tr\b[^<>]*>/gi)].map(({ index }) => index)
  const rows: CsvRow[] = []
  let line = 1
  let counted = 0
  for (const [i, at] of [0, ...begins].entries()) {
    line += text.slice(counted, at).split('\n').length - 1
    counted = at
    const part = text.slice(at, begins[i] ?? text.length)
    const cells =
      i === 0
        ? [words(part)]
        : part
            .split(/<t[dh]\b[^<>]*>/i)
            .slice(1)
            .map((cell) => words(cell.split(/<\/t[dh]>|<\/table>/i)[0] as string))
    if (cells.some((cell) => cell !== '')) rows.push({ line, cells })
  }
  return rows
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' }

/** The text of a piece of a page. */
const words = (html: string): string =>
  html
    .replace(/<(script|style)\b[\s\S]*?<\/\1>/gi, '')
    .replace(/<[^<>]*>/g, '')
    .replace(/&(?:#(\d{1,6})|([a-z]+));/gi, (whole, code?: string, name?: string) =>
      code === undefined ? (NAMED[name?.toLowerCase() ?? ''] ?? whole) : String.fromCodePoint(Number(code)),
    )
    .replace(/\u00a0/g, ' ')
    .trim()
