// Formats of a webhook (wire §5): what its messages look like and what each part of them is. A confirmed one is read; a message of
// none is held until a person has seen how it would be read.
import * as z from 'zod/mini'
import { ANSWERS, QUESTIONS, type Role } from '#trading/reader/format.ts'
import { ACTIONS, UNITS } from '#trading/record.ts'
import { endpoint } from './endpoint.ts'
import { amount, id, name_text, nothing } from './fields.ts'
import { mapping } from './webhook-shape.ts'

export const FORMAT_STATES = ['confirmed', 'waiting'] as const
export const WAITING_CHOICES = ['take', 'skip'] as const

/** What a message would be as things stand now; `position_after` with its effect, null where nothing says what is held. */
const reading = z.object({
  action: z.enum(ACTIONS),
  symbol: z.string(),
  contract: z.nullable(z.string()),
  /** Lots or shares, as in a record; null = all of it. */
  quantity: z.nullable(z.number()),
  unit: z.enum(UNITS),
  price: z.nullable(amount()),
  target_position: z.nullable(z.number()),
  position_after: z.nullable(z.number()),
})
export type FormatReading = z.infer<typeof reading>

const question = z.object({
  id: z.enum(QUESTIONS),
  /** `proposal` null: with this answer the message would be refused. */
  options: z.array(z.object({ value: z.string(), proposal: z.nullable(reading) })),
})

export const webhook_format = z.object({
  /** A built-in one's is its name, `builtin:…`: it stands here once the webhook has used it, and nobody changes it. */
  id: z.string(),
  state: z.enum(FORMAT_STATES),
  name: z.string(),
  /** `value` as it stands in the sample; null where no sample is kept. */
  fields: z.array(
    z.object({
      path: z.string(),
      role: z.string() as unknown as z.ZodMiniType<Role>,
      value: z.nullable(z.string()),
    }),
  ),
  /** The confirmed one that lacks only a word of it. */
  extends: z.nullable(id()),
  sample_delivery_id: z.nullable(id()),
  waiting_count: z.number(),
  /** Of the sample; null: nobody can say what it means, or it says nothing that is a signal (`reason`). */
  proposal: z.nullable(reading),
  reason: z.nullable(z.string()),
  field: z.nullable(z.string()),
  /** To be answered when it is confirmed. */
  questions: z.array(question),
  /** What was answered, of a confirmed one. */
  answers: z.partialRecord(z.enum(QUESTIONS), z.string()),
  mapping: z.nullable(mapping),
})
export type WebhookFormat = z.infer<typeof webhook_format>

const answers = () =>
  z.partialRecord(z.enum(QUESTIONS), z.enum([...new Set(Object.values(ANSWERS).flat())], '請選一個答案'))
/** One of the webhook's own, or one of ours. */
const format_id = z.string().check(z.regex(/^[\w:.-]{1,64}$/, '格式編號不正確'))
const of_format = { id: id(), format_id }

export const listFormats = endpoint({
  name: 'webhook.formats',
  method: 'GET',
  path: '/webhooks/:id/formats',
  who: 'strategy:edit',
  when_offline: 'fail',
  about: '這個 Webhook 的格式：等你確認的（附會怎麼讀），和確認過的',
  input: z.object({ id: id() }),
  output: z.object({
    /** Waiting ones first, the newest on top; then the confirmed, by name. */
    items: z.array(webhook_format),
  }),
})

export const confirmFormat = endpoint({
  name: 'webhook.confirm-format',
  method: 'POST',
  path: '/webhooks/:id/formats/:format_id/confirm',
  who: 'strategy:edit',
  when_offline: 'fail',
  about: '確認一種格式：以後這樣的訊息照這樣讀，等著的收下或略過',
  input: z.object({
    ...of_format,
    answers: z._default(answers(), {}),
    /** Instead of the proposal. */
    mapping: z.optional(z.nullable(mapping)),
    waiting: z.enum(WAITING_CHOICES, '請選要收下還是略過等著的訊息'),
  }),
  output: z.object({
    /** Of the messages that were taken, in the order they came. */
    signal_ids: z.array(id()),
  }),
})

export const updateFormat = endpoint({
  name: 'webhook.update-format',
  method: 'PUT',
  path: '/webhooks/:id/formats/:format_id',
  who: 'strategy:edit',
  when_offline: 'fail',
  about: '改一種確認過的格式：名稱、哪個欄位是什麼、問過的答案；照留著的訊息重新讀一次',
  input: z.object({
    ...of_format,
    name: z.optional(name_text(60, '請輸入名稱')),
    answers: z.optional(answers()),
    mapping: z.optional(z.nullable(mapping)),
  }),
  output: webhook_format,
})

export const deleteFormat = endpoint({
  name: 'webhook.delete-format',
  method: 'DELETE',
  path: '/webhooks/:id/formats/:format_id',
  who: 'strategy:edit',
  when_offline: 'fail',
  about: '刪除一種格式：這樣的訊息下次會再問；還在等的訊息改為略過',
  input: z.object(of_format),
  output: nothing(),
})
