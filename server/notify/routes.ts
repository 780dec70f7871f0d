// The calls of inbox, settings, deliveries, channels, receipts and latency; sending once more, and how long the steps took.
import { type AddressedChannel, CHANNELS, isInside } from '#contract/channels.ts'
import type { OutputOf } from '#contract/endpoint.ts'
import { ApiError, invalid } from '#contract/errors.ts'
import {
  deleteChannel,
  getLatency,
  getNotificationSetting,
  listChannels,
  listNotificationDeliveries,
  listNotifications,
  type NotificationChannel,
  type NotificationDelivery,
  type NotificationSetting,
  readNotifications,
  resendDelivery,
  sendReceipts,
  testChannel,
  updateChannel,
  updateNotificationSetting,
} from '#contract/notification.ts'
import { scopesOf } from '../access/actor.ts'
import { editorOf } from '../access/edits.ts'
import { seeStrategy } from '../access/organization.ts'
import { bellOf, mayEdit, visibleSignals } from '../access/strategies.ts'
import type { Actor, App, Tx } from '../context.ts'
import { held } from '../db/query.ts'
import type { Db, NotificationDeliveryRow } from '../db/schema.ts'
import { handle, type Route } from '../http/handle.ts'
import { forgiveReceiver } from '../limits/backoff.ts'
import { insideOf, presentNotification } from '../stream/notification.ts'
import type { Receiver, TypedAddress } from './channel.ts'
import { channelStates, overallReport, selfTest } from './channel-state.ts'
import { newSecret, rotated, secretsOf } from './channels/webhook.ts'
import {
  countUnread,
  deliveriesOf,
  type Hearings,
  hearingsOf,
  markRead,
  noteReceipts,
  presentNotificationDelivery,
  readInbox,
  visibleNotifications,
} from './inbox.ts'
import { openReceiver, setConfig, storeReceiver } from './receivers.ts'
import { wishesOf, writeWishes } from './settings.ts'

/** Notifications: setting, inbox, deliveries, channels, self-test, receipts, latency. */
export function notifyRoutes(app: App): Route[] {
  return [
    handle(app, getNotificationSetting, ({ actor, tx }) => settingOf(app, tx.db, actor)),
    handle(app, updateNotificationSetting, async ({ input, actor, tx }) => {
      const overwritten = await writeWishes(tx, actor.uid, input, await editorOf(tx.db, actor))
      return { ...(await settingOf(app, tx.db, actor)), overwritten }
    }),
    handle(app, listNotifications, async ({ input, actor, tx }) => {
      const hearings = await hearingsOf(app, actor)
      const { rows, next_before } = await readInbox(tx.db, actor.uid, hearings, input)
      const of = await deliveriesOf(
        tx.db,
        rows.map(({ id }) => id),
      )
      return {
        items: rows.map((row) => presentNotification(row, of(row.id))),
        next_before,
        ...(await countUnread(tx.db, actor.uid, hearings)),
      }
    }),
    handle(app, readNotifications, {
      prepare: ({ actor }) => hearingsOf(app, actor),
      run: ({ input, actor, tx, prepared }) => markRead(tx, actor.uid, prepared, input),
    }),
    handle(app, listNotificationDeliveries, async ({ input, actor, tx }) => {
      const { limit, before, state, channel } = input
      const visible = visibleNotifications(tx.db, actor.uid, await hearingsOf(app, actor))
      let query = visible
        .innerJoin('notification_deliveries as delivery', 'delivery.notification_id', 'notifications.id')
        .selectAll('delivery')
        .select('notifications.title')
        .orderBy('delivery.id', 'desc')
        .limit(limit + 1)
      if (before !== undefined) query = query.where('delivery.id', '<', before)
      if (state !== undefined) query = query.where('delivery.state', '=', state)
      if (channel !== undefined) query = query.where('delivery.channel', '=', channel)
      let inside = visible
        .selectAll('notifications')
        .where('listed', '=', 1)
        .orderBy('notifications.id', 'desc')
        .limit(limit + 1)
      if (before !== undefined) inside = inside.where('notifications.id', '<', before)
      const out = channel !== undefined && isInside(channel) ? [] : await query.execute()
      const within = (channel === undefined || isInside(channel)) && (state ?? 'confirmed') === 'confirmed'
      const told = within ? await inside.execute() : []
      const rows = [...out, ...told.map((row) => ({ ...insideOf(row), title: row.title }))].sort((a, b) =>
        a.id < b.id ? 1 : -1,
      )
      const shown = rows.slice(0, limit)
      return {
        items: shown.map(({ title, ...row }) => presentNotificationDelivery(row, title)),
        next_before: rows.length > limit ? (shown.at(-1)?.id ?? null) : null,
      }
    }),
    handle(app, resendDelivery, {
      prepare: ({ actor }) => hearingsOf(app, actor),
      run: ({ input, actor, tx, prepared }) => resend(app, tx, actor.uid, prepared, input.id),
    }),
    handle(app, listChannels, ({ actor, tx }) => channelStates(app, tx.db, actor.uid)),
    handle(app, testChannel, {
      prepare: ({ input, actor }) => selfTest(app, actor, input.channel),
      run: ({ prepared }) => Promise.resolve(overallReport(prepared)),
    }),
    handle(app, sendReceipts, async ({ input, actor, tx }) => {
      await noteReceipts(tx, actor.uid, input.items)
      return null
    }),
    handle(app, getLatency, async ({ input, actor, tx }) => {
      if (input.from !== undefined && input.to !== undefined && input.from > input.to)
        throw new ApiError(4220, { fields: { to: '結束不能早於開始' } })
      await seeStrategy(app, tx.db, actor, input.id)
      return latencyOf(tx.db, actor, input.id, input)
    }),
  ]
}

