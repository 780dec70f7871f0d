// Who may read which announcement now: what is published and not over, by membership today, and by a place in one of its groups.
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Db, Schema } from '../db/schema.ts'

/** A day in Taipei and the instant it was asked at. */
export interface Now {
  readonly day: string
  readonly at: string
}

const onDay = (table: 'm' | 'place', end: string, day: string) =>
  sql`${sql.ref(`${table}.starts_on`)} <= ${day} and (${sql.ref(`${table}.${end}`)} is null or ${sql.ref(`${table}.${end}`)} >= ${day})`

/** True for a member `m` who is among those whom announcement `a` is for, on that day. Admins read everything. */
function isFor(day: string): RawBuilder<boolean> {
  return sql<boolean>`(${onDay('m', 'expires_on', day)} and (m.role = 'admin' or a.for_groups = 0 or exists (
    select 1 from announcement_groups as given inner join group_members as place on place.group_id = given.group_id
    where given.announcement_id = a.id and place.user_id = m.user_id and ${onDay('place', 'ends_on', day)})))`
}

/** True where the person may read announcement `a` now. `uid` is a value or a column. */
export function mayReadAnnouncement(uid: RawBuilder<unknown>, { day, at }: Now): RawBuilder<boolean> {
  return sql<boolean>`(a.published_at is not null and (a.owes is null or a.owes <> 'deleted')
    and (a.expire_at is null or a.expire_at > ${at})
    and (a.organization_id is null or exists (select 1 from memberships as m
      where m.organization_id = a.organization_id and m.user_id = ${uid} and ${isFor(day)})))`
}

/** The announcements that a person may read now, as the start of a query. */
export function readableAnnouncements(
  db: Db,
  uid: string,
  now: Now,
): SelectQueryBuilder<Schema & { a: Schema['announcements'] }, 'a', object> {
  return db
    .selectFrom('announcements as a')
    .where(
      // Said once more by itself: by it they are found, without a look at those of every other organization.
      sql<boolean>`a.id in (
        select id from announcements where organization_id is null
        union all select id from announcements
          where organization_id in (select organization_id from memberships where user_id = ${uid}))`,
    )
    .where(mayReadAnnouncement(sql`${uid}`, now))
}

/** Some of the members whom an organization's announcement is for today, by uid after `after`. */
export async function readersOf(
  db: Db,
  announcement_id: string,
  { day, after, most }: { readonly day: string; readonly after: string; readonly most: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('announcements as a')
    .innerJoin('memberships as m', 'm.organization_id', 'a.organization_id')
    .select('m.user_id')
    .where('a.id', '=', announcement_id)
    .where('m.user_id', '>', after)
    .where(isFor(day))
    .orderBy('m.user_id')
    .limit(most)
    .execute()
  return rows.map(({ user_id }) => user_id)
}

/** How many members each of these is for today, and how many of those have read it. */
export async function countReaders(
  db: Db,
  ids: readonly string[],
  day: string,
): Promise<ReadonlyMap<string, { readonly audience: number; readonly reads: number }>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('announcements as a')
    .innerJoin('memberships as m', 'm.organization_id', 'a.organization_id')
    .leftJoin('announcement_reads as r', (join) =>
      join.onRef('r.announcement_id', '=', 'a.id').onRef('r.uid', '=', 'm.user_id'),
    )
    .select(({ fn }) => ['a.id', fn.countAll().as('audience'), fn.count('r.uid').as('reads')])
    .where('a.id', 'in', [...ids])
    .where(isFor(day))
    .groupBy('a.id')
    .execute()
  return new Map(
    rows.map(({ id, audience, reads }) => [id, { audience: Number(audience), reads: Number(reads) }]),
  )
}
