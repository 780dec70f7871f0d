/* 策略群組: which members read which strategies; a list, all of them in one table (?view=matrix), or one group by ?id=. */
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { StrategyGroup } from '#contract/group.ts'
import { groupQueries } from '#data/nouns/organization.ts'
import { number } from '#text/format.ts'
import { Button } from '#ui/Button.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { Menu } from '#ui/Menu.tsx'
import { Segments } from '#ui/Segments.tsx'
import { Tag } from '#ui/Tag.tsx'
import { SearchField } from '#ui/TextField.tsx'
import { CopyGroup, DeleteGroup, GroupDetail, GroupDialog } from './GroupDetail.tsx'
import { Matrix } from './Matrix.tsx'
import { Bar, ListRow, RowLink, TwoLines } from './Parts.tsx'
import { NothingFound, PAGE, TabList, useOrganization, usePlace, useWord } from './TabList.tsx'

export function GroupsTab() {
  const { search } = usePlace()
  return search.id ? <GroupDetail key={search.id} id={search.id} /> : <AllGroups />
}

const VIEWS = [
  { value: 'list', label: '清單' },
  { value: 'matrix', label: '總表' },
] as const

function AllGroups() {
  const { search, go } = usePlace()
  const [making, setMaking] = useState(false)
  const view = search.view === 'matrix' ? 'matrix' : 'list'
  const create = (
    <Button kind="filled" icon="plus" onClick={() => setMaking(true)}>
      建立群組
    </Button>
  )
  const parts: ViewProps = {
    view: (
      <Segments
        label="顯示方式"
        value={view}
        onChange={(value) => go({ tab: 'groups', ...(value === 'matrix' && { view: value }) })}
        options={VIEWS}
        tall
      />
    ),
    action: create,
    none: (
      <EmptyState card title="還沒有策略群組" action={create}>
        群組決定誰看得到哪些策略：把成員和策略放進同一個群組，各自可以有期限。
      </EmptyState>
    ),
  }
  return (
    <>
      {view === 'matrix' ? <Matrix {...parts} /> : <GroupList {...parts} />}
      {making && (
        <GroupDialog
          group={null}
          onClose={() => setMaking(false)}
          onMade={(id) => go({ tab: 'groups', id })}
        />
      )}
    </>
  )
}

/** `view` switches between list and table, `action` makes a group, `none` stands there while there is none. */
type ViewProps = { view: ReactNode; action: ReactNode; none: ReactNode }

function GroupList({ view, action, none: nothing }: ViewProps) {
  const { ctx } = useOrganization()
  const { page, go } = usePlace()
  const { box, word } = useWord()
  const [asking, setAsking] = useState<{ what: 'edit' | 'copy' | 'delete'; group: StrategyGroup } | null>(
    null,
  )
  const close = () => setAsking(null)
  const list = useQuery(groupQueries.list(ctx, { page, page_size: PAGE, ...(word && { search: word }) }))
  const none = !word && list.data?.total === 0
  return (
    <>
      {!none && (
        <Bar
          search={<SearchField label="搜尋群組" placeholder="群組名稱" {...box} />}
          chips={view}
          action={action}
        />
      )}
      <TabList
        query={list}
        title="讀不到策略群組"
        counter="個"
        empty={none ? nothing : <NothingFound noun="群組" />}
      >
        {(items) => (
          <ul className="card flush">
            {items.map((group) => (
              <GroupRow
                key={group.id}
                group={group}
                onOpen={() => go({ tab: 'groups', id: group.id })}
                onAsk={(what) => setAsking({ what, group })}
              />
            ))}
          </ul>
        )}
      </TabList>
      {asking?.what === 'edit' && <GroupDialog group={asking.group} onClose={close} />}
      {asking?.what === 'copy' && <CopyGroup group={asking.group} onClose={close} />}
      {asking?.what === 'delete' && <DeleteGroup group={asking.group} onClose={close} />}
    </>
  )
}

type RowProps = {
  group: StrategyGroup
  onOpen: () => void
  onAsk: (what: 'edit' | 'copy' | 'delete') => void
}

function GroupRow({ group, onOpen, onAsk }: RowProps) {
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
          { label: '更改名稱與說明', icon: 'edit', onPick: () => onAsk('edit') },
          { label: '複製群組', icon: 'duplicate', onPick: () => onAsk('copy') },
          { label: '刪除群組', icon: 'trash', danger: true, apart: true, onPick: () => onAsk('delete') },
        ]}
      />
    </ListRow>
  )
}
