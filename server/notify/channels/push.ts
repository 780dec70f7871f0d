// 推播: Web Push to the devices of a person (RFC 8030, 8291, 8292).
import { createHash, timingSafeEqual } from 'node:crypto'
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
import { PUSH_BYTES, PUSH_DEVICES } from '#contract/limits.ts'
import type { PushSubscription } from '#contract/notification.ts'
import type { SignalRecord } from '#contract/signal.ts'
import type { App, Tx } from '../../context.ts'
import type { ChannelReceiverRow, Db } from '../../db/schema.ts'
import { handle, type Route } from '../../http/handle.ts'
import { isPushService, OutgoingError } from '../../outgoing.ts'
import type { Channel, OutgoingMessage, Receiver, SendResult } from '../channel.ts'
import { selfTest } from '../channel-state.ts'
import {
  dropFacts,
  markOf,
  openReceiver,
  readFact,
  receiversOf,
  storeFact,
  storeReceiver,
} from '../receivers.ts'

/** What a subscription is worth to us beside its address. */
interface SubscriptionConfig {
  readonly keys: { readonly p256dh: string; readonly auth: string }
  /** Our public key when it was made: a service takes no other sender for it. */
  readonly sender: string
}

/** How long a service keeps a message for a device that is away. */
const TTL_S = { signal: 86_400, alarm: 86_400, announcement: 7 * 86_400, organization: 7 * 86_400, test: 60 }
const PATIENCE_MS = 10_000

export const push: Channel = {
  id: 'push',
  receivers: 'rows',
  gathers: true,
  rests: true,
  confirms: false,
  badge: true,
  pace: { at_once: 64, per_receiver_ms: 0, per_second: 1_000 },
  unavailable: () => null,
  async send(app, to, message, signal) {
    const config = to.config as unknown as SubscriptionConfig
    if (config.sender !== app.vapid.public)
      return {
        kind: 'lost',
        state: 'failing',
        reason: '這台伺服器換了推播金鑰，請在那台裝置上打開凌波一次',
      }
    let result: SendResult = { kind: 'refused', reason: '內容太長，放不進推播', ours: true }
    for (const payload of payloadsOf(to.uid, message)) {
      const status = await post(app, to, config, payload, message, signal)
      result = status.result
      if (status.code !== 413) break
    }
    return result
  },
}

async function post(
  app: App,
  to: Receiver,
  { keys }: SubscriptionConfig,
  payload: string,
  message: OutgoingMessage,
  signal: AbortSignal,
): Promise<{ code: number; result: SendResult }> {
  const { vapid, outgoing, now } = app
  const { endpoint, headers, body } = webpush.generateRequestDetails(
    { endpoint: to.address, keys },
    payload,
    {
      headers: { Authorization: signedFor(vapid, new URL(to.address).origin) },
      contentEncoding: 'aes128gcm',
      TTL: TTL_S[message.kind],
      urgency: message.kind === 'signal' || message.kind === 'test' || message.urgent ? 'high' : 'normal',
      // A device that was away is told the newest of a strategy; the others are in its list.
      ...(message.kind === 'signal' && { topic: topicOf(to.uid, tagOf(message)) }),
    },
  )
  try {
    const answer = await outgoing.send({
      url: endpoint,
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
      body,
      timeout_ms: PATIENCE_MS,
      signal,
    })
    const { status } = answer
    return { code: status, result: resultOf(status, answer.headers['retry-after'], now()) }
  } catch (error) {
    if (error instanceof OutgoingError) return { code: 0, result: resultOfFailure(error) }
    throw error
  }
}

/** One signature serves every message to a service for an hour: it names the service and us, nothing else (RFC 8292 §2). */
function signedFor(vapid: App['vapid'], origin: string): string {
  const of_service = signed.get(vapid) ?? new Map<string, { at: number; word: string }>()
  signed.set(vapid, of_service)
  const cached = of_service.get(origin)
  if (cached && Date.now() - cached.at >= 0 && Date.now() - cached.at < SIGNED_MS) return cached.word
  if (of_service.size >= SERVICES_MOST) of_service.clear()
  const { Authorization } = webpush.getVapidHeaders(
    origin,
    vapid.subject,
    vapid.public,
    vapid.private,
    'aes128gcm',
  )
  of_service.set(origin, { at: Date.now(), word: Authorization })
  return Authorization
}
const signed = new WeakMap<App['vapid'], Map<string, { at: number; word: string }>>()
const SIGNED_MS = 3_600_000
const SERVICES_MOST = 1_000

