// One request to a webhook as it came off the wire, and what it is answered.

import { sql } from 'kysely'
import type { Delivery, HookAnswer, Outcome, ReasonCode, Webhook } from '#contract/webhook.ts'
import { isNoCount, type Sequence } from '#trading/sender-count.ts'
import type { App } from '../context.ts'
import type { Db, DeliveryRow, WebhookRow } from '../db/schema.ts'
import { storedMapping } from './judge.ts'

export interface HookRequest {
  /** SHA-256 of the token in the URL; the token itself goes no further than the route. */
  readonly token_hash: string
  readonly ip: string
  readonly content_type: string
  readonly content_encoding: string
  /** Bytes as announced or read. */
  readonly size: number
  /** null when larger than the limit: only its size is kept. */
  readonly body: Uint8Array | null
  readonly received_ms: number
  /** performance.now() at arrival, for duration_ms. */
  readonly started: number
}

export interface HookReply {
  status: number
  answer: HookAnswer
  retry_after_s?: number
}

export const STATUS_OF: Record<ReasonCode, number> = {
  empty: 422,
  too_large: 413,
  bad_encoding: 422,
  unreadable: 422,
  unresolved_placeholder: 422,
  missing_field: 422,
  unknown_action: 422,
  unknown_symbol: 422,
  symbol_mismatch: 422,
  bad_quantity: 422,
  bad_price: 422,
  bad_time: 422,
  bad_secret: 401,
  ip_not_allowed: 401,
  rule_ignored: 200,
  heartbeat: 200,
  disabled: 410,
  archived: 410,
  unknown_field: 422,
  contradiction: 422,
  several_orders: 422,
  duplicate_key: 422,
  bad_unit: 422,
  not_a_trade: 422,
  contract_ended: 422,
  test: 200,
  unconfirmed_format: 202,
}

/** The flat answer of POST /hooks/{token} (ruling C13). */
export function answer(
  outcome: Outcome,
  delivery_id: string | null,
  more: Partial<Omit<HookAnswer, 'status' | 'outcome' | 'delivery_id'>> = {},
): HookAnswer {
  return {
    status: outcome === 'late' ? 'accepted' : outcome,
    outcome,
    delivery_id,
    signal_id: more.signal_id ?? null,
    duplicate_of: more.duplicate_of ?? null,
    format_id: more.format_id ?? null,
    reason_code: more.reason_code ?? null,
    reason: more.reason ?? null,
    flags: more.flags ?? [],
  }
}

/** Not stored, so without a delivery: unknown token, no message, too many, or no room (507: on the disk; answered 503). */
export function turnAway(status: 404 | 405 | 410 | 429 | 503 | 507, retry_after_s?: number): HookReply {
  const reason = {
    405: '請用 POST 送出訊息',
    404: '沒有這個網址，請到策略的設定頁重新複製',
    410: '這個網址已經換過，請到策略的設定頁複製新的網址',
    429: '訊息太頻繁，請稍後再送',
    503: '伺服器暫時無法儲存，請稍後重送',
    507: '伺服器的磁碟已滿，暫時無法儲存，請稍後重送',
  }[status]
  return {
    status: status === 507 ? 503 : status,
    answer: answer('rejected', null, { reason }),
    ...(retry_after_s !== undefined && { retry_after_s }),
  }
}

// Webhooks and deliveries as they travel; every caller here may edit the strategy (wire §5).

const DAY_MS = 86_400_000
/** A webhook that accepted nothing for so long is quiet, as a strategy is silent (domain §7.1). */
const QUIET_MS = 14 * DAY_MS

type Counts = Webhook['counts']

