// Announcements written: drafted, scheduled, published, changed, deleted, read. Their organization is locked by the caller.

import type { createAnnouncement, updateAnnouncement } from '#contract/announcement.ts'
import type { ParsedInputOf } from '#contract/endpoint.ts'
import type { EventData } from '#contract/events.ts'
import type { Authorized } from '../access/strategies.ts'
import type { Tx } from '../context.ts'
import type { AnnouncementRow } from '../db/schema-announcement.ts'
import { nameKey } from '../db/search.ts'
import { newId } from '../ids.ts'
import { roomForAnnouncement } from '../usage/limits.ts'
import type { StoredAnnouncement } from './present.ts'
import { requireFit, requireRoom } from './rules.ts'

type Draft = Omit<ParsedInputOf<typeof createAnnouncement>, 'id'>
type Changes = Omit<ParsedInputOf<typeof updateAnnouncement>, 'id' | 'announcement_id'>
type Change = EventData['announcement']['change']

/** Stores an announcement; what is due now is published with it. */
export async function insertAnnouncement(
  tx: Tx,
  organization_id: string,
  uid: string,
  { group_ids, publish_at = tx.at, ...draft }: Draft,
): Promise<StoredAnnouncement> {
  await requireRoom(tx, organization_id)
  await roomForAnnouncement(tx.db, organization_id, draft.title.length + draft.body.length)
  const row: StoredAnnouncement = {
    ...{ id: newId(), organization_id, created_by: uid, owes: null, told_to: '' },
    ...{ title: draft.title, body: draft.body, search_key: searchKey(draft) },
    ...{ tags: JSON.stringify(draft.tags), pinned: Number(draft.pinned), notify: Number(draft.notify) },
    ...{ for_groups: Number(group_ids.length > 0), expire_at: draft.expire_at },
    ...timesAt(tx, publish_at),
    ...{ created_at: tx.at, updated_at: tx.at },
  }
  await requireFit(tx, row, group_ids)
  await tx.db.insertInto('announcements').values(row).execute()
  await setGroups(tx, row.id, group_ids)
  // Whoever wrote it knows it.
  await markRead(tx, row.id, uid)
  await tell(tx, row, row.published_at === null ? 'drafted' : 'published', group_ids)
  return row
}

/** Lays changes over an announcement. Published once more it is shown again, but nobody is told twice. */
export async function updateAnnouncementRow(
  tx: Tx,
  row: Authorized<StoredAnnouncement>,
  { group_ids, publish_at, ...changes }: Changes,
): Promise<StoredAnnouncement> {
  const { title = row.title, body = row.body, expire_at = row.expire_at } = changes
  const next: StoredAnnouncement = {
    ...row,
    ...{ title, body, expire_at, search_key: searchKey({ title, body }), updated_at: tx.at },
    tags: changes.tags ? JSON.stringify(changes.tags) : row.tags,
    pinned: Number(changes.pinned ?? row.pinned),
    notify: Number(changes.notify ?? row.notify),
    for_groups: group_ids ? Number(group_ids.length > 0) : row.for_groups,
    ...(publish_at !== undefined && publish_at !== row.publish_at && timesAt(tx, publish_at)),
  }
  await requireFit(tx, next, group_ids ?? [])
  if (row.organization_id !== null)
    await roomForAnnouncement(
      tx.db,
      row.organization_id,
      title.length + body.length - row.title.length - row.body.length,
    )
  const { id, ...columns } = next
  await tx.db.updateTable('announcements').set(columns).where('id', '=', id).execute()
  const before = await groupsOf(tx, id)
  if (group_ids) await setGroups(tx, id, group_ids)
  const [was, is] = [row.published_at !== null, next.published_at !== null]
  const change = is ? (was ? 'updated' : 'published') : was ? 'deleted' : 'drafted'
  // whoever could read it before, or can now
  const all = (was && !row.for_groups) || !next.for_groups
  await tell(tx, next, change, all ? [] : [...new Set([...before, ...(group_ids ?? [])])])
  return next
}

/** Takes an announcement away, and what was told of it out of everybody's inbox. */
export async function deleteAnnouncementRow(tx: Tx, row: StoredAnnouncement): Promise<void> {
  const groups = await groupsOf(tx, row.id)
  await tx.db.deleteFrom('notifications').where('announcement_id', '=', row.id).execute()
  await tx.db.deleteFrom('announcements').where('id', '=', row.id).execute()
  if (row.organization_id !== null)
    await tell(tx, row, row.published_at === null ? 'drafted' : 'deleted', groups)
}

/** True when the person had not read it before. */
export async function markRead(tx: Tx, announcement_id: string, uid: string): Promise<boolean> {
  const made = await tx.db
    .insertInto('announcement_reads')
    .values({ announcement_id, uid, read_at: tx.at })
    .onConflict((conflict) => conflict.columns(['announcement_id', 'uid']).doNothing())
    .returning('uid')
    .executeTakeFirst()
  return made !== undefined
}

/** Title and text as they are searched. */
export const searchKey = ({ title, body }: { readonly title: string; readonly body: string }): string =>
  nameKey(`${title}\n${body}`)

/** When it is to be published, and that it is by now. What would lie in the past is now. */
function timesAt(tx: Tx, publish_at: string | null): Pick<AnnouncementRow, 'publish_at' | 'published_at'> {
  if (publish_at === null || publish_at > tx.at) return { publish_at, published_at: null }
  return { publish_at: tx.at, published_at: tx.at }
}

async function setGroups(tx: Tx, announcement_id: string, group_ids: readonly string[]): Promise<void> {
  await tx.db.deleteFrom('announcement_groups').where('announcement_id', '=', announcement_id).execute()
  const rows = [...new Set(group_ids)].map((group_id) => ({ announcement_id, group_id }))
  if (rows.length > 0) await tx.db.insertInto('announcement_groups').values(rows).execute()
}

/** The hour of a scheduled one has come. */
export async function tellPublished(tx: Tx, id: string, organization_id: string): Promise<void> {
  await tell(tx, { id, organization_id }, 'published', await groupsOf(tx, id))
}

/** The groups that an announcement is for; none when it is for everybody. */
async function groupsOf(tx: Tx, announcement_id: string): Promise<string[]> {
  const rows = await tx.db
    .selectFrom('announcement_groups')
    .select('group_id')
    .where('announcement_id', '=', announcement_id)
    .execute()
  return rows.map(({ group_id }) => group_id)
}

/** `group_ids` those who hear of it; none: every member. */
function tell(
  tx: Tx,
  { id, organization_id }: Pick<StoredAnnouncement, 'id' | 'organization_id'>,
  change: Change,
  group_ids: readonly string[],
): Promise<void> {
  return tx.append(`o:${organization_id}`, 'announcement', {
    id,
    change,
    ...(group_ids.length > 0 && { group_ids: [...group_ids] }),
  })
}
