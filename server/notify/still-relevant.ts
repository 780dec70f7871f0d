// What was planned and is due: who may still be told of it, of which record, and why not where it is over.
import { sql } from 'kysely'
import { type ChannelId, isProgram } from '#contract/channels.ts'
import type { SignalRecord } from '#contract/signal.ts'
import { taipeiDay } from '#trading/calendar.ts'
import { isPointer } from '#trading/fold/sequence.ts'
import type { OpenGap } from '#trading/fold/state.ts'
import { mayReadAnnouncement } from '../access/announcements.ts'
import { type BellState, bellOf, bellUntouched } from '../access/strategies.ts'
import type { App } from '../context.ts'
import type { Db, NotificationDeliveryRow, NotificationRow } from '../db/schema.ts'
import { WHOLE_CHANNEL } from '../limits/backoff.ts'
import { presentSignal, RECORD_COLUMNS } from '../record/records.ts'
import { ALARMS } from './alarm-news.ts'
import { mayRead, membersOf, type Recipient } from './audience.ts'
import type { Matter } from './decide.ts'
import { REMINDERS } from './ends.ts'
import { idOf } from './enqueue.ts'
import { INVITES } from './membership-news.ts'
import { movesOf, originalsOf, recordFor } from './news.ts'
import { KeptSums, type Total, totals } from './totals.ts'
import type { Original } from './words.ts'

/** A delivery with what it delivers. */
export interface Due {
  readonly delivery: NotificationDeliveryRow
  readonly notification: NotificationRow
  /** The record, as the person is shown it; null when it is not about one. */
  readonly record: SignalRecord | null
  readonly strategy_name: string | null
  /** Of a void or correction: what it is about. */
  readonly original: Original | null
  /** Of an exit: what the person may know of what has been made so far. */
  readonly total: Total | null
  /** As it was planned by, with the bell as it is now. */
  readonly matter: Matter
  readonly bell: BellState | null
  readonly escalation: Escalation
}

/** One that is not told any more, and why. */
export interface Dropped {
  readonly row: NotificationDeliveryRow
  readonly reason: string
  /** Only here: the next channel may come. */
  readonly opens?: true
}

/** Those of these deliveries, whoever's they are, that may still be told, and the others with the reason why not. */
export async function stillRelevant(
  app: App,
  rows: readonly NotificationDeliveryRow[],
  sums = new KeptSums(),
): Promise<{ due: Due[]; dropped: Dropped[] }> {
  const { db } = app
  const at = new Date(app.now()).toISOString()
  const day = taipeiDay(at)
  const notifications = await db
    .selectFrom('notifications')
    .selectAll()
    .where('id', 'in', [...new Set(rows.map(({ notification_id }) => notification_id))])
    .execute()
  const notification_of = new Map(notifications.map((row) => [row.id, row]))
  const escalation = await escalationOf(db, rows, notifications, at)
  const signals = await signalsOf(db, notifications)
  const originalOf = await originalsOf(
    db,
    [...signals.values()].map(({ record }) => record),
  )
  const recipientNow = await recipientsNow(app, notifications, day)
  const bellFor = await bellsOf(db, notifications)
  const erased = await deletedOf(db, notifications)
  const unreadable = await unreadableOf(db, notifications, { day, at })
  const asked = {
    neverSent: await neverSentOf(db, rows, signals),
    gapAnswered: await answeredGapsOf(db, notifications, signals),
  }
  const over = await overOf(db, notifications, { day, at })
  const asked_about = new Map(strategiesOf(notifications).map((id) => [id, []]))
  const totalOf = totals(db, sums, asked_about)
  const due: Due[] = []
  const dropped: Dropped[] = []
  for (const row of rows) {
    const notification = notification_of.get(row.notification_id)
    const found = signals.get(notification?.signal_id ?? '') ?? null
    const reason = !notification
      ? '通知已刪除'
      : erased(notification)
        ? '策略已經刪除'
        : unreadable(notification)
          ? '公告已經刪除或過期，或你已看不到它'
          : row.asked_at !== null
            ? null
            : (notification.read_at !== null && !isProgram(row.channel) && '已經讀過了') ||
              escalation(row).done ||
              over(notification) ||
              reasonToDrop(notification, row, found?.record ?? null, asked)
    if (!notification || reason !== null) {
      dropped.push({ row, reason: reason ?? '' })
      continue
    }
    const recipient = recipientNow(notification)
    // Ruling A14: what was planned before the access ended is not told after it.
    if (
      !recipient ||
      (notification.kind === 'alarm' && !recipient.edits) ||
      (found && !mayRead(recipient, found.record.strategy_id, found.record.occurred_at))
    ) {
      dropped.push({ row, reason: '你已看不到這個策略' })
      continue
    }
    const record =
      found && notification.kind === 'signal' ? await recordFor(app, db, recipient, found.record) : null
    due.push({
      delivery: row,
      notification,
      record,
      total: record && (await totalOf(record, recipient)),
      strategy_name: found?.strategy_name ?? null,
      original: found && originalOf(found.record),
      matter: matterOf(notification, found?.record ?? null),
      bell: bellFor(notification, recipient),
      escalation: escalation(row),
    })
  }
  return { due, dropped }
}