/** Webhooks with URL, health and the counts of the last 24 hours; one query however many there are. */
export async function presentWebhooks(
  app: Pick<App, 'config' | 'keys' | 'now'>,
  db: Db,
  rows: readonly WebhookRow[],
): Promise<Webhook[]> {
  const recent = await countsSince(db, rows, new Date(app.now() - DAY_MS).toISOString())
  return rows.map((row) => ({
    id: row.id,
    strategy_id: row.strategy_id,
    name: row.name,
    url: `${app.config.public_url}/hooks/${app.keys.unseal(row.token_cipher)}`,
    format: row.format as Webhook['format'],
    mapping: storedMapping(row.mapping),
    enabled: row.enabled === 1,
    has_secret: row.secret_hash !== null,
    ip_allow: JSON.parse(row.ip_allow) as string[],
    unparsed_rule:
      row.unparsed_rule === null ? null : (JSON.parse(row.unparsed_rule) as Webhook['unparsed_rule']),
    old_url_until:
      row.old_url_until !== null && Date.parse(row.old_url_until) > app.now() ? row.old_url_until : null,
    counts_24h: recent.get(row.id) ?? zero(),
    counts: {
      accepted: row.accepted,
      late: row.late,
      duplicate: row.duplicate,
      ignored: row.ignored,
      held: row.held,
      rejected: row.rejected,
      mismatch: row.mismatch,
    },
    last_accepted_at: row.last_accepted_at,
    last_rejected_at: row.last_rejected_at,
    last_duplicate_at: row.last_duplicate_at,
    last_heard_at: row.last_heard_at,
    health: healthOf(row, app.now()),
    ...(row.sequence !== null &&
      isNoCount(JSON.parse(row.sequence) as Sequence) && { no_count: true as const }),
    created_at: row.created_at,
    updated_at: row.updated_at,
  }))
}

/** A delivery as its editors see it. */
export function presentDelivery(row: DeliveryRow): Delivery {
  return withNormal(row, row.normal === null ? null : (JSON.parse(row.normal) as Delivery['normal']))
}

/** The same for a row just made, whose normal form need not be read from its own text. */
export function withNormal(row: DeliveryRow, normal: Delivery['normal']): Delivery {
  return {
    id: row.id,
    webhook_id: row.webhook_id,
    received_at: row.received_at,
    source_ip: row.source_ip,
    content_type: row.content_type,
    size: row.size,
    body: row.body,
    body_encoding: row.body_encoding,
    body_cut: row.body_cut === 1,
    outcome: row.outcome as Outcome,
    http_status: row.http_status,
    reason_code: row.reason_code as Delivery['reason_code'],
    reason: row.reason,
    field: row.field,
    duplicate_of: row.duplicate_of,
    signal_id: row.signal_id,
    format_id: row.format_id,
    normal,
    duration_ms: row.duration_ms,
    test: row.test === 1,
    replayed_at: row.replayed_at,
  }
}

/** never: nothing came; failing: the last thing that came was refused; quiet: nothing taken for 14 days. */
function healthOf(row: WebhookRow, now_ms: number): Webhook['health'] {
  const { last_accepted_at: accepted, last_rejected_at: rejected } = row
  if (accepted === null && rejected === null) return 'never'
  if (accepted === null || (rejected !== null && rejected > accepted)) return 'failing'
  return Date.parse(accepted) < now_ms - QUIET_MS ? 'quiet' : 'ok'
}

/** Refused because it is about another product: counted beside the refused ones. */
export function isMismatch(row: Pick<DeliveryRow, 'outcome' | 'reason_code'>): boolean {
  return row.outcome === 'rejected' && row.reason_code === 'symbol_mismatch'
}

const zero = (): Counts => ({
  ...{ accepted: 0, late: 0, duplicate: 0, ignored: 0, held: 0 },
  ...{ rejected: 0, mismatch: 0 },
})

async function countsSince(db: Db, rows: readonly WebhookRow[], since: string): Promise<Map<string, Counts>> {
  const counts = new Map<string, Counts>()
  if (rows.length === 0) return counts
  const found = await db
    .selectFrom('deliveries')
    .select((eb) => [
      'webhook_id',
      'outcome',
      eb.fn.countAll().as('count'),
      sql<number>`sum(case when reason_code = 'symbol_mismatch' then 1 else 0 end)`.as('mismatch'),
    ])
    .where(
      'webhook_id',
      'in',
      rows.map((row) => row.id),
    )
    .where('received_at', '>=', since)
    .where('test', '=', 0)
    .where((eb) => eb.or([eb('reason_code', 'is', null), eb('reason_code', '<>', 'heartbeat')]))
    .groupBy(['webhook_id', 'outcome'])
    .execute()
  for (const { webhook_id, outcome, count, mismatch } of found) {
    const of = counts.get(webhook_id) ?? zero()
    of[outcome as Outcome] = Number(count)
    if (outcome === 'rejected') of.mismatch = Number(mismatch)
    counts.set(webhook_id, of)
  }
  return counts
}
