// The inbox of a person: what of it they may still see, what is unread, marking as read (ruling A3); what devices say they showed.

import { type SelectQueryBuilder, sql } from 'kysely'
import { isInside } from '#contract/channels.ts'
import type { ParsedInputOf } from '#contract/endpoint.ts'
import type { EventData, Scope } from '#contract/events.ts'
import { type NotificationDelivery, needsAttention, type sendReceipts } from '#contract/notification.ts'
import { type Hearing, scopesOf } from '../access/actor.ts'
import { mayReadAnnouncement } from '../access/announcements.ts'
import { today } from '../access/membership.ts'
import { startOf } from '../access/strategies.ts'
import type { Actor, App, Tx } from '../context.ts'
import { bulkUpdate, runBulk } from '../db/bulk.ts'
import type { Db, NotificationDeliveryRow, NotificationRow, Schema } from '../db/schema.ts'
import { insideOf } from '../stream/notification.ts'
import { keysAbout } from './enqueue.ts'

/** What the person may see where, at this moment. */
export interface Hearings {
  readonly scopes: ReadonlyMap<Scope, Hearing>
  readonly day: string
  readonly at: string
}

/** Asked once per call. */
export async function hearingsOf(app: App, { uid }: Pick<Actor, 'uid'>): Promise<Hearings> {
  return { scopes: await scopesOf(app, uid), day: today(app), at: new Date(app.now()).toISOString() }
}

/** The person's notifications that are still theirs to see: an access that ended takes what it told along. */
export function visibleNotifications(
  db: Db,
  uid: string,
  hearings: Hearings,
): SelectQueryBuilder<Schema, 'notifications', object> {
  return (
    db
      .selectFrom('notifications')
      .where('notifications.uid', '=', uid)
      // Of a strategy that was deleted for good nothing is told any more, though it is still being erased.
      .where((eb) =>
        eb.or([
          eb('notifications.strategy_id', 'is', null),
          eb(
            'notifications.strategy_id',
            'not in',
            eb.selectFrom('jobs').select('key').where('kind', '=', 'erase'),
          ),
        ]),
      )
      .where((eb) =>
        eb.or([
          eb('notifications.announcement_id', 'is', null),
          eb.exists(
            eb
              .selectFrom('announcements as a')
              .select('a.id')
              .whereRef('a.id', '=', 'notifications.announcement_id')
              .where(mayReadAnnouncement(sql.ref('notifications.uid'), hearings)),
          ),
        ]),
      )
      .where((eb) =>
        eb.or([
          eb('notifications.organization_id', 'is', null),
          ...[...hearings.scopes].flatMap(([scope, { access }]) => {
            if (!scope.startsWith('o:')) return []
            const here = eb('notifications.organization_id', '=', scope.slice(2))
            if (access === null) return [here]
            // What was told before the first day that they may read now is not theirs to read any more (ruling A10).
            const since = Map.groupBy([...access], ([, { visible_from }]) => visible_from)
            const strategy = eb.or([
              eb('notifications.strategy_id', 'is', null),
              ...[...since].map(([day, own]) =>
                eb.and([
                  eb(
                    'notifications.strategy_id',
                    'in',
                    own.map(([id]) => id),
                  ),
                  eb('notifications.created_at', '>=', startOf(day)),
                ]),
              ),
            ])
            return [eb.and([here, strategy])]
          }),
        ]),
      )
  )
}

/** What asks for a person, or signals; absent: both. */
type Part = 'attention' | 'signal' | undefined

/** A page of the inbox, newest first; `before` is the seq of the last one seen. */
export async function readInbox(
  db: Db,
  uid: string,
  hearings: Hearings,
  {
    before,
    limit,
    unread,
    about,
  }: { before?: string | undefined; limit: number; unread?: boolean | undefined; about?: Part },
): Promise<{ rows: NotificationRow[]; next_before: string | null }> {
  let query = visibleNotifications(db, uid, hearings)
    .selectAll('notifications')
    .where('listed', '=', 1)
    .orderBy('seq', 'desc')
    .limit(limit + 1)
  if (before !== undefined && /^\d{1,15}$/.test(before)) query = query.where('seq', '<', Number(before))
  if (unread) query = query.where('read_at', 'is', null)
  if (about !== undefined)
    query = query.where('notifications.kind', about === 'signal' ? '=' : '<>', 'signal')
  const rows = await query.execute()
  const shown = rows.slice(0, limit)
  return { rows: shown, next_before: rows.length > limit ? String(shown.at(-1)?.seq) : null }
}

