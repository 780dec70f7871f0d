// A stored mapping as the reader takes it: keys that came later have their defaults, so that what was stored before stays valid.
import type { Mapping } from '#contract/webhook.ts'

/** A mapping that names nothing. */
export const EMPTY_MAPPING: Mapping = {
  fields: {},
  words: {},
  units: {},
  ignore: [],
  id_is_unique: false,
  strict: false,
}
/** By their text: a webhook's mapping comes with every message and changes once in a while. */
const read = new Map<string, Mapping>()
const READ_MOST = 2_000

/** The mapping of the column's text, whole; null for automatic reading. */
export function storedMapping(text: string | null): Mapping | null {
  if (text === null || text === '') return null
  const known = read.get(text)
  if (known) return known
  const mapping: Mapping = { ...EMPTY_MAPPING, ...(JSON.parse(text) as Partial<Mapping>) }
  if (read.size >= READ_MOST) read.clear()
  read.set(text, mapping)
  return mapping
}
