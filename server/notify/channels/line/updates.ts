// What LINE tells of its friends: a code that binds, the account blocked or let in again. Answers are replies, which cost nothing.
import type { App, Tx } from '../../../context.ts'
import { inTransaction } from '../../../events/transaction.ts'
import { receiverOf, setState, takeCode } from '../../binding.ts'
import { openReceiver, setConfig } from '../../receivers.ts'
import { askLine, callLine } from './api.ts'
import * as words from './words.ts'

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
export async function takeEvents(app: App, events: readonly unknown[]): Promise<void> {
  for (const event of events as LineEvent[]) {
    const { type, source, message, replyToken } = event
    // Only people are bound: in groups the account hears what is none of its business.
    if (source?.type !== 'user' || typeof source.userId !== 'string') continue
    const user = source.userId
    if (type === 'unfollow' || type === 'follow') await followed(app, user, type === 'follow', event)
    else if (type === 'message') await said(app, user, message?.text ?? '', replyToken)
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

async function said(app: App, user: string, line: string, token: string | undefined) {
  const said = line.trim()
  const code = CODE.exec(said)?.[1]
  const name = code === undefined ? null : await nameOf(app, user)
  await inTransaction(app, async (tx) => {
    if (code === undefined) {
      const row = await receiverOf(app, tx.db, 'line', user)
      const { public_url } = app.config
      return reply(app, tx, token, text(row ? words.known(public_url) : words.unbound(public_url)))
    }
    const chat = { channel: 'line', address: user, name, config: {} } as const
    const bound = await takeCode(app, tx, chat, code, said.startsWith(words.REBIND))
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