/** Why what was told until something happened is told no more; null where it stands. */
async function overOf(
  db: Db,
  notifications: readonly NotificationRow[],
  now: { readonly day: string; readonly at: string },
): Promise<(one: NotificationRow) => string | null> {
  const over = new Map<string, string>()
  for (const standing of [...REMINDERS, INVITES, ...ALARMS]) {
    const rows = notifications.filter(({ kind, key }) => kind === standing.kind && standing.keys.test(key))
    if (rows.length === 0) continue
    const still = await standing.still(db, [...new Set(rows.map(idOf))], now, rows)
    for (const row of rows) if (!still(row)) over.set(row.id, standing.over)
  }
  return ({ id }) => over.get(id) ?? null
}

async function signalsOf(
  db: Db,
  notifications: readonly NotificationRow[],
): Promise<Map<string, { record: SignalRecord; strategy_name: string }>> {
  const ids = notifications.flatMap(({ signal_id }) => signal_id ?? [])
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('signals')
    .innerJoin('strategies', 'strategies.id', 'signals.strategy_id')
    .select(RECORD_COLUMNS.map((column) => `signals.${column}` as const))
    .select('strategies.name as strategy_name')
    .where('signals.id', 'in', ids)
    .execute()
  return new Map(
    rows.map(({ strategy_name, ...row }) => [
      row.id,
      { record: presentSignal(row, { edit: true }), strategy_name },
    ]),
  )
}

/** Each person as a reader of the thing now; null when it is not theirs to see any more. */
async function recipientsNow(
  app: App,
  notifications: readonly NotificationRow[],
  day: string,
): Promise<(one: NotificationRow) => Recipient | null> {
  const found = new Map<string, Recipient>()
  const places = Map.groupBy(notifications, (one) => `${one.organization_id} ${one.strategy_id}`)
  for (const [place, all] of places) {
    const { organization_id, strategy_id } = all[0] as NotificationRow
    if (organization_id === null || strategy_id === null) continue
    const uids = [...new Set(all.map(({ uid }) => uid))]
    for (const recipient of await membersOf(app.db, organization_id, strategy_id, day, uids))
      found.set(`${place} ${recipient.uid}`, recipient)
  }
  return ({ uid, organization_id, strategy_id }) =>
    organization_id === null || strategy_id === null
      ? { uid, access: null, shares: true, edits: true }
      : (found.get(`${organization_id} ${strategy_id} ${uid}`) ?? null)
}

