// The formats in the order in which they are tried. A new one is a file beside these, a line here, its words in the vocabulary.
import { csv } from './formats/csv.ts'
import { eventLine } from './formats/event-line.ts'
import { json } from './formats/json.ts'
import type { Format } from './formats/message.ts'
import { lines, pairs } from './formats/pairs.ts'
import { autoview, pineConnector } from './formats/positional.ts'
import { sentence } from './formats/sentence.ts'
import { words } from './formats/words.ts'

export const READERS: readonly Format[] = [
  json,
  sentence,
  pineConnector,
  autoview,
  pairs,
  lines,
  eventLine,
  csv,
  words,
]
