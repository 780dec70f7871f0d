// Confirmed formats: what a webhook's messages look like, and what each part of them is. A format is closed: another leaf, a missing
// one, a new word where words decide, or words around a line are not this format, and a person is asked (docs/decisions/reader.md).

import type { NormalSignal } from '../record.ts'
import type { Mapping, PayloadInput, Reading, ReadOutcome } from './shape.ts'
import type { FieldName } from './words.ts'

/** What a place of a message is; `ignored` = not looked at, `secret` = the webhook's second factor, never stored. */
export type Role = FieldName | 'ignored' | 'sequence' | 'secret'

/** Roles in one line. */
export const roles = (names: string): ReadonlySet<Role> => new Set(names.split(' ') as Role[])

/** One leaf of an object (`a.b.0.c`), or one place of a line (`#n`), and the values that it may have. */
export interface FormatField {
  path: string
  role: Role
  /** What the sender calls it, where the path does not end with that. */
  name?: string
  /** A person said what it is: it wins over the others of its kind. */
  mapped?: true
  /** Not in the message: what the mapping says it always is. */
  constant?: string | number
  /** It may be missing: only in built-in formats. */
  optional?: true
  /** Any figure. `zero`: only 0, or only what is not 0: of what nobody looks at, a switch may not turn. */
  number?: true
  zero?: boolean
  /** What stands behind the figure, without a blank: 口. */
  after?: string
  /** How many pieces between blanks a place of a line has, where that is not one. */
  pieces?: number
  /** A time in any of the ways that are read. */
  time?: true
  /** Any text: names, notes, ids, symbols. */
  text?: true
  /** A sender's own number of something, letters and figures that are no word. */
  code?: true
  /** null or nothing. */
  empty?: true
  /** These words, as `spelling` gives them. */
  words?: string[]
}

/** What a message's words of direction say together. */
export interface Meaning {
  verb: 'entry' | 'exit' | 'add' | 'reduce' | 'reverse' | 'close_all' | 'target' | null
  neutral: 'buy' | 'sell' | null
  side: 'long' | 'short' | null
  forced: boolean
}

/** What one message cannot say: asked once a webhook, and only where the format has such a leaf. */
export const QUESTIONS = [
  'contracts_mean',
  'stock_unit',
  'volume_means',
  'stop_means',
  'close_leaves',
] as const
export type QuestionId = (typeof QUESTIONS)[number]
export const ANSWERS = {
  /** The figure is the order's size, or the position afterwards. */
  contracts_mean: ['order', 'position'],
  /** Bare figures of stock are lots of 1,000, or shares. */
  stock_unit: ['board_lot', 'share'],
  /** volume or amount is the order's size, or not looked at. */
  volume_means: ['size', 'ignored'],
  /** A stop or limit price beside an order protects it, or the order waits for it. */
  stop_means: ['protection', 'waits'],
  /** close with buy leaves the short one (the order's way), or the long one (the position's side). */
  close_leaves: ['other', 'same'],
} as const satisfies Record<QuestionId, readonly [string, string]>
export type Answers = { readonly [id in QuestionId]?: string }

/** A format as it is kept (JSON). */
export interface Format {
  kind: 'json' | 'line'
  /** Path of the leaf of an object that holds the line. */
  wrapper?: string
  /** A line: what stands between the places, in order; a number is a field's index. */
  pattern?: (string | number)[]
  /** The time is when it happened, not when a bar began. */
  printed?: true
  fields: FormatField[]
  /** What the words of direction mean, by their values in the fields' order, joined by a space. */
  meanings: Record<string, Meaning>
  /** A person's own words for units, whether an id is unique, the counter of messages, constants. */
  mapping: Mapping | null
  answers: Answers
}

/** A confirmed format of a webhook. */
export interface ConfirmedFormat {
  id: string
  format: Format
}

/** Neither read nor refused: a message of no confirmed format. */
export interface Held {
  kind: 'held'
  /** What the message would be under the proposal, and what there is to ask. */
  proposal: Proposal
  /** The same for every message that one confirmation would take; at most 64 signs. */
  shape: string
  /**
   * What it is read as under a webhook from before there were formats, for a while: only where nothing is asked, and nothing that nobody
   * knows stands beside the order.
   */
  unasked: Extract<ReadOutcome, { kind: 'signal' }> | null
  /** A part says that nothing is to be done, or it cannot be taken apart: read by nothing else either. */
  denied: boolean
  /** The confirmed format that lacks only a word of it. */
  extends: string | null
  reason: string
  field: string | null
  normal: NormalSignal | null
  secret: string | null
  body_without_secret: string
  reading: Reading[]
}

/** What became of a message; a signal names the format that read it (`builtin:…`, a webhook's own id, null by a rule). */
export type MessageOutcome =
  | (Extract<ReadOutcome, { kind: 'signal' }> & { format_id: string | null })
  | Exclude<ReadOutcome, { kind: 'signal' }>
  | Held

export interface ProposalInput extends PayloadInput {
  answers: Answers
}

/** A format that is proposed from one message, to be looked at by a person beside it. */
export interface Proposal {
  shape: string
  /** null = nobody can say what it means: the mapping asks. */
  format: Format | null
  /** What the message would be under it. */
  outcome: ReadOutcome | null
  /** Why there is none, or what it is refused for. */
  reason: string | null
  field: string | null
  /** Each part of the message, its value, what it is taken for. */
  fields: { path: string; role: Role; value: string }[]
  /** Still to be answered; each with what the message would be. */
  questions: { id: QuestionId; options: { value: string; outcome: ReadOutcome | null }[] }[]
}