/** What they want to hear of each strategy; null for what no bell is about. */
async function bellsOf(
  db: Db,
  notifications: readonly NotificationRow[],
): Promise<(one: NotificationRow, recipient: Recipient) => BellState | null> {
  const ids = strategiesOf(notifications)
  if (ids.length === 0) return () => null
  const rows = await db
    .selectFrom('strategy_notify')
    .selectAll()
    .where('strategy_id', 'in', ids)
    .where('uid', 'in', [...new Set(notifications.map(({ uid }) => uid))])
    .execute()
  const bells = new Map(rows.map((row) => [`${row.uid} ${row.strategy_id}`, bellOf(row)]))
  const named = await db
    .selectFrom('strategies')
    .select(['id', 'created_by'])
    .where('id', 'in', ids)
    .execute()
  const strategies = new Map(named.map((row) => [row.id, row]))
  return ({ kind, strategy_id }, recipient) => {
    const strategy = strategies.get(strategy_id ?? '')
    if (kind !== 'signal' || strategy === undefined) return null
    return bells.get(`${recipient.uid} ${strategy.id}`) ?? bellUntouched(recipient, strategy)
  }
}

/** Whether the strategy is there no more: its link would lead nowhere. */
async function deletedOf(
  db: Db,
  notifications: readonly NotificationRow[],
): Promise<(one: NotificationRow) => boolean> {
  const ids = strategiesOf(notifications)
  if (ids.length === 0) return () => false
  const there = await db
    .selectFrom('strategies')
    .select('id')
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    .execute()
  const kept = new Set(there.map(({ id }) => id))
  return ({ strategy_id }) => strategy_id !== null && !kept.has(strategy_id)
}

/** Whether it is of an announcement that the person may not read now: taken back, over, or an access has ended. */
async function unreadableOf(
  db: Db,
  notifications: readonly NotificationRow[],
  now: { readonly day: string; readonly at: string },
): Promise<(one: NotificationRow) => boolean> {
  const ids = notifications.flatMap(({ id, announcement_id }) => (announcement_id === null ? [] : id))
  if (ids.length === 0) return () => false
  const rows = await db
    .selectFrom('notifications as n')
    .innerJoin('announcements as a', 'a.id', 'n.announcement_id')
    .select('n.id')
    .where('n.id', 'in', ids)
    .where(mayReadAnnouncement(sql.ref('n.uid'), now))
    .execute()
  const readable = new Set(rows.map(({ id }) => id))
  return ({ id, announcement_id }) => announcement_id !== null && !readable.has(id)
}

function strategiesOf(notifications: readonly NotificationRow[]): string[] {
  return [...new Set(notifications.flatMap(({ strategy_id }) => strategy_id ?? []))]
}

// What a notification is about as it stands now, and whether that is over: voided before anybody was told, put right before the alarm.

function matterOf(
  { kind, strategy_id }: Pick<NotificationRow, 'kind' | 'strategy_id'>,
  record: SignalRecord | null,
): Matter {
  const does = kind === 'signal' && record !== null && !isPointer(record) ? movesOf(record) : { moves: null }
  return { kind, ...does, strategy_id }
}

/** The original that a void points at never went to the receiver of this delivery, and will not. */
type NeverSent = (row: NotificationDeliveryRow, original: string) => boolean

/** Nobody is asked about the position that this record reported: answered, or one that fits came after it. */
type IsGapAnswered = (signal_id: string) => boolean

const ASKS_FOR_PRICE = 'pending '
const DOUBTS_PRICE = 'suspect '
const ASKS_FOR_POSITION = 'gap '
const ASKS_SHORT = 'short '

/** Why there is nothing to tell any more, null when there is. A robot gets every record, in order. */
function reasonToDrop(
  { kind, key }: Pick<NotificationRow, 'kind' | 'key'>,
  row: NotificationDeliveryRow,
  record: SignalRecord | null,
  { neverSent, gapAnswered }: { readonly neverSent: NeverSent; readonly gapAnswered: IsGapAnswered },
): string | null {
  if (record === null || isProgram(row.channel)) return null
  const { status } = record.derived
  if (status === 'voided') return '這筆訊號已經作廢'
  if (kind === 'alarm' && key.startsWith(ASKS_FOR_PRICE) && status !== 'pending_price')
    return '訊號價已經補上'
  if (kind === 'alarm' && key.startsWith(DOUBTS_PRICE) && status !== 'price_suspect') return '價格已經確定'
  if (kind === 'alarm' && key.startsWith(ASKS_SHORT) && !record.flags.includes('asks_short'))
    return '做不做空已經回答'
  if (kind === 'alarm' && key.startsWith(ASKS_FOR_POSITION))
    if (!record.flags.includes('position_gap') || gapAnswered(record.id))
      // Filled in, or led there: then the report fits.
      return '部位不一致已經處理'
  if (record.source === 'void' && record.refers_to !== null && neverSent(row, record.refers_to))
    return '作廢的那一筆沒有送出過'
  return null
}

