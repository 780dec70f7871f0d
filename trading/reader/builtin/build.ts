// What built-in formats are written with: parts by their roles, and words by what the vocabulary says of them.

import { POSITION_WORDS } from '../amount.ts'
import type { Format, FormatField, Meaning, Role } from '../format.ts'
import { type Candidate, spelling } from '../match.ts'
import { meaningOf } from '../words.ts'

export interface BuiltIn {
  id: string
  /** As the list of a webhook's formats says it. */
  name: string
  /** Where the sender says what it sends. */
  document: string
  /** `multicharts`: the webhook says that its sender is MultiCharts, whose Sell leaves a long position. */
  formats: (multicharts: boolean) => readonly Format[]
  /** Whether the free text of a message says nothing against it. */
  accepts?: Candidate['accepts']
  /** Bodies that it reads, and what each is: the first place to look, and a test. */
  examples: readonly { body: string; action: string; target?: number }[]
}

type Rest = Omit<FormatField, 'path' | 'role'>

export const text = (path: string, role: Role, rest: Rest = {}): FormatField => ({
  path,
  role,
  text: true,
  empty: true,
  ...rest,
})
export const figure = (path: string, role: Role, rest: Rest = {}): FormatField => ({
  path,
  role,
  number: true,
  ...rest,
})
/** A price may not be filled: 0, NaN, null and nothing mean that there is none. */
export const price = (path: string, role: Role, rest: Rest = {}): FormatField => ({
  ...figure(path, role, rest),
  empty: true,
  words: ['nan', 'null', 'na'],
})
export const time = (path: string, role: Role, rest: Rest = {}): FormatField => ({
  path,
  role,
  time: true,
  ...rest,
})
export const words = (path: string, role: Role, some: readonly string[], rest: Rest = {}): FormatField => ({
  path,
  role,
  words: some.map(spelling),
  ...rest,
})
export const place = (path: string, role: Role, rest: Rest = {}): FormatField =>
  words(path, role, POSITION_WORDS, rest)
export const optional = (fields: readonly FormatField[]): FormatField[] =>
  fields.map((one) => ({ ...one, optional: true }))

/** What each word means, by the vocabulary of actions. */
export function meanings(
  some: readonly string[],
  more: Readonly<Record<string, Partial<Meaning>>> = {},
): Record<string, Meaning> {
  const all: Record<string, Meaning> = {}
  for (const word of some) all[spelling(word)] = { ...NONE, ...meaningOf(word) }
  for (const [word, meaning] of Object.entries(more)) all[word] = { ...NONE, ...meaning }
  return all
}

const NONE: Meaning = { verb: null, neutral: null, side: null, forced: false }

export function object(fields: FormatField[], table: Record<string, Meaning>): Format {
  return { kind: 'json', fields, meanings: table, mapping: null, answers: {} }
}

/** A line: `{0}` stands for the first field. */
export function line(
  template: string,
  fields: FormatField[],
  table: Record<string, Meaning>,
  printed = false,
): Format {
  const pattern = template
    .split(/(\{\d+\})/)
    .filter((piece) => piece !== '')
    .map((piece) => {
      const at = /^\{(\d+)\}$/.exec(piece)?.[1]
      return at === undefined ? piece : Number(at)
    })
  return {
    kind: 'line',
    pattern,
    fields,
    meanings: table,
    mapping: null,
    answers: {},
    ...(printed && { printed: true as const }),
  }
}
