// Which devices of a person take pushes: rows of receivers, each bound to the session that brought it.
import { PUSH_DEVICES } from '#contract/limits.ts'
import type { PushSubscription } from '#contract/notification-shape.ts'
import type { App, Tx } from '../../../context.ts'
import type { Db } from '../../../db/schema.ts'
import type { ChannelReceiverRow } from '../../../db/schema-notify.ts'
import { keepReceiver, markOf, receiversOf } from '../../receivers.ts'
import type { SubscriptionConfig } from './channel.ts'

type Ground = Pick<App, 'keys'>
type Owner = { readonly uid: string; readonly sid: string }

export function shown({ keys }: Ground, row: ChannelReceiverRow, sid: string): PushSubscription {
  return {
    id: row.id,
    endpoint_host: new URL(keys.unseal(row.address)).hostname,
    device_label: row.name ?? '未知裝置',
    created_at: row.created_at,
    last_ok_at: row.last_ok_at,
    state: row.state === 'bound' ? 'ok' : 'gone',
    is_this_session: row.sid === sid,
  }
}

export async function listed(app: Ground, db: Db, { uid, sid }: Owner): Promise<PushSubscription[]> {
  const rows = await receiversOf(db, uid, 'push')
  return rows.map((row) => shown(app, row, sid))
}

/** A session has one device: what it brought before is replaced. */
export async function keepSubscription(
  app: Pick<App, 'keys' | 'vapid'>,
  tx: Tx,
  { uid, sid }: Owner,
  {
    endpoint,
    keys,
    device_label,
  }: { endpoint: string; keys: SubscriptionConfig['keys']; device_label: string },
): Promise<ChannelReceiverRow> {
  await tx.db
    .deleteFrom('channel_receivers')
    .where('uid', '=', uid)
    .where('channel', '=', 'push')
    .where('sid', '=', sid)
    .where('address_mark', '!=', markOf(app, 'push', endpoint))
    .execute()
  const config: SubscriptionConfig = { keys, sender: app.vapid.public }
  const row = await keepReceiver(app, tx.db, tx.at, {
    uid,
    channel: 'push',
    address: endpoint,
    same: endpoint,
    name: device_label,
    config: { ...config },
    sid,
  })
  await makeRoom(tx.db, uid, row.id)
  return row
}

/** What was not heard of for longest makes room. */
async function makeRoom(db: Db, uid: string, except: string): Promise<void> {
  const rows = (await receiversOf(db, uid, 'push')).filter(({ id }) => id !== except)
  const heard = (row: ChannelReceiverRow) => (row.state === 'bound' ? (row.last_ok_at ?? row.created_at) : '')
  const spare = rows
    .sort((a, b) => (heard(a) < heard(b) ? -1 : 1))
    .slice(0, Math.max(0, rows.length + 1 - PUSH_DEVICES))
  for (const { id } of spare) await db.deleteFrom('channel_receivers').where('id', '=', id).execute()
}

/** The name of the device that a session runs on. */
export async function labelOf(db: Db, sid: string): Promise<string> {
  const row = await db.selectFrom('sessions').select('device_label').where('id', '=', sid).executeTakeFirst()
  return row?.device_label ?? '未知裝置'
}

/** Takes a device away, by its id or by its endpoint; false when it is none of the person's. */
export async function dropSubscription(
  app: Ground,
  db: Db,
  uid: string,
  which: { id: string } | { endpoint: string },
): Promise<boolean> {
  const mine = db.deleteFrom('channel_receivers').where('channel', '=', 'push').where('uid', '=', uid)
  const gone = await ('id' in which
    ? mine.where('id', '=', which.id)
    : mine.where('address_mark', '=', markOf(app, 'push', which.endpoint))
  ).executeTakeFirst()
  return gone.numDeletedRows > 0n
}