async function settingOf(app: App, db: Db, { uid }: Pick<Actor, 'uid'>): Promise<NotificationSetting> {
  const wishes = (await wishesOf(db, [uid]))(uid)
  const rows = await db.selectFrom('strategy_notify').selectAll().where('uid', '=', uid).execute()
  const telegram = (await channelStates(app, db, uid)).find(({ channel }) => channel === 'telegram')
  return {
    ...wishes,
    strategies: rows.map(bellOf),
    telegram: { state: telegram?.state ?? 'off', username: telegram?.name ?? null },
  }
}

// 重送: a delivery that did not get there is planned anew, for now.

/** 4040 for what is not the person's (any more), 4220 while it is on its way, 6020–6022 where nobody is there to send it to. */
async function resend(
  app: App,
  tx: Tx,
  uid: string,
  hearings: Hearings,
  id: string,
): Promise<NotificationDelivery> {
  const visible = visibleNotifications(tx.db, uid, hearings)
  const found = await visible
    .innerJoin('notification_deliveries as delivery', 'delivery.notification_id', 'notifications.id')
    .selectAll('delivery')
    .select('notifications.title')
    .where('delivery.id', '=', id)
    .executeTakeFirst()
  if (!found) {
    const inside = await visible.select('listed').where('notifications.id', '=', id).executeTakeFirst()
    if (inside?.listed === 1) throw new ApiError(4220, { text: '站內通知就在收件匣，不必重送' })
    throw new ApiError(4040)
  }
  const { title, ...row } = found
  if (row.state === 'sending' || (row.state === 'planned' && row.attempts === 0))
    throw new ApiError(4220, { text: '這一則還在發送，不必重送' })
  await requireReceiver(app, tx, row)
  // As if it were new: the whole back-off again, and wanted even if it was read meanwhile.
  const changes = {
    state: 'planned' as const,
    reason: null,
    attempts: 0,
    rank: 0,
    next_at: tx.at,
    created_at: tx.at,
    due_at: tx.at,
    asked_at: tx.at,
    sent_at: null,
    shown_at: null,
    opened_at: null,
  }
  await tx.db.updateTable('notification_deliveries').set(changes).where('id', '=', id).execute()
  await forgiveReceiver(tx.db, row.channel, row.receiver_id)
  const notification = await tx.db
    .updateTable('notifications')
    .set({ read_at: null })
    .where('id', '=', row.notification_id)
    .where('read_at', 'is not', null)
    .returningAll()
    .executeTakeFirst()
  // Unread once more: the badges of every device count it.
  if (notification?.listed === 1) {
    const deliveries = await deliveriesOf(tx.db, [notification.id])
    await tx.append(
      `p:${uid}`,
      'notification',
      presentNotification(notification, deliveries(notification.id)),
    )
  }
  tx.afterCommit(() => app.notifier.again(row.channel, row.receiver_id))
  return presentNotificationDelivery({ ...row, ...changes }, title)
}

