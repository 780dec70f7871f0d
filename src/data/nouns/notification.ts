// What was told to me and how it came: inbox, deliveries, the times of a strategy's signals; what is read waits in the outbox.
import {
  type InfiniteData,
  InfiniteQueryObserver,
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
} from '@tanstack/react-query'
import type { InputOf, OutputOf } from '#contract/endpoint.ts'
import {
  getLatency,
  listNotificationDeliveries,
  listNotifications,
  needsAttention,
  readNotifications,
  resendDelivery,
  type SignalNotification,
} from '#contract/notification.ts'
import type { Ctx } from '../context.ts'
import { askAgain, getData, write } from '../current.ts'
import { keys } from '../keys.ts'
import type { OutboxDoor } from '../outbox/door.ts'
import type { OutboxSnapshot } from '../outbox/store.ts'

export type InboxPages = InfiniteData<OutputOf<typeof listNotifications>, unknown>
export type NotificationDeliveryFilter = Pick<InputOf<typeof listNotificationDeliveries>, 'state' | 'channel'>

const SIGNALS_A_PAGE = 100

const told = (
  key: typeof keys.person.inbox | typeof keys.person.signals,
  what: InputOf<typeof listNotifications>,
) =>
  infiniteQueryOptions({
    queryKey: key,
    queryFn: ({ signal, pageParam }) =>
      getData().client.call(
        listNotifications,
        { ...what, ...(pageParam !== null && { before: pageParam }) },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_before,
  })

export const notificationQueries = {
  /** What asks for the person, newest first, page by page; the first page counts it. */
  inbox: () => told(keys.person.inbox, { about: 'attention' }),
  /** What was told of signals, newest first: which of them are read. */
  signals: () => told(keys.person.signals, { about: 'signal', limit: SIGNALS_A_PAGE }),
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
      ({ label, ...what }: { ids?: string[]; up_to?: number; about?: About; label: string }) =>
        getData().outbox.send(readNotifications, what, { label }),
      ({ queued }) => void (queued || askAgain(keys.person.inbox, keys.person.signals)),
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
  readonly attention_count: number
}

type About = 'attention' | 'signal'

interface Read {
  readonly ids: ReadonlySet<string>
  readonly up_to: number
  readonly at: string
}

/** What was read here of one part and the answer of `data_at` (ms) does not know of. */
function readSince({ rows, receipts }: OutboxSnapshot, data_at: number, part: About): Read[] {
  const calls = [
    ...receipts.flatMap(({ sent_at, endpoint, body }) =>
      sent_at >= data_at ? [{ endpoint, body, at: new Date(sent_at).toISOString() }] : [],
    ),
    ...rows.flatMap(({ state, endpoint, body, created_at }) =>
      state === 'failed' ? [] : [{ endpoint, body, at: created_at }],
    ),
  ]
  return calls
    .filter(({ endpoint, body }) => endpoint === 'notification.read' && (body['about'] ?? part) === part)
    .map(({ body, at }) => ({
      ids: new Set(body['ids'] as string[] | undefined),
      up_to: Number(body['up_to'] ?? -1),
      at,
    }))
}

/** The pages in one list, with what was read here laid over them. A copy from before has signals among them: they stand in the feed. */
export function inboxWithPending({ pages }: InboxPages, outbox: OutboxSnapshot, data_at: number): Inbox {
  const seen = new Set<string>()
  // a page that was read while something new came may begin with what the one before ends with
  const items = pages
    .flatMap((page) => page.items)
    .filter((one) => needsAttention(one) && !seen.has(one.id) && seen.add(one.id))
  const unread = (some: readonly SignalNotification[]) =>
    some.filter(({ read_at }) => read_at === null).length
  // nor does it count them apart
  const attention_count = (pages[0]?.attention_count as number | undefined) ?? unread(items)
  const reads = readSince(outbox, data_at, 'attention')
  if (reads.length === 0) return { items, attention_count }
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
  const open = unread(laid)
  return { items: laid, attention_count: all ? open : Math.max(open, attention_count - newly) }
}

/** Of the signals that the person was told of, by the record's id: whether each is unread. What was read here is read, also while it waits. */
export function unreadSignals(
  { pages }: InboxPages,
  outbox: OutboxSnapshot,
  data_at: number,
): ReadonlyMap<string, boolean> {
  const reads = readSince(outbox, data_at, 'signal')
  const found = new Map<string, boolean>()
  for (const { items } of pages)
    for (const { id, seq, signal_id, read_at } of items)
      if (signal_id !== null)
        found.set(signal_id, read_at === null && !reads.some(({ ids, up_to }) => ids.has(id) || seq <= up_to))
  return found
}

/** In whose name (null: one's own) the newest signal that was told of is unread still; what lies further down may have been passed by. */
export function newsIn({ pages }: InboxPages, outbox: OutboxSnapshot, data_at: number): (string | null)[] {
  const unread = unreadSignals({ pages, pageParams: [] }, outbox, data_at)
  const newest = new Map<string | null, string>()
  for (const { organization_id, signal_id } of pages.flatMap(({ items }) => items))
    if (signal_id !== null && !newest.has(organization_id)) newest.set(organization_id, signal_id)
  return [...newest].flatMap(([organization, signal]) => (unread.get(signal) ? [organization] : []))
}

/** Hears of what this device knows anyway, asks for nothing; `tell` hears every change. The returned function ends it. */
export function followNews(
  query: QueryClient,
  outbox: Pick<OutboxDoor, 'getSnapshot' | 'subscribe'>,
  tell: (news: readonly (string | null)[]) => void,
): () => void {
  const observer = new InfiniteQueryObserver(query, { ...notificationQueries.signals(), enabled: false })
  let last = '[]'
  const look = () => {
    const { data, dataUpdatedAt } = observer.getCurrentResult()
    const news = data ? newsIn(data, outbox.getSnapshot(), dataUpdatedAt) : []
    if (JSON.stringify(news) === last) return
    last = JSON.stringify(news)
    tell(news)
  }
  const stops = [observer.subscribe(look), outbox.subscribe(look)]
  look()
  return () => {
    for (const stop of stops) stop()
    tell([])
  }
}

// How much asks for the person, counted in one place: badges and the application's icon are told.

/** Keeps the inbox on the device, and counts; `tell` hears every change. The returned function ends it. */
export function countUnread(
  query: QueryClient,
  outbox: Pick<OutboxDoor, 'getSnapshot' | 'subscribe'>,
  tell: (count: number) => void,
): () => void {
  const observer = new InfiniteQueryObserver(query, notificationQueries.inbox())
  let told = 0
  const look = () => {
    const { data, dataUpdatedAt } = observer.getCurrentResult()
    const count = data ? inboxWithPending(data, outbox.getSnapshot(), dataUpdatedAt).attention_count : 0
    if (count === told) return
    told = count
    tell(told)
  }
  const stops = [observer.subscribe(look), outbox.subscribe(look)]
  look()
  return () => {
    for (const stop of stops) stop()
    tell(0)
  }
}
