// What every leaf is used as: what field it is, that it has no weight, or that nobody knows it (domain §4.8, rule 1).

import { withoutUnseen } from '../unseen.ts'
import { isEmpty, type Leaf } from './json.ts'
import {
  MAPPING_FIELDS,
  type Mapping,
  type MappingField,
  type ReadAs,
  type Reading,
  type Scalar,
} from './shape.ts'
import { placeholderIn } from './values.ts'
import { compact, type FieldName, fieldOfName, isWeightless, keyName } from './words.ts'

export interface Said {
  path: string
  /** As the sender wrote it; a constant of the mapping has the field's. */
  key: string
  field: FieldName
  value: Scalar
  /** The mapping says so: it wins over every other leaf of its kind. */
  mapped: boolean
}

export interface Uses {
  /** Leaves with a field and a value, in the message's order. */
  said: Said[]
  /** What is only noted, and as what. */
  as: Map<string, ReadAs>
  leaves: readonly Leaf[]
}

/** What each field of a mapping stands for, and what it takes the place of. */
const MAPPED: Readonly<Record<MappingField, readonly [FieldName, ...FieldName[]]>> = {
  symbol: ['symbol', 'month'],
  action: ['action', 'weak_action'],
  quantity: ['quantity', 'contracts', 'lots', 'futures_lots', 'board_lots', 'shares', 'money'],
  price: ['price', 'entry_price', 'exit_price', 'close'],
  time: ['now', 'stamp', 'time', 'date'],
  position: ['position', 'market_position', 'market_size'],
  id: ['id'],
  note: ['note'],
}
/** A bar's own leaves: the last price, and when it began, whatever that is called. */
const OF_BAR: Partial<Record<FieldName, FieldName>> = {
  close: 'close',
  time: 'time',
  stamp: 'time',
  now: 'time',
}

/** Sorts the leaves into fields, weightless and unknown ones, by the vocabulary and then by the mapping. */
export function usesOf(leaves: readonly Leaf[], mapping: Mapping | null): Uses {
  const uses: Uses = { said: [], as: new Map(), leaves }
  const taken = mapping ? takeMapped(uses, leaves, mapping) : null
  // What a message says itself goes before what it says of a bar, wherever that stands.
  for (const bar of [false, true])
    for (const leaf of leaves) {
      if ((leaf.zone === 'bar') !== bar || uses.as.has(leaf.path)) continue
      if (isEmpty(leaf.value)) uses.as.set(leaf.path, 'kept')
      else place(leaf, uses, taken)
    }
  return uses
}

function place(leaf: Leaf, uses: Uses, taken: ReadonlySet<FieldName> | null): void {
  const { path, name, value, zone } = leaf
  const named = name === '' ? undefined : fieldOfName(name)
  const field = zone === 'bar' ? named && OF_BAR[named] : named
  const entered = zone === 'order' || zone === 'bar'
  if (field !== undefined && entered && !taken?.has(field))
    uses.said.push({ path, key: (leaf.wrote ?? name).trim(), field, value, mapped: false })
  else if (zone === 'light' || zone === 'bar' || (field === undefined && isWeightless(name)))
    uses.as.set(path, 'weightless')
}

/** Takes the leaves the mapping names; gives the fields whose other leaves no longer count. */
function takeMapped(uses: Uses, leaves: readonly Leaf[], mapping: Mapping): Set<FieldName> {
  const taken = new Set<FieldName>()
  for (const path of mapping.ignore)
    for (const leaf of leaves)
      if (fits(leaf, path) || leaf.path.startsWith(`${path}.`)) uses.as.set(leaf.path, 'ignored')
  if (mapping.sequence !== undefined)
    for (const leaf of leaves) if (fits(leaf, mapping.sequence)) uses.as.set(leaf.path, 'weightless')
  for (const name of MAPPING_FIELDS) {
    const source = mapping.fields[name]
    if (source === undefined) continue
    const [field, ...others] = MAPPED[name]
    const asField: FieldName = name === 'time' ? 'now' : field
    if (typeof source === 'object') {
      uses.said.push({ path: '', key: name, field: asField, value: source.const, mapped: true })
    } else {
      const leaf = leaves.find((one) => fits(one, source) && !isEmpty(one.value))
      // A mapping adds: where its leaf is absent, the names everybody uses are looked for.
      if (!leaf) continue
      uses.as.delete(leaf.path)
      uses.said.push({ path: leaf.path, key: leaf.path, field: asField, value: leaf.value, mapped: true })
      uses.as.set(leaf.path, shownAs(asField))
    }
    for (const one of [field, ...others]) taken.add(one)
  }
  return taken
}

