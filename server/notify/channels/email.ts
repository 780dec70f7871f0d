// 電子郵件: letters to the person's proved address; how a mail server's answers read.

import { createHmac, timingSafeEqual } from 'node:crypto'
import { type Context, Hono } from 'hono'
import { KIND_NAMES, NOTIFICATION_KINDS, type NotificationKind } from '#contract/channels.ts'
import { isId } from '#contract/ids.ts'
import { pageColours } from '../../brand.ts'
import type { App } from '../../context.ts'
import { inTransaction } from '../../events/append.ts'
import { clientAddress } from '../../http/address.ts'
import { failure } from '../../http/answer.ts'
import { readingPolicy, secureHeaders } from '../../http/secure.ts'
import type { MarkedMail, Returned } from '../../mail/mailer.ts'
import { mailStays, write } from '../../mail/messages.ts'
import type { Channel, OutgoingMessage, Receiver, SendResult } from '../channel.ts'
import { writeWishes } from '../settings.ts'

export const email: Channel = {
  id: 'email',
  receivers: 'mail',
  gathers: true,
  rests: true,
  confirms: true,
  // As many as the mail server is given connections; a letter is no alarm, and mailboxes count what comes in a burst.
  pace: { at_once: 5, per_receiver_ms: 1_000, per_second: 20 },
  // A letter that is only a file on this server has reached nobody.
  unavailable: ({ config }) =>
    mailStays(config) ? '這台伺服器沒有郵件伺服器，信只留在它的資料夾；請管理這台伺服器的人設定寄信' : null,
  async send(app, to, message, signal) {
    const returned = await app.mail.deliver(letterOf(app, to, message), signal)
    if (returned === null) return { kind: 'sent' }
    return resultOf(returned, app.now() - Date.parse(message.at))
  },
}

/** What a returned letter means. `age_ms`: how long ago what it tells of happened. */
export function resultOf({ answer, detail, step, code }: Returned, age_ms: number): SendResult {
  if (code === 'EAUTH' || code === 'ENOAUTH')
    return { kind: 'again', all: true, reason: '這台伺服器的寄信帳號被拒，請通知管理這台伺服器的人' }
  const answer_text = `${answer}${detail ? ` ${detail}` : ''}`
  if (answer === null || answer < 400) {
    // Before anything was said to it the mail server failed all of us; a line that broke in the middle failed this one letter.
    const nobody = step === 'CONN' || step === '' || code === 'ECONNREFUSED' || code === 'EDNS'
    const reason = nobody ? '郵件伺服器連不上' : '郵件伺服器中途斷線，不確定是否收下'
    return { kind: 'again', reason, ...(nobody && { all: true }) }
  }
  if (answer < 500)
    return { kind: 'again', reason: `收件伺服器要求稍後再送（${answer_text}）`, after_ms: pauseAt(age_ms) }
  // Who we are was refused: for the operator to mend, and the letter may go afterwards.
  if (step === 'MAIL FROM')
    return { kind: 'again', reason: `郵件伺服器不接受這台伺服器的寄件人（${answer_text}）` }
  if (step === 'RCPT TO' && isNobody(answer, detail))
    return { kind: 'lost', state: 'failing', reason: `收件伺服器說沒有這個信箱（${answer_text}）` }
  return { kind: 'refused', reason: `收件伺服器拒收這封信（${answer_text}）` }
}

/** No such mailbox, or one that is closed for good (RFC 3463: x.1.x, x.2.1); 550 alone says the same, 550 5.7.1 does not. */
function isNobody(answer: number, detail: string | null): boolean {
  if (detail !== null) return /^5\.1\.|^5\.2\.1$/.test(detail)
  return answer === 550 || answer === 551 || answer === 553
}

/** Who greylists wants us back after some minutes: soon first, then as mail servers do, up to half an hour. */
function pauseAt(age_ms: number): number {
  const minutes = age_ms / 60_000
  return (minutes < 1 ? 1 : minutes < 10 ? 5 : minutes < 60 ? 15 : 30) * 60_000
}

// A notification as a letter: in our dress, with an id that stays the same, and with a way out (RFC 8058).

