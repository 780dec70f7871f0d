// One request to a webhook as it came off the wire, and what it is answered.
import type { HookAnswer, Outcome, ReasonCode } from '#contract/webhook.ts'

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
