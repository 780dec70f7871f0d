// POST /hooks/{token} through the router: reads at most 64 KB whatever the headers say, and hands the bytes to the intake.
import { type Context, Hono } from 'hono'
import { HOOK_BODY_BYTES } from '#contract/limits.ts'
import type { App } from '../context.ts'
import { clientAddress } from '../http/address.ts'
import { type HookReply, turnAway } from './request.ts'
import { HOOK_HEADERS, type WebhookEndpoint } from './webhook-endpoint.ts'

/** The webhook door, mounted outside /api/v1 and before every other middleware. */
export function hookRoutes(app: App, hooks: WebhookEndpoint): Hono {
  const router = new Hono()
  const take = async (c: Context) => {
    const ip = clientAddress(app.config, c)
    const token = c.req.param('token') ?? ''
    if (c.req.method !== 'POST') return send(await hooks.otherMethod(token, ip, c.req.method))
    const said = {
      'content-type': c.req.header('content-type'),
      'content-encoding': c.req.header('content-encoding'),
    }
    const admitted = hooks.admit(token, ip, said)
    if ('status' in admitted) return send(admitted)
    const read = await readBody(c.req.raw, HOOK_BODY_BYTES)
    return send(read === null ? turnAway(503, 1) : await hooks.enter({ ...admitted, ...read }))
  }
  router.all('/:token', take)
  router.all('/:token/', take)
  router.all('*', () => send(turnAway(404)))
  return router
}

function send(reply: HookReply): Response {
  const headers: Record<string, string> = { ...HOOK_HEADERS }
  if (reply.retry_after_s !== undefined) headers['retry-after'] = String(reply.retry_after_s)
  // What is left of a body that is too long is of no use: no other request may follow on this connection (http/sockets.ts closes it).
  if (reply.status === 413) headers['connection'] = 'close'
  if (reply.status === 405 || reply.status === 204) headers['allow'] = 'POST'
  const body = reply.status === 204 ? null : JSON.stringify(reply.answer)
  return new Response(body, { status: reply.status, headers })
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
