// Binding LINE, and what LINE sends here of its friends: a code that binds, the account blocked or let in again. Answers are replies,
// which cost nothing.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { bindLine, getLineBinding, lineUpdates, unbindLine } from '#contract/binding.ts'
import { ApiError } from '#contract/errors.ts'
import type { App, Tx } from '../../../context.ts'
import { inTransaction } from '../../../events/append.ts'
import { handle, handleSigned, type Route } from '../../../http/handle.ts'
import { bindingOf, confirmChat, makeCode, receiverOf, setState, takeCode, unbindAll } from '../../binding.ts'
import { openReceiver, setConfig } from '../../receivers.ts'
import { askLine, basicId, callLine, hasLine, knownId, requireLine } from './api.ts'

export function lineRoutes(app: App): Route[] {
  const side = (id: string | null) => ({
    channel: 'line' as const,
    available: hasLine(app),
    linkOf: (code: string) =>
      id === null
        ? null
        : `https://line.me/R/oaMessage/${encodeURIComponent(id)}/?${encodeURIComponent(`${words.BIND} ${code}`)}`,
  })
  const refuse = () => new ApiError(4010, { msg: 'signature missing or wrong' })
  return [
    handle(app, bindLine, {
      async prepare({ input: { confirm }, actor }) {
        requireLine(app)
        if (confirm === undefined) await app.limits.take('bind', actor.uid)
        return basicId(app)
      },
      async run({ input: { confirm }, actor, tx, prepared }) {
        // What is bound is said here: a message there would be one of the month's.
        if (confirm === undefined) await makeCode(app, tx, actor, 'line')
        else await confirmChat(app, tx, actor, 'line', confirm)
        return bindingOf(app, tx.db, actor.uid, side(prepared), tx.at)
      },
    }),

    handle(app, getLineBinding, async ({ actor, tx }) =>
      bindingOf(app, tx.db, actor.uid, side(hasLine(app) ? await knownId(app, tx.db) : null), tx.at),
    ),

    handle(app, unbindLine, async ({ actor, tx }) => {
      requireLine(app)
      await unbindAll(tx, actor.uid, 'line')
      return null
    }),

    handleSigned(app, lineUpdates, {
      admit(headers) {
        requireLine(app)
        if (!headers.has('x-line-signature')) throw refuse()
      },
      prove(headers, bytes) {
        const secret = app.config.line_channel_secret ?? ''
        if (!isSigned(secret, bytes, headers.get('x-line-signature'))) throw refuse()
      },
      run: ({ events }) => takeEvents(app, events),
    }),
  ]
}

// Whether a post is LINE's: HMAC-SHA-256 of the bytes as they came, by the channel's secret.

function isSigned(secret: string, bytes: Uint8Array, header: string | null): boolean {
  const right = createHmac('sha256', secret).update(bytes).digest()
  const given = Buffer.from(header ?? '', 'base64')
  return given.length === right.length && timingSafeEqual(given, right)
}

// What LINE tells of its friends: a code that binds, the account blocked or let in again. Answers are replies, which cost nothing.

/** The fields that are looked at; LINE sends more. */
interface LineEvent {
  readonly type: string
  readonly replyToken?: string
  /** Milliseconds since 1970. */
  readonly timestamp?: number
  readonly source?: { readonly type?: string; readonly userId?: string }
  readonly message?: { readonly type?: string; readonly text?: string }
}
type Text = { type: 'text'; text: string; quickReply?: object }

const CODE = /(?:^|\s)([\w-]{22})$/

/** Does what the events of one post ask for, in their order. */
async function takeEvents(app: App, events: readonly unknown[]): Promise<void> {
  for (const event of events as LineEvent[]) {
    const { type, source, message, replyToken } = event
    // Only people are bound: in groups the account hears what is none of its business.
    if (source?.type !== 'user' || typeof source.userId !== 'string') continue
    const user = source.userId
    if (type === 'unfollow' || type === 'follow') await followed(app, user, type === 'follow', event)
    else if (type === 'message') await heard(app, user, message?.text ?? '', replyToken)
  }
}

async function followed(
  app: App,
  user: string,
  is_friend: boolean,
  { replyToken: token, timestamp }: LineEvent,
) {
  await inTransaction(app, async (tx) => {
    const row = await receiverOf(app, tx.db, 'line', user)
    if (row) {
      if (isStale(openReceiver(app, row).config, row.created_at, timestamp)) return
      await setConfig(app, tx.db, row, { followed_at: timestamp })
    }
    if (row && !is_friend) await setState(tx, row, 'blocked', words.BLOCKED)
    else if (row && row.state !== 'bound') await setState(tx, row, 'bound', null)
    else if (!row && is_friend) reply(app, tx, token, text(words.unbound(app.config.public_url)))
  })
}

