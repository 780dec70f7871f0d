// How a person's channels stand: bound or not, since when they work, why not.
import { CHANNELS, type ChannelId } from '#contract/channels.ts'
import type { NotificationChannel } from '#contract/notification.ts'
import type { App } from '../context.ts'
import type { Db } from '../db/schema.ts'
import type { ChannelReceiverRow } from '../db/schema-notify.ts'
import type { LeftToSend } from './channel.ts'
import { lostMailboxes, mutedUntil, openReceiver, receiversOf } from './receivers.ts'

/** Every channel there is, in its order. */
export async function channelStandings(app: App, db: Db, uid: string): Promise<NotificationChannel[]> {
  const rows = await receiversOf(db, uid)
  const now = new Date(app.now()).toISOString()
  const codes = await db
    .selectFrom('binding_codes')
    .select('channel')
    .where('uid', '=', uid)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .execute()
  const user = await db
    .selectFrom('users')
    .select(['email', 'email_verified'])
    .where('id', '=', uid)
    .executeTakeFirstOrThrow()
  const standing: NotificationChannel[] = []
  for (const id of CHANNELS) {
    const channel = app.channels[id]
    const none = channel.unavailable(app)
    const own = rows.filter((row) => row.channel === id)
    const [last] = own.filter(({ state }) => state !== 'gone').slice(-1)
    const left = none === null && channel.left ? await channel.left(app, db, uid) : undefined
    const base = { channel: id, config: leftConfig(left) }
    if (none !== null) standing.push({ ...base, state: 'none', name: null, last_ok_at: null, reason: none })
    else if (channel.receivers === 'inbox')
      standing.push({ ...base, state: 'bound', name: null, last_ok_at: null, reason: null })
    else if (channel.receivers === 'mail') {
      const proved = user.email_verified === 1
      const lost = (await lostMailboxes(db, [uid]))(uid, user.email)
      standing.push({
        ...base,
        ...{
          state: proved ? (lost === null ? 'bound' : 'failing') : 'off',
          name: user.email,
          reason: proved ? lost : '電子郵件還沒有驗證',
        },
        last_ok_at: await lastSent(db, uid, id),
      })
    } else if (!last)
      standing.push({
        ...base,
        ...{ state: codes.some((code) => code.channel === id) ? 'pending' : 'off', name: null },
        ...{ last_ok_at: null, reason: own.at(-1)?.reason ?? null },
      })
    else {
      const { config, ...rest } = ofReceiver(app, last, own, now)
      standing.push({ ...base, ...rest, config: { ...base.config, ...config } })
    }
  }
  return standing
}

function ofReceiver(
  app: App,
  last: ChannelReceiverRow,
  own: readonly ChannelReceiverRow[],
  now: string,
): Omit<NotificationChannel, 'channel'> {
  const { address, config } = openReceiver(app, last)
  const strategies = Array.isArray(config['strategies']) ? (config['strategies'] as string[]) : null
  const { typed, signsIn } = app.channels[last.channel]
  const doubted = own.flatMap((row) =>
    row.doubted === 1 && row.state !== 'gone' && signsIn?.(openReceiver(app, row))
      ? [{ id: row.id, name: row.name }]
      : [],
  )
  const muted = own.flatMap((row) => {
    const until = row.state === 'gone' ? null : mutedUntil(openReceiver(app, row), now)
    return until === null ? [] : [{ name: row.name, until }]
  })
  const names = own.filter(({ state }) => state === 'bound').map(({ name }) => name)
  return {
    state: last.state === 'gone' ? 'failing' : last.state,
    name: names.length > 1 ? names.join('、') : last.name,
    last_ok_at:
      own
        .map(({ last_ok_at }) => last_ok_at)
        .sort()
        .at(-1) ?? null,
    reason: last.reason,
    config: {
      ...(typed && { address: typed.shown(address), strategies }),
      ...(muted.length > 0 && { muted }),
      ...(doubted.length > 0 && { doubted }),
    },
  }
}

async function lastSent(db: Db, uid: string, channel: ChannelId): Promise<string | null> {
  const row = await db
    .selectFrom('notification_deliveries')
    .select('sent_at')
    .where('uid', '=', uid)
    .where('channel', '=', channel)
    .where('sent_at', 'is not', null)
    .orderBy('id', 'desc')
    .executeTakeFirst()
  return row?.sent_at ?? null
}

/** `left` undefined: the channel has no limit of messages; null: none is known. */
function leftConfig(left: LeftToSend | null | undefined): NotificationChannel['config'] {
  if (left === undefined) return {}
  if (left === null) return { left_this_month: null }
  return { left_this_month: left.count, ...(left.count === 0 && { left_again: left.again }) }
}
