// What LINE's answer means for a message. A message it has already taken (409) went: the retry key makes a second try safe.
import type { OutgoingAnswer } from '../../../outgoing/answer.ts'
import type { SendResult } from '../../channel.ts'

export const USED_UP = '這台伺服器本月的 LINE 免費訊息已經用完，下個月恢復，這個月請用其他通道'
export const OWN_USED_UP =
  '你本月的 LINE 訊息先用完了，剩下的留給這台伺服器的其他人，之後每天會放出一些；這之前請用其他通道'
/** Wrong token: the operator's matter, so that nothing is lost meanwhile. */
const OURS_AGAIN_MS = 60_000

export const isUsedUp = ({ status, body }: OutgoingAnswer): boolean =>
  status === 429 && /monthly limit/i.test(body)

export function resultOf(answer: OutgoingAnswer): SendResult {
  const { status, body, headers } = answer
  if ((status >= 200 && status < 300) || status === 409) return { kind: 'sent' }
  if (isUsedUp(answer)) return { kind: 'refused', reason: USED_UP, ours: true }
  if (status === 429) {
    const seconds = Number(headers['retry-after'])
    const after_ms = Number.isFinite(seconds) && seconds > 0 ? { after_ms: seconds * 1_000 } : {}
    return { kind: 'again', reason: 'LINE 要求稍後再送', all: true, ...after_ms }
  }
  if (status >= 500) return { kind: 'again', reason: `LINE 暫時無法服務（${status}）` }
  if (status === 401 || status === 403)
    return { kind: 'again', reason: '這台伺服器的 LINE 存取令牌無效', after_ms: OURS_AGAIN_MS, all: true }
  if (status === 400 && /failed to send messages|property, 'to'/i.test(body))
    return { kind: 'lost', state: 'gone', reason: '找不到這個 LINE 使用者，請重新綁定' }
  return { kind: 'refused', reason: `LINE 不接受這則訊息（${status}）` }
}
