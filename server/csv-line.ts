// A line of CSV for spreadsheets: RFC 4180, numbers as numbers, and no text that a spreadsheet would run (T19).

export type Cell = string | number | null

/** What a spreadsheet would run: its signs, their full-width and small forms and the true minus, also behind what is not seen. */
const RUN = /^(?:[\p{Cc}\p{Cf}]|\p{Z}*[=+\-@＝＋－＠−﹢﹣﹦﹫])/u

/** Most cells begin so, and need no slower look: it was a quarter of a file's time. */
const HARMLESS = /^[0-9A-Za-z\u4e00-\u9fff]/

/** One line: null is empty, numbers stand bare, texts are made harmless and quoted where they need it. */
export function csvLineOf(cells: readonly Cell[]): string {
  return `${cells.map(cellText).join(',')}\r\n`
}

function cellText(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  const text = !HARMLESS.test(cell) && RUN.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
