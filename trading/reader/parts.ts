// A message taken apart, without knowing what it means: the leaves of an object, or one line of text.
import { decode } from './generic.ts'
import { isPrivate, objectIn, redact } from './json.ts'
import type { Scalar } from './shape.ts'
import { fieldOfName } from './vocabulary.ts'

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
    if (typeof strict === 'string') return partsOf(strict)
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
function holdsOrder(value: object): boolean {
  return Object.entries(value).some(
    ([key, inner]) =>
      ORDERS.has(fieldOfName(key) ?? '') ||
      (typeof inner === 'object' && inner !== null && holdsOrder(inner)),
  )
}

const ORDERS: ReadonlySet<string> = new Set([
  'action',
  'side',
  'position',
  'quantity',
  'contracts',
  'lots',
  'symbol',
])

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

const KEY = /"(?:[^"\\]|\\.)*"\s*:/g

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
  return keys !== null && (text.match(KEY)?.length ?? 0) === keys ? (value as Record<string, unknown>) : null
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
    if (typeof inner === 'string' && inner.includes('":')) return null
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
  const visit = (value: unknown, path: string, key: string): void => {
    if (leaves.length > LEAVES_MOST) return
    if (key !== '' && isPrivate(key)) {
      hidden = true
      if (typeof value === 'object' && value !== null && holdsOrder(value)) closed ??= path
      return
    }
    if (typeof value === 'object' && value !== null) {
      const entries = Object.entries(value)
      if (entries.length === 0) leaves.push({ path, value: '' })
      const list = Array.isArray(value)
      for (const [name, inner] of entries)
        visit(inner, path === '' ? name : `${path}.${name}`, list ? '' : name)
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
    leaves.push({ path, value: scalar })
  }
  visit(tree, '', '')
  if (outside !== '') leaves.push({ path: '#outside', value: spaced(outside) })
  if (leaves.length > LEAVES_MOST) return null
  const { secret, clean } = hidden ? redact(tree) : { secret: null, clean: tree }
  return {
    leaves,
    text: '',
    kind: 'json',
    secret,
    clean: hidden ? JSON.stringify(clean) : body,
    closed,
  }
}
