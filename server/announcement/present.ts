// Announcements as they travel: to readers without their groups, to admins with what becomes of them.
import { type Selectable, sql } from 'kysely'
import type {
  Announcement,
  AnnouncementHead,
  AnnouncementState,
  ManagedAnnouncement,
} from '#contract/announcement.ts'
import { countReaders, type Now } from '../access/announcements.ts'
import type { Db } from '../db/schema.ts'
import type { AnnouncementRow } from '../db/schema-announcement.ts'

/** A stored announcement. */
export type StoredAnnouncement = Selectable<AnnouncementRow>

/** Where it stands at an instant. What is due is still scheduled until the server has published it. */
function stateOf(
  { publish_at, published_at, expire_at }: Pick<AnnouncementRow, 'publish_at' | 'published_at' | 'expire_at'>,
  at: string,
): AnnouncementState {
  if (publish_at === null) return 'draft'
  if (expire_at !== null && expire_at <= at) return 'expired'
  return published_at === null ? 'scheduled' : 'published'
}

/** As this person reads them. */
export async function presentAnnouncements(
  db: Db,
  uid: string,
  rows: readonly StoredAnnouncement[],
  now: Now,
): Promise<Announcement[]> {
  const heads = await presentHeads(db, uid, rows)
  const authors = await authorsOf(db, rows)
  return rows.map((row, i) => ({
    ...(heads[i] as AnnouncementHead),
    body: row.body,
    state: stateOf(row, now.at),
    expire_at: row.expire_at,
    group_ids: [],
    notify: row.notify === 1,
    author: authors(row.created_by),
    created_at: row.created_at,
    updated_at: row.updated_at,
  }))
}

/** Without their texts. */
export async function presentHeads(
  db: Db,
  uid: string,
  rows: readonly StoredAnnouncement[],
): Promise<AnnouncementHead[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const places = [...new Set(rows.flatMap(({ organization_id }) => organization_id ?? []))]
  const names = new Map(
    places.length === 0
      ? []
      : (await db.selectFrom('organizations').select(['id', 'name']).where('id', 'in', places).execute()).map(
          (one) => [one.id, one] as const,
        ),
  )
  const reads = new Map(
    (
      await db
        .selectFrom('announcement_reads')
        .select(['announcement_id', 'read_at'])
        .where('uid', '=', uid)
        .where('announcement_id', 'in', ids)
        .execute()
    ).map((one) => [one.announcement_id, one.read_at]),
  )
  return rows.map((row) => ({
    id: row.id,
    scope: row.organization_id === null ? ('platform' as const) : ('organization' as const),
    organization: names.get(row.organization_id ?? '') ?? null,
    title: row.title,
    tags: JSON.parse(row.tags) as string[],
    pinned: row.pinned === 1,
    publish_at: row.publish_at,
    read_at: reads.get(row.id) ?? null,
  }))
}

/** As admins see them. */
export async function presentManaged(
  db: Db,
  uid: string,
  rows: readonly StoredAnnouncement[],
  now: Now,
): Promise<ManagedAnnouncement[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const groups = Map.groupBy(
    await db
      .selectFrom('announcement_groups')
      .selectAll()
      .where('announcement_id', 'in', ids)
      .orderBy('group_id')
      .execute(),
    ({ announcement_id }) => announcement_id,
  )
  const counts = await countReaders(db, ids, now.day)
  return (await presentAnnouncements(db, uid, rows, now)).map((one) => ({
    ...one,
    group_ids: (groups.get(one.id) ?? []).map(({ group_id }) => group_id),
    reads_count: counts.get(one.id)?.reads ?? 0,
    audience_count: counts.get(one.id)?.audience ?? 0,
  }))
}

async function authorsOf(db: Db, rows: readonly StoredAnnouncement[]) {
  const uids = [...new Set(rows.flatMap(({ created_by }) => created_by ?? []))]
  const people =
    uids.length === 0
      ? []
      : await db
          .selectFrom('users')
          .select(['id', 'name'])
          .where('id', 'in', uids)
          // Whoever gave the account up has no name any more.
          .where('deleted_at', 'is', null)
          .execute()
  const found = new Map(people.map((one) => [one.id, one]))
  return (uid: string | null) => found.get(uid ?? '') ?? null
}

/** Pinned ones first, then the newest. */
export const IN_ORDER = sql`a.pinned desc, a.publish_at desc, a.id desc`
