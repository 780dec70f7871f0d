// The shapes of a webhook and of a delivery (wire.md §5), apart from their calls: a strategy carries its webhooks, and the first
// visit pays for what a strategy carries.
import * as z from 'zod/mini'
import { FORMATS, READ_REASONS } from '#trading/reader/shape.ts'
import { ACTIONS, UNITS } from '#trading/record.ts'
import { at, id, seen } from './fields.ts'
import { normal_signal } from './signal-shape.ts'

export const OUTCOMES = ['accepted', 'late', 'duplicate', 'ignored', 'held', 'rejected'] as const
export type Outcome = (typeof OUTCOMES)[number]
/** What the reader of messages says, and what stops a message before it is read. */
export const REASON_CODES = [
  ...READ_REASONS,
  'too_large',
  'bad_encoding',
  'bad_secret',
  'ip_not_allowed',
  'rule_ignored',
  'heartbeat',
  'disabled',
  'archived',
  'test',
  'unconfirmed_format',
] as const
export type ReasonCode = (typeof REASON_CODES)[number]

const path_text = () =>
  z.string().check(z.minLength(1, '請填欄位名稱'), z.maxLength(100, '欄位名稱太長'), seen())
const source = () => z.union([path_text(), z.object({ const: z.string().check(z.maxLength(200), seen()) })])

export const mapping = z.object({
  fields: z.object({
    symbol: z.optional(source()),
    action: z.optional(source()),
    quantity: z.optional(source()),
    price: z.optional(source()),
    time: z.optional(source()),
    position: z.optional(source()),
    id: z.optional(source()),
    note: z.optional(source()),
  }),
  words: z._default(z.record(z.string().check(z.maxLength(60), seen()), z.enum(ACTIONS)), {}),
  /** The sender's own unit words; '' stands for numbers without one. */
  units: z._default(z.record(z.string().check(z.maxLength(20), seen()), z.enum(UNITS)), {}),
  /** Fields that mean nothing here, by path. */
  ignore: z._default(z.array(path_text()).check(z.maxLength(60, '最多忽略 60 個欄位')), []),
  id_is_unique: z._default(z.boolean(), false),
  /** 只收這種格式: a mapped field that is absent is refused instead of read automatically. */
  strict: z._default(z.boolean(), false),
  /** Where the sender counts its messages. */
  sequence: z.optional(path_text()),
})
export type Mapping = z.infer<typeof mapping>

const counts = z.object({
  accepted: z.number(),
  late: z.number(),
  duplicate: z.number(),
  ignored: z.number(),
  /** Of no confirmed format: they wait until somebody says how they are read. */
  held: z.number(),
  rejected: z.number(),
  /** Of those rejected, the ones about another product (商品不符). */
  mismatch: z.number(),
})

export const webhook = z.object({
  id: id(),
  strategy_id: id(),
  name: z.string(),
  url: z.nullable(z.string()),
  format: z.enum(FORMATS),
  mapping: z.nullable(mapping),
  enabled: z.boolean(),
  has_secret: z.boolean(),
  ip_allow: z.array(z.string()),
  unparsed_rule: z.nullable(z.object({ action: z.enum(['entry', 'exit']), symbol: z.string() })),
  old_url_until: z.nullable(at()),
  counts_24h: counts,
  counts,
  last_accepted_at: z.nullable(at()),
  last_rejected_at: z.nullable(at()),
  last_duplicate_at: z.nullable(at()),
  /** Anything of its sender, a bridge's PING or a refused message too. */
  last_heard_at: z.nullable(at()),
  health: z.enum(['never', 'ok', 'quiet', 'failing']),
  /** What its mapping calls `sequence` is no count of its messages: missing ones are told no more (trading/sequence.ts). */
  no_count: z.optional(z.literal(true)),
  created_at: at(),
  updated_at: at(),
})
export type Webhook = z.infer<typeof webhook>

export const delivery = z.object({
  id: id(),
  webhook_id: id(),
  received_at: at(),
  source_ip: z.string(),
  content_type: z.string(),
  size: z.number(),
  body: z.nullable(z.string()),
  body_encoding: z.enum(['utf-8', 'base64']),
  /** Only the beginning is kept of what nobody could read: it cannot be read again. */
  body_cut: z.boolean(),
  outcome: z.enum(OUTCOMES),
  http_status: z.number(),
  reason_code: z.nullable(z.enum(REASON_CODES)),
  reason: z.nullable(z.string()),
  field: z.nullable(z.string()),
  duplicate_of: z.nullable(id()),
  signal_id: z.nullable(id()),
  /** The format that read it (`builtin:…` of ours), or that waits to be confirmed; null = none, or a rule. */
  format_id: z.nullable(z.string()),
  normal: z.nullable(normal_signal),
  duration_ms: z.number(),
  test: z.boolean(),
  replayed_at: z.nullable(at()),
})
export type Delivery = z.infer<typeof delivery>
