/* 公告: what the organization announced, drafts and what is scheduled among it; how many have read each. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ANNOUNCEMENT_STATES, type ManagedAnnouncement } from '#contract/announcement.ts'
import { announcementMutations, announcementQueries } from '#data/nouns/announcement.ts'
import { Ask } from '#screen/Ask.tsx'
import { useNow } from '#screen/browser.ts'
import { Button } from '#ui/Button.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Bar } from '../Bar.tsx'
import { NothingOf, StateChips, useStatus } from '../StateFilter.tsx'
import { TabList } from '../TabList.tsx'
import { PAGE, useOrganization, usePlace } from '../use-place.ts'
import { AnnouncementSheet } from './AnnouncementSheet.tsx'
import { ManagedRow, STATE_WORDS } from './ManagedRow.tsx'

export function AnnouncementsTab() {
  const { id, ctx } = useOrganization()
  const { page } = usePlace()
  const now = useNow()
  const [editing, setEditing] = useState<ManagedAnnouncement | 'new' | null>(null)
  const [removing, setRemoving] = useState<ManagedAnnouncement | null>(null)
  const state = useStatus(ANNOUNCEMENT_STATES)
  const list = useQuery(
    announcementQueries.managed(ctx, id, { page, page_size: PAGE, ...(state && { state }) }),
  )
  const write = (
    <Button kind="filled" icon="plus" onClick={() => setEditing('new')}>
      寫公告
    </Button>
  )
  return (
    <>
      <Bar
        chips={<StateChips states={ANNOUNCEMENT_STATES} words={STATE_WORDS} />}
        action={(state !== undefined || list.data?.total !== 0) && write}
      />
      <TabList
        query={list}
        title="讀不到公告"
        counter="則"
        empty={
          state === undefined ? (
            <EmptyState card title="還沒有公告" action={write}>
              公告出現在成員的首頁與「公告」，也可以發送通知；可以先存草稿，或排定發布的時間。
            </EmptyState>
          ) : (
            <NothingOf state={STATE_WORDS[state].text} what="公告" />
          )
        }
      >
        {(items) => (
          <ul className="card flush">
            {items.map((item) => (
              <ManagedRow
                key={item.id}
                item={item}
                now={now}
                onEdit={() => setEditing(item)}
                onRemove={() => setRemoving(item)}
              />
            ))}
          </ul>
        )}
      </TabList>
      {editing && (
        <AnnouncementSheet known={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />
      )}
      {removing && (
        <Ask
          title={`刪除「${removing.title}」`}
          verb="刪除公告"
          mutation={announcementMutations.remove(ctx)}
          input={{ id, announcement_id: removing.id }}
          done={{ title: '公告已刪除' }}
          safe="公告還在，"
          onClose={() => setRemoving(null)}
        >
          <p>
            {removing.state === 'published'
              ? '成員的清單、首頁與通知裡也會一起消失，無法復原。'
              : '無法復原。'}
          </p>
        </Ask>
      )}
    </>
  )
}
