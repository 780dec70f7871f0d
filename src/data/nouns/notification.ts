// What was told to me and how it came: inbox, deliveries, the times of a strategy's signals; what is read waits in the outbox.
import { type InfiniteData, infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { InputOf, OutputOf } from '#contract/endpoint.ts'
import {
  getLatency,
  listNotificationDeliveries,
  listNotifications,
  readNotifications,
  resendDelivery,
  type SignalNotification,
} from '#contract/notification.ts'
import type { Ctx } from '../context.ts'
import { askAgain, getData, write } from '../current.ts'
import { keys } from '../keys.ts'
import type { OutboxSnapshot } from '../outbox/outbox.ts'

export type InboxPages = InfiniteData<OutputOf<typeof listNotifications>, unknown>
export type NotificationDeliveryFilter = Pick<InputOf<typeof listNotificationDeliveries>, 'state' | 'channel'>

export const notificationQueries = {
  /** Newest first, page by page; the first page counts what is unread. */
  inbox: () =>
    infiniteQueryOptions({
      queryKey: keys.person.inbox,
      queryFn: ({ signal, pageParam }) =>
        getData().client.call(listNotifications, pageParam === null ? {} : { before: pageParam }, { signal }),
      initialPageParam: null as string | null,
      getNextPageParam: (page) => page.next_before,
    }),
  deliveries: (filter: NotificationDeliveryFilter = {}) =>
    infiniteQueryOptions({
      queryKey: keys.person.deliveries(filter),
      queryFn: ({ signal, pageParam }) =>
        getData().client.call(
          listNotificationDeliveries,
          { ...filter, ...(pageParam !== null && { before: pageParam }) },
          { signal },
        ),
      initialPageParam: null as string | null,
      getNextPageParam: (page) => page.next_before,
    }),
  latency: (ctx: Ctx, id: string) =>
    queryOptions({
      queryKey: keys.strategy.latency(ctx, id),
      queryFn: ({ signal }) => getData().client.call(getLatency, { id }, { signal, ctx }),
    }),
}

export const notificationMutations = {
  /** One, some, or everything up to a number of the inbox. May wait. */
  read: () =>
    write(
      ({ label, ...what }: { ids?: string[]; up_to?: number; label: string }) =>
        getData().outbox.send(readNotifications, what, { label }),
      ({ queued }) => void (queued || askAgain(keys.person.inbox)),
    ),
  resend: () =>
    write(
      (id: string) => getData().client.call(resendDelivery, { id }),
      () => void askAgain(keys.person.notifications),
    ),
}

/** The inbox as I left it: what I read here is read, also while it waits. */
export interface Inbox {
  readonly items: readonly SignalNotification[]
  readonly unread_count: number
}

interface Read {
  readonly ids: ReadonlySet<string>
  readonly up_to: number
  readonly at: string
}

/** What was read here and the answer of `data_at` (ms) does not know of. */
function readSince({ rows, receipts }: OutboxSnapshot, data_at: number): Read[] {
  const calls = [
    ...receipts.flatMap(({ sent_at, endpoint, body }) =>
      sent_at >= data_at ? [{ endpoint, body, at: new Date(sent_at).toISOString() }] : [],
    ),
    ...rows.flatMap(({ state, endpoint, body, created_at }) =>
      state === 'failed' ? [] : [{ endpoint, body, at: created_at }],
    ),
  ]
  return calls
    .filter(({ endpoint }) => endpoint === 'notification.read')
    .map(({ body, at }) => ({
      ids: new Set(body['ids'] as string[] | undefined),
      up_to: Number(body['up_to'] ?? -1),
      at,
    }))
}

/** The pages in one list, with what was read here laid over them. */
export function layInbox({ pages }: InboxPages, outbox: OutboxSnapshot, data_at: number): Inbox {
  const seen = new Set<string>()
  // a page that was read while something new came may begin with what the one before ends with
  const items = pages.flatMap((page) => page.items).filter(({ id }) => !seen.has(id) && seen.add(id))
  const unread_count = pages[0]?.unread_count ?? 0
  const reads = readSince(outbox, data_at)
  if (reads.length === 0) return { items, unread_count }
  let newly = 0
  const laid = items.map((item) => {
    const read =
      item.read_at === null && reads.find(({ ids, up_to }) => ids.has(item.id) || item.seq <= up_to)
    if (!read) return item
    newly += 1
    return { ...item, read_at: read.at }
  })
  // those that are not on the device are older than all that are, so that reading up to one of these reads them too
  const all = reads.some(({ up_to }) => items.some(({ seq }) => seq <= up_to))
  const open = laid.filter(({ read_at }) => read_at === null).length
  return { items: laid, unread_count: all ? open : Math.max(open, unread_count - newly) }
}