/** Which of the positions that these notifications ask about are settled. */
async function answeredGapsOf(
  db: Db,
  notifications: readonly Pick<NotificationRow, 'kind' | 'key' | 'signal_id' | 'strategy_id'>[],
  signals: ReadonlyMap<string, { readonly record: SignalRecord }>,
): Promise<IsGapAnswered> {
  const asked = notifications.filter(({ kind, key }) => kind === 'alarm' && key.startsWith(ASKS_FOR_POSITION))
  const ids = asked.flatMap(({ signal_id }) => signal_id ?? [])
  if (ids.length === 0) return () => false
  const answers = await db
    .selectFrom('gap_answers')
    .select('signal_id')
    .distinct()
    .where('strategy_id', 'in', [...new Set(asked.flatMap(({ strategy_id }) => strategy_id ?? []))])
    .where('signal_id', 'in', ids)
    .execute()
  const folds = await db
    .selectFrom('snapshots')
    .select(['strategy_id', 'chain_seq', 'position_gaps'])
    .where('kind', '=', 'head')
    .where('strategy_id', 'in', [...new Set(asked.flatMap(({ strategy_id }) => strategy_id ?? []))])
    .execute()
  const settled = new Set(answers.map(({ signal_id }) => signal_id))
  const fold_of = new Map(folds.map((fold) => [fold.strategy_id, fold]))
  for (const id of ids) {
    const record = signals.get(id)?.record
    const fold = record && fold_of.get(record.strategy_id)
    // One that came out of order is asked about by its alarm alone; a fold that has not seen it says nothing of it.
    if (!fold || record.flags.includes('out_of_order') || fold.chain_seq < record.chain_seq) continue
    if (!(JSON.parse(fold.position_gaps) as OpenGap[]).some((gap) => gap.id === id)) settled.add(id)
  }
  return (id) => settled.has(id)
}

/** Of the voids among these deliveries: to whom their originals never went. One that was tried may have arrived. */
async function neverSentOf(
  db: Db,
  rows: readonly NotificationDeliveryRow[],
  signals: ReadonlyMap<string, { readonly record: SignalRecord }>,
): Promise<NeverSent> {
  const originals = [...signals.values()].flatMap(({ record: { source, refers_to } }) =>
    source === 'void' && refers_to !== null ? [refers_to] : [],
  )
  if (originals.length === 0) return () => false
  const sent_before = await db
    .selectFrom('notifications as notification')
    .innerJoin('notification_deliveries as delivery', 'delivery.notification_id', 'notification.id')
    .select(['notification.signal_id', 'delivery.id', 'receiver_id', 'attempts', 'state', 'sent_at'])
    .where('notification.uid', 'in', [...new Set(rows.map(({ uid }) => uid))])
    .where(
      'notification.key',
      'in',
      originals.map((id) => `signal ${id}`),
    )
    .where('receiver_id', 'in', [...new Set(rows.map((row) => row.receiver_id))])
    .execute()
  const here = new Set(rows.map(({ id }) => id))
  return (row, original) => {
    const own = sent_before.filter(
      ({ receiver_id, signal_id }) => receiver_id === row.receiver_id && signal_id === original,
    )
    // Being held by us it counts as tried once, which it has not been yet.
    return (
      own.length > 0 &&
      own.every(({ id, attempts, sent_at }) => sent_at === null && attempts === (here.has(id) ? 1 : 0))
    )
  }
}

// The same notification over the person's other channels: whether it still has to go here, and whether the one before has had its time.

