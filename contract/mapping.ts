// A mapping learned from one message: proposed, tried on that message, and what it would change before it is saved (wire §5).

import * as z from 'zod/mini'
import { FORMATS, MAPPING_FIELDS, READ_AS } from '#trading/reader/shape.ts'
import { ACTIONS, FLAGS, UNITS } from '#trading/record.ts'
import { endpoint } from './endpoint.ts'
import { at, id } from './fields.ts'
import { HOOK_BODY_BYTES } from './limits.ts'
import { normal_signal } from './signal-shape.ts'
import { mapping, OUTCOMES, REASON_CODES } from './webhook.ts'

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
