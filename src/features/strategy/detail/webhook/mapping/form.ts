/* The mapping as a form holds it: from what is stored, with what a message proposes, and back. */
import type { OutputOf } from '#contract/endpoint.ts'
import type { learnMapping } from '#contract/mapping.ts'
import type { Mapping, Webhook } from '#contract/webhook.ts'
import { MAPPING_FIELDS, type MappingField } from '#trading/reader/shape.ts'
import type { Action, Unit } from '#trading/record.ts'

export type Learned = OutputOf<typeof learnMapping>
/** `text` is a path, or the value itself when `fixed`; '' leaves the field to automatic reading. */
export type MappingRow = { text: string; fixed: boolean }
/** A word of the sender; '' waits for the person to choose what it means. */
export type Word<T extends string> = { key: number; word: string; means: T | '' }
export interface MappingForm {
  format: Webhook['format']
  rows: Record<MappingField, MappingRow>
  words: Word<Action>[]
  units: Word<Unit>[]
  ignore: string[]
  id_is_unique: boolean
  strict: boolean
  sequence: string
}
/** What is tried and saved. */
export type MappingSettings = { format: Webhook['format']; mapping: Mapping | null }

/** A form from what is stored; no mapping gives the empty one. */
export function formOf({ format, mapping }: MappingSettings): MappingForm {
  const row = (field: MappingField): MappingRow => {
    const source = mapping?.fields[field]
    if (source === undefined) return { text: '', fixed: false }
    return typeof source === 'string' ? { text: source, fixed: false } : { text: source.const, fixed: true }
  }
  return {
    format,
    rows: Object.fromEntries(MAPPING_FIELDS.map((field) => [field, row(field)])) as MappingForm['rows'],
    words: listed(mapping?.words),
    units: listed(mapping?.units),
    ignore: [...(mapping?.ignore ?? [])],
    id_is_unique: mapping?.id_is_unique ?? false,
    strict: mapping?.strict ?? false,
    sequence: mapping?.sequence ?? '',
  }
}

/** The form with what a message proposes: what is mapped already stays where this message has it, too. */
export function withProposal(form: MappingForm, learned: Learned): MappingForm {
  const paths = new Set(learned.leaves.map(({ path }) => path))
  const rows = { ...form.rows }
  for (const field of MAPPING_FIELDS) {
    const [row, path] = [rows[field], learned.mapping.fields[field]]
    const stands = row.fixed || (row.text !== '' && paths.has(row.text))
    if (typeof path === 'string' && !stands) rows[field] = { text: path, fixed: false }
  }
  return {
    ...form,
    format: learned.format,
    rows,
    words: added(
      form.words,
      learned.words.map(({ word, action }) => [word, action ?? '']),
    ),
    units: added(
      form.units,
      learned.units.map(({ word, unit }) => [word, unit ?? '']),
    ),
  }
}

/** The mapping to store; null when nothing is set, which means automatic reading. */
export function mappingOf(form: MappingForm): Mapping | null {
  const { rows, id_is_unique, strict, sequence } = form
  const fields = Object.fromEntries(
    MAPPING_FIELDS.flatMap((field) => {
      const text = rows[field].text.trim()
      return text === '' ? [] : [[field, rows[field].fixed ? { const: text } : text]]
    }),
  ) as Mapping['fields']
  const words = meant(form.words.filter(({ word }) => word.trim() !== ''))
  const units = meant(form.units)
  const ignore = [...new Set(form.ignore)]
  const set = [fields, words, units, ignore].some((part) => Object.keys(part).length > 0)
  if (!set && !id_is_unique && !strict && sequence.trim() === '') return null
  const more = sequence.trim() === '' ? {} : { sequence: sequence.trim() }
  return { fields, words, units, ignore, id_is_unique, strict, ...more }
}

function listed<T extends string>(words: Record<string, T> | undefined): Word<T>[] {
  return Object.entries(words ?? {}).map(([word, means], key) => ({ key, word, means }))
}

function added<T extends string>(
  words: readonly Word<T>[],
  found: readonly (readonly [string, T | ''])[],
): Word<T>[] {
  const fresh = found.filter(([word]) => !words.some((one) => one.word === word))
  const next = words.reduce((most, { key }) => Math.max(most, key + 1), 0)
  return [...words, ...fresh.map(([word, means], i) => ({ key: next + i, word, means }))]
}

function meant<T extends string>(words: readonly Word<T>[]): Record<string, T> {
  return Object.fromEntries(
    words.flatMap(({ word, means }): [string, T][] => (means === '' ? [] : [[word.trim(), means]])),
  )
}
