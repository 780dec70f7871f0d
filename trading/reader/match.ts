// The shape lock: whether a message is of a confirmed format, part by part. What differs in a word only is told apart from what is
// another shape, so that a person is asked for the word.

import { type Answers, type Format, type FormatField, type Meaning, roles } from './format.ts'
import type { Leaf } from './json.ts'
import type { Part, Parts } from './parts.ts'
import { sideOf } from './position.ts'
import type { Scalar } from './shape.ts'
import { numberOf } from './values.ts'
import { wordOf } from './vocabulary.ts'
import { isState, isTakenBack, isTrial, otherWord } from './words.ts'

/** Roles whose words say the way of an order together. */
const ASKING = roles(
  'action weak_action side position_side sentiment credit open_close reduce_only close_position reverse order_kind',
)

export interface Candidate {
  id: string
  format: Format
  /** Whether its free texts say nothing against it: only built-in formats have parts that were not seen by a person. */
  accepts?: (values: readonly (Scalar | undefined)[]) => boolean
  built_in?: true
}

interface Compiled extends Candidate {
  pattern: RegExp | null
  index: ReadonlyMap<string, number>
  required: number
  asking: readonly number[]
}

/** A webhook's confirmed formats and the built-in ones, ready to be matched. */
export interface Formats {
  readonly by_paths: ReadonlyMap<string, readonly Compiled[]>
  readonly lines: readonly Compiled[]
  readonly open: readonly Compiled[]
  /** What the confirmed ones were told once. */
  readonly answers: Answers
}

/** `values` in the format's order of fields; undefined = an optional one that is not there. */
export interface Matched {
  id: string
  format: Format
  values: readonly (Scalar | undefined)[]
  meaning: Meaning | null
}

/** Of a known shape, but not in each word: the first part that differs. */
export interface Near {
  near: string
  format: Format
  part: Part
}

export function compile(own: readonly Candidate[], built_in: readonly Candidate[]): Formats {
  const by_paths = new Map<string, Compiled[]>()
  const lines: Compiled[] = []
  const open: Compiled[] = []
  for (const one of [...own, ...built_in]) {
    const compiled = compiledOf(one)
    if (one.format.fields.some(({ optional }) => optional)) open.push(compiled)
    else if (one.format.kind === 'line' && one.format.wrapper === undefined) lines.push(compiled)
    else {
      const key = shapeOf([...outerPaths(one.format)])
      by_paths.set(key, [...(by_paths.get(key) ?? []), compiled])
    }
  }
  const answers = Object.assign({}, ...own.map(({ format }) => format.answers)) as Answers
  return { by_paths, lines, open, answers }
}

function compiledOf(one: Candidate): Compiled {
  const { fields, pattern } = one.format
  return {
    ...one,
    pattern: pattern
      ? new RegExp(`^${pattern.map((piece) => sourceOf(piece, one.format)).join('')}$`, 'u')
      : null,
    index: new Map(fields.map(({ path }, i) => [path, i])),
    required: fields.filter(({ path, optional }) => path !== '' && !optional).length,
    asking: fields.flatMap(({ role, words, text }, i) =>
      ASKING.has(role) || (role === 'position' && words !== undefined && !text) ? [i] : [],
    ),
  }
}

