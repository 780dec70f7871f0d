/* 策略群組: which members read which strategies; a list, or one group by ?id=. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { StrategyGroup } from '#contract/group.ts'
import { groupQueries } from '#data/nouns/group.ts'
import { number } from '#text/format.ts'
import { Button } from '#ui/Button.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { Menu } from '#ui/Menu.tsx'
import { SearchField } from '#ui/SearchField.tsx'
import { Tag } from '#ui/Tag.tsx'
import { ListRow } from '../parts/ListRow.tsx'
import { RowLink } from '../parts/RowLink.tsx'
import { TwoLines } from '../parts/TwoLines.tsx'
import { Bar } from './Bar.tsx'
import { DeleteGroup } from './DeleteGroup.tsx'
import { GroupDetail } from './GroupDetail.tsx'
import { GroupDialog } from './GroupDialog.tsx'
import { NothingFound, TabList } from './TabList.tsx'
import { PAGE, useOrganization, usePlace, useWord } from './use-place.ts'

export function GroupsTab() {
  const { search } = usePlace()
  return search.id ? <GroupDetail key={search.id} id={search.id} /> : <GroupList />
}

function GroupList() {
  const { ctx } = useOrganization()
  const { page, go } = usePlace()
  const { box, word } = useWord()
  const [editing, setEditing] = useState<StrategyGroup | 'new' | null>(null)
  const [removing, setRemoving] = useState<StrategyGroup | null>(null)
  const list = useQuery(groupQueries.list(ctx, { page, page_size: PAGE, ...(word && { search: word }) }))
  const none = !word && list.data?.total === 0
  const create = (
    <Button kind="filled" icon="plus" onClick={() => setEditing('new')}>
      建立群組
    </Button>
  )
  return (
    <>
      {!none && (
        <Bar search={<SearchField label="搜尋群組" placeholder="群組名稱" {...box} />} action={create} />
      )}
      <TabList
        query={list}
        title="讀不到策略群組"
        counter="個"
        empty={
          none ? (
            <EmptyState card title="還沒有策略群組" action={create}>
              群組決定誰看得到哪些策略：把成員和策略放進同一個群組，各自可以有期限。
            </EmptyState>
          ) : (
            <NothingFound noun="群組" />
          )
        }
      >
        {(items) => (
          <ul className="card flush">
            {items.map((group) => (
              <GroupRow
                key={group.id}
                group={group}
                onOpen={() => go({ tab: 'groups', id: group.id })}
                onEdit={() => setEditing(group)}
                onRemove={() => setRemoving(group)}
              />
            ))}
          </ul>
        )}
      </TabList>
      {editing && (
        <GroupDialog
          group={editing === 'new' ? null : editing}
          onClose={() => setEditing(null)}
          onMade={(id) => go({ tab: 'groups', id })}
        />
      )}
      {removing && <DeleteGroup group={removing} onClose={() => setRemoving(null)} />}
    </>
  )
}

type RowProps = { group: StrategyGroup; onOpen: () => void; onEdit: () => void; onRemove: () => void }

function GroupRow({ group, onOpen, onEdit, onRemove }: RowProps) {
  const id = `og-group-${group.id}`
  return (
    <ListRow>
      <RowLink href={`/organizations/manage?tab=groups&id=${group.id}`} onOpen={onOpen}>
        <TwoLines className="sp">
          <b className="el">{group.name}</b>
          <small className="el num">
            {number(group.member_count)} 位成員 · {number(group.strategy_count)} 個策略
            {group.description && ` · ${group.description}`}
          </small>
        </TwoLines>
        {group.expiring_count > 0 && (
          <Tag tone="warn" icon="clock">
            {number(group.expiring_count)} 位 7 天內到期
          </Tag>
        )}
      </RowLink>
      <IconButton icon="more" label={`${group.name}：更多`} opensId={id} />
      <Menu
        id={id}
        label={`${group.name}：更多`}
        items={[
          { label: '更改名稱與說明', icon: 'edit', onPick: onEdit },
          { label: '刪除群組', icon: 'trash', danger: true, apart: true, onPick: onRemove },
        ]}
      />
    </ListRow>
  )
}
