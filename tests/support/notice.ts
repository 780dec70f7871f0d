// A delivery that did not get there, and a device that gets pushes, put down as the server would.
import type { App } from '#server/context.ts'
import { newId } from '#server/ids.ts'
import { storeReceiver } from '#server/notify/receivers.ts'

/** Gives the ids of both. */
export async function insertNotice(
  app: App,
  uid: string,
): Promise<{ notice_id: string; receiver_id: string }> {
  const at = new Date(app.now()).toISOString()
  const receiver = await storeReceiver(app, app.db, at, {
    ...{ uid, channel: 'push', address: `https://push.example.invalid/${uid}`, same: uid, name: '手機' },
    config: {},
  })
  const id = newId()
  await app.db
    .insertInto('notifications')
    .values({
      ...{ id, uid, seq: 0, key: `notice ${id}`, kind: 'alarm', organization_id: null, strategy_id: null },
      ...{
        signal_id: null,
        announcement_id: null,
        title: '一則通知',
        body: '',
        link: '/dashboard',
        listed: 0,
      },
      ...{ created_at: at, read_at: null, shown_at: null, opened_at: null },
    })
    .execute()
  const notice_id = newId()
  await app.db
    .insertInto('notification_deliveries')
    .values({
      ...{ id: notice_id, notification_id: id, uid, channel: 'push', receiver_id: receiver.id },
      ...{
        device_label: '手機',
        state: 'dead',
        reason: '對方沒有回應',
        attempts: 7,
        rank: 0,
        created_at: at,
      },
      ...{ next_at: null, lease_holder: null, sent_at: null, shown_at: null, opened_at: null },
    })
    .execute()
  return { notice_id, receiver_id: receiver.id }
}