/** How it stands with the others of the person's order (docs/decisions/notifications.md). */
interface Escalation {
  /** Why it need not go any more; null when it must. */
  readonly done: string | null
  /** When one that comes before was last sent and did not say that it arrived; null = none was. */
  readonly sent_at: string | null
  /** One that comes before is being tried now, or is about to be for the first time. */
  readonly coming: boolean
}

const NOTHING: Escalation = { done: null, sent_at: null, coming: false }

/** What is put off for longer than this is not about to be tried. */
const SOON_MS = 60_000

/** What goes by itself, a robot's among it, is no place in the order: nothing stops it. */
async function escalationOf(
  db: Db,
  rows: readonly NotificationDeliveryRow[],
  notifications: readonly Pick<NotificationRow, 'id' | 'opened_at'>[],
  now: string,
): Promise<(row: NotificationDeliveryRow) => Escalation> {
  // The first try of the first channel waits for nobody.
  const asks = rows.filter(({ rank, attempts }) => rank > 1 || (rank === 1 && attempts > 1))
  if (asks.length === 0) return () => NOTHING
  const others = await db
    .selectFrom('notification_deliveries')
    .select(['notification_id', 'channel', 'rank', 'state', 'attempts'])
    .select(['next_at', 'sent_at', 'shown_at', 'opened_at'])
    .where('notification_id', 'in', [...new Set(asks.map(({ notification_id }) => notification_id))])
    .execute()
  const of = Map.groupBy(others, ({ notification_id }) => notification_id)
  const soon = new Date(Date.parse(now) + SOON_MS).toISOString()
  const opened = new Set(
    [...others.map(({ notification_id: id, opened_at }) => ({ id, opened_at })), ...notifications].flatMap(
      ({ id, opened_at }) => (opened_at === null ? [] : id),
    ),
  )
  const first = others.filter(
    ({ state, attempts, next_at }) =>
      state === 'planned' && attempts === 0 && next_at !== null && next_at <= soon,
  )
  const paused = await pausedOf(db, first, now)
  return ({ notification_id, rank }) => {
    if (rank === 0) return NOTHING
    const all = of.get(notification_id) ?? []
    if (opened.has(notification_id)) return { ...NOTHING, done: '已經打開過了' }
    const ordered = all.filter((one) => one.rank > 0 && one.rank !== rank)
    const there = ordered.find(({ state, shown_at }) => state === 'confirmed' || shown_at !== null)
    if (there) return { ...NOTHING, done: there.rank < rank ? '前一個通道已經送達' : '後一個通道已經送達' }
    const before = ordered.filter((one) => one.rank < rank)
    return {
      done: null,
      sent_at: before
        .flatMap((one) => one.sent_at ?? [])
        .reduce((a, b) => (a === null || b > a ? b : a), null as string | null),
      coming: before.some((one) => one.state === 'sending' || (first.includes(one) && !paused(one))),
    }
  }
}

/** Channels of which all was asked to wait: what stands there may stand for hours. */
async function pausedOf(
  db: Db,
  rows: readonly { readonly channel: ChannelId }[],
  now: string,
): Promise<(row: { readonly channel: ChannelId }) => boolean> {
  if (rows.length === 0) return () => false
  const found = await db
    .selectFrom('receiver_rests')
    .select('channel')
    .where('channel', 'in', [...new Set(rows.map(({ channel }) => channel))])
    .where('receiver_id', '=', WHOLE_CHANNEL)
    .where('asked_until', '>', now)
    .execute()
  const paused = new Set(found.map(({ channel }) => channel))
  return ({ channel }) => paused.has(channel)
}

/** Looked at again so soon while the channel before it is about to go. */
const AGAIN_S = 2

/**
 * Until when it waits for the channel before it; null when it is its turn. The plan says when that is if all goes as planned; after
 * an outage everything is due at once.
 */
export function waitsUntil({ sent_at, coming }: Escalation, now: string, after_s: number): string | null {
  const after = (at: string, seconds: number) => new Date(Date.parse(at) + seconds * 1_000).toISOString()
  const turn = sent_at === null ? null : after(sent_at, after_s)
  if (turn !== null && turn > now) return turn
  return coming ? after(now, AGAIN_S) : null
}