/** Tells a push service nothing but that two messages are about the same thing. */
function topicOf(uid: string, tag: string): string {
  return createHash('sha256').update(`${uid} ${tag}`).digest('base64url').slice(0, 32)
}

// What the answer of a push service means for a delivery (RFC 8030; fault F25).

/** Nobody waits longer for a service that says "later". */
const LATEST_MS = 3_600_000

/** 413 is not here: the sender tries a shorter form first. */
function resultOf(status: number, retry_after: string | undefined, now: number): SendResult {
  if (status >= 200 && status < 300) return { kind: 'sent' }
  if (status === 404 || status === 410)
    return { kind: 'lost', state: 'gone', reason: '這台裝置的推播訂閱已失效，請在那台裝置上重新開啟推播' }
  const after_ms = waitOf(retry_after, now)
  const later = (reason: string): SendResult => ({
    kind: 'again',
    reason,
    ...(after_ms !== null && { after_ms }),
  })
  if (status === 429) return later('推播服務要我們慢一點，稍後再試')
  if (status >= 500) return later(`推播服務暫時無法使用（${status}），稍後再試`)
  // A clock that runs wrong is refused like a wrong key: neither is the device's fault.
  if (status === 401 || status === 403)
    return later(`推播服務不接受這台伺服器的簽章（${status}）。請檢查伺服器的時間與推播金鑰`)
  if (status === 413) return { kind: 'refused', reason: '推播服務說內容太長（413）', ours: true }
  return { kind: 'refused', reason: `推播服務拒絕了這則推播（${status}）` }
}

/** No answer came. */
function resultOfFailure({ reason, may_work_later, problem }: OutgoingError): SendResult {
  if (may_work_later || problem === 'certificate') return { kind: 'again', reason: `推播服務：${reason}` }
  return { kind: 'lost', state: 'failing', reason: `推播服務：${reason}` }
}

/** Retry-After, in seconds or as a date; null when there is none that makes sense. */
function waitOf(header: string | undefined, now: number): number | null {
  if (header === undefined) return null
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - now
  return Number.isFinite(ms) && ms >= 0 ? Math.min(ms, LATEST_MS) : null
}

// What is inside a push message (wire.md §8): a Declarative Web Push that a browser can show by itself, and the record for the worker.

/** The text of a shortened message. */
const BODY_LENGTH = 240

interface Cut {
  body(text: string): string
  record(record: SignalRecord): SignalRecord | null
}

const cut = (text: string) => {
  const letters = [...text]
  return letters.length > BODY_LENGTH ? `${letters.slice(0, BODY_LENGTH - 1).join('')}…` : text
}

/** From whole to shortest. What the record loses, the device reads from the feed as soon as it is online. */
const CUTS: readonly Cut[] = [
  { body: (text) => text, record: (record) => record },
  { body: cut, record: (record) => ({ ...record, note: null }) },
  {
    body: cut,
    record: (record) => ({ ...record, note: null, reason: null, external_id: null, symbol_raw: null }),
  },
  { body: cut, record: () => null },
  { body: () => '', record: () => null },
]

/** What a device shows in one place: a newer signal of a strategy takes the place of the older one. */
function tagOf({ kind, strategy_id, notification_id, key }: OutgoingMessage): string {
  if (kind === 'test') return 'test'
  if (kind !== 'signal') return `${kind}:${notification_id ?? key}`
  return strategy_id === null ? 'signals' : `strategy:${strategy_id}`
}

/** The message in ever shorter forms, those that are too long left out; each is made when it is asked for. */
export function* payloadsOf(uid: string, message: OutgoingMessage): Generator<string, void, undefined> {
  const { words, record, read = [] } = message
  let before = ''
  for (const { body, record: shortened } of CUTS) {
    const form = JSON.stringify({
      web_push: 8030,
      notification: {
        title: words.title,
        body: body(words.lines.join('\n')),
        navigate: message.url,
        lang: 'zh-Hant',
        tag: tagOf(message),
      },
      app_badge: message.attention,
      mutable: true,
      lingbo: {
        v: 1,
        uid,
        ctx: message.ctx,
        notification_id: message.notification_id,
        delivery_id: message.key,
        kind: message.kind,
        at: message.at,
        record: record && shortened(record),
        ...(read.length > 0 && { read }),
      },
    })
    if (form !== before && Buffer.byteLength(form) <= PUSH_BYTES) yield form
    before = form
  }
}

// Devices that take pushes: the calls that bring and remove one, and their rows.

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
