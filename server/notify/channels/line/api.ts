// Calls to LINE, through the one door for outgoing calls. What gives no answer throws: nobody guesses what it would have been.
import { ApiError } from '#contract/errors.ts'
import type { App } from '../../../context.ts'
import type { Db } from '../../../db/schema.ts'
import type { OutgoingAnswer } from '../../../outgoing/answer.ts'
import { keepFact, readFact } from '../../facts.ts'

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
    await keepFact(app.db, 'line', idFact(app), id)
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
