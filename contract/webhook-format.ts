// Formats of a webhook (wire §5): what its messages look like and what each part of them is. A confirmed one is read; a message of
// none is held until a person has seen how it would be read.
import * as z from 'zod/mini'
import { ANSWERS, QUESTIONS, type Role } from '#trading/reader/format.ts'
import { FORMATS, MAPPING_FIELDS, READ_AS } from '#trading/reader/shape.ts'
import { ACTIONS, FLAGS, UNITS } from '#trading/record.ts'
import { endpoint } from './endpoint.ts'
import { amount, at, id, name_text, nothing, query_int } from './fields.ts'
import { HOOK_BODY_BYTES, REPLAY_MOST } from './limits.ts'
import { normal_signal } from './signal.ts'
import { mapping, OUTCOMES, REASON_CODES } from './webhook.ts'

// A mapping learned from one message: proposed, tried on that message, and what it would change before it is saved (wire §5).

/** What the intake says of a message that is only tried: nothing of it is stored. */
export const trial = z.object({
  outcome: z.enum(OUTCOMES),
  reason_code: z.nullable(z.enum(REASON_CODES)),
  reason: z.nullable(z.string()),
  field: z.nullable(z.string()),
  /** As far as the message was understood. */
  normal: z.nullable(normal_signal),
})
export type Trial = z.infer<typeof trial>

const preview = z.extend(trial, {
  flags: z.array(z.enum(FLAGS)),
  reading: z.array(z.object({ path: z.string(), value: z.string(), as: z.enum(READ_AS) })),
})
export type Preview = z.infer<typeof preview>

/** Why a leaf was proposed: its name, its value, or both spoke for the field. */
const proposal = z.object({
  field: z.enum(MAPPING_FIELDS),
  path: z.string(),
  /** Read without a mapping, too: named here, and not in the mapping. */
  automatic: z.boolean(),
  name: z.nullable(z.string()),
  value: z.nullable(z.string()),
})
export type Proposal = z.infer<typeof proposal>

const leaf = z.object({
  path: z.string(),
  value: z.string(),
  /** What the automatic reading made of it, null when it never came so far. */
  as: z.nullable(z.enum(READ_AS)),
  /** The field it is proposed for. */
  field: z.nullable(z.enum(MAPPING_FIELDS)),
  /** Nothing needs it: it may be ignored. */
  ignorable: z.boolean(),
})

/** One message: pasted, or one that this webhook received. */
const message = {
  body: z.optional(
    z.string().check(z.minLength(1, '請貼一則訊息'), z.maxLength(HOOK_BODY_BYTES, '訊息最多 64 KB')),
  ),
  delivery_id: z.optional(id()),
}

export const learnMapping = endpoint({
  name: 'webhook.learn',
  method: 'POST',
  path: '/webhooks/learn',
  who: 'strategy:edit',
  when_offline: 'fail',
  reads: true,
  about: '從一則訊息（貼上的，或收到的一則）建議格式與對應，並說明理由；不儲存任何東西',
  input: z.object({ webhook_id: id(), ...message }),
  output: z.object({
    /** The message, its secrets removed. */
    body: z.string(),
    format: z.enum(FORMATS),
    mapping,
    proposals: z.array(proposal),
    /** Words of the sender that nobody knows; null waits for the person. */
    words: z.array(z.object({ word: z.string(), action: z.nullable(z.enum(ACTIONS)) })),
    units: z.array(z.object({ word: z.string(), unit: z.nullable(z.enum(UNITS)) })),
    leaves: z.array(leaf),
    preview,
  }),
})

const settings = {
  format: z.enum(FORMATS, '請選格式'),
  mapping: z.nullable(mapping),
}

export const previewMapping = endpoint({
  name: 'webhook.preview',
  method: 'POST',
  path: '/webhooks/preview',
  who: 'strategy:edit',
  when_offline: 'fail',
  reads: true,
  about: '用收訊的同一段程式、照這組格式與對應讀一則訊息；不儲存任何東西',
  input: z.object({ webhook_id: id(), ...settings, ...message }),
  output: preview,
})

