// One message read: from a body to a signal in normal form, or to a reason a trader can act on (domain §§4.5, 4.6, 4.8). The reader
// knows the message and the strategy's settings, never the position; what it is not certain of it refuses.

import { KINDS } from '../kinds.ts'
import type { NormalSignal } from '../record.ts'
import { type AskedDirection, askByDefault, askOf, missingAction } from './direction.ts'
import { blot, json, type Message, type TextReader, type UnreadMessage } from './json.ts'
import { autoview, csv, eventLine, lines, pairs, pineConnector, readCells, sentence, words } from './lines.ts'
import { orderingOf } from './order-kind.ts'
import type { Mapping, PayloadInput, Reading, ReadOutcome, ReadReason } from './shape.ts'
import { blankNormal, signalFrom } from './signal.ts'
import { byRule } from './unparsed.ts'
import { every, readingOf, textOf, type Uses, usesOf } from './uses.ts'
import { placeholderIn, quoted, Refusal, unfilled } from './values.ts'

/** A reading with what it was made of: for a format that is proposed from it. */
export interface Inside {
  outcome: ReadOutcome
  message: Message | null
  uses: Uses | null
  /** What its words of direction say; null where they say nothing, or it did not come so far. */
  ask: AskedDirection | null
}

/** Reads a message. Never throws, whatever the body; received_at must be an ISO instant. */
export function readPayload(input: PayloadInput): ReadOutcome {
  return readInside(input).outcome
}

/** Reads a message, and says what the reading was made of. */
export function readInside(input: PayloadInput): Inside {
  const inside: Omit<Inside, 'outcome'> = { message: null, uses: null, ask: null }
  const outcome = readInto(inside, input)
  return { ...inside, outcome }
}

function readInto(inside: Omit<Inside, 'outcome'>, input: PayloadInput): ReadOutcome {
  const text = input.body.replace(/^\uFEFF/, '').trim()
  if (text === '')
    return rejected(null, input.body, null, [], 'empty', null, '訊息是空的：請在快訊的訊息欄貼上訊息範本')
  if (text.toUpperCase() === 'PING') return { kind: 'heartbeat' }
  const decoded = decode(text, input.body, input.mapping, input.loose)
  if (decoded.kind === 'unread')
    return rejected(null, decoded.clean, null, [], decoded.code, decoded.field, decoded.reason)
  if (decoded.kind === 'text') return byRule(decoded, input)
  return understand(decoded, input, inside)
}

function understand(message: Message, input: PayloadInput, inside: Omit<Inside, 'outcome'>): ReadOutcome {
  const uses = usesOf(message.leaves, input.mapping)
  Object.assign(inside, { message, uses })
  const normal = blankNormal(uses, input.received_at)
  try {
    return signalOf(message, uses, normal, input, inside)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { code, field, message: reason } = error
    const reading = readingOf(uses, code === 'unknown_field' ? field : null)
    const { secret, clean } = message
    if (code === 'test' || code === 'not_a_trade')
      return {
        kind: 'ignored',
        reason_code: code,
        reason,
        field,
        normal,
        secret,
        body_without_secret: clean,
        reading,
      }
    return rejected(secret, clean, normal, reading, code, field, reason)
  }
}

function signalOf(
  message: Message,
  uses: Uses,
  normal: NormalSignal,
  input: PayloadInput,
  inside: Omit<Inside, 'outcome'>,
): ReadOutcome {
  const { mapping } = input
  const ordering = orderingOf(uses, input.format, mapping)
  const signal = signalFrom(
    uses,
    normal,
    {
      printed: message.shape === 'line',
      mapping,
      ask(reported, _, symbol) {
        const ask = wanted(uses, askOf(uses, input.format, mapping, ordering), reported !== null, input)
        inside.ask = ask
        if (reported !== null) beforeOrAfter(uses, ask)
        if (symbol === null && /^(?:command|cmd|op|operation|event|event_?type)$/i.test(ask.key))
          throw new Refusal(
            'missing_field',
            'symbol',
            `只有 ${ask.key}，不確定是不是這個策略的訊號：請加上欄位 symbol，例如 "symbol":"TXF1!"`,
          )
        return ask
      },
    },
    input,
  )
  return { ...signal, secret: message.secret, body_without_secret: message.clean }
}

/** What is asked for; where nothing is said, the strategy of XQ's radar says it. A reported position needs no words. */
function wanted(
  uses: Uses,
  ask: AskedDirection | null,
  reported: boolean,
  input: PayloadInput,
): AskedDirection {
  if (ask !== null) return ask
  const blank: AskedDirection = { verb: null, neutral: null, side: null, forced: false, key: 'action' }
  if (reported) return blank
  for (const said of every(uses, 'weak_action')) {
    const text = String(said.value)
    const variable = placeholderIn(text)
    if (variable) throw new Refusal('unresolved_placeholder', variable, unfilled(variable))
    if (/^(?:signal|order|訊號)$/i.test(said.key))
      throw new Refusal(
        'unknown_action',
        said.key,
        `看不懂動作${quoted(text)}（欄位 ${said.key}）：請改用 buy、sell、long_entry、long_exit、short_entry、short_exit 或 close_all`,
      )
  }
  if (!KINDS[input.strategy.kind].triggers) return missingAction()
  return askByDefault(textOf(uses, 'note', 200) ?? '', input.strategy)
}

/** A current position beside an order may be the one before it as well as the one after. */
function beforeOrAfter(uses: Uses, ask: AskedDirection): void {
  const said = every(uses, 'position').find(({ key, mapped }) => !mapped && /^current_?pos/i.test(key))
  if (said && (ask.verb !== null || ask.neutral !== null))
    throw new Refusal(
      'contradiction',
      said.key,
      `不確定欄位 ${said.key}${quoted(said.value)}是委託之前還是之後的部位：請改送 position_size（之後的部位），或拿掉它`,
    )
}

function rejected(
  secret: string | null,
  body_without_secret: string,
  normal: NormalSignal | null,
  reading: Reading[],
  reason_code: ReadReason,
  field: string | null,
  reason: string,
): ReadOutcome {
  return { kind: 'rejected', reason_code, reason, field, normal, secret, body_without_secret, reading }
}

// From a body to the leaves of one message, whatever it is written in and whatever its Content-Type said (domain §4.5, rule 4).
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

// The formats in the order in which they are tried. A new one is a file beside these, a line here, its words in the vocabulary.
export const READERS: readonly TextReader[] = [
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
