// The calls on announcements: those of readers, by membership of their organization whatever the context (ruling A2), and of admins.

import {
  createAnnouncement,
  deleteAnnouncement,
  getAnnouncement,
  listAnnouncements,
  listAnnouncementTags,
  listManagedAnnouncements,
  type ManagedAnnouncement,
  readAnnouncement,
  updateAnnouncement,
} from '#contract/announcement.ts'
import type { Endpoint, ParsedInputOf } from '#contract/endpoint.ts'
import { ApiError } from '#contract/errors.ts'
import { may } from '#contract/permissions.ts'
import { taipei } from '#trading/calendar.ts'
import { type Now, readableAnnouncements } from '../access/announcements.ts'
import { holdOrganization, membershipIn, organizationOf, rowOf } from '../access/organization.ts'
import type { Actor, App, Tx } from '../context.ts'
import { contains, pageOf } from '../db/query.ts'
import { type Call, handle, type Route } from '../http/handle.ts'
import * as store from './store.ts'
import {
  holdAnnouncement,
  IN_ORDER,
  presentAnnouncements,
  presentManaged,
  type StoredAnnouncement,
} from './store.ts'

/** Lists, one, tags, read; of admins: list, create, update, delete. */
export function announcementRoutes(app: App): Route[] {
  const nowOf = ({ at }: Tx): Now => ({ at, day: taipei(at).date })
  const managed = async (tx: Tx, actor: Actor, row: StoredAnnouncement) =>
    (await presentManaged(tx.db, actor.uid, [row], nowOf(tx)))[0] as ManagedAnnouncement
  const anew = {
    id: ({ id }: ManagedAnnouncement) => id,
    async read({ actor, tx }: Pick<Call<Endpoint>, 'actor' | 'tx'>, id: string) {
      return managed(tx, actor, await rowOf(tx.db, 'announcements', actor.organization_id, id))
    },
  }
  return [
    handle(app, listAnnouncements, async ({ tx, actor, input }) => {
      const { tag = '', search = '', unread, page, page_size } = input
      let found = await within(tx, actor, input, nowOf(tx))
      if (tag.trim() !== '') found = found.where(contains('a.tags', JSON.stringify(tag.trim())))
      if (search.trim() !== '') found = found.where(contains('a.search_key', search.trim()))
      const unread_ones = found.where('a.id', 'not in', (eb) =>
        eb.selectFrom('announcement_reads').select('announcement_id').where('uid', '=', actor.uid),
      )
      const asked = unread ? unread_ones : found
      const { unread_count } = await unread_ones
        .select(({ fn }) => fn.countAll().as('unread_count'))
        .executeTakeFirstOrThrow()
      const { rows, total } = await pageOf(asked, asked.selectAll('a').orderBy(IN_ORDER), input)
      const items = await presentAnnouncements(tx.db, actor.uid, rows, nowOf(tx))
      return { items, total, unread_count: Number(unread_count), page, page_size }
    }),
    handle(app, getAnnouncement, async ({ tx, actor, input }) => {
      const row = await (await within(tx, actor, input, nowOf(tx)))
        .selectAll('a')
        .where('a.id', '=', input.id)
        .executeTakeFirstOrThrow(() => new ApiError(4040))
      const [found] = await presentAnnouncements(tx.db, actor.uid, [row], nowOf(tx))
      if (!found) throw new ApiError(4040)
      return found
    }),
    handle(app, listAnnouncementTags, async ({ tx, actor, input }) => {
      const rows = await (await within(tx, actor, input, nowOf(tx))).select('a.tags').execute()
      const counts = new Map<string, number>()
      for (const tag of rows.flatMap(({ tags }) => JSON.parse(tags) as string[]))
        counts.set(tag, (counts.get(tag) ?? 0) + 1)
      return [...counts]
        .map(([tag, count]) => ({ tag, count }))
        .sort((a, b) => b.count - a.count || (a.tag < b.tag ? -1 : 1))
    }),
    handle(app, readAnnouncement, async ({ tx, actor, input: { id } }) => {
      // What is gone meanwhile needs no reading: it waited in the outbox, and nobody can do anything about it.
      const row = await readableAnnouncements(tx.db, actor.uid, nowOf(tx))
        .select('a.id')
        .where('a.id', '=', id)
        .executeTakeFirst()
      if (row && (await store.markRead(tx, id, actor.uid)))
        await tx.append(`p:${actor.uid}`, 'announcement', { id, change: 'read' })
      return null
    }),
    handle(app, listManagedAnnouncements, async ({ tx, actor, input: { id, state, page, page_size } }) => {
      const { at } = tx
      let found = tx.db
        .selectFrom('announcements as a')
        .where('a.organization_id', '=', organizationOf(actor, id))
      const over = (one: typeof found) => one.where('a.expire_at', '<=', at)
      const standing = (one: typeof found) =>
        one.where((eb) => eb.or([eb('a.expire_at', 'is', null), eb('a.expire_at', '>', at)]))
      if (state === 'draft') found = found.where('a.publish_at', 'is', null)
      else if (state !== undefined) {
        found = found.where('a.publish_at', 'is not', null)
        found = state === 'expired' ? over(found) : standing(found)
        if (state === 'scheduled') found = found.where('a.published_at', 'is', null)
        if (state === 'published') found = found.where('a.published_at', 'is not', null)
      }
      const ordered = found
        .selectAll('a')
        .orderBy('a.pinned', 'desc')
        .orderBy(({ fn }) => fn.coalesce('a.publish_at', 'a.created_at'), 'desc')
        .orderBy('a.id', 'desc')
      const { rows, total } = await pageOf(found, ordered, { page, page_size })
      return { items: await presentManaged(tx.db, actor.uid, rows, nowOf(tx)), total, page, page_size }
    }),
    handle(app, createAnnouncement, {
      anew,
      async run({ tx, actor, input: { id, ...draft } }) {
        await holdOrganization(app, tx, actor, id, 'organization:manage')
        return managed(tx, actor, await store.insertAnnouncement(tx, id, actor.uid, draft))
      },
    }),
    handle(app, updateAnnouncement, {
      anew,
      async run({ tx, actor, input: { id, announcement_id, ...changes } }) {
        const row = await holdAnnouncement(app, tx, actor, { id, announcement_id })
        return managed(tx, actor, await store.updateAnnouncementRow(tx, row, changes))
      },
    }),
    handle(app, deleteAnnouncement, async ({ tx, actor, input }) => {
      await store.deleteAnnouncementRow(tx, await holdAnnouncement(app, tx, actor, input))
      return null
    }),
  ]
}

/** What of the readable ones a list is about (ruling A4); 4040 for an organization that is none of the caller's today. */
async function within(
  tx: Tx,
  actor: Actor,
  { scope, organization_id }: Pick<ParsedInputOf<typeof listAnnouncementTags>, 'scope' | 'organization_id'>,
  now: Now,
) {
  const all = readableAnnouncements(tx.db, actor.uid, now)
  if (scope === 'platform') return all.where('a.organization_id', 'is', null)
  if (scope === 'organization') {
    if (!may(actor.identity, 'organization:announcements:view'))
      throw new ApiError(4030, { missing: 'organization:announcements:view', granted_by: [] })
    return all.where('a.organization_id', '=', actor.organization_id)
  }
  if (organization_id === undefined) return all
  await membershipIn(tx, actor, organization_id)
  return all.where('a.organization_id', '=', organization_id)
}