/** How many are unread of what the person may see, and how many of these ask for a person. */
export async function countUnread(
  db: Db,
  uid: string,
  hearings: Hearings,
): Promise<{ unread_count: number; attention_count: number }> {
  const rows = await visibleNotifications(db, uid, hearings)
    .select(({ fn }) => ['notifications.kind', fn.countAll().as('unread')])
    .where('listed', '=', 1)
    .where('read_at', 'is', null)
    .groupBy('notifications.kind')
    .execute()
  const of = (some: typeof rows) => some.reduce((sum, { unread }) => sum + Number(unread), 0)
  return { unread_count: of(rows), attention_count: of(rows.filter(needsAttention)) }
}

/** What the badge counts: unread, and asking for a person. With the newest of these, for whoever carries on from it. */
export async function attentionOf(
  db: Db,
  uid: string,
  hearings: Hearings,
): Promise<{ attention: number; seq: number }> {
  const { attention, seq } = await visibleNotifications(db, uid, hearings)
    .select(({ fn }) => [fn.countAll().as('attention'), fn.max('seq').as('seq')])
    // In these words the index is found by: signals that nobody looked at are many, and are not gone through for a push.
    .where(sql<boolean>`read_at is null and listed = 1 and kind <> 'signal'`)
    .executeTakeFirstOrThrow()
  return { attention: Number(attention), seq: Number(seq ?? 0) }
}

/** Looked at, and told of, by what tells a device what to close. */
const NEWEST = 30
const TOLD = 8

/** Of a person's newest notifications those that were read, newest first, no more than a push has room for. */
export async function readLately(db: Db, uid: string): Promise<string[]> {
  const rows = await db
    .selectFrom('notifications')
    .select(['id', 'read_at'])
    .where('uid', '=', uid)
    .orderBy('seq', 'desc')
    .limit(NEWEST)
    .execute()
  return rows
    .filter(({ read_at }) => read_at !== null)
    .map(({ id }) => id)
    .slice(0, TOLD)
}

/** The deliveries of these notifications, by notification. */
export async function deliveriesOf(
  db: Db,
  ids: readonly string[],
): Promise<(id: string) => NotificationDeliveryRow[]> {
  if (ids.length === 0) return () => []
  const rows = await db
    .selectFrom('notification_deliveries')
    .selectAll()
    .where('notification_id', 'in', [...ids])
    .orderBy('id')
    .execute()
  const found = Map.groupBy(rows, ({ notification_id }) => notification_id)
  return (id) => found.get(id) ?? []
}

interface Marks {
  readonly ids?: readonly string[] | undefined
  readonly signal_ids?: readonly string[] | undefined
  readonly up_to?: number | undefined
  readonly about?: Part
}

/** What told the person of a record: the inbox row, and what went out, in the order in which it went. */
export async function deliveriesAbout(
  db: Db,
  uid: string,
  signal_id: string,
): Promise<{ title: string; rows: NotificationDeliveryRow[] }> {
  const told = await db
    .selectFrom('notifications')
    .selectAll()
    .where('uid', '=', uid)
    .where('key', '=', `signal ${signal_id}`)
    .executeTakeFirst()
  if (!told) return { title: '', rows: [] }
  const rows = [
    ...(told.listed === 1 ? [insideOf(told)] : []),
    ...(await deliveriesOf(db, [told.id]))(told.id),
  ]
  const order = ({ sent_at, id }: NotificationDeliveryRow) => `${sent_at ?? ''} ${id}`
  return { title: told.title, rows: rows.sort((a, b) => (order(a) < order(b) ? -1 : 1)) }
}

