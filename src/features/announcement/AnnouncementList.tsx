/* The list of announcements: search, tags and 未讀 over it, pinned ones first; one of them opened by ?id=. */

import { useMutation, useQueries } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useEffect, useMemo, useState } from 'react'
import type { Announcement } from '#contract/announcement.ts'
import { ctxOf } from '#data/context.ts'
import {
  ANNOUNCED_PAGE,
  type AnnouncementFilters,
  type AnnouncementPage,
  announcementMutations,
  announcementQueries,
  platformQueries,
} from '#data/nouns/announcement.ts'
import { readWithPending } from '#data/nouns/board.ts'
import { useDrawn } from '#screen/after-paint.ts'
import { useNow } from '#screen/browser.ts'
import { Stale } from '#screen/Connection.tsx'
import { useData } from '#screen/data.tsx'
import { failureSentence, notFound } from '#screen/failure.ts'
import { useOutbox } from '#screen/outbox.ts'
import { usePrivacy } from '#screen/privacy.ts'
import { masked, useProfile } from '#screen/profile.ts'
import { useTypedWord } from '#screen/use-list.ts'
import { number } from '#text/format.ts'
import { ago, full, when } from '#text/time.ts'
import { Button } from '#ui/Button.tsx'
import { EmptyState, FailState } from '#ui/EmptyState.tsx'
import { Icon } from '#ui/Icon.tsx'
import { Sheet } from '#ui/Modal.tsx'
import { cx, opens } from '#ui/open.ts'
import { Chips } from '#ui/Segments.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { Tag, UnreadDot } from '#ui/Tag.tsx'
import { SearchField } from '#ui/TextField.tsx'
import css from './AnnouncementList.module.css'

type Search = Partial<Record<'id' | 'of' | 'tag' | 'search' | 'unread', string>>
const SHOWN_TAGS = 8

/** `here` the page's address; `empty` what is said when nothing was ever announced. */
export type AnnouncementListProps = { here: string; sources: readonly AnnouncementSource[]; empty: ReactNode }

export function AnnouncementList({ here, sources, empty }: AnnouncementListProps) {
  const search: Search = useSearch({ strict: false })
  const navigate = useNavigate()
  const now = useNow()
  const { profile } = useProfile()
  const privacy = usePrivacy()
  const { tag = '', unread } = search
  const word = search.search?.trim() ?? ''
  const list = useAnnouncements(sources, { tag, search: word, unread: unread === '1' })
  const change = (changes: Search, replace = true) => {
    const next = Object.entries({ ...search, ...changes }).filter(([, value]) => value)
    void navigate({ to: here, search: Object.fromEntries(next), replace })
  }
  const [typed, setTyped] = useTypedWord(search.search ?? '', (text) => change({ search: text }))
  const from = ({ scope, organization }: Announcement) => {
    if (scope === 'platform') return '平台'
    const own = profile?.organizations.find(({ id }) => id === organization?.id)?.name
    const name = own ?? organization?.name ?? '組織'
    return privacy.on ? masked(name) : name
  }
  const { items, error } = list
  if (!items && error)
    return (
      <FailState card title="讀不到公告" busy={list.fetching} onRetry={list.retry}>
        {failureSentence(error)}
      </FailState>
    )
  const narrowed = tag !== '' || word !== '' || unread === '1'
  const opened = search.id
  const listed = items?.find(({ id }) => id === opened)
  const source = listed
    ? (listed.organization?.id ?? null)
    : (search.of ?? (sources.length === 1 ? sources[0] : null))
  return (
    <>
      {error && <Stale at={list.updated_at} />}
      {(narrowed || items?.length !== 0) && (
        <div className={css.bar}>
          <SearchField
            label="搜尋公告"
            placeholder="標題或內容"
            value={typed}
            onChange={setTyped}
            className={css.search}
          />
          <div className={css.chips}>
            <Chips
              label="篩選"
              chips={[
                { value: '', label: '全部', on: tag === '' && unread !== '1' },
                {
                  value: 'unread',
                  label: '未讀',
                  on: unread === '1',
                  ...(list.unread > 0 && { count: list.unread }),
                },
                ...list.tags.slice(0, SHOWN_TAGS).map((one) => ({
                  value: `tag ${one.tag}`,
                  label: one.tag,
                  on: tag === one.tag,
                  count: one.count,
                })),
              ]}
              onPick={(value) => {
                if (value === '') change({ tag: '', unread: '' })
                else if (value === 'unread') change({ unread: unread === '1' ? '' : '1' })
                else change({ tag: value.slice(4) === tag ? '' : value.slice(4) })
              }}
            />
          </div>
        </div>
      )}
      <p className="vh" role="status">
        {items && (list.unread > 0 ? `${number(list.unread)} 則未讀` : '全部都讀過了')}
      </p>
      {!items ? (
        <Skeleton type="list" inside label="公告載入中" />
      ) : items.length > 0 ? (
        <ul className="card flush" aria-label="公告">
          {items.map((item) => {
            const of = item.organization?.id ?? ''
            return (
              <AnnouncementRow
                key={item.id}
                item={item}
                now={now}
                from={from(item)}
                href={`${here}?id=${item.id}${of && `&of=${of}`}`}
                onOpen={() => change({ id: item.id, of }, false)}
              />
            )
          })}
        </ul>
      ) : narrowed ? (
        <EmptyState
          card
          title="沒有符合的公告"
          action={
            <Button size="s" onClick={() => change({ tag: '', search: '', unread: '' })}>
              清除條件
            </Button>
          }
        />
      ) : (
        empty
      )}
      {list.more && (
        <div className={css.more}>
          <Button busy={list.fetching} onClick={list.more}>
            顯示更早的公告
          </Button>
        </div>
      )}
      {items && opened && (
        <Reader
          key={opened}
          id={opened}
          source={source ?? null}
          listed={listed}
          from={from}
          now={now}
          onClose={() => change({ id: '', of: '' })}
        />
      )}
    </>
  )
}

