// Every leaf of a message with its place and its zone: nothing is flattened away, so that nothing can be overlooked (domain §4.8, rules 1 and 6).
import { isPrivate } from './private.ts'
import { mayHoldMessage, type Zone, zoneOf } from './vocabulary/containers.ts'
import { fieldOfName } from './vocabulary/names.ts'

export type Scalar = string | number | boolean | null

export interface Leaf {
  /** `a.b.0.c`, or `#n` for a cell of a line. */
  path: string
  /** The last name on the path: an array's entries have the array's. */
  name: string
  /** The key as the sender wrote it, where its documents give it another name: that is what a person reads. */
  wrote?: string
  value: Scalar
  zone: Zone
  /** Names of the unknown objects around it. */
  inside: readonly string[]
}

export interface Grown {
  leaves: Leaf[]
  /** An array of orders, or more than one leg. */
  several: string | null
}

/** Fields that one order has once. */
const LISTED: ReadonlySet<string> = new Set(['action', 'quantity', 'contracts', 'lots', 'shares'])

/** Leaves at most: a message with more is no order. */
const LEAVES_MOST = 600

/** The leaves of an object, without private ones; text that is itself a JSON object is entered where a message may stand. */
export function leavesOf(tree: Record<string, unknown>, parse: (text: string) => unknown): Grown {
  const grown: Grown = { leaves: [], several: null }
  const visit = (value: unknown, name: string, path: string, zone: Zone, inside: readonly string[]) => {
    if (grown.leaves.length > LEAVES_MOST) return
    if (Array.isArray(value)) {
      const objects = value.filter((one) => typeof one === 'object' && one !== null).length
      if (objects > 1 && zone !== 'light') grown.several ??= path
      // Two sizes in one list are two orders, equal or not.
      if (value.length > 1 && zone === 'order' && LISTED.has(fieldOfName(name) ?? '')) grown.several ??= path
      for (const [i, one] of value.entries()) visit(one, name, `${path}.${i}`, zone, inside)
      return
    }
    if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) {
        if (isPrivate(key) && !isProduct(key, inner)) continue
        const below = path === '' ? key : `${path}.${key}`
        const compound = typeof inner === 'object' && inner !== null
        if (!compound) {
          visit(inner, key, below, zone, inside)
          continue
        }
        // A list of plain values is a field said more than once.
        const plain = Array.isArray(inner) && inner.every((one) => typeof one !== 'object' || one === null)
        const next = plain ? zone : zoneOf(key, zone)
        visit(inner, key, below, next, next === 'unknown' || next === 'legs' ? [...inside, key] : inside)
      }
      return
    }
    const scalar = typeof value === 'string' ? value.trim() : (value as Scalar)
    if (zone === 'order' && typeof scalar === 'string' && scalar.startsWith('{') && mayHoldMessage(name)) {
      const found = parse(scalar)
      if (typeof found === 'object' && found !== null && !Array.isArray(found)) {
        visit(found, name, path, zone, inside)
        return
      }
    }
    grown.leaves.push({ path, name, value: scalar, zone, inside })
  }
  visit(tree, '', '', 'order', [])
  return grown
}

/** In some markets a token is what is traded; as a secret it would be too short. */
function isProduct(key: string, value: unknown): boolean {
  return /^token$/i.test(key) && typeof value === 'string' && PRODUCT.test(value)
}

const PRODUCT = /^(?:[A-Z]+:)?[A-Z]{3}(?:\d!|[A-L]\d|R\d)?$/

/** Leaves of a text's fields, in order; they lie in no object. */
export function flatLeaves(fields: Iterable<readonly [path: string, name: string, value: string]>): Leaf[] {
  return [...fields].map(([path, name, value]) => ({
    path,
    name,
    value: value.trim(),
    zone: 'order',
    inside: [],
  }))
}

/** A leaf without a value says nothing. */
export function isEmpty(value: Scalar): boolean {
  return value === null || value === ''
}