const IMPACTS = ['changed', 'newly_readable', 'becomes_unreadable'] as const
const mapping_impact = z.object({
  /** How many deliveries were read both ways. */
  looked: z.number(),
  counts: z.object({
    changed: z.number(),
    same: z.number(),
    newly_readable: z.number(),
    becomes_unreadable: z.number(),
  }),
  /** Those that read otherwise, newest first. */
  rows: z.array(
    z.object({
      delivery_id: id(),
      received_at: at(),
      change: z.enum(IMPACTS),
      before: trial,
      after: trial,
    }),
  ),
})
export type MappingImpact = z.infer<typeof mapping_impact>

export const impactOfMapping = endpoint({
  name: 'webhook.impact',
  method: 'POST',
  path: '/webhooks/:id/impact',
  who: 'strategy:edit',
  when_offline: 'fail',
  reads: true,
  about: '儲存前的影響：最近 50 則照現在與照新的對應各讀一次，列出會改變的；不儲存任何東西',
  input: z.object({ id: id(), ...settings }),
  output: mapping_impact,
})

const FORMAT_STATES = ['confirmed', 'waiting'] as const
const WAITING_CHOICES = ['take', 'skip'] as const

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

const webhook_format = z.object({
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

// Deliveries read again, many at once: first what would change, then what was made; each keeps at most one standing signal
// (ruling C41).

/**
 * new: had no signal and gets one; changed: its signal is corrected, or voided and made anew; same: stays as it is; still_refused:
 * makes none, as before; now_refused: its signal is voided and none takes its place.
 */
export const CHANGES = ['new', 'changed', 'same', 'still_refused', 'now_refused'] as const
export type ReplayChange = (typeof CHANGES)[number]

const replay_item = z.object({
  delivery_id: id(),
  received_at: at(),
  change: z.enum(CHANGES),
  /** What is stored of it, and what it is read as now. After a commit without the normal forms. */
  before: trial,
  after: trial,
  /** Of those changed: a correction of the price only, or a void with a new record. */
  made: z.nullable(z.enum(['correction', 'anew'])),
  /** Why it is left as it is, where that is not because of its words. */
  why: z.nullable(z.string()),
  /** The standing signal; of a dry run the one that stands now. */
  signal_id: z.nullable(id()),
})
export type ReplayItem = z.infer<typeof replay_item>

export const replayDeliveries = endpoint({
  name: 'webhook.replays',
  method: 'POST',
  path: '/webhooks/:id/replays',
  who: 'strategy:edit',
  when_offline: 'fail',
  reads: ({ dry_run }) => dry_run === true,
  about: `重新解析多則：先試算會改變什麼（dry_run），再照做一次；一次最多 ${REPLAY_MOST} 則，下一批從 next_after 接著`,
  input: z.object({
    id: id(),
    /** Received from `from` on, before `to`. */
    from: z.optional(at()),
    to: z.optional(at()),
    outcome: z.optional(z.enum(OUTCOMES)),
    reason_code: z.optional(z.enum(REASON_CODES)),
    delivery_ids: z.optional(
      z
        .array(id())
        .check(
          z.minLength(1, '請選要重新解析的訊息'),
          z.maxLength(REPLAY_MOST, `一次最多 ${REPLAY_MOST} 則`),
        ),
    ),
    /** Those after this one. */
    after: z.optional(id()),
    limit: z._default(query_int(1, REPLAY_MOST, '至少 1 則', `一次最多 ${REPLAY_MOST} 則`), REPLAY_MOST),
    /** Read by these instead of the webhook's own. */
    mapping: z.optional(z.nullable(mapping)),
    format: z.optional(z.enum(FORMATS, '請選格式')),
    dry_run: z.boolean('請說明是試算還是照做'),
    /** Alarms as if they came now; else the records are quiet. */
    notify: z._default(z.boolean(), false),
  }),
  output: z.object({
    dry_run: z.boolean(),
    /** In the order they came. */
    items: z.array(replay_item),
    counts: z.object({
      new: z.number(),
      changed: z.number(),
      same: z.number(),
      still_refused: z.number(),
      now_refused: z.number(),
    }),
    /** How many the selection names from its beginning; null behind a cursor. */
    total: z.nullable(z.number()),
    next_after: z.nullable(id()),
  }),
})