/** It would only be given up again: the person hears at once what there is to mend. */
async function requireReceiver(app: App, tx: Tx, { channel, receiver_id }: NotificationDeliveryRow) {
  const { unavailable, receivers } = app.channels[channel]
  const none = unavailable(app)
  if (none !== null) throw new ApiError(6020, { text: none })
  if (receivers !== 'rows') return
  const receiver = await tx.db
    .selectFrom('channel_receivers')
    .select(['state', 'reason'])
    .where('id', '=', receiver_id)
    .executeTakeFirst()
  if (!receiver) throw new ApiError(6021, { text: '當時送到的地方已經解除連結，請先重新連結這個通道' })
  const { state, reason } = receiver
  if (state === 'gone') throw new ApiError(6021, reason === null ? {} : { text: reason })
  if (state === 'blocked') throw new ApiError(6022, reason === null ? {} : { text: reason })
}

// How long the steps of a strategy's signals took: source to server, to disk, to each channel, to the screen.

type Latency = OutputOf<typeof getLatency>
type Percentiles = { p50: number; p95: number; count: number }

/** The newest this many signals tell it, and about as many deliveries. */
const MEASURED_MOST = 2_000
/** Their deliveries are looked for in such parts. */
const SIGNALS_AT_ONCE = 50

/** p50 and p95 in milliseconds per step; who may edit sees it over everybody's deliveries, others over their own. */
async function latencyOf(
  db: Db,
  actor: Actor,
  strategy_id: string,
  { from, to }: { from?: string | undefined; to?: string | undefined },
): Promise<Latency> {
  let query = visibleSignals(db, actor)
    .select([
      'signals.id',
      'signals.occurred_at',
      'signals.received_at',
      'signals.stored_at',
      'signals.flags',
    ])
    .where('signals.strategy_id', '=', strategy_id)
    .where('signals.source', '=', 'webhook')
  if (from !== undefined) query = query.where('signals.received_at', '>=', from)
  if (to !== undefined) query = query.where('signals.received_at', '<', to)
  const signals = await query.orderBy('signals.seq', 'desc').limit(MEASURED_MOST).execute()
  // Whole-second sources and clocks that run ahead say nothing about the way (product.md: never a negative delay), nor does a source
  // that wrote no time: its moment is that of the arrival.
  const fired = signals.filter(
    ({ occurred_at, received_at, flags }) =>
      occurred_at <= received_at && !/"(late|future|no_source_time)"/.test(flags),
  )
  const stored = new Map(signals.map(({ id, stored_at }) => [id, stored_at]))
  const rows = await handedOf(
    db,
    strategy_id,
    signals.map(({ id }) => id),
    mayEdit(actor) ? null : actor.uid,
  )
  const by_channel = Map.groupBy(rows, ({ channel }) => channel)
  return {
    fired_to_received: percentiles(fired.map((one) => between(one.occurred_at, one.received_at))),
    received_to_stored: percentiles(signals.map((one) => between(one.received_at, one.stored_at))),
    channels: CHANNELS.flatMap((channel) => {
      const own = by_channel.get(channel)
      if (!own) return []
      return [
        {
          channel,
          stored_to_handed: percentiles(
            own.map((row) =>
              between(handedFrom(row, stored.get(row.signal_id as string) as string), row.sent_at),
            ),
          ),
          handed_to_shown: percentiles(own.map((row) => between(shownFrom(row, stored), row.shown_at))),
          handed_to_opened: percentiles(own.map((row) => between(shownFrom(row, stored), row.opened_at))),
        },
      ]
    }),
  }
}

