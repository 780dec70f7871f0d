// A message taken apart, without knowing what it means: the leaves of an object, or one line of text.
import { decode } from './generic.ts'
import { blot, isPrivate, objectIn, storable, withoutPrivate } from './json.ts'
import type { Scalar } from './shape.ts'
import { fieldOfName, isTrialName } from './vocabulary.ts'
import { meaningOf } from './words.ts'

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
const LEAVES_MOST = 600
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
  const decoded = decode(text, body)
  if (decoded.kind === 'unread') return null
  const { clean } = decoded
  return {
    ...line,
    leaves: [],
    text: spaced(clean),
    secret: decoded.kind === 'message' ? decoded.secret : null,
    clean,
  }
}

/** Whether what is kept nowhere says something of an order. */
function holdsOrder(value: unknown): boolean {
  if (typeof value === 'string') {
    if (value.trimStart().startsWith('{')) return holdsOrder(objectIn(value)?.tree)
    return meaningOf(value) !== null && value.length > 1
  }
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(
    ([key, inner]) => ORDERS.has(fieldOfName(key) ?? '') || isTrialName(key) || holdsOrder(inner),
  )
}

const ORDERS: ReadonlySet<string> = new Set(
  `action side position_side sentiment open_close reduce_only close_position reverse position market_position market_size
  quantity contracts lots futures_lots board_lots shares unit symbol month order_kind state test mode option credit`.split(
    /\s+/,
  ),
)

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
    if (!Object.hasOwn(value, key) || key === '__proto__' || key === 'constructor' || key === 'prototype')
      return null
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
  const leaves: Part[] = []
  let closed: string | null = null
  let hidden = false
  // A name that is none, or that looks like a path: two parts could be called the same.
  let odd = false
  const visit = (value: unknown, path: string, key: string): void => {
    if (leaves.length > LEAVES_MOST) return
    if (key !== '' && isPrivate(key, value)) {
      hidden = true
      if (value !== null && (typeof value === 'object' || String(value).startsWith('{')) && holdsOrder(value))
        closed ??= path
      return
    }
    if (typeof value === 'object' && value !== null) {
      const entries = Object.entries(value)
      const list = Array.isArray(value)
      // What is left of it when it is stored: nothing.
      if (path !== '' && entries.every(([name, inner]) => !list && isPrivate(name, inner)))
        leaves.push({ path, value: '' })
      for (const [name, inner] of entries) {
        odd ||= name === '' || name.includes('.') || name.startsWith('#')
        visit(inner, path === '' ? name : `${path}.${name}`, list ? '' : name)
      }
      return
    }
    const scalar = typeof value === 'string' ? value.trim() : (value as Scalar)
    if (typeof scalar === 'string' && scalar.startsWith('{')) {
      const inner = objectIn(scalar)
      if (inner && inner.outside.trim() === '') {
        visit(inner.tree, path, '')
        return
      }
    }
    const kept = typeof scalar === 'string' ? withoutPrivate(scalar) : scalar
    hidden ||= kept !== scalar
    leaves.push({ path, value: kept })
  }
  visit(tree, '', '')
  const around = blot(outside)
  if (outside !== '') leaves.push({ path: '#outside', value: spaced(around) })
  if (leaves.length > LEAVES_MOST) return null
  const paths = leaves.map(({ path }) => path)
  if (odd && (paths.includes('') || new Set(paths).size < paths.length || hasNameless(tree))) return null
  const { secret, clean } =
    hidden || around !== outside ? storable(tree, outside, body) : { secret: null, clean: body }
  return { leaves, text: '', kind: 'json', secret, clean, closed }
}

function hasNameless(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([name, inner]) => name === '' || hasNameless(inner))
}
