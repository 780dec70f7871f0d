// Calls to LINE, through the one way for outgoing calls, and what its answers mean. What gives no answer throws: nobody guesses what
// it would have been.
import { ApiError } from '#contract/errors.ts'
import type { App } from '../../../context.ts'
import type { Db } from '../../../db/schema.ts'
import type { OutgoingAnswer } from '../../../outgoing.ts'
import type { SendResult } from '../../channel.ts'
import { readFact, storeFact } from '../../channel-facts.ts'

const CALL_MS = 10_000

type Ground = Pick<App, 'config' | 'outgoing'>

/** Whether this server has an official account. */
export const hasLine = ({ config }: Pick<App, 'config'>): boolean =>
  config.line_channel_token !== null && config.line_channel_secret !== null

export function callLine(
  { config, outgoing }: Ground,
  path: string,
  more: { body?: object; headers?: Record<string, string>; signal?: AbortSignal } = {},
): Promise<OutgoingAnswer> {
  return outgoing.send({
    url: `${config.line_api_root}/v2/bot/${path}`,
    method: more.body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${config.line_channel_token}`,
      ...(more.body && { 'content-type': 'application/json' }),
      ...more.headers,
    },
    ...(more.body && { body: JSON.stringify(more.body) }),
    ...(more.signal && { signal: more.signal }),
    timeout_ms: CALL_MS,
  })
}

/** What a question was answered with; throws on anything but 200 with an object. */
export async function askLine(app: Ground, path: string): Promise<Readonly<Record<string, unknown>>> {
  const { status, body } = await callLine(app, path)
  if (status !== 200) throw new Error(`LINE answers ${status} to ${path}`)
  return JSON.parse(body) as Record<string, unknown>
}

/** 6020 where the server has no account. */
export function requireLine(app: Pick<App, 'config'>): void {
  if (!hasLine(app)) throw new ApiError(6020, { text: '此伺服器未設定 LINE 官方帳號' })
}

/** The name in links to the account (`@lingbo`), asked once of each token. ApiError 5030 while LINE cannot be reached. */
export async function basicId(app: App): Promise<string> {
  const kept = await knownId(app, app.db)
  if (kept !== null) return kept
  try {
    const { basicId: id } = await askLine(app, 'info')
    if (typeof id !== 'string') throw new Error('LINE says no basic id')
    await storeFact(app.db, 'line', idFact(app), id)
    return id
  } catch (error) {
    app.log.warn({ err: error }, 'line: cannot ask for the name of the account')
    throw new ApiError(5030, { text: '現在連不到 LINE，請稍後再試', retry_after_s: 10 })
  }
}

/** The same when it was ever asked, else null. */
export function knownId(app: Pick<App, 'config' | 'keys'>, db: Db): Promise<string | null> {
  return readFact(db, 'line', idFact(app))
}

/** Another token is another account. */
function idFact({ config, keys }: Pick<App, 'config' | 'keys'>): string {
  return `name ${keys.mark(`line ${config.line_channel_token}`).slice(0, 16)}`
}

// What LINE's answer means for a message. A message it has already taken (409) went: the retry key makes a second try safe.

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