/** What the person wished to have later (quiet hours, merged, the next channel), or once more, has not been on its way until then. */
function handedFrom({ due_at, created_at }: Handed, stored_at: string): string {
  return due_at !== null && due_at > created_at ? due_at : stored_at
}

/** An open app has the record from the stream as soon as it is stored, and does not wait for the inbox. */
function shownFrom(
  { channel, sent_at, signal_id }: Handed,
  stored: ReadonlyMap<string, string>,
): string | null {
  return isInside(channel) ? (stored.get(signal_id as string) ?? null) : sent_at
}

type Handed = Pick<
  NotificationDeliveryRow,
  'channel' | 'sent_at' | 'shown_at' | 'opened_at' | 'due_at' | 'created_at'
> & {
  readonly signal_id: string | null
}

/** Deliveries of these signals, newest first, until enough are found: one signal may have gone to thousands. `uid` = only theirs. */
async function handedOf(
  db: Db,
  strategy_id: string,
  signal_ids: readonly string[],
  uid: string | null,
): Promise<Handed[]> {
  const found: Handed[] = []
  for (let from = 0; from < signal_ids.length && found.length < MEASURED_MOST; from += SIGNALS_AT_ONCE) {
    const told = db
      .selectFrom('notifications as notification')
      .where('notification.strategy_id', '=', strategy_id)
      .where('notification.signal_id', 'in', signal_ids.slice(from, from + SIGNALS_AT_ONCE))
      .$if(uid !== null, (own) => own.where('notification.uid', '=', uid as string))
      .limit(MEASURED_MOST)
    const inside = await told.selectAll('notification').where('listed', '=', 1).execute()
    const out = await told
      .innerJoin('notification_deliveries as delivery', 'delivery.notification_id', 'notification.id')
      .select(['notification.signal_id', 'channel', 'sent_at', 'due_at', 'delivery.created_at'])
      .select(['delivery.shown_at', 'delivery.opened_at'])
      .where('delivery.sent_at', 'is not', null)
      // Asked for once more it tells nothing of the first way.
      .where('delivery.asked_at', 'is', null)
      .execute()
    found.push(...inside.map((row) => ({ ...insideOf(row), signal_id: row.signal_id })), ...out)
  }
  return found
}

function between(from: string | null, to: string | null): number | null {
  return from === null || to === null ? null : Math.max(0, Date.parse(to) - Date.parse(from))
}

/** Nearest rank; null when there is nothing to tell. */
function percentiles(values: readonly (number | null)[]): Percentiles | null {
  const sorted = values.filter((value) => value !== null).sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] as number
  return sorted.length === 0 ? null : { p50: at(0.5), p95: at(0.95), count: sorted.length }
}

// PUT and DELETE /notification-channels/{channel}: the address somebody typed, which strategies go there, its secret.

