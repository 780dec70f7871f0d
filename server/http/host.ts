// The Host header: exactly one, so that nobody in between reads another than we do; senders of HTTP/1.0 may have none.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { ApiError } from '#contract/errors.ts'
import { refusal } from './answer.ts'

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
