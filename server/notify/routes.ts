// The calls of inbox, settings, deliveries, channels, receipts and latency.
import { ApiError } from '#contract/errors.ts'
import {
  getLatency,
  getNotificationSetting,
  listChannels,
  listNotificationDeliveries,
  listNotifications,
  type NotificationSetting,
  readNotifications,
  resendDelivery,
  sendReceipts,
  testChannel,
  updateNotificationSetting,
} from '#contract/notification.ts'
import { bellOf } from '../access/bell.ts'
import { editorOf } from '../access/edits.ts'
import { seeStrategy } from '../access/elsewhere.ts'
import type { Actor, App } from '../context.ts'
import type { Db } from '../db/schema.ts'
import { handle, type Route } from '../http/handle.ts'
import { presentNotification } from '../stream/notification.ts'
import { channelStates, overallReport, selfTest } from './channel-state.ts'
import { countUnread, deliveriesOf, hearingsOf, markRead, readInbox, visibleNotifications } from './inbox.ts'
import { latencyOf } from './latency.ts'
import { presentNotificationDelivery } from './present.ts'
import { noteReceipts } from './receipts.ts'
import { resend } from './resend.ts'
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
        unread_count: await countUnread(tx.db, actor.uid, hearings),
      }
    }),
    handle(app, readNotifications, {
      prepare: ({ actor }) => hearingsOf(app, actor),
      run: async ({ input, actor, tx, prepared }) => ({
        unread_count: await markRead(tx, actor.uid, prepared, input),
      }),
    }),
    handle(app, listNotificationDeliveries, async ({ input, actor, tx }) => {
      let query = visibleNotifications(tx.db, actor.uid, await hearingsOf(app, actor))
        .innerJoin('notification_deliveries as delivery', 'delivery.notification_id', 'notifications.id')
        .selectAll('delivery')
        .select('notifications.title')
        .orderBy('delivery.id', 'desc')
        .limit(input.limit + 1)
      if (input.before !== undefined) query = query.where('delivery.id', '<', input.before)
      if (input.state !== undefined) query = query.where('delivery.state', '=', input.state)
      if (input.channel !== undefined) query = query.where('delivery.channel', '=', input.channel)
      const rows = await query.execute()
      const shown = rows.slice(0, input.limit)
      return {
        items: shown.map(({ title, ...row }) => presentNotificationDelivery(row, title)),
        next_before: rows.length > input.limit ? (shown.at(-1)?.id ?? null) : null,
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