/** LINE sends again what it thinks was not taken, also after what came later: the order is that of its own clock. */
function isStale(config: Readonly<Record<string, unknown>>, bound_at: string, timestamp = Infinity): boolean {
  const { followed_at } = config
  if (typeof followed_at === 'number' && timestamp <= followed_at) return true
  return timestamp < Date.parse(bound_at) - CLOCKS_MS
}
/** Clocks differ. */
const CLOCKS_MS = 60_000

async function heard(app: App, user: string, line: string, token: string | undefined) {
  const heard = line.trim()
  const code = CODE.exec(heard)?.[1]
  const name = code === undefined ? null : await nameOf(app, user)
  await inTransaction(app, async (tx) => {
    if (code === undefined) {
      const row = await receiverOf(app, tx.db, 'line', user)
      const { public_url } = app.config
      return reply(app, tx, token, text(row ? words.known(public_url) : words.unbound(public_url)))
    }
    const chat = { channel: 'line', address: user, name, config: {} } as const
    const bound = await takeCode(app, tx, chat, code, heard.startsWith(words.REBIND))
    const sheet = `${app.config.public_url}/signal-notification?tab=setting&channel=line`
    if (bound.kind === 'bound') reply(app, tx, token, text(words.bound(bound.name)))
    else if (bound.kind === 'waiting') reply(app, tx, token, text(words.waiting(sheet)))
    else if (bound.kind !== 'taken') reply(app, tx, token, text(words.NOT_BOUND[bound.kind]))
    else {
      const action = { type: 'message', label: words.REBIND, text: `${words.REBIND} ${code}` }
      const quickReply = { items: [{ type: 'action', action }] }
      reply(app, tx, token, { ...text(words.taken(bound.name)), quickReply })
    }
  })
}

/** How the friend is called there; null when LINE does not say. */
async function nameOf(app: App, user: string): Promise<string | null> {
  try {
    const { displayName } = await askLine(app, `profile/${encodeURIComponent(user)}`)
    return typeof displayName === 'string'
      ? [...displayName.replace(/\p{C}/gu, '')].slice(0, 80).join('')
      : null
  } catch (error) {
    app.log.debug({ err: error }, 'line: no name of a friend')
    return null
  }
}

const text = (words: string): Text => ({ type: 'text', text: words })

/** After the commit; a reply that is lost is not said again, for its token is good once. */
function reply(app: App, tx: Tx, replyToken: string | undefined, message: Text): void {
  if (replyToken === undefined) return
  tx.afterCommit(() => {
    callLine(app, 'message/reply', { body: { replyToken, messages: [message] } }).then(
      ({ status }) => status !== 200 && app.log.warn({ status }, 'line: a reply was refused'),
      (error: unknown) => app.log.warn({ err: error }, 'line: a reply is lost'),
    )
  })
}

// What the official account says.

const words = {
  /** Before a code: it binds; with the second word also a chat of another account. */
  BIND: '綁定',
  REBIND: '改綁',
  NOT_BOUND: {
    unknown: '這個綁定代碼不正確或已被新的取代，請回到凌波重新產生。',
    expired: '這個綁定代碼已過期（10 分鐘內有效），請回到凌波重新產生。',
    used: '這裡已經綁定好了，新訊號會送到這裡。',
    spoilt: '有另一個帳號也用了這個代碼，為了安全已經作廢。請回到凌波重新產生。',
  },
  BLOCKED: '你在 LINE 封鎖了官方帳號，請解除封鎖後重新綁定',
  waiting: (page: string): string =>
    `收到。最後一步：回到凌波按「是我，連結」，之後新訊號會送到這裡。\n${page}`,
  bound: (name: string): string => `綁定成功：${name}\n新訊號會送到這裡。`,
  taken: (name: string): string =>
    `這個 LINE 已綁定另一個凌波帳號。要改成「${name}」請按下面的「改綁」。改綁後，原本的帳號不再送訊息到這裡。`,
  unbound: (url: string): string =>
    `這裡還沒有連結凌波帳號。請登入凌波，在「訊號通知 → 設定」按「綁定 LINE」。\n${url}/signal-notification`,
  known: (url: string): string =>
    `已連結凌波，新訊號會送到這裡。要看紀錄或解除綁定，請到凌波：\n${url}/signal-notification`,
} as const
