/* 公告: what the organization announced, drafts and what is scheduled among it; how many have read each. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ANNOUNCEMENT_STATES, type ManagedAnnouncement } from '#contract/announcement-shape.ts'
import { announcementMutations, announcementQueries } from '#data/nouns/announcement.ts'
import { Ask } from '#screen/Ask.tsx'
import { useNow } from '#screen/use-now.ts'
import { Button } from '#ui/Button.tsx'
import { Chips } from '#ui/Chips.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Bar } from '../Bar.tsx'
import { TabList } from '../TabList.tsx'
import { PAGE, useOrganization, usePlace } from '../use-place.ts'
import { AnnouncementSheet } from './AnnouncementSheet.tsx'
import { ManagedRow, STATE_WORDS } from './ManagedRow.tsx'

export function AnnouncementsTab() {
  const { id, ctx } = useOrganization()
  const { search, page, change } = usePlace()
  const now = useNow()
  const [editing, setEditing] = useState<ManagedAnnouncement | 'new' | null>(null)
  const [removing, setRemoving] = useState<ManagedAnnouncement | null>(null)
  const state = ANNOUNCEMENT_STATES.find((one) => one === search.status)
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
        chips={
          <Chips
            label="狀態"
            chips={[
              { value: '', label: '全部', on: state === undefined },
              ...ANNOUNCEMENT_STATES.map((value) => ({
                value,
                label: STATE_WORDS[value].text,
                on: state === value,
              })),
            ]}
            onPick={(value) => change({ status: value })}
          />
        }
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
            <EmptyState
              card
              title={`沒有${STATE_WORDS[state].text}的公告`}
              action={
                <Button size="s" onClick={() => change({ status: '' })}>
                  看全部
                </Button>
              }
            />
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