/* One announcement in the list: unread, pinned, from whom, when. */

/** `from` who says it, as the person may see it now. */
export type AnnouncementRowProps = {
  item: Announcement
  from: string
  now: string
  href: string
  onOpen: () => void
}

export function AnnouncementRow({ item, from, now, href, onOpen }: AnnouncementRowProps) {
  const { title, tags, pinned, publish_at, read_at } = item
  const unread = read_at === null
  return (
    <li
      className={cx(css.AnnouncementRow, unread && css.AnnouncementRowUnread)}
      data-unread={unread || undefined}
    >
      {unread && <UnreadDot />}
      <a className={css.AnnouncementRowMain} href={href} onClick={opens(onOpen)}>
        <Icon
          name={pinned ? 'pin' : 'megaphone'}
          size={20}
          className={cx(css.AnnouncementRowIcon, pinned ? css.AnnouncementRowPin : 'ink3')}
        />
        <span className={css.AnnouncementRowWords}>
          <b>
            {unread && <span className="vh">未讀：</span>}
            {pinned && <span className="vh">置頂：</span>}
            {title}
          </b>
          <small className={css.AnnouncementRowUnder}>
            <span className="el">{from}</span>
            <Marks tags={tags} />
          </small>
        </span>
        {publish_at && (
          <time className="num" dateTime={publish_at} title={full(publish_at)}>
            {ago(publish_at, now)}
          </time>
        )}
      </a>
    </li>
  )
}

/* The tags of an announcement; 重要 stands out. */

export function Marks({ tags }: { tags: readonly string[] }) {
  return tags.map((tag) =>
    tag === '重要' ? (
      <Tag key={tag} tone="warn" icon="warning">
        {tag}
      </Tag>
    ) : (
      <Tag key={tag} tone="line">
        {tag}
      </Tag>
    ),
  )
}

/* One announcement, opened: at once from what the device holds; opening it reads it. */

const Markdown = lazy(() =>
  import('#ui/markdown/Markdown.tsx').then(({ Markdown }) => ({ default: Markdown })),
)

/** `listed` from the list, where it stands there. */
export type ReaderProps = {
  id: string
  source: AnnouncementSource
  listed: Announcement | undefined
  from: (one: Announcement) => string
  now: string
  onClose: () => void
}

