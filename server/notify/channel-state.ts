// How a person's channels stand: bound or not, since when they work, why not; and the self-test of one.
import { CHANNELS, type ChannelId } from '#contract/channels.ts'
import type { NotificationChannel, SelfTestReport } from '#contract/notification.ts'
import type { Actor, App } from '../context.ts'
import type { ChannelReceiverRow, Db } from '../db/schema.ts'
import { newId } from '../ids.ts'
import type { Channel, LeftToSend, OutgoingMessage, Receiver } from './channel.ts'
import { clearLostMailbox, lostMailboxes, mutedUntil, openReceiver, receiversOf } from './receivers.ts'
import { sendOnce } from './send.ts'

/** Every channel there is, in its order. */
export async function channelStates(app: App, db: Db, uid: string): Promise<NotificationChannel[]> {
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

// The self-test of a channel: one message now, past plan and settings, with the time it took or the reason why not.

/** Tests every receiver of the channel; a channel without any says what is missing. Once in half a minute for each channel. */
export async function selfTest(
  app: App,
  actor: Pick<Actor, 'uid' | 'email' | 'email_verified'>,
  id: ChannelId,
): Promise<SelfTestReport[]> {
  await app.limits.take('self_test', `${actor.uid} ${id}`)
  const channel = app.channels[id]
  const missing = (reason: string): SelfTestReport[] => [
    { delivered: false, reason, milliseconds: null, device_label: null },
  ]
  const none = channel.unavailable(app)
  if (none !== null) return missing(none)
  if (channel.receivers === 'inbox')
    return [{ delivered: true, reason: null, milliseconds: 0, device_label: null }]
  if (channel.receivers === 'mail') {
    if (!actor.email_verified) return missing('電子郵件還沒有驗證，請先到個人設定驗證')
    const to = { id: actor.uid, uid: actor.uid, address: actor.email, name: null, config: {} }
    return [await testOne(app, channel, to, null)]
  }
  const rows = await receiversOf(app.db, actor.uid, id)
  if (rows.length === 0) return missing('還沒有連結，請先在上方連結這個通道')
  return Promise.all(
    rows.map((row) =>
      row.state === 'gone'
        ? { delivered: false, reason: row.reason ?? '已經失效', milliseconds: null, device_label: row.name }
        : testOne(app, channel, openReceiver(app, row), row.name),
    ),
  )
}

/** Of several receivers the one that fails: it is what there is to mend. When all arrived, the one that took the longest. */
export function overallReport(reports: readonly SelfTestReport[]): SelfTestReport {
  const failed = reports.find(({ delivered }) => !delivered)
  const slowest = reports.toSorted((a, b) => (b.milliseconds ?? 0) - (a.milliseconds ?? 0))[0]
  return failed ?? slowest ?? { delivered: false, reason: null, milliseconds: null, device_label: null }
}

async function testOne(
  app: App,
  channel: Channel,
  receiver: Receiver,
  device_label: string | null,
): Promise<SelfTestReport> {
  const started = performance.now()
  const result = await sendOnce(app, channel, receiver, testMessage(app), new AbortController().signal)
  const milliseconds = Math.round(performance.now() - started)
  const rows = app.db.updateTable('channel_receivers').where('id', '=', receiver.id)
  if (result.kind === 'sent') {
    if (channel.receivers === 'mail') await clearLostMailbox(app, receiver.address)
    else
      await rows
        .set({ state: 'bound', reason: null, last_ok_at: new Date(app.now()).toISOString() })
        .execute()
    return { delivered: true, reason: null, milliseconds, device_label }
  }
  if (result.kind === 'lost' && channel.receivers === 'rows')
    await rows.set({ state: result.state, reason: result.reason }).execute()
  const reason =
    result.kind === 'moved'
      ? '對方換了地址，請再試一次'
      : result.kind === 'wait'
        ? '送到這裡的訊息太密集，請稍後再試'
        : result.reason
  return { delivered: false, reason, milliseconds, device_label }
}

function testMessage(app: App): OutgoingMessage {
  return {
    key: newId(),
    kind: 'test',
    words: { title: '凌波測試通知', lines: ['收到這一則，就表示這個通道可以用了'] },
    count: 1,
    notification_id: null,
    strategy_id: null,
    url: `${app.config.public_url}/signal-notification`,
    ctx: 'personal',
    record: null,
    urgent: true,
    attention: 0,
    at: new Date(app.now()).toISOString(),
  }
}
