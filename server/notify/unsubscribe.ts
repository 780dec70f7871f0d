// /unsubscribe/{token}: no more mails of one kind, for whoever holds the link of such a mail (RFC 8058). Only POST acts: scanners
// of mail open every link they find, so looking at the address just asks.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { type Context, Hono } from 'hono'
import { NOTIFICATION_KINDS, type NotificationKind } from '#contract/channels.ts'
import { isId } from '#contract/ids.ts'
import type { App } from '../context.ts'
import { inTransaction } from '../events/transaction.ts'
import { clientAddress } from '../http/address.ts'
import { failure } from '../http/answer.ts'
import { readingPolicy, secureHeaders } from '../http/secure.ts'
import { writeWishes } from './settings.ts'
import { leavePage } from './unsubscribe-page.ts'

interface Leaving {
  readonly uid: string
  readonly kind: NotificationKind
  /** The mailbox that the letter went to: whoever holds a mailbox that was the person's once changes nothing. */
  readonly address: string
}

/** The address that ends mails of this kind. It is signed, so no table has to remember it. */
export function leaveUrl({ config, keys }: Pick<App, 'config' | 'keys'>, leaving: Leaving): string {
  return `${config.public_url}/unsubscribe/${leaving.uid}.${leaving.kind}.${signatureOf(keys, leaving)}`
}

/** Mounted under /unsubscribe. */
export function unsubscribeRoutes(app: App): Hono {
  const router = new Hono()
  const say = (status: number, html: string, more: Record<string, string> = {}) =>
    new Response(html, {
      status,
      headers: {
        ...secureHeaders(app.config.public_url),
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'content-security-policy': readingPolicy(html, "'self'"),
        ...more,
      },
    })
  const serve = async (c: Context): Promise<Response> => {
    const { method } = c.req
    const wait_s = await app.limits.waitFrom('unsubscribe_ip', clientAddress(app.config, c))
    if (wait_s > 0) return say(429, leavePage('later'), { 'retry-after': String(wait_s) })
    if (!['GET', 'HEAD', 'POST'].includes(method))
      return say(405, leavePage('unknown'), { allow: 'GET, HEAD, POST' })
    const leaving = await leavingOf(app, c.req.param('token') ?? '')
    if (!leaving) return say(404, leavePage('unknown'))
    if (method !== 'POST') return say(200, leavePage('ask', leaving.kind))
    await inTransaction(app, (tx) =>
      writeWishes(tx, leaving.uid, { [`kinds.${leaving.kind}.email`]: false }, { device: null }),
    )
    return say(200, leavePage('done', leaving.kind))
  }
  router.all('/:token', (c) =>
    serve(c).catch((error: unknown) => {
      const { status, details } = failure(app, error, 'unsubscribe')
      return say(status, leavePage('later'), { 'retry-after': String(details.retry_after_s ?? 5) })
    }),
  )
  return router
}

/** Whom a token speaks of; null when it is not ours, or of a mailbox that is theirs no more. */
async function leavingOf(app: App, token: string): Promise<Leaving | null> {
  const [uid = '', named = '', signature = ''] = token.split('.')
  const kind = NOTIFICATION_KINDS.find((one) => one === named)
  if (!isId(uid) || kind === undefined) return null
  const person = await app.db
    .selectFrom('users')
    .select('email')
    .where('id', '=', uid)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!person) return null
  const leaving = { uid, kind, address: person.email }
  const [given, right] = [Buffer.from(signature), Buffer.from(signatureOf(app.keys, leaving))]
  return given.length === right.length && timingSafeEqual(given, right) ? leaving : null
}

function signatureOf(keys: App['keys'], { uid, kind, address }: Leaving): string {
  return createHmac('sha256', keys.purpose('unsubscribe'))
    .update(`${uid}\n${kind}\n${address}`)
    .digest('base64url')
}