export function Reader({ id, source, listed, from, now, onClose }: ReaderProps) {
  const privacy = usePrivacy()
  const drawn = useDrawn()
  const [asked] = useQueries({ queries: (listed ? [] : [source]).map((one) => oneOf(one, id)) })
  const item = listed ?? asked?.data
  const { mutate } = useMutation(announcementMutations.read())
  const unread = item?.read_at === null
  const title = item?.title ?? ''
  useEffect(() => {
    if (unread && drawn) mutate({ id, title })
  }, [unread, drawn, id, title, mutate])
  const author = item?.author && (privacy.on ? masked(item.author.name) : item.author.name)
  const published = item?.publish_at && when(item.publish_at, now)
  return (
    <Sheet
      open
      tall
      onClose={onClose}
      title={item?.title ?? '公告'}
      subtitle={
        <span role="status" className="num">
          {item ? [from(item), author, published].filter(Boolean).join(' · ') : '\u00a0'}
        </span>
      }
    >
      {item ? (
        <div className="stack">
          {item.tags.length > 0 && (
            <div className="row wrap gap8">
              <Marks tags={item.tags} />
            </div>
          )}
          <Suspense fallback={<Skeleton type="list" inside label="內容載入中" />}>
            <Markdown text={item.body} />
          </Suspense>
        </div>
      ) : asked?.error ? (
        <FailState
          title={notFound(asked.error) ? '找不到這則公告' : '讀不到公告'}
          {...(!notFound(asked.error) && {
            busy: asked.isFetching,
            onRetry: () => void asked.refetch(),
          })}
        >
          {notFound(asked.error)
            ? '它已經刪除或過期，或不是給你的。'
            : failureSentence(asked.error, '公告都還在，')}
        </FailState>
      ) : (
        <Skeleton type="list" inside label="公告載入中" />
      )}
    </Sheet>
  )
}

// Where announcements come from: the platform, which speaks to everybody, and each organization of mine, asked and kept apart.

/** null: the platform. */
export type AnnouncementSource = string | null

export const listOf = (source: AnnouncementSource, filters: AnnouncementFilters) =>
  source === null ? platformQueries.list(filters) : announcementQueries.list(ctxOf(source), filters)
export const oneOf = (source: AnnouncementSource, id: string) =>
  source === null ? platformQueries.one(id) : announcementQueries.one(ctxOf(source), id)

/** What a list is narrowed to. */
export interface Narrowed {
  readonly tag: string
  readonly search: string
  readonly unread: boolean
}

/** The same on the device, for when the server cannot be asked. */
export function fits(
  { title, body, tags, read_at }: Announcement,
  { tag, search, unread }: Narrowed,
): boolean {
  const word = search.trim().normalize('NFC').toLowerCase()
  return (
    (tag === '' || tags.includes(tag)) &&
    (word === '' || `${title}\n${body}`.normalize('NFC').toLowerCase().includes(word)) &&
    !(unread && read_at !== null)
  )
}

/** Pinned ones first, then the newest; each once. What is over is not shown, whatever is kept. */
export function inOrder(all: readonly Announcement[], now: number): Announcement[] {
  const at = (one: Announcement) => one.publish_at ?? ''
  return [...new Map(all.map((one) => [one.id, one])).values()]
    .filter(({ expire_at }) => expire_at === null || Date.parse(expire_at) > now)
    .sort(
      (a, b) =>
        Number(b.pinned) - Number(a.pinned) ||
        (at(a) < at(b) ? 1 : at(a) > at(b) ? -1 : a.id < b.id ? 1 : -1),
    )
}

/** Of lists that go on: what is older than the first of their ends may stand between things that are not here yet. */
export function upTo(items: readonly Announcement[], ends: readonly string[]): readonly Announcement[] {
  const end = [...ends].sort().at(-1)
  return end === undefined
    ? items
    : items.filter(({ pinned, publish_at }) => pinned || (publish_at ?? '') >= end)
}

// Every announcement of some sources in one list, narrowed by the server, or on the device as long as that does not answer.

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
    const pageWithPending = (page: AnnouncementPage, at: number) => readWithPending(page.items, outbox, at)
    const ends: string[] = []
    const items = places.flatMap(({ page }, i) => {
      const mine = asked[i]
      const unfiltered = whole[i]
      const shown = mine?.data ?? unfiltered?.data
      if (!shown) return []
      const at = (mine?.data ? mine.dataUpdatedAt : unfiltered?.dataUpdatedAt) ?? 0
      if (page === pages && shown.total > page * ANNOUNCED_PAGE) {
        const last = shown.items.at(-1)?.publish_at
        if (last) ends.push(last)
      }
      const all = pageWithPending(shown, at)
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
    const newly = readWithPending(page.items, outbox, dataUpdatedAt).filter(
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
