// A stored delivery read again: whether it may be at all, and what the intake says of it now.
import { ApiError } from '#contract/errors.ts'
import { reasonsAt } from '#contract/webhook.ts'
import type { DeliveryRow, StrategyRow, WebhookRow } from '../db/schema.ts'
import { openText } from './body.ts'
import { judge, payloadStrategy, type Verdict, type WebhookSource } from './judge.ts'
import { STATUS_OF } from './request.ts'

/** What was refused at the door never becomes a signal by being read again: who sent it is not known. */
const AT_THE_DOOR = reasonsAt('sender', 'opening', 'twice')
/** Refused before anybody asked who sent it; the secret it may have had is not kept. */
const BEFORE_THE_DOOR = reasonsAt('closed')

/** Rules look at what comes, once (docs/decisions/stock-strategies.md). */
const BY_RULE = reasonsAt('ruled')

/** What a message is read by: the webhook's settings as given, its strategy, the market's closed days. */
export interface ReadingGround {
  webhook: WebhookRow
  strategy: StrategyRow
  closed_days: ReadonlySet<string>
  /** As of a source (judge.ts). */
  formats: WebhookSource['formats']
  taken_before?: WebhookSource['taken_before']
}

/** Why this delivery of the webhook cannot be read again, or null. */
export function hindrance(delivery: DeliveryRow, webhook: WebhookRow): string | null {
  const { test, body, body_cut, reason, reason_code } = delivery
  if (test === 1) return '送出測試，不計入紀錄'
  if (BY_RULE.has(reason_code))
    return `${reason ?? '依規則忽略'}；規則只看新進來的訊息，這則不能重新解析，需要時請用手動訊號補上`
  if (reason_code !== null && AT_THE_DOOR.has(reason_code))
    return `這則訊息不能重新解析：${reason ?? '來源未通過驗證'}`
  if (webhook.secret_hash !== null && BEFORE_THE_DOOR.has(reason_code))
    return '這則在關閉時收到，沒有驗證密語，不能重新解析：請從來源重送'
  if (body_cut === 1) return '這則訊息太長又無法解析，只保留了開頭，不能重新解析：請從來源重送'
  return body === null ? '沒有保留內容，不能重新解析' : null
}

/** 4221 for a strategy that takes no signals. */
export function refuseArchived(row: StrategyRow): void {
  if (row.deleted_at !== null || row.status === 'archived')
    throw new ApiError(4221, { text: '策略已封存，請先恢復策略再試' })
}

/** The verdict of a stored delivery under the webhook's settings as given. */
export function judgeAgain(ground: ReadingGround, delivery: DeliveryRow): Verdict {
  const { body, source_ip, received_at, reason_code } = delivery
  const unasked = reason_code !== null && BEFORE_THE_DOOR.has(reason_code)
  const verdict = unasked
    ? judgeAs(ground, body ?? '', source_ip, received_at)
    : judgeText(ground, body ?? '', source_ip, received_at)
  // Rules look at what comes, once: a size that one gave stays, whatever they say by now (docs/decisions/stock-strategies.md).
  if (delivery.ruled_quantity !== null && verdict.signal?.quantity != null)
    verdict.signal = { ...verdict.signal, quantity: delivery.ruled_quantity }
  return verdict
}

/** The intake's own verdict of a text, the door's checks left out: whoever asks may edit the strategy. */
export function judgeText(ground: ReadingGround, body: string, ip: string, received_at: string): Verdict {
  const webhook = { ...ground.webhook, ip_allow: '[]', secret_hash: null }
  return judgeAs({ ...ground, webhook }, body, ip, received_at)
}

function judgeAs(
  { webhook, strategy, ...readBy }: ReadingGround,
  body: string,
  ip: string,
  at: string,
): Verdict {
  const source = { ...readBy, webhook, strategy: payloadStrategy(strategy), closed: null }
  return judge(source, openText(body, ''), ip, at)
}

/** What of a delivery's row follows from its verdict. */
export function columnsOf(verdict: Verdict) {
  return {
    outcome: verdict.outcome as string,
    http_status: verdict.reason_code === null ? 200 : STATUS_OF[verdict.reason_code],
    reason_code: verdict.reason_code as string | null,
    // They quote the message; no text column of PostgreSQL takes a NUL.
    reason: verdict.reason?.replaceAll('\0', '␀') ?? null,
    field: verdict.field?.replaceAll('\0', '␀') ?? null,
    dedupe_key: verdict.dedupe_key,
    normal: verdict.normal === null ? null : JSON.stringify(verdict.normal),
    format_id: verdict.format_id,
  } satisfies Partial<DeliveryRow>
}
