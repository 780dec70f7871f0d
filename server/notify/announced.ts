// What an announcement that was published is to whom: once for each of those who may read it today.
import type { Scope } from '#contract/events.ts'
import { readersOf } from '../access/announcements.ts'
import type { Db } from '../db/schema.ts'
import type { News, NewsPart } from './enqueue.ts'
import { excerptOf } from './excerpt.ts'

const NOTHING: NewsPart = { news: [], next: null }

/** Members who are looked at in one go. */
const READERS = 200

/** Some of the news, as newsOf gives them. Whoever wrote it knows it; of what is on its way no more, or was to be quiet, nobody is told. */
export async function newsOfAnnouncement(
  db: Db,
  scope: Scope,
  id: string,
  { day, after }: { readonly day: string; readonly after: string },
): Promise<NewsPart> {
  const row = await db.selectFrom('announcements').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row || row.notify === 0 || row.published_at === null || row.owes === 'deleted') return NOTHING
  const { organization_id } = row
  const uids =
    organization_id === null ? [scope.slice(2)] : await readersOf(db, id, { day, after, most: READERS })
  const news = uids
    .filter((uid) => uid !== row.created_by)
    .map(
      (uid): News => ({
        ...{ uid, key: `announcement ${id}`, bell: null, signal_id: null, silent: false },
        matter: { kind: 'announcement', moves: null, strategy_id: null },
        ...{ organization_id, announcement_id: id, title: row.title, body: excerptOf(row.body) },
        link:
          organization_id === null
            ? `/my-announcements?id=${id}`
            : `/organizations/${organization_id}/announcements?id=${id}&org=${organization_id}`,
      }),
    )
  const more = organization_id !== null && uids.length === READERS
  return { news, next: more ? (uids.at(-1) as string) : null }
}
