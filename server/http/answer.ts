// Turns results and failures into answers: the envelope, its status, its headers.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { refuse } from '#contract/endpoint.ts'
import { ApiError } from '#contract/errors.ts'
import type { App } from '../context.ts'
import { isFull, isStorage, ReaderGone } from '../db/condition.ts'

const compress = promisify(gzip)
const FULL = '伺服器的磁碟已滿，暫時無法儲存，請稍後再試'
const UNREAD = '伺服器暫時讀不到資料，請稍後再試'
/** Below this a compressed answer saves no packet. */
const COMPRESS_FROM = 1_400

/** An answer's status and its envelope as text. */
export interface ApiAnswer {
  readonly status: number
  readonly body: string
  readonly retry_after_s?: number
  /** Where the reader's stream stood before this was read. */
  readonly cursor?: string
}

export function refusal(error: ApiError): ApiAnswer {
  const { retry_after_s } = error.details
  return {
    status: error.status,
    body: JSON.stringify(refuse(error)),
    ...(retry_after_s !== undefined && { retry_after_s }),
  }
}

/** Any failure as an ApiError: what is not ours becomes 5030 (storage) or 5000 with an id that stands in the log. */
export function failure(app: Pick<App, 'log'>, error: unknown, where: string): ApiError {
  if (error instanceof ApiError) return error
  if (isStorage(error)) {
    app.log.error({ err: error, where }, 'cannot store')
    const text = isFull(error) ? FULL : error instanceof ReaderGone ? UNREAD : null
    return new ApiError(5030, { retry_after_s: 2, ...(text !== null && { text }) })
  }
  const id = randomUUID()
  app.log.error({ err: error, where, id }, 'fault')
  return new ApiError(5000, { msg: `internal fault ${id}` })
}

/** The HTTP response of an answer. */
export async function respond(answer: ApiAnswer, accept_encoding: string | undefined): Promise<Response> {
  const headers: Record<string, string> = {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    vary: 'accept-encoding',
  }
  if (answer.retry_after_s !== undefined) headers['retry-after'] = String(answer.retry_after_s)
  if (answer.cursor !== undefined) headers['lb-cursor'] = answer.cursor
  // The rest of the body is still on its way and of no use, and so is the connection (sockets.ts closes it).
  if (answer.status === 413) headers['connection'] = 'close'
  if (answer.status === 401) headers['www-authenticate'] = 'Bearer'
  if (answer.body.length < COMPRESS_FROM || !/\bgzip\b/.test(accept_encoding ?? ''))
    return new Response(answer.body, { status: answer.status, headers })
  headers['content-encoding'] = 'gzip'
  return new Response(new Uint8Array(await compress(answer.body, { level: 4 })), {
    status: answer.status,
    headers,
  })
}

// The Host header: exactly one, so that nobody in between reads another than we do; senders of HTTP/1.0 may have none.

const TWO = '請求有兩個 Host 標頭，請只送一個'
const NONE = '請求沒有 Host 標頭'

/** Whether the request names its host once; one of HTTP/1.0 without any gets `fallback`. */
export function hasOneHost(incoming: IncomingMessage, fallback: string): boolean {
  const { rawHeaders, headers } = incoming
  if (headers.host === undefined) {
    if (incoming.httpVersion === '1.1') return false
    headers.host = fallback
  }
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts < 2
}

/** Refuses it, flat at the webhooks as everything there, and ends the connection. */
export function refuseHosts(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const flat = {
    status: 'rejected',
    outcome: 'rejected',
    delivery_id: null,
    signal_id: null,
    duplicate_of: null,
  }
  const text = incoming.headers.host === undefined ? NONE : TWO
  const body = incoming.url?.startsWith('/hooks/')
    ? JSON.stringify({ ...flat, reason_code: null, reason: text, flags: [] })
    : refusal(new ApiError(4000, { text })).body
  outgoing.writeHead(400, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  })
  outgoing.end(body)
}
