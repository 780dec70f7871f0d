// Any line as cells #1, #2 …, for a mapping that names them; without one nothing says what a cell is.
import type { Leaf } from '../leaf.ts'
import type { Mapping } from '../shape.ts'
import { type Message, SEVERAL, type Unread, unread } from './message.ts'

/** The cells of a line, by tab or comma where it has them, else by blanks; null when the mapping names none. */
export function readCells(text: string, body: string, mapping: Mapping | null): Message | Unread | null {
  const names = Object.values(mapping?.fields ?? {}).some(
    (source) => typeof source === 'string' && source.startsWith('#'),
  )
  if (!names) return null
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '')
  if (lines.length > 1) return unread('several_orders', SEVERAL)
  const line = lines[0] ?? ''
  const sign = ['\t', ',', ';', '|'].find((one) => line.includes(one)) ?? /\s+/
  const leaves: Leaf[] = line
    .split(sign)
    .slice(0, 200)
    .map((cell, i) => ({ path: `#${i + 1}`, name: '', value: cell.trim(), zone: 'unknown', inside: [] }))
  return { kind: 'message', shape: 'csv', leaves, secret: null, clean: body }
}
