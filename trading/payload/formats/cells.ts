// Any line as cells #1, #2 …, for a mapping that names them; without one nothing says what a cell is.
import type { Leaf } from '../leaf.ts'
import type { Mapping } from '../shape.ts'
import { type Message, SEVERAL, type UnreadMessage, unread } from './message.ts'

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
    inside: [],
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
