// Devices that take pushes: the calls that bring and remove one, and their rows.

import { timingSafeEqual } from 'node:crypto'
import webpush from 'web-push'
import {
  deletePushSubscription,
  getPushKey,
  listPushSubscriptions,
  subscribePush,
  testPush,
  unsubscribePush,
} from '#contract/binding.ts'
import { ApiError, invalid } from '#contract/errors.ts'
import { PUSH_DEVICES } from '#contract/limits.ts'
import type { PushSubscription } from '#contract/notification.ts'
import type { App, Tx } from '../../../context.ts'
import type { ChannelReceiverRow, Db } from '../../../db/schema.ts'
import { handle, type Route } from '../../../http/handle.ts'
import { isPushService } from '../../../outgoing.ts'
import { dropFacts, readFact, storeFact } from '../../channel-facts.ts'
import { selfTest } from '../../channel-state.ts'
import { markOf, openReceiver, receiversOf, storeReceiver } from '../../receivers.ts'
import type { SubscriptionConfig } from './channel.ts'

export function pushRoutes(app: App): Route[] {
  return [
    handle(app, getPushKey, () => Promise.resolve({ key: app.vapid.public })),

    handle(app, listPushSubscriptions, ({ tx, actor }) => listed(app, tx.db, actor)),

    handle(app, subscribePush, {
      async prepare({ input: { endpoint, keys } }) {
        await checkEndpoint(app, endpoint)
        if (!canEncrypt(keys)) throw invalid({ 'keys.p256dh': '推播金鑰格式不正確' })
      },
      async run({ tx, actor, input: { endpoint, keys, device_label, again } }) {
        if (again && (await isRemoved(tx.db, actor.sid)))
          throw new ApiError(4040, { text: '這台裝置已經移除，要再收推播請重新打開' })
        const label = device_label ?? (await labelOf(tx.db, actor.sid))
        const row = await keepSubscription(app, tx, actor, { endpoint, keys, device_label: label })
        await tx.append(`p:${actor.uid}`, 'setting', { change: 'push' })
        return shown(app, row, actor.sid)
      },
    }),

    handle(app, deletePushSubscription, async ({ tx, actor, input }) => {
      if (!(await removeSubscription(tx, actor.uid, input.id))) throw new ApiError(4040)
      await tx.append(`p:${actor.uid}`, 'setting', { change: 'push' })
      return null
    }),

    // Whoever leaves says it without having to know whether it was ever kept.
    handle(app, unsubscribePush, async ({ tx, actor, input }) => {
      if (await dropSubscription(app, tx.db, actor.uid, input.endpoint))
        await tx.append(`p:${actor.uid}`, 'setting', { change: 'push' })
      return null
    }),

    handle(app, testPush, {
      prepare: ({ actor }) => selfTest(app, actor, 'push'),
      run: ({ prepared }) => Promise.resolve(prepared),
    }),
  ]
}

/** The server will call this address: one of the known push services, or any that may be called at all (threat T22). */
async function checkEndpoint(app: App, endpoint: string): Promise<void> {
  if (isPushService(endpoint)) return
  const problem = await app.outgoing.check(endpoint)
  if (problem) throw invalid({ endpoint: problem.reason })
}

/** The key may be as long as a key and yet be none. */
function canEncrypt({ p256dh, auth }: { p256dh: string; auth: string }): boolean {
  try {
    webpush.encrypt(p256dh, auth, 'x', 'aes128gcm')
    return true
  } catch {
    // It says what is wrong in English, for developers; to the person it is one thing.
    return false
  }
}

// Which devices of a person take pushes: rows of receivers, each bound to the session that brought it.

type Ground = Pick<App, 'keys'>
type Owner = { readonly uid: string; readonly sid: string }

