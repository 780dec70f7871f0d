// An announcement put straight into the tables, for tests of something else.
import type { App } from '#server/context.ts'
import { newId } from '#server/ids.ts'

/** A published one for one group of an organization, everything in it with the mark; null = the platform's, to everybody. Its id. */
export async function insertAnnouncement(
  { db, now }: Pick<App, 'db' | 'now'>,
  {
    organization_id,
    author,
    mark,
    group_id,
  }: { organization_id: string | null; author: string | null; mark: string; group_id?: string },
): Promise<string> {
  const id = newId()
  const at = new Date(now()).toISOString()
  await db
    .insertInto('announcements')
    .values({
      ...{ id, organization_id, title: mark, body: `${mark} 內容`, search_key: mark.toLowerCase() },
      ...{ tags: JSON.stringify(['mark']), pinned: 0, publish_at: at, expire_at: null, published_at: at },
      ...{ for_groups: group_id === undefined ? 0 : 1, notify: 1, created_by: author, owes: null },
      ...{ created_at: at, updated_at: at },
    })
    .execute()
  if (group_id !== undefined)
    await db.insertInto('announcement_groups').values({ announcement_id: id, group_id }).execute()
  return id
}