/** A path is the leaf's own, letter by letter; in texts a name in any spelling will do. */
function fits(leaf: Leaf, path: string): boolean {
  return (
    leaf.path === path ||
    // a mapping from before such a key was shown as it is written
    (leaf.wrote !== undefined && leaf.name === path) ||
    (!path.includes('.') && leaf.path === leaf.name && compact(keyName(path)) === compact(keyName(leaf.name)))
  )
}

/** The first said leaf of the fields, in their order; a mapped one before all. */
export function first(uses: Uses, ...fields: readonly FieldName[]): Said | undefined {
  const all = uses.said.filter(({ field }) => fields.includes(field))
  if (all.length < 2) return all[0]
  return (
    all.find(({ mapped }) => mapped) ??
    fields.map((field) => all.find((one) => one.field === field)).find(Boolean)
  )
}

/** All said leaves of the fields. */
export function every(uses: Uses, ...fields: readonly FieldName[]): Said[] {
  return uses.said.filter(({ field }) => fields.includes(field))
}

/** As what a field is shown; every other one as itself. */
const SHOWN: Partial<Record<ReadAs, readonly FieldName[]>> = {
  symbol: ['asset_class', 'symbol_name'],
  weightless: ['exchange', 'currency', 'credit', 'mode', 'stop_price'],
  action: ['weak_action', 'reverse'],
  side: ['position_side', 'sentiment'],
  open_close: ['reduce_only', 'close_position'],
  quantity: ['contracts', 'lots', 'futures_lots', 'board_lots', 'shares', 'unit'],
  unknown: ['money', 'option'],
  price: ['entry_price', 'exit_price', 'close'],
  time: ['now', 'stamp', 'date', 'zone'],
  position: ['market_position', 'market_size'],
  prev: ['prev_market_position', 'prev_market_size'],
  order_kind: ['state'],
}
const AS = new Map(
  Object.entries(SHOWN).flatMap(([as, fields]) => fields.map((field) => [field, as as ReadAs] as const)),
)

export const shownAs = (field: FieldName): ReadAs => AS.get(field) ?? (field as ReadAs)

/** What became of every leaf, in the message's order, for people to look at; `refused` is the leaf that was not known. */
export function readingOf(uses: Uses, refused: string | null): Reading[] {
  const fields = new Map(uses.said.map(({ path, field }) => [path, shownAs(field)] as const))
  return uses.leaves.slice(0, 200).map((leaf) => ({
    path: leaf.path.slice(0, 200),
    value: String(leaf.value ?? '')
      .toWellFormed()
      .slice(0, 200),
    as:
      leaf.path.slice(0, 100) === refused
        ? 'unknown'
        : (uses.as.get(leaf.path) ?? fields.get(leaf.path) ?? 'kept'),
  }))
}

// The texts a message carries along: id, note, timeframe, and whatever leaves nobody asked for.
/** A field as text of at most `limit` characters; null when absent, not text, or with an unfilled variable. */
export function textOf(uses: Uses, name: FieldName, limit: number): string | null {
  const value = first(uses, name)?.value
  if (typeof value !== 'string' && typeof value !== 'number') return null
  const text = withoutUnseen(String(value)).trim()
  return text === '' || placeholderIn(text) !== null ? null : cut(text, limit)
}

/** At most `limit` UTF-16 units, never half a character, and nothing that hides or turns what others read. */
export function cut(text: string, limit: number): string {
  return withoutUnseen(text)
    .slice(0, limit)
    .replace(/[\uD800-\uDBFF]$/, '')
}

/** Leaves that are no field of ours, for display and for rules (volume, name, …): at most 30, texts ≤ 200. */
export function extrasOf(uses: Uses): Record<string, Scalar> {
  const fields = new Set(uses.said.map(({ path }) => path))
  const extras = new Map<string, Scalar>()
  for (const { path, name, value } of uses.leaves) {
    if (fields.has(path) || isEmpty(value) || extras.size >= 30) continue
    const short = keyName(name)
    const key = cut(short === '' || extras.has(short) ? path : short, 40)
    if (key !== '' && !extras.has(key)) extras.set(key, typeof value === 'string' ? cut(value, 200) : value)
  }
  return Object.fromEntries(extras)
}
