// Deliveries read again, many at once: first what would change, then what was made; each keeps at most one standing signal
// (ruling C41).

import * as z from 'zod/mini'
import { FORMATS } from '#trading/reader/shape.ts'
import { endpoint } from './endpoint.ts'
import { at, id, query_int } from './fields.ts'
import { REPLAY_MOST } from './limits.ts'
import { trial } from './mapping.ts'
import { mapping, OUTCOMES, REASON_CODES } from './webhook.ts'

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
