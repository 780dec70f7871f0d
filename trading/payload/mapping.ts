// A webhook's own field mapping: paths into the body, constants, and the sender's own action words (wire §5).
import type { Action } from '../record.ts'
import { ALIASES, type FieldName, type Fields, isPrivate, keyName, type Scalar } from './fields.ts'
import { MAPPING_FIELDS, type Mapping, type MappingField } from './shape.ts'
import { wordOf } from './words.ts'

/** Where each mapped field is put, so that it wins over every alias. */
const TARGET: Readonly<Record<MappingField, FieldName>> = {
  symbol: 'symbol',
  action: 'action',
  quantity: 'quantity',
  price: 'price',
  time: 'fired',
  position: 'position',
  id: 'id',
  note: 'note',
}

/** Fields after the mapping: mapped ones replace every alias, unmapped ones are still found by their usual names. */
export function applyMapping(
  fields: Fields,
  tree: Record<string, unknown> | null,
  mapping: Mapping,
): { fields: Fields; missing: { field: MappingField; path: string } | null } {
  const mapped: Fields = new Map(fields)
  let missing: { field: MappingField; path: string } | null = null
  for (const field of MAPPING_FIELDS) {
    const source = mapping.fields[field]
    if (source === undefined) continue
    const value = typeof source === 'object' ? source.const : at(source, tree, fields)
    const names: readonly string[] = ALIASES[TARGET[field]]
    for (const name of names) mapped.delete(name)
    if (field === 'time') mapped.delete('time')
    if (value !== undefined && value !== null && value !== '') mapped.set(names[0] as string, value)
    else if (field === 'symbol' || field === 'action')
      missing ??= { field, path: typeof source === 'string' ? source : '' }
  }
  return { fields: mapped, missing }
}

/** The action the webhook's own dictionary gives a word, null when it does not know it. */
export function mappedWord(text: string, mapping: Mapping | null): Action | null {
  if (!mapping) return null
  const word = wordOf(text)
  const hit = Object.entries(mapping.words).find(([key]) => wordOf(key) === word)
  return hit ? hit[1] : null
}

/** The scalar at `a.b.0.c` of own properties only; for texts without a tree the path is a field's name. */
function at(path: string, tree: Record<string, unknown> | null, fields: Fields): Scalar | undefined {
  if (!tree) return fields.get(keyName(path))
  let node: unknown = tree
  for (const part of path.split('.').slice(0, 33)) {
    if (typeof node !== 'object' || node === null || isPrivate(part) || !Object.hasOwn(node, part))
      return undefined
    node = (node as Record<string, unknown>)[part]
  }
  return typeof node === 'object' ? undefined : (node as Scalar)
}
