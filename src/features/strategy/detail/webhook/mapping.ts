/* The mapping as a form holds it, and what a path finds in a message. */
import type { Mapping } from '#contract/webhook.ts'
import { ACTIONS, type Action } from '#trading/record.ts'

export const FIELDS = ['symbol', 'action', 'quantity', 'price', 'time', 'position', 'id', 'note'] as const
export type Field = (typeof FIELDS)[number]

export const FIELD_WORDS: Record<Field, string> = {
  symbol: '商品',
  action: '動作',
  quantity: '數量',
  price: '價格',
  time: '時間',
  position: '部位',
  id: '編號',
  note: '備註',
}

/** `text` is a path, or the value itself when `fixed`; '' leaves the field to automatic reading. */
export type Row = { text: string; fixed: boolean }
export type Word = { key: number; word: string; action: Action | '' }
export type MappingForm = { rows: Record<Field, Row>; words: Word[]; id_is_unique: boolean }

/** A form from a stored mapping; null gives the empty one. */
export function formOf(mapping: Mapping | null): MappingForm {
  const rows = Object.fromEntries(
    FIELDS.map((field): [Field, Row] => {
      const source = mapping?.fields[field]
      if (source === undefined) return [field, { text: '', fixed: false }]
      return [
        field,
        typeof source === 'string' ? { text: source, fixed: false } : { text: source.const, fixed: true },
      ]
    }),
  ) as Record<Field, Row>
  const words = Object.entries(mapping?.words ?? {}).map(([word, action], key) => ({ key, word, action }))
  return { rows, words, id_is_unique: mapping?.id_is_unique ?? false }
}

/** The mapping to store; null when nothing is set, which means automatic reading. */
export function mappingOf({ rows, words, id_is_unique }: MappingForm): Mapping | null {
  const fields = Object.fromEntries(
    FIELDS.flatMap((field) => {
      const text = rows[field].text.trim()
      return text === '' ? [] : [[field, rows[field].fixed ? { const: text } : text]]
    }),
  ) as Mapping['fields']
  const known = words.flatMap(({ word, action }): [string, Action][] =>
    word.trim() !== '' && action !== '' ? [[word.trim(), action]] : [],
  )
  if (Object.keys(fields).length === 0 && known.length === 0 && !id_is_unique) return null
  return { fields, words: Object.fromEntries(known), units: {}, ignore: [], id_is_unique, strict: false }
}

export const ACTION_OPTIONS: readonly Action[] = ACTIONS

/** What a path (a.b.0.c) finds in a JSON message; null when the message is no JSON or nothing stands there. */
export function foundAt(body: string | null, path: string): string | null {
  if (!body || !path) return null
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    // other notations have no paths: the preview is simply empty
    return null
  }
  for (const part of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return null
    value = (value as Record<string, unknown>)[part]
  }
  return value === undefined || value === null
    ? null
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value)
}

/** All paths of a JSON message, for the suggestions under the fields. */
export function pathsOf(body: string | null): string[] {
  const found: string[] = []
  const walk = (value: unknown, path: string) => {
    if (found.length >= 60) return
    if (typeof value !== 'object' || value === null) {
      if (path) found.push(path)
      return
    }
    for (const [key, inner] of Object.entries(value)) walk(inner, path ? `${path}.${key}` : key)
  }
  try {
    walk(JSON.parse(body ?? ''), '')
  } catch {
    // no JSON, no paths to suggest
  }
  return found
}
