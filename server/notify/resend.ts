// 重送: a delivery that did not get there is planned anew, for now.
import { ApiError } from '#contract/errors.ts'
import type { NotificationDelivery } from '#contract/notification.ts'
import type { App, Tx } from '../context.ts'
import type { NotificationDeliveryRow } from '../db/schema-notify.ts'
import { presentNotification } from '../stream/notification.ts'
import { deliveriesOf, type Hearings, visibleNotifications } from './inbox.ts'
import { presentNotificationDelivery } from './present.ts'
import { forgiveReceiver } from './rests.ts'

/** 4040 for what is not the person's (any more), 4220 while it is on its way, 6020–6022 where nobody is there to send it to. */
export async function resend(
  app: App,
  tx: Tx,
  uid: string,
  hearings: Hearings,
  id: string,
): Promise<NotificationDelivery> {
  const found = await visibleNotifications(tx.db, uid, hearings)
    .innerJoin('notification_deliveries as delivery', 'delivery.notification_id', 'notifications.id')
    .selectAll('delivery')
    .select('notifications.title')
    .where('delivery.id', '=', id)
    .executeTakeFirst()
  if (!found) throw new ApiError(4040)
  const { title, ...row } = found
  if (row.channel === 'in_app') throw new ApiError(4220, { text: '站內通知就在收件匣，不必重送' })
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
  const told = await tx.db
    .updateTable('notifications')
    .set({ read_at: null })
    .where('id', '=', row.notification_id)
    .where('read_at', 'is not', null)
    .returningAll()
    .executeTakeFirst()
  // Unread once more: the badges of every device count it.
  if (told?.listed === 1) {
    const deliveries = await deliveriesOf(tx.db, [told.id])
    await tx.append(`p:${uid}`, 'notification', presentNotification(told, deliveries(told.id)))
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
