// Pushes: the record is kept before anybody is told, the person of this device is told once, and a tap leads to it.
import type { AppEvent } from '#contract/events.ts'
import type { SignalRecord } from '#contract/signal.ts'
import type { Ctx } from '#data/context.ts'
import type { ShownData } from '#data/device/push.ts'
import { firstTold, keepPushed, leaveFor, readSession, type SessionReplica } from '#data/device/session-db.ts'
import { openStore } from '#data/outbox/store.ts'
import { AWAY_TAG, type Away, digestOf, isLate, oneMore } from './away.ts'
import { goTo, windows } from './go-to.ts'
import { type PushMessage, readMessage } from './push-message.ts'
import { queueReceipt } from './receipt.ts'
import { tellPages } from './sync.ts'

declare const self: ServiceWorkerGlobalScope

/** Not in the types, but in the browsers. */
type ShowOptions = NotificationOptions & { renotify?: boolean; timestamp?: number }
const LOOKS = { icon: '/icons/icon-192.png', badge: '/icons/badge-96.png' }

/** One message. A browser that can show it by itself (Declarative Web Push) and hands no data over does so. */
export async function receivePush(event: PushEvent): Promise<void> {
  const { notification: shown_by_browser } = event as { notification?: Notification | null }
  if (event.data === null && shown_by_browser) return
  const message = readMessage(event.data, self.location.origin)
  const session = await readSession().catch(() => null)
  const now = Date.now() + (session?.clock_offset_ms ?? 0)
  if (message === null || session === null || session.uid !== message.uid) return showNeutral()
  const { uid, ctx } = message
  const at_ms = message.at === null ? null : Date.parse(message.at)
  const leave = await leaveFor(uid, { ctx, strategy_id: message.record?.strategy_id ?? null, at_ms }, now)
  if (leave === 'neither') return showNeutral()
  const record = leave === 'keep' ? message.record : null
  // An open page has it at once, whatever the disk takes.
  if (record) tellPages(uid, { type: 'pushed', event: eventOf(record, ctx, uid) })
  // A device that cannot keep it is told all the same.
  if (record) await keepPushed(uid, ctx, record).catch((error: unknown) => console.warn('push', error))
  const first = await firstTold(message.delivery_id).catch(() => true)
  const open = !message.test && (await windows()).some(({ visibilityState }) => visibilityState === 'visible')
  // Refused by the person meanwhile: the record is there, and nobody is told that it was shown.
  const show = () => (isLate(message, now) ? showAway(message, first, now) : showOne(message, first))
  const shown = open || (await inTurn(show).then(() => true, notShown))
  await Promise.all([
    setBadge(message, uid),
    closeRead(message),
    first && shown && queueReceipt(session, { ...namesOf(message), shown_at: new Date(now).toISOString() }),
  ])
}

/** The record as the stream would have told it: the pages take it the same way. */
function eventOf(record: SignalRecord, ctx: Ctx, uid: string): AppEvent {
  return {
    seq: record.seq,
    scope: ctx === 'personal' ? `p:${uid}` : `o:${ctx.slice('org:'.length)}`,
    at: record.received_at,
    kind: record.refers_to === null ? 'signal' : 'signal-voided',
    data: record,
  }
}

const namesOf = ({ delivery_id, record }: Pick<PushMessage, 'delivery_id' | 'record'>) => ({
  channel: 'push' as const,
  delivery_id,
  ...(record && { signal_id: record.id }),
})

function notShown(error: unknown): false {
  console.warn('push', error)
  return false
}

interface Shown extends ShownData {
  /** So many of this place were not looked at yet. */
  count: number
  /** Of the place for what came late. */
  away?: Away
}

let turn: Promise<unknown> = Promise.resolve()
/** One after the other: what is shown next counts what is shown. Many come at once to a device that was away. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const next = turn.then(work)
  turn = next.catch(() => undefined)
  return next
}

/** One place for all that comes late; alone in it a message speaks for itself. */
async function showAway(message: PushMessage, first: boolean, now: number): Promise<void> {
  const { title, body, lang, record, url, notification_id, delivery_id, at } = message
  const [older] = await self.registration.getNotifications({ tag: AWAY_TAG })
  const before = (older?.data as Shown | null)?.away ?? null
  const { alarms, ...away } = oneMore(before, message, first, now)
  const { count } = away
  const alone = count === 1
  const data: Shown = {
    url: alone ? url : '/signal-notification',
    notification_id: alone ? notification_id : null,
    delivery_id: alone ? delivery_id : null,
    signal_id: alone ? (record?.id ?? null) : null,
    ...{ count, away },
  }
  const words = alone ? { title, body } : digestOf(away)
  const options: ShowOptions = {
    ...LOOKS,
    ...{ body: words.body, lang, tag: AWAY_TAG, data, renotify: alarms, silent: !alarms },
    ...(at !== null && { timestamp: Date.parse(at) }),
  }
  await self.registration.showNotification(words.title, options)
}

async function showOne(message: PushMessage, first: boolean): Promise<void> {
  const { tag, title, body, lang, record, url, notification_id, delivery_id } = message
  const [older] = await self.registration.getNotifications({ tag })
  const before = (older?.data as Shown | null)?.count ?? 0
  const count = first ? before + 1 : Math.max(1, before)
  const data: Shown = { url, notification_id, delivery_id, signal_id: record?.id ?? null, count }
  const options: ShowOptions = {
    ...LOOKS,
    body,
    lang,
    tag,
    data,
    renotify: first,
    silent: !first,
    ...(record && { timestamp: Date.parse(record.occurred_at) }),
  }
  await self.registration.showNotification(count > 1 ? `${title}（共 ${count} 則）` : title, options)
}

/** What was read on another device needs nobody here any more. */
async function closeRead({ read, notification_id }: PushMessage): Promise<void> {
  if (read.length === 0) return
  for (const shown of await self.registration.getNotifications()) {
    const of = (shown.data as Shown | null)?.notification_id
    if (of && of !== notification_id && read.includes(of)) shown.close()
  }
}

/** Browsers demand that a push shows something: where nothing may be told it says only whose app it was. */
async function showNeutral(): Promise<void> {
  if ((await windows()).some(({ visibilityState }) => visibilityState === 'visible')) return
  await self.registration.showNotification('凌波 LingBo', {
    ...LOOKS,
    body: '打開凌波查看最新狀況',
    lang: 'zh-Hant',
    tag: 'neutral',
    silent: true,
  })
}

/** What asks for the person, and what waits for a decision of theirs. */
async function setBadge({ attention }: PushMessage, uid: string): Promise<void> {
  if (attention === null || !('setAppBadge' in navigator)) return
  const asks = await openStore(uid, Date.now)
    .read()
    .then(
      ({ rows }) => rows.filter(({ state }) => state === 'needs_confirm').length,
      () => 0, // no database yet: nothing waits in it
    )
  await navigator.setAppBadge(attention + asks)
}

/** The tap: an open window goes there, else one is opened. */
export async function openShown({ notification }: NotificationEvent): Promise<void> {
  const data = notification.data as Shown | null
  notification.close()
  await goTo(data?.url ?? '/')
  const session: SessionReplica | null = await readSession().catch(() => null)
  if (session === null || !data?.delivery_id) return
  await queueReceipt(session, {
    channel: 'push',
    delivery_id: data.delivery_id,
    ...(data.signal_id !== null && { signal_id: data.signal_id }),
    opened_at: new Date(Date.now() + session.clock_offset_ms).toISOString(),
  })
}
