// Every announcement of some sources in one list, narrowed by the server, or on the device as long as that does not answer.
import { useQueries } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { Announcement } from '#contract/announcement.ts'
import { ANNOUNCED_PAGE, type AnnouncementPage } from '#data/nouns/announcement.ts'
import { layRead } from '#data/nouns/board.ts'
import { useData } from '#screen/data.tsx'
import { useOutbox } from '#screen/outbox.ts'
import { type AnnouncementSource, fits, inOrder, listOf, type Narrowed, upTo } from './sources.ts'

export interface Announcements {
  /** undefined until one of the sources is here. */
  items: readonly Announcement[] | undefined
  unread: number
  tags: readonly { tag: string; count: number }[]
  error: Error | null
  updated_at: number
  fetching: boolean
  retry: () => void
  /** Shows older ones; null when there are none. */
  more: (() => void) | null
}

export function useAnnouncements(sources: readonly AnnouncementSource[], narrowed: Narrowed): Announcements {
  const outbox = useOutbox()
  const data = useData()
  const [pages, setPages] = useState(1)
  const { tag, search, unread } = narrowed
  const narrow = tag !== '' || search !== '' || unread
  const filters = { ...(tag && { tag }), ...(search && { search }), ...(unread && { unread: 'true' }) }
  const numbers = Array.from({ length: pages }, (_none, at) => at + 1)
  const places = sources.flatMap((source) => numbers.map((page) => ({ source, page })))
  const whole = useQueries({ queries: places.map(({ source, page }) => listOf(source, { page })) })
  const found = useQueries({
    queries: narrow ? places.map(({ source, page }) => listOf(source, { ...filters, page })) : [],
  })
  const asked = narrow ? found : whole
  const stamp = [...whole, ...found].map(({ dataUpdatedAt }) => dataUpdatedAt).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the stamp says when one of the answers is another one
  const { items, ends } = useMemo(() => {
    const laid = (page: AnnouncementPage, at: number) => layRead(page.items, outbox, at)
    const ends: string[] = []
    const items = places.flatMap(({ page }, i) => {
      const mine = asked[i]
      const kept = whole[i]
      const shown = mine?.data ?? kept?.data
      if (!shown) return []
      const at = (mine?.data ? mine.dataUpdatedAt : kept?.dataUpdatedAt) ?? 0
      if (page === pages && shown.total > page * ANNOUNCED_PAGE) {
        const last = shown.items.at(-1)?.publish_at
        if (last) ends.push(last)
      }
      const all = laid(shown, at)
      return mine?.data ? all : all.filter((one) => fits(one, narrowed))
    })
    return { items: upTo(inOrder(items, data.now()), ends), ends }
  }, [stamp, outbox, pages, tag, search, unread, sources.join()])
  const counts = new Map<string, number>()
  for (const tag of whole.flatMap(({ data: page }) => page?.items.flatMap(({ tags }) => tags) ?? []))
    counts.set(tag, (counts.get(tag) ?? 0) + 1)
  const here = [...whole, ...found].some((query) => query.data !== undefined)
  const failed = [...asked, ...whole].find((query) => query.error)
  // of a page that is here with all its rows, what was read here is taken off the server's count
  const unread_count = whole.reduce((sum, { data: page, dataUpdatedAt }, i) => {
    if (!page || places[i]?.page !== 1) return sum
    const newly = layRead(page.items, outbox, dataUpdatedAt).filter(
      (one, at) => one.read_at !== null && page.items[at]?.read_at === null,
    )
    return sum + Math.max(0, page.unread_count - newly.length)
  }, 0)
  return {
    items: here ? items : undefined,
    unread: unread_count,
    tags: [...counts].map(([name, count]) => ({ tag: name, count })).sort((a, b) => b.count - a.count),
    error: failed?.error ?? null,
    updated_at: Math.max(0, ...whole.map(({ dataUpdatedAt }) => dataUpdatedAt)),
    fetching: asked.some(({ isFetching }) => isFetching),
    retry: () => {
      for (const query of [...asked, ...whole]) if (query.error) void query.refetch()
    },
    more: ends.length > 0 ? () => setPages((before) => before + 1) : null,
  }
}
