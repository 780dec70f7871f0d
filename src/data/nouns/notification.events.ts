// Something was told to the person, read somewhere, or a channel was bound: at once on every open screen, then asked for again.
import type { InfiniteData } from '@tanstack/react-query'
import { needsAttention, type SignalNotification } from '#contract/notification.ts'
import { keys } from '../keys.ts'
import type { Heard } from '../live/run.ts'

interface Page {
  items: SignalNotification[]
  next_before: string | null
  unread_count: number
  attention_count: number
}
type Pages = InfiniteData<Page>

/** From so many in memory on, only the newest stay there, the others come as pages again: each one more costs a look at all of them. */
const MOST = 400
const STAY = 100

function bounded(known: Pages | undefined): Pages | undefined {
  const [page] = known?.pages ?? []
  const last = page?.items[STAY - 1]
  if (!known || !page || !last || page.items.length <= MOST) return known
  const newest = { ...page, items: page.items.slice(0, STAY), next_before: String(last.seq) }
  return { pages: [newest], pageParams: known.pageParams.slice(0, 1) }
}

/** The pages with `change` done to the first, which holds the count and what is new. */
const first = (known: Pages | undefined, change: (page: Page) => Page): Pages | undefined => {
  const [page, ...rest] = known?.pages ?? []
  return known && page ? { ...known, pages: [change(page), ...rest] } : known
}

export const notificationEvents: Heard<'notification' | 'notification-read' | 'telegram'> = ({
  query,
  ask,
}) => ({
  notification(_ctx, told) {
    const asks = needsAttention(told)
    query.setQueryData<Pages>(asks ? keys.person.inbox : keys.person.signals, (known) =>
      bounded(
        first(known, ({ items, unread_count, attention_count, ...page }) => {
          const old = items.some(({ id }) => id === told.id)
          const more = old || told.read_at !== null ? 0 : 1
          return {
            ...page,
            items: old ? items.map((one) => (one.id === told.id ? told : one)) : [told, ...items],
            unread_count: unread_count + more,
            attention_count: attention_count + (asks ? more : 0),
          }
        }),
      ),
    )
    // a signal is told whole: of the many of an evening nothing more is asked
    ask(...(asks ? [keys.person.notifications] : [keys.person.all_deliveries]))
  },
  'notification-read'(_ctx, { ids = [], up_to = -1, about, unread_count, attention_count }) {
    const at = new Date().toISOString()
    const own = new Set(ids)
    for (const [part, key] of [
      ['attention', keys.person.inbox],
      ['signal', keys.person.signals],
    ] as const)
      query.setQueryData<Pages>(
        key,
        (known) =>
          known && {
            ...known,
            pages: known.pages.map((page) => ({
              ...page,
              unread_count,
              ...(attention_count !== undefined && { attention_count }),
              items: page.items.map((one) =>
                one.read_at === null && (own.has(one.id) || (one.seq <= up_to && (about ?? part) === part))
                  ? { ...one, read_at: at }
                  : one,
              ),
            })),
          },
      )
    // by ids everything of it is told; a server of before does not count apart
    if (up_to >= 0 || attention_count === undefined) ask(keys.person.inbox, keys.person.signals)
  },
  telegram: () =>
    ask(
      ...[keys.person.channels, keys.person.push_devices],
      ...[keys.person.notification_setting, keys.dashboard('personal')],
    ),
})
