/* One format as a sheet holds it: what was answered and said so far, what the message would be under that, and confirming it. */
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { InputOf, OutputOf } from '#contract/endpoint.ts'
import type { Strategy } from '#contract/strategy.ts'
import type { Mapping, Webhook } from '#contract/webhook.ts'
import type {
  confirmFormat,
  FormatReading,
  learnMapping,
  Preview,
  WebhookFormat,
} from '#contract/webhook-format.ts'
import { webhookMutations, webhookQueries } from '#data/nouns/webhook.ts'
import { useCtx } from '#screen/data.tsx'
import { refusedFields } from '#screen/failure.ts'
import { serverNow } from '#text/now.ts'
import { ANSWERS, type QuestionId } from '#trading/reader/format.ts'
import { MAPPING_FIELDS, type MappingField } from '#trading/reader/shape.ts'
import type { Action, Unit } from '#trading/record.ts'

/** Typing stops for so long before the server is asked. */
const PAUSE_MS = 250

export type Question = { id: QuestionId; options: { value: string; proposal: FormatReading | null }[] }
type Answers = NonNullable<InputOf<typeof confirmFormat>['answers']>

export function useFormat(strategy: Strategy, webhook: Webhook, format: WebhookFormat) {
  const ctx = useCtx()
  const waits = format.state === 'waiting'
  const sample = format.sample_delivery_id
  /** Nobody can say what it means but the person. */
  const blank = waits && format.proposal === null
  const [answers, setAnswers] = useState(waits ? {} : (format.answers as Answers))
  const [edited, setEdited] = useState<FormatForm | null>(null)
  const [editing, setEditing] = useState(blank)
  const [name, setName] = useState(format.name)
  const [waiting, setWaiting] = useState<'take' | 'skip'>('take')
  const learn = useQuery({
    ...webhookQueries.learn(ctx, webhook.id, sample ?? ''),
    enabled: sample !== null,
  })
  const form = edited ?? formOf(format.mapping, blank ? startOf(format, learn.data) : undefined)
  const said = edited !== null || blank
  const mapping = JSON.stringify(mappingOf(form))
  const preview = usePreview(webhook, said && learn.data ? sample : null, mapping)
  const confirm = useMutation(webhookMutations.confirm(ctx, webhook.id))
  const update = useMutation(webhookMutations.updateFormat(ctx, webhook.id))
  const questions = questionsOf(format, confirm.error ?? update.error)
  const changes = {
    ...(name.trim() !== format.name && { name }),
    ...(said && { mapping: mappingOf(form) }),
    ...(questions.some(({ id }) => answers[id] !== format.answers[id]) && { answers }),
  }
  const reading = said ? readingOf(preview.data) : readingWith(format, answers)
  return {
    ...{
      waits,
      sample,
      blank,
      reading,
      answers,
      editing,
      name,
      waiting,
      learn,
      form,
      preview,
      confirm,
      update,
    },
    ...{ said, questions, setEditing, setName, setWaiting },
    /** Something was said that is not kept yet. */
    dirty: edited !== null || (!waits && Object.keys(changes).length > 0),
    /** All is said that is asked, and it is read. */
    ready:
      (!said || (reading !== null && !preview.stale)) &&
      questions.every(({ id }) => answers[id] !== undefined),
    old: useOld(strategy, webhook, format),
    answer: (id: QuestionId, value: string) => setAnswers({ ...answers, [id]: value } as Answers),
    edit: setEdited,
    send: (onDone: (signal_ids: string[]) => void) =>
      waits
        ? confirm.mutate(
            {
              ...{ format_id: format.id, answers, waiting },
              ...(said && { mapping: mappingOf(form) }),
            },
            { onSuccess: ({ signal_ids }) => onDone(signal_ids) },
          )
        : update.mutate({ format_id: format.id, ...changes }, { onSuccess: () => onDone([]) }),
  }
}

export type FormatDraft = ReturnType<typeof useFormat>

/** Where only one part is in doubt, the others are read: nothing is proposed for them. */
function startOf({ field }: WebhookFormat, learned: Learned | undefined): Learned | undefined {
  if (!learned?.leaves.some(({ path }) => path === field)) return learned
  return { ...learned, mapping: { ...learned.mapping, fields: {} } }
}

/** Those that the server asks, those it asked for only when this was to be confirmed, and of a confirmed one what was answered. */
function questionsOf(format: WebhookFormat, error: unknown): Question[] {
  const bare = (id: QuestionId): Question => ({
    id,
    options: ANSWERS[id].map((value) => ({ value, proposal: null })),
  })
  const asked = Object.keys(refusedFields(error) ?? {}).flatMap((field) => {
    const id = field.startsWith('answers.') ? (field.slice('answers.'.length) as QuestionId) : null
    return id !== null && id in ANSWERS ? [id] : []
  })
  const ids = new Set([
    ...(format.state === 'confirmed' ? (Object.keys(format.answers) as QuestionId[]) : []),
    ...asked,
  ])
  const known: readonly Question[] = format.questions
  for (const { id } of known) ids.delete(id)
  return [...known, ...[...ids].map(bare)]
}

/** A message that is read under what was said, as a proposal. */
function readingOf(tried: Preview | undefined): FormatReading | null {
  if (tried?.outcome !== 'accepted' && tried?.outcome !== 'late') return null
  const { action, symbol, ...normal } = tried.normal ?? { action: null, symbol: null }
  if (action === null || symbol === null) return null
  return { ...NO_SIZE, ...normal, action, symbol, position_after: null }
}
const NO_SIZE = { contract: null, quantity: null, unit: 'lot', price: null, target_position: null } as const

/** What the message would be with the answers; null when nobody can say before it is confirmed, or it would be none. */
function readingWith(format: WebhookFormat, answers: Answers): FormatReading | null {
  const other = format.questions.flatMap(({ id, options }) => {
    const at = options.findIndex(({ value }) => value === answers[id])
    // The first answer of each is what the proposal was made with.
    return at > 0 ? [options[at]?.proposal ?? null] : []
  })
  return other.length === 0 ? format.proposal : other.length === 1 ? (other[0] ?? null) : null
}

/** Whether some that wait came longer ago than the strategy calls late: they tell nobody. */
function useOld({ late_after_s }: Strategy, webhook: Webhook, { id, waiting_count }: WebhookFormat): boolean {
  const ctx = useCtx()
  const { data } = useInfiniteQuery({
    ...webhookQueries.deliveries(ctx, webhook.id, { outcome: 'held' }),
    enabled: waiting_count > 0,
  })
  const own = data?.pages.flatMap(({ items }) => items.filter(({ format_id }) => format_id === id)) ?? []
  const late = serverNow() - late_after_s * 1_000
  return (
    data !== undefined &&
    (own.length < waiting_count || own.some(({ received_at }) => Date.parse(received_at) < late))
  )
}

/** What the intake makes of the message under the mapping on the screen: asked a moment after the last key; null asks nothing. */
function usePreview(webhook: Webhook, delivery_id: string | null, mapping: string) {
  const ctx = useCtx()
  const [asked, setAsked] = useState(mapping)
  useEffect(() => {
    const wait = setTimeout(() => setAsked(mapping), PAUSE_MS)
    return () => clearTimeout(wait)
  }, [mapping])
  const { data, error, isFetching } = useQuery({
    ...webhookQueries.preview(ctx, webhook, { delivery_id: delivery_id ?? '', mapping: asked }),
    enabled: delivery_id !== null,
  })
  return { data, error, stale: asked !== mapping || isFetching }
}

/* What a person says of a message's parts: the mapping as a form holds it, and back. */

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
