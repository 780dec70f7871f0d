/* One announcement, opened: at once from what the device holds; opening it reads it. */
import { useMutation, useQueries } from '@tanstack/react-query'
import { lazy, Suspense, useEffect } from 'react'
import type { Announcement } from '#contract/announcement.ts'
import { announcementMutations } from '#data/nouns/announcement.ts'
import { useDrawn } from '#screen/after-paint.ts'
import { failureSentence, notFound } from '#screen/failure.ts'
import { usePrivacy } from '#screen/privacy.ts'
import { masked } from '#screen/profile.ts'
import { when } from '#text/time.ts'
import { FailState } from '#ui/EmptyState.tsx'
import { Sheet } from '#ui/Sheet.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { Marks } from './Marks.tsx'
import { type AnnouncementSource, oneOf } from './sources.ts'

const Markdown = lazy(() =>
  import('#ui/markdown/Markdown.tsx').then(({ Markdown }) => ({ default: Markdown })),
)

/** `known` from the list, where it stands there. */
export type ReaderProps = {
  id: string
  source: AnnouncementSource
  known: Announcement | undefined
  from: (one: Announcement) => string
  now: string
  onClose: () => void
}

export function Reader({ id, source, known, from, now, onClose }: ReaderProps) {
  const privacy = usePrivacy()
  const drawn = useDrawn()
  const [asked] = useQueries({ queries: (known ? [] : [source]).map((one) => oneOf(one, id)) })
  const item = known ?? asked?.data
  const { mutate } = useMutation(announcementMutations.read())
  const unread = item?.read_at === null
  const title = item?.title ?? ''
  useEffect(() => {
    if (unread && drawn) mutate({ id, title })
  }, [unread, drawn, id, title, mutate])
  const author = item?.author && (privacy.on ? masked(item.author.name) : item.author.name)
  const said = item?.publish_at && when(item.publish_at, now)
  return (
    <Sheet
      open
      tall
      onClose={onClose}
      title={item?.title ?? '公告'}
      subtitle={
        <span role="status" className="num">
          {item ? [from(item), author, said].filter(Boolean).join(' · ') : '\u00a0'}
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