/** The letter of a message. The same message gives the same letter, also at the next try. */
export function letterOf(
  app: Pick<App, 'config' | 'keys'>,
  to: Receiver,
  message: OutgoingMessage,
): MarkedMail {
  const { key, kind, words, url, at } = message
  const leave = kind === 'test' ? null : unsubscribeUrl(app, { uid: to.uid, kind, address: to.address })
  return {
    ...write({
      to: to.address,
      name: to.name ?? to.address,
      subject: words.title,
      lines: [words.title, ...words.lines],
      link: { label: '在凌波查看', url },
      note:
        kind === 'test'
          ? '這是你從通知設定送出的測試信，收到就表示電子郵件通知會寄到這裡。'
          : `這封信依你的通知設定寄出（${KIND_NAMES[kind]}）。`,
      ...(leave &&
        kind !== 'test' && { leave: { label: `不再用電子郵件收「${KIND_NAMES[kind]}」`, url: leave } }),
    }),
    message_id: `<${key}@${hostOf(app.config.mail_from)}>`,
    date: new Date(at),
    headers: {
      // Out-of-office answers go to nobody (RFC 3834).
      'Auto-Submitted': 'auto-generated',
      ...(leave && {
        'List-Unsubscribe': `<${leave}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
  }
}

function hostOf(mail_from: string): string {
  return /@([^\s<>@]+)>?$/.exec(mail_from)?.[1] ?? 'localhost'
}

// /unsubscribe/{token}: no more mails of one kind, for whoever holds the link of such a mail (RFC 8058). Only POST acts: scanners
// of mail open every link they find, so looking at the address just asks.

interface Unsubscription {
  readonly uid: string
  readonly kind: NotificationKind
  /** The mailbox that the letter went to: whoever holds a mailbox that was the person's once changes nothing. */
  readonly address: string
}

/** The address that ends mails of this kind. It is signed, so no table has to remember it. */
export function unsubscribeUrl(
  { config, keys }: Pick<App, 'config' | 'keys'>,
  unsubscription: Unsubscription,
): string {
  return `${config.public_url}/unsubscribe/${unsubscription.uid}.${unsubscription.kind}.${signatureOf(keys, unsubscription)}`
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
    if (wait_s > 0) return say(429, unsubscribePage('later'), { 'retry-after': String(wait_s) })
    if (!['GET', 'HEAD', 'POST'].includes(method))
      return say(405, unsubscribePage('unknown'), { allow: 'GET, HEAD, POST' })
    const unsubscription = await unsubscriptionOf(app, c.req.param('token') ?? '')
    if (!unsubscription) return say(404, unsubscribePage('unknown'))
    if (method !== 'POST') return say(200, unsubscribePage('ask', unsubscription.kind))
    await inTransaction(app, (tx) =>
      writeWishes(
        tx,
        unsubscription.uid,
        { [`kinds.${unsubscription.kind}.email`]: false },
        { device: null },
      ),
    )
    return say(200, unsubscribePage('done', unsubscription.kind))
  }
  router.all('/:token', (c) =>
    serve(c).catch((error: unknown) => {
      const { status, details } = failure(app, error, 'unsubscribe')
      return say(status, unsubscribePage('later'), { 'retry-after': String(details.retry_after_s ?? 5) })
    }),
  )
  return router
}

/** Whom a token speaks of; null when it is not ours, or of a mailbox that is theirs no more. */
async function unsubscriptionOf(app: App, token: string): Promise<Unsubscription | null> {
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
  const unsubscription = { uid, kind, address: person.email }
  const [given, right] = [Buffer.from(signature), Buffer.from(signatureOf(app.keys, unsubscription))]
  return given.length === right.length && timingSafeEqual(given, right) ? unsubscription : null
}

function signatureOf(keys: App['keys'], { uid, kind, address }: Unsubscription): string {
  return createHmac('sha256', keys.purpose('unsubscribe'))
    .update(`${uid}\n${kind}\n${address}`)
    .digest('base64url')
}

// The small page behind the link of a mail: asks whether mails of a kind should end, and says that they did.

/** `ask` = before, `done` = after; `unknown` = no link of ours; `later` = it could not be stored now. */
type UnsubscribeStep = 'ask' | 'done' | 'unknown' | 'later'

/** The whole page, without scripts: mail programs show it in browsers of their own. */
function unsubscribePage(step: UnsubscribeStep, kind?: NotificationKind): string {
  const word = kind ? `「${KIND_NAMES[kind]}」` : ''
  const { title, text, form } = {
    ask: {
      title: `不再用電子郵件收${word}？`,
      text: `確定後，凌波不再寄${word}的通知到這個信箱；其他通道與其他種類不變。`,
      form: '<form method="post"><button>不再寄送</button></form>',
    },
    done: {
      title: '已停止寄送',
      text: `凌波不會再寄${word}的通知到這個信箱。想再收到時，到通知設定打開電子郵件那一格。`,
      form: '<p><a href="/signal-notification?tab=setting">通知設定</a></p>',
    },
    unknown: {
      title: '這個連結不能用',
      text: '連結不完整，或這個信箱已經不是那個帳號的電子郵件。要改通知，請登入凌波到通知設定。',
      form: '<p><a href="/signal-notification?tab=setting">通知設定</a></p>',
    },
    later: {
      title: '現在無法儲存',
      text: '還沒有停止寄送，請稍後再試一次。',
      form: '',
    },
  }[step]
  return `<!doctype html><html lang="zh-Hant-TW"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><title>${title} · 凌波 LingBo</title><style>${STYLE}</style></head>
<body><main><p class="brand">凌波 LingBo</p><h1>${title}</h1><p>${text}</p>${form}</main></body></html>`
}

const STYLE = `${pageColours('ground', 'card', 'line', 'ink', 'ink-3', 'brand', 'brand-fill', 'on-brand')}body{margin:0;min-height:100vh;display:grid;place-items:center;font:16px/1.7 'Noto Sans TC','PingFang TC','Microsoft JhengHei',sans-serif;color:var(--ink);background:var(--ground)}
main{box-sizing:border-box;width:min(480px,calc(100vw - 32px));padding:24px;background:var(--card);border:1px solid var(--line);border-radius:12px}
.brand{margin:0 0 16px;color:var(--ink-3);font-size:14px}h1{margin:0 0 8px;font-size:20px;line-height:1.4}p{margin:0 0 16px}
button{min-height:44px;padding:0 24px;border:0;border-radius:8px;font:inherit;font-weight:600;color:var(--on-brand);background:var(--brand-fill);cursor:pointer}
a{display:inline-block;min-height:44px;line-height:44px;color:var(--brand)}`
