// What the answer of a push service means for a delivery (RFC 8030; fault F25).
import type { OutgoingError } from '../../../outgoing/failure.ts'
import type { SendResult } from '../../channel.ts'

/** Nobody waits longer for a service that says "later". */
const LATEST_MS = 3_600_000

/** 413 is not here: the sender tries a shorter form first. */
export function resultOf(status: number, retry_after: string | undefined, now: number): SendResult {
  if (status >= 200 && status < 300) return { kind: 'sent' }
  if (status === 404 || status === 410)
    return { kind: 'lost', state: 'gone', reason: '這台裝置的推播訂閱已失效，請在那台裝置上重新開啟推播' }
  const after_ms = waitOf(retry_after, now)
  const later = (reason: string): SendResult => ({
    kind: 'again',
    reason,
    ...(after_ms !== null && { after_ms }),
  })
  if (status === 429) return later('推播服務要我們慢一點，稍後再試')
  if (status >= 500) return later(`推播服務暫時無法使用（${status}），稍後再試`)
  // A clock that runs wrong is refused like a wrong key: neither is the device's fault.
  if (status === 401 || status === 403)
    return later(`推播服務不接受這台伺服器的簽章（${status}）。請檢查伺服器的時間與推播金鑰`)
  if (status === 413) return { kind: 'refused', reason: '推播服務說內容太長（413）', ours: true }
  return { kind: 'refused', reason: `推播服務拒絕了這則推播（${status}）` }
}

/** No answer came. */
export function resultOfFailure({ reason, may_work_later, problem }: OutgoingError): SendResult {
  if (may_work_later || problem === 'certificate') return { kind: 'again', reason: `推播服務：${reason}` }
  return { kind: 'lost', state: 'failing', reason: `推播服務：${reason}` }
}

/** Retry-After, in seconds or as a date; null when there is none that makes sense. */
function waitOf(said: string | undefined, now: number): number | null {
  if (said === undefined) return null
  const ms = /^\d+$/.test(said) ? Number(said) * 1_000 : Date.parse(said) - now
  return Number.isFinite(ms) && ms >= 0 ? Math.min(ms, LATEST_MS) : null
}