/** Paths of the object: of a wrapped line its places are not among them, the leaf that holds them is. */
function outerPaths({ fields, wrapper }: Format): string[] {
  const own = fields.map(({ path }) => path).filter((path) => path !== '' && !/^#\d/.test(path))
  return wrapper === undefined ? own : [...own, wrapper]
}

/** One key for all objects with the same parts. */
export function shapeOf(paths: string[]): string {
  return paths.sort().join('\n')
}

const WORD = '[^\\s,;|&=:@()（）\\[\\]【】「」，。：；、]+'
const TIME = '\\d[\\d:./+T-]*(?:Z|z)?'
/** A day and a clock as XQ and PowerLanguage print them: together, or with a blank between. */
const PRINTED = [
  '\\d{14}(?:\\.0+)?',
  '(?:\\d{7,8}(?:\\.0+)?|\\d{4}[-/]\\d{1,2}[-/]\\d{1,2}) \\d[\\d:]*(?:\\.0+)?',
]

function sourceOf(piece: string | number, { fields, printed, pattern }: Format): string {
  if (typeof piece === 'string') return escaped(piece)
  const { number, time, text, words, role, pieces = 1 } = fields[piece] as FormatField
  const times = (one: string) => Array.from({ length: pieces }, () => one).join(' ')
  if (time && printed && role !== 'ignored') return `(${PRINTED[pieces - 1] ?? TIME})`
  if (time) return `(${times(TIME)})`
  if (role === 'symbol') return `(${times('[^\\s,;|。]+?')})`
  // In front of a line stands a name; behind a key no other key may hide in a text.
  if (text) return pattern?.[0] === piece ? '(.*?)' : '([^=;|&\\n]*?)'
  const at = pattern?.indexOf(piece) ?? -1
  const touches = typeof pattern?.[at - 1] === 'number' || typeof pattern?.[at + 1] === 'number'
  // Where no sign stands between two places, only the words themselves tell where one ends.
  if (touches && number) return '([+-]?[\\d.,]*\\d)'
  if (touches && words && !number) return `(${words.map(escaped).join('|')})`
  return `(${times(number ? `(?:[+-]?[\\d.,]*\\d|${WORD})` : WORD)})`
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')

/** The format of a message, a near one, or null. `own_only`: a person has said what the parts are, whatever they are called. */
export function match(parts: Parts, formats: Formats, own_only = false): Matched | Near | null {
  let near: Near | null = null
  for (const one of candidates(parts, formats)) {
    // Where a person said what the parts of such a message are, nobody else says what a new word means.
    if (one.built_in && (own_only || near?.format.fields.some(isTold))) continue
    const found = matched(one, parts)
    if (found === null) continue
    if (!('near' in found)) return found
    near ??= found
  }
  return near
}

const isTold = ({ role, mapped }: FormatField) => mapped === true && role !== 'ignored'

function candidates(parts: Parts, formats: Formats): readonly Compiled[] {
  if (parts.kind === 'line') return formats.lines
  const same = formats.by_paths.get(shapeOf(parts.leaves.map(({ path }) => path)))
  return same ? [...same, ...formats.open] : formats.open
}

function matched(one: Compiled, parts: Parts): Matched | Near | null {
  const { format, index, pattern } = one
  const values: (Scalar | undefined)[] = new Array(format.fields.length)
  let seen = 0
  for (const { path, value } of parts.leaves) {
    if (path === format.wrapper) continue
    const at = index.get(path)
    if (at === undefined) return null
    values[at] = value
    if (!format.fields[at]?.optional) seen += 1
  }
  if (pattern) {
    const line = format.wrapper === undefined ? parts.text : wrapped(parts, format.wrapper)
    const found = line === null ? null : pattern.exec(line)
    if (!found) return null
    let group = 1
    for (const piece of format.pattern ?? [])
      if (typeof piece === 'number') {
        values[piece] = found[group++]
        seen += 1
      }
  }
  if (seen < one.required) return null
  for (const [i, field] of format.fields.entries()) {
    if (field.path === '') values[i] = field.constant
    const value = values[i]
    if (field.path === '' || value === undefined || fits(field, value)) continue
    return { near: one.id, format, part: { path: field.path, value } }
  }
  if (one.accepts && !one.accepts(values)) return null
  const meaning = meaningIn(one, values)
  if (meaning !== undefined) return { id: one.id, format, values, meaning }
  const at = one.asking[0] as number
  return { near: one.id, format, part: { path: format.fields[at]?.path ?? '', value: values[at] ?? '' } }
}

/** undefined = these words were never confirmed together; null = none of the parts says a way. */
function meaningIn(one: Compiled, values: readonly (Scalar | undefined)[]): Meaning | null | undefined {
  if (one.asking.length === 0) return one.format.meanings[''] ?? null
  return one.format.meanings[one.asking.map((i) => spelling(values[i] ?? '')).join(' ')]
}

/** The words of a message that say its way, as the table of meanings names them. */
export function askedWords(fields: readonly FormatField[], values: readonly (Scalar | undefined)[]): string {
  return fields
    .flatMap(({ role, words, text }, i) =>
      ASKING.has(role) || (role === 'position' && words !== undefined && !text)
        ? [spelling(values[i] ?? '')]
        : [],
    )
    .join(' ')
}

export function wrapped(parts: Parts, path: string): string | null {
  const value = parts.leaves.find((leaf) => leaf.path === path)?.value
  return typeof value === 'string' ? value.split(/\s+/).join(' ') : null
}

/** How a word is compared: letters without case and joints; what has no letters, and what is long, as it stands. */
export function spelling(value: Scalar): string {
  const text = String(value ?? '').trim()
  return text.length > 80 || !/\p{L}/u.test(text) ? text : wordOf(text)
}

const TIMELIKE = /^[\d\s:./,TZtz+\-年月日時分秒上下午AaPpMm]{4,40}$/

/** Whether a value is one that a part may have. */
export function fits(field: FormatField, value: Scalar): boolean {
  if (value === null || value === '') return field.empty === true
  if (field.text)
    return !(
      OVER.has(field.role) &&
      typeof value === 'string' &&
      (isOver(value) || (field.role === 'note' && (isTrial(value) || otherWord(value) === 'test')))
    )
  if (field.words?.includes(spelling(value))) return true
  if (field.code && /^[\w-]{8,80}$/.test(String(value)) && /\d/.test(String(value))) return true
  if (field.number && typeof value !== 'boolean') {
    const figure = figureOf(value)
    if (figure !== null && figure.after === (field.after ?? ''))
      return field.zero === undefined || field.zero === (figure.n === 0)
  }
  return field.time === true && TIMELIKE.test(String(value)) && /\d/.test(String(value))
}

/** Free texts that may tell what became of an order. */
const OVER = roles('note ignored id symbol_name timeframe')
const isOver = (text: string) => text.length <= 60 && (isState(text) || isTakenBack(text))

/** A figure and what stands behind it; null when it is none. */
export function figureOf(value: Scalar): { n: number; after: string } | null {
  const n = typeof value === 'boolean' ? null : numberOf(value)
  if (n !== null) return { n, after: '' }
  const m = typeof value === 'string' ? /^([+-]?[\d.,]*\d)\s?(\p{L}{1,12})$/u.exec(value.trim()) : null
  const figure = m ? numberOf(m[1] as string) : null
  return figure === null ? null : { n: figure, after: (m?.[2] ?? '').toLowerCase() }
}

export const isPositionWord = (value: Scalar): boolean =>
  typeof value === 'string' && sideOf(wordOf(value)) !== null

/** A leaf as the functions of reading take it. */
export function leafOf(path: string, name: string, value: Scalar): Leaf {
  return { path, name, value, zone: 'order' }
}
