// A message taken apart, without knowing what it means: the leaves of an object, or one line of text.
import { blot, isForbidden, LEAVES_MOST, leavesOf, objectIn, storable, unlicensed } from './json.ts'
import { lines, pairs } from './lines.ts'
import type { Scalar } from './shape.ts'

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
