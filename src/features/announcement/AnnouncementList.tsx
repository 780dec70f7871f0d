/* The list of announcements: search, tags and 未讀 over it, pinned ones first; one of them opened by ?id=. */

import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Announcement } from '#contract/announcement.ts'
import { useNow } from '#screen/browser.ts'
import { Stale } from '#screen/Connection.tsx'
import { failureSentence } from '#screen/failure.ts'
import { usePrivacy } from '#screen/privacy.ts'
import { masked, useProfile } from '#screen/profile.ts'
import { useTypedWord } from '#screen/use-typed.ts'
import { number } from '#text/format.ts'
import { Button } from '#ui/Button.tsx'
import { Chips } from '#ui/Chips.tsx'
import { EmptyState, FailState } from '#ui/EmptyState.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { SearchField } from '#ui/TextField.tsx'
import css from './AnnouncementList.module.css'
import { AnnouncementRow } from './AnnouncementRow.tsx'
import { Reader } from './Reader.tsx'
import type { AnnouncementSource } from './sources.ts'
import { useAnnouncements } from './use-announcements.ts'

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
    const known = profile?.organizations.find(({ id }) => id === organization?.id)?.name
    const name = known ?? organization?.name ?? '組織'
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
  const known = items?.find(({ id }) => id === opened)
  const source = known
    ? (known.organization?.id ?? null)
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
          known={known}
          from={from}
          now={now}
          onClose={() => change({ id: '', of: '' })}
        />
      )}
    </>
  )
}