/** Marks as read: these, what told of these signals, or everything up to a seq. Every open device hears it. Gives what is still unread. */
export async function markRead(
  tx: Tx,
  uid: string,
  hearings: Hearings,
  marks: Marks,
): Promise<{ unread_count: number; attention_count: number }> {
  const changed = await unreadBy(tx, uid, marks)
  const counts = await countUnread(tx.db, uid, hearings)
  if (changed.length === 0) return counts
  const { up_to, about } = marks
  const data: EventData['notification-read'] =
    up_to === undefined
      ? { ids: changed, ...counts }
      : { up_to, ...(about !== undefined && { about }), ...counts }
  await tx.append(`p:${uid}`, 'notification-read', data)
  return counts
}

/** Marks those of them that were unread; gives their ids. Only ever the person's own: what another was told of the same signal stays. */
async function unreadBy(tx: Tx, uid: string, { ids, signal_ids, up_to, about }: Marks): Promise<string[]> {
  const unread = tx.db
    .updateTable('notifications')
    .set({ read_at: tx.at })
    .where('uid', '=', uid)
    .where('read_at', 'is', null)
    .returning('id')
  const marked = async (update: typeof unread) => (await update.execute()).map(({ id }) => id)
  if (up_to !== undefined) {
    const all = unread.where('seq', '<=', up_to)
    return marked(about === undefined ? all : all.where('kind', about === 'signal' ? '=' : '<>', 'signal'))
  }
  // One by one, so that each is found by its own index, whatever else the person was told.
  return [
    ...(ids?.length ? await marked(unread.where('id', 'in', ids)) : []),
    // An alarm about the same record is another thing, and stays until somebody has seen to it.
    ...(signal_ids?.length
      ? await marked(
          unread.where(
            'key',
            'in',
            signal_ids.map((id) => `signal ${id}`),
          ),
        )
      : []),
  ]
}

// What devices say they did with notifications: shown, opened. The first word of each counts.

type Receipt = ParsedInputOf<typeof sendReceipts>['items'][number]

const SEEN = bulkUpdate(
  'notifications',
  { id: 'text', shown_at: 'text', opened_at: 'text' },
  { id: 'id', key: 'id' },
)

/** Notes them on the person's own deliveries; what is nobody's, or somebody else's, is passed over. */
export async function noteReceipts(tx: Tx, uid: string, receipts: readonly Receipt[]): Promise<void> {
  await noteInside(
    tx,
    uid,
    receipts.filter(({ channel }) => isInside(channel)),
  )
  for (const { signal_id, channel, delivery_id, shown_at, opened_at } of receipts) {
    if (isInside(channel)) continue
    // About several at once, or about no signal: then the delivery is named.
    if (signal_id === undefined && delivery_id === undefined) continue
    let query = tx.db
      .selectFrom('notification_deliveries as delivery')
      .innerJoin('notifications as notification', 'notification.id', 'delivery.notification_id')
      .select(['delivery.id', 'delivery.state', 'delivery.shown_at', 'delivery.opened_at'])
      .select(['delivery.receiver_id', 'delivery.sent_at'])
      .where('delivery.uid', '=', uid)
      .where('delivery.channel', '=', channel)
    if (signal_id !== undefined)
      query = query.where('notification.uid', '=', uid).where('notification.key', 'in', keysAbout(signal_id))
    if (delivery_id !== undefined) query = query.where('delivery.id', '=', delivery_id)
    for (const row of await query.execute())
      for (const one of await sentTogether(tx, row)) await note(tx, one, { shown_at, opened_at })
  }
}

/**
 * What the app itself showed: of each record the row of the inbox, which stands by itself, whenever it was put there. Everybody who
 * looks on says so after a signal, up to two hundred at once: one question and one change for all of them.
 */
