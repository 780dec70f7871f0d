// Where messages arrive: who is admitted, how often, and how an answer is written; once for the router, once for Node's own
// sockets, where a plain post goes past router, Request and streams: they cost more than storing the signal.
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { performance } from 'node:perf_hooks'
import { HOOK_BODY_BYTES } from '#contract/limits.ts'
import type { App } from '../context.ts'
import { addressOf } from '../http/address.ts'
import { hashToken } from '../ids.ts'
import { senders } from '../limits/network.ts'
import { TokenBuckets } from '../limits/rate.ts'
import { type HookReply, type HookRequest, turnAway } from './request.ts'
import { isForgotten } from './sources.ts'

/** Longer than any token ever made is no token: nothing to look up. */
const TOKEN_MOST = 64
const PLAIN_PATH = /^\/hooks\/([\w-]{1,64})\/?$/
const PLAIN_HOST = /^[\w.-]+(?::\d+)?$/
const PLAIN_LENGTH = /^\d{1,8}$/

export const HOOK_HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const

/** A request whose token was let in; its body is still to be read. */
type Admitted = Omit<HookRequest, 'size' | 'body'>

/** What a sender says of its body. */
type BodyHeaders = Pick<IncomingHttpHeaders, 'content-type' | 'content-encoding'>

export class WebhookEndpoint {
  readonly #app: App
  readonly #tokens: TokenBuckets
  readonly #strangers = new TokenBuckets(60, 120)

  constructor(app: App) {
    this.#app = app
    this.#tokens = new TokenBuckets(app.config.hook_rate_per_minute, app.config.hook_burst)
  }

  /** Counts the request at its token: what to hand on, or the answer when it comes too often. */
  admit(token: string, ip: string, said: BodyHeaders): Admitted | HookReply {
    const received_ms = this.#app.now()
    const started = performance.now()
    const token_hash = hashToken(token.slice(0, TOKEN_MOST + 1))
    const wait = this.#tokens.take(token_hash, received_ms)
    if (wait > 0) return turnAway(429, wait)
    const content_type = (said['content-type'] ?? '').slice(0, 200)
    const content_encoding = (said['content-encoding'] ?? '').slice(0, 100)
    return { token_hash, ip, content_type, content_encoding, received_ms, started }
  }

  /** Hands a request to the intake; resolves when its commit is on disk. Never rejects. */
  async enter(request: HookRequest): Promise<HookReply> {
    return this.#counted(await this.#app.intake.receive(request), request)
  }

  /** What is no message, at an address that is one or none: told apart only as far as a post would be. */
  async otherMethod(token: string, ip: string, method: string): Promise<HookReply> {
    const admitted = this.admit(token, ip, {})
    if ('status' in admitted) return admitted
    const open = { ...turnAway(405), ...(method === 'OPTIONS' && { status: 204 }) }
    const known = await isKnown(this.#app, admitted.token_hash)
    return this.#counted(known === null ? turnAway(503, 2) : known ? open : turnAway(404), admitted)
  }

  #counted(reply: HookReply, { ip, received_ms }: Pick<HookRequest, 'ip' | 'received_ms'>): HookReply {
    if (reply.status !== 404) return reply
    // Only what no webhook is behind: a right token passes, whatever its neighbours try.
    for (const { key, times } of senders(ip)) {
      const wait = this.#strangers.take(key, received_ms, times)
      if (wait > 0) return turnAway(429, wait)
    }
    return reply
  }

  /** Takes a plain post to a webhook; false = it is not plain, and the router's. */
  direct(incoming: IncomingMessage, outgoing: ServerResponse): boolean {
    if (incoming.method !== 'POST') return false
    const token = PLAIN_PATH.exec(incoming.url ?? '')?.[1]
    if (token === undefined) return false
    const { headers, socket } = incoming
    const length = headers['content-length'] ?? ''
    const plain =
      PLAIN_LENGTH.test(length) &&
      Number(length) <= HOOK_BODY_BYTES &&
      headers['transfer-encoding'] === undefined &&
      PLAIN_HOST.test(headers.host ?? '')
    if (!plain) return false
    const forwarded = headers['x-forwarded-for']
    const ip = addressOf(this.#app.config, socket.remoteAddress ?? '', String(forwarded ?? ''))
    const admitted = this.admit(token, ip, headers)
    if ('status' in admitted) {
      write(outgoing, admitted)
      return true
    }
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    // Without its end the sender hung up in the middle: nobody is left to answer.
    incoming.on('end', () => {
      const body = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)
      void this.enter({ ...admitted, size: body.byteLength, body }).then((reply) => write(outgoing, reply))
    })
    return true
  }
}

/** Null when the database cannot say. */
async function isKnown({ db, log, now }: App, token_hash: string): Promise<boolean | null> {
  try {
    const token = await db
      .selectFrom('webhook_tokens')
      .select('valid_until')
      .where('token_hash', '=', token_hash)
      .executeTakeFirst()
    return token !== undefined && !isForgotten(token.valid_until, now())
  } catch (error) {
    log.error({ err: error }, 'cannot look for a webhook')
    return null
  }
}

function write(outgoing: ServerResponse, reply: HookReply): void {
  const body = JSON.stringify(reply.answer)
  const headers: Record<string, string | number> = {
    ...HOOK_HEADERS,
    'content-length': Buffer.byteLength(body),
  }
  if (reply.retry_after_s !== undefined) headers['retry-after'] = reply.retry_after_s
  outgoing.writeHead(reply.status, headers)
  outgoing.end(body)
}
