// What a line begins: rule, heading, list item, fence, row of a table.
import type { Align } from './tree.ts'

export const isBlank = (line: string): boolean => line.trim() === ''

/** Columns before the first sign; a tab counts four. */
export function indentOf(line: string): number {
  let columns = 0
  for (const sign of line) {
    if (sign === ' ') columns++
    else if (sign === '\t') columns += 4
    else break
  }
  return columns
}

/** The line without its first `columns` columns of nothing. */
export function outdent(line: string, columns: number): string {
  let [at, left] = [0, columns]
  while (left > 0 && (line[at] === ' ' || line[at] === '\t')) left -= line[at++] === ' ' ? 1 : 4
  return line.slice(at)
}

export function isRule(line: string): boolean {
  const signs = line.replaceAll(' ', '').trim()
  const [first] = signs
  return signs.length >= 3 && '-*_'.includes(first as string) && [...signs].every((sign) => sign === first)
}

export function headingOf(line: string): { level: number; text: string } | null {
  const words = line.trim()
  let level = 0
  while (words[level] === '#') level++
  if (level < 1 || level > 6 || (words[level] !== ' ' && words.length > level)) return null
  return { level, text: words.slice(level).trim() }
}

export interface ListItem {
  /** The number; null for a bullet. */
  readonly start: number | null
  readonly indent: number
  /** Columns before its text. */
  readonly width: number
  readonly text: string
}

export function itemOf(line: string): ListItem | null {
  const indent = indentOf(line)
  const words = line.trimStart()
  const [, number, mark = ''] = /^(?:(\d{1,9})[.)]|([-*+]))(?=\s|$)/.exec(words) ?? []
  if (number === undefined && mark === '') return null
  const length = number === undefined ? 1 : number.length + 1
  const text = words.slice(length).trimStart()
  return { start: number === undefined ? null : Number(number), indent, width: indent + length + 1, text }
}

export interface Fence {
  readonly sign: string
  readonly length: number
  readonly info: string
}

export function fenceOf(line: string): Fence | null {
  const words = line.trim()
  const [sign = ''] = words
  if (sign !== '`' && sign !== '~') return null
  let length = 0
  while (words[length] === sign) length++
  const info = words.slice(length).trim()
  return length < 3 || (sign === '`' && info.includes('`')) ? null : { sign, length, info }
}

/** The texts between the bars; a bar behind a backslash is a bar. */
export function cellsOf(line: string): string[] {
  const cells: string[] = []
  let cell = ''
  const row = line.trim()
  for (let at = row.startsWith('|') ? 1 : 0; at < row.length; at++) {
    const sign = row[at] as string
    if (sign === '\\' && row[at + 1] === '|') {
      cell += '|'
      at++
    } else if (sign === '|') {
      cells.push(cell.trim())
      cell = ''
    } else cell += sign
  }
  if (cell.trim() !== '') cells.push(cell.trim())
  return cells
}

/** How the columns stand, when this is the line under a table's head. */
export function alignsOf(line: string): Align[] | null {
  if (!line.includes('|') || !line.includes('-')) return null
  const aligns: Align[] = []
  for (const cell of cellsOf(line)) {
    const [left, right] = [cell.startsWith(':'), cell.endsWith(':')]
    const dashes = cell.slice(left ? 1 : 0, right ? -1 : undefined)
    if (dashes === '' || dashes.replaceAll('-', '') !== '') return null
    aligns.push(right ? (left ? 'center' : 'right') : left ? 'left' : null)
  }
  return aligns
}