function shown({ keys }: Ground, row: ChannelReceiverRow, sid: string): PushSubscription {
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

async function listed(app: Ground, db: Db, { uid, sid }: Owner): Promise<PushSubscription[]> {
  const rows = await receiversOf(db, uid, 'push')
  return rows.map((row) => shown(app, row, sid))
}

/** A session has one device: what it brought before is replaced. */
async function keepSubscription(
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
  await requireSameDevice(app, tx.db, uid, endpoint, keys)
  await dropFacts(tx.db, 'push', [removedOf(sid)])
  const existing = await ofEndpoint(app, tx.db, endpoint).where('uid', '=', uid).executeTakeFirst()
  // Its push service has ended it for good, whatever the browser believes: it is told, and makes another one.
  if (existing?.state === 'gone') return existing
  const config: SubscriptionConfig = { keys, sender: app.vapid.public }
  const row = await storeReceiver(app, tx.db, tx.at, {
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

/**
 * Another person's device is taken over by whoever signs in on it, and a browser gives its endpoint with the same keys then.
 * Who has only come to know the endpoint has other keys: the alarms of its owner do not end by that (threat T25).
 */
async function requireSameDevice(
  app: Ground,
  db: Db,
  uid: string,
  endpoint: string,
  keys: SubscriptionConfig['keys'],
): Promise<void> {
  const row = await ofEndpoint(app, db, endpoint).where('uid', '!=', uid).executeTakeFirst()
  if (!row) return
  const existing = openReceiver(app, row).config as unknown as SubscriptionConfig
  const [given, right] = [keys.auth, existing.keys.auth].map((auth) => Buffer.from(auth, 'base64url'))
  if (given?.length !== right?.length || !timingSafeEqual(given as Buffer, right as Buffer))
    throw invalid({ endpoint: '這個推播訂閱屬於另一台裝置，請在瀏覽器重新開啟推播' })
}

const ofEndpoint = (app: Ground, db: Db, endpoint: string) =>
  db
    .selectFrom('channel_receivers')
    .selectAll()
    .where('channel', '=', 'push')
    .where('address_mark', '=', markOf(app, 'push', endpoint))

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
async function labelOf(db: Db, sid: string): Promise<string> {
  const row = await db.selectFrom('sessions').select('device_label').where('id', '=', sid).executeTakeFirst()
  return row?.device_label ?? '未知裝置'
}

/** A device leaves by its endpoint; false when it is none of the person's. */
async function dropSubscription(app: Ground, db: Db, uid: string, endpoint: string): Promise<boolean> {
  const gone = await db
    .deleteFrom('channel_receivers')
    .where('channel', '=', 'push')
    .where('uid', '=', uid)
    .where('address_mark', '=', markOf(app, 'push', endpoint))
    .executeTakeFirst()
  return gone.numDeletedRows > 0n
}

/**
 * The person takes a device away, here or from another one; false when it is none of theirs. It would bring itself again at its
 * next start: its session is noted until somebody turns it on there.
 */
async function removeSubscription({ db, at }: Tx, uid: string, id: string): Promise<boolean> {
  const gone = await db
    .deleteFrom('channel_receivers')
    .where('channel', '=', 'push')
    .where('uid', '=', uid)
    .where('id', '=', id)
    .returning('sid')
    .executeTakeFirst()
  if (gone?.sid != null) {
    await tidyRemoved(db)
    await storeFact(db, 'push', removedOf(gone.sid), at)
  }
  return gone !== undefined
}

const REMOVED = 'removed '
const removedOf = (sid: string) => REMOVED + sid

/** Whether the person took away the device of this session. */
async function isRemoved(db: Db, sid: string): Promise<boolean> {
  return (await readFact(db, 'push', removedOf(sid))) !== null
}

/** What was noted of sessions that have ended says nothing any more. */
async function tidyRemoved(db: Db): Promise<void> {
  const noted = await db
    .selectFrom('channel_facts')
    .select('name')
    .where('channel', '=', 'push')
    .where('name', 'like', `${REMOVED}%`)
    .execute()
  if (noted.length === 0) return
  const sids = noted.map(({ name }) => name.slice(REMOVED.length))
  const living = await db
    .selectFrom('sessions')
    .select('id')
    .where('id', 'in', sids)
    .where('ended_at', 'is', null)
    .execute()
  const kept = new Set(living.map(({ id }) => id))
  await dropFacts(db, 'push', sids.filter((sid) => !kept.has(sid)).map(removedOf))
}