export function addressedRoutes(app: App): Route[] {
  return [
    handle(app, updateChannel, {
      async prepare({ input: { channel, address, strategies }, actor }) {
        if (strategies) await requireSeen(app, actor.uid, strategies)
        if (address === undefined) return null
        await app.limits.take('channel_address', actor.uid)
        const checked = await typedOf(app, channel).check(app, address)
        if ('wrong' in checked) throw invalid({ address: checked.wrong })
        return checked
      },
      async run({ input: { channel, strategies, rotate }, actor: { uid }, tx, prepared }) {
        const typed = typedOf(app, channel)
        if (rotate && !typed.signed) throw invalid({ rotate: '這個通道沒有簽章密鑰' })
        const row = await findOwn(app, tx, uid, channel)
        const current = row ? openReceiver(app, row) : null
        const { address, name } = prepared ?? current ?? {}
        if (address === undefined) throw invalid({ address: '請填網址' })
        // Which strategies go there says nothing of whether anybody takes them: an address that was lost stays lost.
        if (row && strategies !== undefined && prepared === null && !rotate) {
          await setConfig(app, tx.db, row, { strategies })
          return changed(app, tx, uid, channel)
        }
        const secrets = typed.signed ? secretsFor(current, rotate === true, app.now()) : null
        const chosen = strategies === undefined ? (current?.config['strategies'] ?? null) : strategies
        await storeReceiver(app, tx.db, tx.at, {
          ...{ uid, channel, address, name: name ?? null },
          // One of each person: nobody takes away somebody else's by entering the same address.
          same: uid,
          config: { strategies: chosen, ...secrets?.kept },
        })
        return {
          ...(await changed(app, tx, uid, channel)),
          ...(secrets?.shown && { secret: secrets.shown }),
        }
      },
    }),
    handle(app, deleteChannel, async ({ input: { channel }, actor: { uid }, tx }) => {
      const row = await findOwn(app, tx, uid, channel)
      if (!row) return null
      await tx.db.deleteFrom('channel_receivers').where('id', '=', row.id).execute()
      await tx.append(`p:${uid}`, 'telegram', { change: channel })
      return null
    }),
  ]
}

/** Tells of the change; gives the channel as the list of channels shows it: without what would let anybody write there. */
async function changed(app: App, tx: Tx, uid: string, channel: AddressedChannel) {
  await tx.append(`p:${uid}`, 'telegram', { change: channel })
  const all = await channelStates(app, tx.db, uid)
  return all.find((one) => one.channel === channel) as NotificationChannel
}

/** What is kept of the secrets, and the one to show: a new one, once. */
function secretsFor(current: Receiver | null, rotate: boolean, now_ms: number) {
  const before = current && secretsOf(current.config)
  if (!before) {
    const secret = newSecret()
    return { kept: { secret }, shown: secret }
  }
  if (!rotate) return { kept: { secret: before.secret, ...(before.old && { old: before.old }) }, shown: null }
  const kept = rotated(before, now_ms)
  return { kept, shown: kept.secret }
}

function typedOf(app: App, channel: AddressedChannel): TypedAddress {
  const typed = app.channels[channel].typed
  if (!typed) throw new Error(`${channel} takes no address, although contract/channels.ts says so`)
  return typed
}

/** The person's receiver, held: two changes at the same time come one after the other. */
async function findOwn(app: App, tx: Tx, uid: string, channel: AddressedChannel) {
  await held(app, tx.db.selectFrom('users').select('id').where('id', '=', uid)).execute()
  return tx.db
    .selectFrom('channel_receivers')
    .selectAll()
    .where('uid', '=', uid)
    .where('channel', '=', channel)
    .executeTakeFirst()
}

/** Refuses strategies that the person may not see today, in whichever context. */
async function requireSeen(app: App, uid: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) throw invalid({ strategies: '請至少選一個策略，或選「全部」' })
  const scopes = await scopesOf(app, uid)
  const rows = await app.db
    .selectFrom('strategies')
    .select(['id', 'scope'])
    .where('id', 'in', [...ids])
    .where('deleted_at', 'is', null)
    .execute()
  const seen = rows.filter(({ id, scope }) => {
    const hearing = scopes.get(scope as `p:${string}`)
    return hearing !== undefined && (hearing.access === null || hearing.access.has(id))
  })
  if (seen.length < new Set(ids).size) throw invalid({ strategies: '其中有你看不到的策略，請重新選擇' })
}