async function noteInside(tx: Tx, uid: string, receipts: readonly Receipt[]): Promise<void> {
  const by_signal = new Map(
    receipts.flatMap((one) => (one.signal_id === undefined ? [] : [[one.signal_id, one]])),
  )
  const by_delivery = new Map(
    receipts.flatMap((one) => (one.delivery_id === undefined ? [] : [[one.delivery_id, one]])),
  )
  if (by_signal.size + by_delivery.size === 0) return
  const rows = await tx.db
    .selectFrom('notifications')
    .select(['id', 'signal_id', 'kind', 'shown_at', 'opened_at'])
    .where('uid', '=', uid)
    .where('listed', '=', 1)
    .where((eb) =>
      eb.or([
        ...(by_signal.size > 0 ? [eb('key', 'in', [...by_signal.keys()].flatMap(keysAbout))] : []),
        ...(by_delivery.size > 0 ? [eb('id', 'in', [...by_delivery.keys()])] : []),
      ]),
    )
    .execute()
  const seen = rows.flatMap(({ id, signal_id, kind, ...row }) => {
    const receipt = by_delivery.get(id) ?? by_signal.get(signal_id ?? '')
    // An alarm about the same record is another thing to be shown; who has opened the record has seen that, too.
    if (!receipt || (kind !== 'signal' && receipt.opened_at === undefined)) return []
    const next = seenBy(row, receipt, tx.at)
    return next.shown_at === row.shown_at && next.opened_at === row.opened_at ? [] : [{ id, ...next }]
  })
  if (seen.length > 0) await runBulk(tx.db, SEEN, seen)
}

type Noted = Pick<
  NotificationDeliveryRow,
  'id' | 'state' | 'shown_at' | 'opened_at' | 'receiver_id' | 'sent_at'
>

/** What went to the receiver in the same message. */
async function sentTogether(tx: Tx, row: Noted): Promise<Noted[]> {
  if (row.sent_at === null) return [row]
  return tx.db
    .selectFrom('notification_deliveries')
    .select(['id', 'state', 'shown_at', 'opened_at', 'receiver_id', 'sent_at'])
    .where('receiver_id', '=', row.receiver_id)
    .where('sent_at', '=', row.sent_at)
    .execute()
}

async function note(
  tx: Tx,
  row: Noted,
  { shown_at, opened_at }: Pick<Receipt, 'shown_at' | 'opened_at'>,
): Promise<void> {
  const confirms = row.state === 'sent' || row.state === 'unconfirmed'
  await tx.db
    .updateTable('notification_deliveries')
    .set({
      ...seenBy(row, { shown_at, opened_at }, tx.at),
      ...(confirms && { state: 'confirmed' as const, reason: null }),
    })
    .where('id', '=', row.id)
    .execute()
}

/** The first word counts. A clock that runs ahead must not put a showing into the future. */
function seenBy(
  row: Pick<NotificationDeliveryRow, 'shown_at' | 'opened_at'>,
  { shown_at, opened_at }: Pick<Receipt, 'shown_at' | 'opened_at'>,
  now: string,
): Pick<NotificationDeliveryRow, 'shown_at' | 'opened_at'> {
  return {
    shown_at: row.shown_at ?? notAfter(shown_at ?? opened_at, now),
    opened_at: row.opened_at ?? notAfter(opened_at, now),
  }
}

function notAfter(at: string | undefined, now: string): string | null {
  if (at === undefined) return null
  return at > now ? now : at
}

// A notification delivery as it travels (wire.md §8): in the list of all, and with the record it was about.

/** A delivery with the title of what it delivers. */
export function presentNotificationDelivery(
  row: NotificationDeliveryRow,
  title: string,
): NotificationDelivery {
  const { id, notification_id, channel, device_label, state, reason, attempts, created_at } = row
  const { next_at, sent_at, shown_at, opened_at, rank } = row
  const waits = state === 'planned' && attempts === 0 && rank > 1
  return {
    ...{ id, notification_id, title, channel, device_label, state, attempts, created_at },
    reason: reason ?? (waits ? '前一個通道沒有確認送到才送' : null),
    ...{ next_at: state === 'sending' ? null : next_at, sent_at, shown_at, opened_at },
  }
}
