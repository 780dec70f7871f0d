// The inbox of a person: what of it they may still see, what is unread, marking as read (ruling A3).
import { type SelectQueryBuilder, sql } from 'kysely'
import type { EventData, Scope } from '#contract/events.ts'
import { type Hearing, scopesOf } from '../access/actor.ts'
import { mayReadAnnouncement } from '../access/announcements.ts'
import { today } from '../access/membership.ts'
import { startOf } from '../access/strategies.ts'
import type { Actor, App, Tx } from '../context.ts'
import type { Db, Schema } from '../db/schema.ts'
import type { NotificationDeliveryRow, NotificationRow } from '../db/schema-notify.ts'

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
          eb('notifications.strategy_id', 'not in', eb.selectFrom('owed_erasures').select('id')),
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

/** A page of the inbox, newest first; `before` is the seq of the last one seen. */
export async function readInbox(
  db: Db,
  uid: string,
  hearings: Hearings,
  { before, limit, unread }: { before?: string | undefined; limit: number; unread?: boolean | undefined },
): Promise<{ rows: NotificationRow[]; next_before: string | null }> {
  let query = visibleNotifications(db, uid, hearings)
    .selectAll('notifications')
    .where('listed', '=', 1)
    .orderBy('seq', 'desc')
    .limit(limit + 1)
  if (before !== undefined && /^\d{1,15}$/.test(before)) query = query.where('seq', '<', Number(before))
  if (unread) query = query.where('read_at', 'is', null)
  const rows = await query.execute()
  const shown = rows.slice(0, limit)
  return { rows: shown, next_before: rows.length > limit ? String(shown.at(-1)?.seq) : null }
}

/** How many are unread of what the person may see. */
export async function countUnread(db: Db, uid: string, hearings: Hearings): Promise<number> {
  const { count } = await visibleNotifications(db, uid, hearings)
    .select(({ fn }) => fn.countAll().as('count'))
    .where('listed', '=', 1)
    .where('read_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
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

/** Marks as read: these, or everything up to a seq. Every open device hears it. Gives what is still unread. */
export async function markRead(
  tx: Tx,
  uid: string,
  hearings: Hearings,
  { ids, up_to }: { ids?: string[] | undefined; up_to?: number | undefined },
): Promise<number> {
  const changed = await unreadBy(tx, uid, { ids, up_to })
  const unread_count = await countUnread(tx.db, uid, hearings)
  if (changed.length === 0) return unread_count
  const data: EventData['notification-read'] =
    up_to === undefined ? { ids: changed, unread_count } : { up_to, unread_count }
  await tx.append(`p:${uid}`, 'notification-read', data)
  return unread_count
}

/** Marks those of them that were unread; gives their ids. */
async function unreadBy(
  tx: Tx,
  uid: string,
  { ids, up_to }: { ids?: string[] | undefined; up_to?: number | undefined },
): Promise<string[]> {
  if (up_to === undefined && !ids?.length) return []
  let update = tx.db
    .updateTable('notifications')
    .set({ read_at: tx.at })
    .where('uid', '=', uid)
    .where('read_at', 'is', null)
  if (up_to !== undefined) update = update.where('seq', '<=', up_to)
  else if (ids) update = update.where('id', 'in', ids)
  return (await update.returning('id').execute()).map(({ id }) => id)
}
