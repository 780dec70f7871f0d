// POST /hooks/{token}: reads at most 64 KB whatever the headers say, and hands the bytes to the intake.
import { performance } from 'node:perf_hooks'
import { Hono } from 'hono'
import { HOOK_BODY_BYTES } from '#contract/limits.ts'
import type { App } from '../context.ts'
import { clientAddress } from '../http/address.ts'
import { hashToken } from '../webhook/tokens.ts'
import { Buckets } from './bucket.ts'
import { type HookReply, turnAway } from './request.ts'

/** Longer than any token ever made is no token: nothing to look up. */
const TOKEN_MOST = 64

/** The webhook door, mounted outside /api/v1 and before every other middleware. */
export function hookRoutes(app: App): Hono {
  const { hook_rate_per_minute, hook_burst } = app.config
  const tokens = new Buckets(hook_rate_per_minute, hook_burst)
  const strangers = new Buckets(60, 120)
  const router = new Hono()
  router.post('/:token', async (c) => {
    const started = performance.now()
    const received_ms = app.now()
    const token = c.req.param('token')
    const ip = clientAddress(app.config, c)
    const token_hash = hashToken(token.slice(0, TOKEN_MOST + 1))
    const wait = tokens.take(token_hash, received_ms)
    if (wait > 0) return send(turnAway(429, wait))
    const read = await readBody(c.req.raw, HOOK_BODY_BYTES)
    if (read === null) return send(turnAway(503, 1))
    const reply = await app.intake.receive({
      token_hash,
      ip,
      content_type: (c.req.header('content-type') ?? '').slice(0, 200),
      size: read.size,
      body: read.body,
      received_ms,
      started,
    })
    if (reply.status === 404) {
      const stranger_wait = strangers.take(ip, received_ms)
      if (stranger_wait > 0) return send(turnAway(429, stranger_wait))
    }
    return send(reply)
  })
  router.all('*', () => send({ ...turnAway(404), status: 404 }))
  return router
}

function send(reply: HookReply): Response {
  const headers: Record<string, string> = {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  }
  if (reply.retry_after_s !== undefined) headers['retry-after'] = String(reply.retry_after_s)
  return new Response(JSON.stringify(reply.answer), { status: reply.status, headers })
}

/** The body up to the limit; `body: null` when longer (the rest is not read). Null when the sender went away. */
async function readBody(
  request: Request,
  most: number,
): Promise<{ size: number; body: Uint8Array | null } | null> {
  const announced = Number(request.headers.get('content-length') ?? Number.NaN)
  if (announced > most) {
    await request.body?.cancel()
    return { size: announced, body: null }
  }
  if (!request.body) return { size: 0, body: new Uint8Array(0) }
  if (Number.isFinite(announced)) {
    try {
      const body = new Uint8Array(await request.arrayBuffer())
      return body.byteLength > most ? { size: body.byteLength, body: null } : { size: body.byteLength, body }
    } catch {
      // The sender hung up in the middle: nobody is left to answer.
      return null
    }
  }
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength
      if (size > most) return { size, body: null }
      chunks.push(chunk)
    }
  } catch {
    // As above.
    return null
  }
  return { size, body: Buffer.concat(chunks) }
}
