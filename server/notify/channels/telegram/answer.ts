// What Telegram's answer means for a message (reliability F23). Without an answer nobody knows whether it came: it may come twice.
import { GrammyError } from 'grammy'
import type { SendResult } from '../../channel.ts'

/** A chat that became a larger one has a new id. */
export interface ChatMoved {
  readonly kind: 'migrated'
  readonly chat: string
}

const LOST: readonly [RegExp, 'blocked' | 'gone' | 'failing', string][] = [
  [/user is deactivated/i, 'gone', '這個 Telegram 帳號已停用'],
  [/blocked by the user/i, 'blocked', '你在 Telegram 封鎖了機器人，請解除封鎖後重新綁定'],
  [/bot was kicked|bot is not a member/i, 'blocked', '機器人被移出群組，請重新加入'],
  [/can't initiate conversation/i, 'blocked', '請先在 Telegram 向機器人按「開始」'],
  [
    /chat not found|PEER_ID_INVALID|group chat was deactivated/i,
    'gone',
    '找不到這個 Telegram 聊天，請重新綁定',
  ],
  [/TOPIC_CLOSED/i, 'failing', '這個 Telegram 主題已關閉：請在群組重新開啟它，或在另一個主題重新綁定'],
  [
    /TOPIC_DELETED|message thread not found/i,
    'failing',
    '這個 Telegram 主題已經不在了：請在要收訊號的主題重新綁定',
  ],
  [/not enough rights|CHAT_WRITE_FORBIDDEN|have no rights/i, 'failing', '機器人在這個群組沒有發言的權限'],
]
/** Wrong token, or the bot is gone: the operator's matter, so that nothing is lost meanwhile. */
const OURS_AGAIN_MS = 60_000

export function resultOf(error: unknown): Exclude<SendResult, { kind: 'moved' | 'sent' }> | ChatMoved {
  if (!(error instanceof GrammyError))
    return { kind: 'again', reason: 'Telegram 沒有回應（訊息可能已經送到）' }
  const { error_code, description, parameters = {} } = error
  const { retry_after, migrate_to_chat_id } = parameters
  if (migrate_to_chat_id !== undefined) return { kind: 'migrated', chat: String(migrate_to_chat_id) }
  if (error_code === 429)
    return {
      kind: 'again',
      reason: 'Telegram 要求稍後再送',
      ...(retry_after !== undefined && { after_ms: retry_after * 1_000 }),
    }
  if (error_code >= 500) return { kind: 'again', reason: `Telegram 暫時無法服務（${error_code}）` }
  if (error_code === 401 || error_code === 404)
    return { kind: 'again', reason: '這台伺服器的 Telegram Bot 令牌無效', after_ms: OURS_AGAIN_MS, all: true }
  for (const [words, state, reason] of LOST)
    if (words.test(description)) return { kind: 'lost', state, reason }
  // Only the number: what stands in its words nobody knows.
  if (error_code === 403)
    return { kind: 'lost', state: 'blocked', reason: 'Telegram 拒絕送到這個聊天（403）' }
  return { kind: 'refused', reason: `Telegram 不接受這則訊息（${error_code}）` }
}

/** Telegram's own sentences, like “Bad Request: chat not found”. Anything else may repeat what was sent, token and all. */
const SENTENCE = /^[A-Za-z ,.:'_-]{1,100}\d{0,5}$/

/** What went wrong, for the log. The errors of the library hold the address of the call, and so the token. */
export function reasonOf(error: unknown): string {
  const { description, error_code, name, message, error: inner } = error as Record<string, unknown>
  if (typeof description === 'string') return SENTENCE.test(description) ? description : `says ${error_code}`
  const code = (inner as { code?: unknown } | undefined)?.code
  if (name === 'HttpError') return `no answer${typeof code === 'string' ? ` (${code})` : ''}`
  return String(message)
}
