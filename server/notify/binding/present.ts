// How a binding stands, as the page that waits for it is told.
import type { BoundChannel } from '#contract/channels.ts'
import type { ChannelBinding } from '#contract/notification.ts'
import type { App } from '../../context.ts'
import type { Db } from '../../db/schema.ts'
import { dayAndTime, mutedUntil, openReceiver, receiversOf } from '../receivers.ts'
import { claimIn } from './claim.ts'
import { newestCode } from './codes.ts'

interface Side {
  readonly channel: BoundChannel
  /** This server has what the channel needs. */
  readonly available: boolean
  /** The link with a code in it; null while the account's name is not known. */
  linkOf(code: string): string | null
}

const OVER = '連結已過期，請重新產生'

/** State, the link that is still open, the names that are bound, and why the last try did not bind. */
export async function bindingOf(
  app: Pick<App, 'keys'>,
  db: Db,
  uid: string,
  { channel, available, linkOf }: Side,
  at: string,
): Promise<ChannelBinding> {
  if (!available)
    return {
      state: 'none',
      deep_link: null,
      expires_at: null,
      username: null,
      reason: '這台伺服器沒有設定',
      waiting: null,
    }
  const rows = await receiversOf(db, uid, channel)
  const code = await newestCode(db, uid, channel)
  const open = code && code.used_at === null && code.expires_at > at ? code : null
  const claim = open && claimIn(app, open)
  // A link that a chat came with is nobody else's to open: a second chat would end it.
  const deep_link = open && !claim ? linkOf(app.keys.unseal(open.code)) : null
  const rank = ['bound', 'failing', 'blocked', 'gone'] as const
  const best = rank.find((state) => rows.some((row) => row.state === state))
  const muted = rows.map((row) => mutedUntil(openReceiver(app, row), at)).find((until) => until !== null)
  const why = code?.used_at === null ? (code.reason ?? (open ? null : OVER)) : null
  return {
    // What the other side does not know any more has to be bound anew.
    state: best === undefined || best === 'gone' ? (open ? 'pending' : 'off') : best,
    deep_link,
    expires_at: open?.expires_at ?? null,
    username: rows.flatMap(({ name }) => name ?? []).join('、') || null,
    reason:
      why ??
      rows.find(({ reason }) => reason !== null)?.reason ??
      (muted ? `靜音到 ${dayAndTime(muted)}` : null),
    waiting: claim ? { id: claim.id, name: claim.chat.name } : null,
  }
}
