// From a body to the leaves of one message, whatever it is written in and whatever its Content-Type said (domain §4.5, rule 4).

import { readCells } from './formats/cells.ts'
import type { Message, UnreadMessage } from './formats/message.ts'
import { READERS } from './formats.ts'
import { blot } from './private.ts'
import type { Mapping } from './shape.ts'

export type Decoded =
  | Message
  | (UnreadMessage & { clean: string })
  /** Free text: only an unparsed rule can take it. */
  | { kind: 'text'; text: string; clean: string }

/** Reads a trimmed, non-empty body by the first format that fits; a mapping by cells makes any line readable. */
export function decode(text: string, body: string, mapping: Mapping | null = null, loose = false): Decoded {
  for (const reader of READERS) {
    const found = reader.read(text, body, loose)
    if (found === null) continue
    return found.kind === 'unread' ? { ...found, clean: blot(body) } : found
  }
  const cells = readCells(text, body, mapping)
  if (cells !== null) return cells.kind === 'unread' ? { ...cells, clean: blot(body) } : cells
  return { kind: 'text', text: text.split(/\s+/).join(' '), clean: blot(body) }
}
