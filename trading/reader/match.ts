// The shape lock: whether a message is of a confirmed format, part by part. What differs in a word only is told apart from what is
// another shape, so that a person is asked for the word.

import { sideOf } from './amount.ts'
import { type Answers, type Format, type FormatField, type Meaning, roles } from './format.ts'
import {
  blot,
  isForbidden,
  LEAVES_MOST,
  type Leaf,
  leavesOf,
  objectIn,
  storable,
  unlicensed,
} from './json.ts'
import { lines, pairs } from './lines.ts'
import type { Scalar } from './shape.ts'
import { numberOf } from './values.ts'
import { isState, isTakenBack, isTrial, otherWord, wordOf } from './words.ts'

// A message taken apart, without knowing what it means: the leaves of an object, or one line of text.

export interface Part {
  /** `a.b.0.c`; `#outside` = the words around the object. */
  path: string
  value: Scalar
}

export interface Parts {
  /** Leaves of the object; none of a line. */
  leaves: Part[]
  /** The line; empty of an object. */
  text: string
  kind: 'json' | 'line'
  secret: string | null
  /** The body as it may be stored. */
  clean: string
  /** A private field that holds more than a value: what stands in it is kept nowhere, so it can confirm nothing. */
  closed: string | null
}

/** A name that may be private stands before a sign. */
const PRIVATE =
  /(?:secret|pass|token|key|acc|pwd|pin|auth|bearer|cert|id|號|戶|密碼)[\w-]{0,20}["']?\s?[=:：]|^\d{8,},/i
const DEPTH_MOST = 32
/** A longer line is no order; places that may hold any text cost more than its length. */
const LINE_MOST = 1_000

/** The parts of a body; null when it is neither one object nor one line that could be a message. */
export function partsOf(body: string): Parts | null {
  const text = body.replace(/^\uFEFF/, '').trim()
  const first = text[0]
  if (first === '{' || first === '"' || first === '[') {
    const strict = strictJson(text)
    if (typeof strict === 'string') {
      const inside = partsOf(strict)
      return inside?.clean === strict ? { ...inside, clean: body } : inside
    }
    if (strict !== null) return fromObject(strict, '', body)
  }
  // As people and platforms write objects: single quotes, comments, words around.
  if (/[{["“:]/.test(text)) {
    const found = objectIn(text)
    if (found) return fromObject(found.tree, found.outside.trim(), body)
  }
  if (text === '' || text.length > LINE_MOST || /^[{[]/.test(text)) return null
  const line = { leaves: [], kind: 'line', closed: null } as const
  if (!PRIVATE.test(text)) return { ...line, leaves: [], text: spaced(text), secret: null, clean: body }
  // Private pairs are taken out before anything is compared: what is kept of a message is what confirms it.
  const [own, came] = [unlicensed(text), unlicensed(body)]
  const found = pairs.read(own, came) ?? lines.read(own, came)
  if (found?.kind === 'unread') return null
  const clean = found?.clean ?? blot(came)
  return { ...line, leaves: [], text: spaced(clean), secret: found?.secret ?? null, clean }
}

/** One blank where there are several, and figures and letters in their usual width; lines stay apart. */
export function spaced(text: string): string {
  return text
    .replace(/[\uff10-\uff19\uff20-\uff3a\uff41-\uff5a]/g, (sign) =>
      String.fromCharCode(sign.charCodeAt(0) - 0xfee0),
    )
    .split(/\r?\n/)
    .map((line) => line.trim().replace(/[ \t\u3000\u00a0]+/g, ' '))
    .filter((line) => line !== '')
    .join('\n')
}

/** The object or the text of strict JSON in which no name stands twice; null for everything else. */
function strictJson(text: string): Record<string, unknown> | string | null {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // not strict JSON: the lenient reader has its turn
    return null
  }
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  // JSON.parse lets the last of two equal names win, silently.
  const keys = count(value, 0)
  return keys !== null && names(text) === keys ? (value as Record<string, unknown>) : null
}

/** How many names stand in strict JSON; each sign is looked at once. */
function names(text: string): number {
  let found = 0
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at)) {
    for (at += 1; text[at] !== '"'; at += 1) if (text[at] === '\\') at += 1
    at += 1
    while (/\s/.test(text[at] ?? '')) at += 1
    if (text[at] === ':') found += 1
  }
  return found
}

/** Names in an object, all levels; null where it is too deep, or a name is none. */
function count(value: object, depth: number): number | null {
  if (depth > DEPTH_MOST) return null
  let n = 0
  for (const key in value) {
    if (!Object.hasOwn(value, key) || isForbidden(key)) return null
    const inner = (value as Record<string, unknown>)[key]
    if (!Array.isArray(value)) n += 1
    if (typeof inner === 'object' && inner !== null) {
      const more = count(inner, depth + 1)
      if (more === null) return null
      n += more
    }
  }
  return n
}

function fromObject(tree: Record<string, unknown>, outside: string, body: string): Parts | null {
  const grown = leavesOf(tree)
  if (grown.leaves.length > LEAVES_MOST || grown.odd) return null
  const leaves: Part[] = grown.leaves.map(({ path, value }) => ({ path, value }))
  if (outside !== '') leaves.push({ path: '#outside', value: spaced(blot(outside)) })
  return { leaves, text: '', kind: 'json', closed: grown.closed, ...storable(grown, { tree, outside }, body) }
}

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
