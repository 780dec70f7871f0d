/* What a person says of a message's parts: the mapping as a form holds it, and back. */
import type { OutputOf } from '#contract/endpoint.ts'
import type { Mapping } from '#contract/webhook.ts'
import type { learnMapping } from '#contract/webhook-format.ts'
import { MAPPING_FIELDS, type MappingField } from '#trading/reader/shape.ts'
import type { Action, Unit } from '#trading/record.ts'

export type Learned = OutputOf<typeof learnMapping>
/** '' leaves a part to the reader. */
export type Said = MappingField | 'sequence' | 'ignored' | ''
export interface FormatForm {
  /** By the path of the part. */
  parts: Record<string, Said>
  /** What every such message means, where none of its parts says it. */
  always: { [field in MappingField]?: string }
  /** Words of the sender; '' waits for the person. */
  words: Record<string, Action | ''>
  units: Record<string, Unit | ''>
  id_is_unique: boolean
}

const NONE: Mapping = { fields: {}, words: {}, units: {}, ignore: [], id_is_unique: false, strict: false }

/** From the mapping so far, as far as this message has its parts; with what it proposes and the words in it that nobody knows. */
export function formOf(mapping: Mapping | null, learned?: Learned): FormatForm {
  const { fields, words, units, ignore, sequence, id_is_unique } = mapping ?? NONE
  const here = (path: string) => learned?.leaves.some((leaf) => leaf.path === path) ?? true
  const parts: FormatForm['parts'] = {}
  for (const path of ignore.filter(here)) parts[path] = 'ignored'
  if (sequence !== undefined && here(sequence)) parts[sequence] = 'sequence'
  const always: FormatForm['always'] = {}
  for (const field of MAPPING_FIELDS) {
    const [own, proposed] = [fields[field], learned?.mapping.fields[field]]
    const source = typeof own === 'string' && !here(own) ? proposed : (own ?? proposed)
    if (typeof source === 'string') parts[source] = field
    else if (source) always[field] = source.const
  }
  return {
    parts,
    always,
    words: { ...Object.fromEntries((learned?.words ?? []).map(({ word }) => [word, '' as const])), ...words },
    units: { ...Object.fromEntries((learned?.units ?? []).map(({ word }) => [word, '' as const])), ...units },
    id_is_unique,
  }
}

/** What is tried and confirmed; null when nothing was said. */
export function mappingOf(form: FormatForm): Mapping | null {
  const { parts, always, id_is_unique } = form
  const fields: Mapping['fields'] = {}
  for (const field of MAPPING_FIELDS) {
    const text = always[field]?.trim() ?? ''
    if (text !== '') fields[field] = { const: text }
  }
  const ignore: string[] = []
  let sequence: string | undefined
  for (const [path, said] of Object.entries(parts)) {
    if (said === 'ignored') ignore.push(path)
    else if (said === 'sequence') sequence = path
    else if (said !== '') fields[said] = path
  }
  const mapping = { fields, words: meant(form.words), units: meant(form.units), ignore, id_is_unique }
  const some = [fields, mapping.words, mapping.units, ignore].some((part) => Object.keys(part).length > 0)
  if (!some && !id_is_unique && sequence === undefined) return null
  return { ...mapping, strict: false, ...(sequence !== undefined && { sequence }) }
}

/** One part is said to be something: another that was said to be the same is left to the reader. */
export function said(form: FormatForm, path: string, what: Said): FormatForm {
  const others = Object.entries(form.parts).map(([other, said]): [string, Said] => [
    other,
    what !== 'ignored' && said === what ? '' : said,
  ])
  return { ...form, parts: { ...Object.fromEntries(others), [path]: what } }
}

function meant<T extends string>(words: Record<string, T | ''>): Record<string, T> {
  return Object.fromEntries(
    Object.entries(words).flatMap(([word, means]): [string, T][] => (means === '' ? [] : [[word, means]])),
  )
}
