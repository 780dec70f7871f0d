// What was announced to me: the platform's stands under the person, an organization's under its own context and goes with the access
// to it, whoever one acts as just now.
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import {
  type Announcement,
  createAnnouncement,
  deleteAnnouncement,
  getAnnouncement,
  listAnnouncements,
  listManagedAnnouncements,
  readAnnouncement,
  updateAnnouncement,
} from '#contract/announcement.ts'
import type { AtOnce, InputOf, OutputOf } from '#contract/endpoint.ts'
import { readNotifications } from '#contract/notification.ts'
import type { CallOptions } from '../client.ts'
import { type Ctx, orgOf } from '../context.ts'
import { askAgain, getData, write } from '../current.ts'
import { foundIn } from '../device/answers.ts'
import { keys } from '../keys.ts'
import type { InboxPages } from './notification.ts'

export type AnnouncementFilters = Pick<
  InputOf<typeof listAnnouncements>,
  'tag' | 'search' | 'unread' | 'page'
>
export type AnnouncementPage = OutputOf<typeof listAnnouncements>
export type ManagedFilters = Omit<InputOf<typeof listManagedAnnouncements>, 'id'>

/** Announcements asked for at once. */
export const ANNOUNCED_PAGE = 50

/** Asked in the organization's own name, whoever one acts as: ruling A2 lets its members read it from anywhere. */
function inName(ctx: Ctx): CallOptions {
  const uid = getData().session.uid()
  return { ctx, ...(uid !== null && { as: { uid, org_id: orgOf(ctx) } }) }
}
const of = (ctx: Ctx) => ({ organization_id: orgOf(ctx) ?? '' })

export const announcementQueries = {
  list: (ctx: Ctx, filters: AnnouncementFilters = {}) =>
    queryOptions({
      queryKey: keys.announcement.list(ctx, filters),
      queryFn: ({ signal }) =>
        getData().client.call(
          listAnnouncements,
          { ...of(ctx), ...filters, page_size: ANNOUNCED_PAGE },
          { signal, ...inName(ctx) },
        ),
    }),
  one: (ctx: Ctx, id: string) =>
    queryOptions({
      queryKey: keys.announcement.one(ctx, id),
      queryFn: ({ signal }) =>
        getData().client.call(getAnnouncement, { id, ...of(ctx) }, { signal, ...inName(ctx) }),
      meta: foundIn(id, keys.announcement.list(ctx)),
    }),
  /** With drafts and what is scheduled, for admins. */
  managed: (ctx: Ctx, id: string, filters: ManagedFilters = {}) =>
    queryOptions({
      queryKey: keys.announcement.managed(ctx, filters),
      queryFn: ({ signal }) =>
        getData().client.call(listManagedAnnouncements, { id, ...filters }, { signal, ctx }),
      placeholderData: (previous, query) =>
        query?.queryKey[0] === ctx ? keepPreviousData(previous) : undefined,
    }),
}

/** The same of the platform, which speaks to everybody. */
export const platformQueries = {
  list: (filters: AnnouncementFilters = {}) =>
    queryOptions({
      queryKey: keys.person.platform_list(filters),
      queryFn: ({ signal }) =>
        getData().client.call(
          listAnnouncements,
          { scope: 'platform', ...filters, page_size: ANNOUNCED_PAGE },
          { signal },
        ),
    }),
  one: (id: string) =>
    queryOptions({
      queryKey: keys.person.platform_one(id),
      queryFn: ({ signal }) => getData().client.call(getAnnouncement, { id, scope: 'platform' }, { signal }),
      meta: foundIn(id, keys.person.platform_lists),
    }),
}

/** What an admin changes; the first page shows three of them. */
function change<E extends AtOnce>(ctx: Ctx, endpoint: E) {
  return write(
    (input: InputOf<E>) => getData().client.call(endpoint, input, { ctx }),
    () => void askAgain(keys.announcement.all(ctx), keys.dashboard(ctx)),
  )
}

export const announcementMutations = {
  create: (ctx: Ctx) => change(ctx, createAnnouncement),
  update: (ctx: Ctx) => change(ctx, updateAnnouncement),
  remove: (ctx: Ctx) => change(ctx, deleteAnnouncement),
  /** What was told of it in the inbox is read with it. May wait. */
  read: () =>
    write(async ({ id, title }: Pick<Announcement, 'id' | 'title'>) => {
      const { outbox, query } = getData()
      const label = `把公告「${title}」標為已讀`
      const sent = await outbox.send(readAnnouncement, { id }, { label })
      const told = query.getQueryData<InboxPages>(keys.person.inbox)?.pages.flatMap(({ items }) => items)
      const ids = (told ?? []).flatMap((one) =>
        one.announcement_id === id && one.read_at === null ? one.id : [],
      )
      if (ids.length > 0) await outbox.send(readNotifications, { ids }, { label })
      return sent
    }),
}
