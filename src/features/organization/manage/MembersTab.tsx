/* 成員: found by name, role and state; a table on wide screens, cards on phones. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Member } from '#contract/membership.ts'
import { MEMBER_STATES } from '#contract/organization.ts'
import { ROLE_NAMES, ROLES } from '#contract/permissions.ts'
import { type MemberFilters, membershipQueries } from '#data/nouns/organization.ts'
import { useWide } from '#screen/browser.ts'
import { Button } from '#ui/Button.tsx'
import { ChipSelect, Chips } from '#ui/Chips.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { SearchField } from '#ui/TextField.tsx'
import { Bar } from './Bar.tsx'
import { InviteSheet } from './InviteSheet.tsx'
import { MemberCards } from './MemberCards.tsx'
import { MemberSheet } from './MemberSheet.tsx'
import { MemberTable } from './MemberTable.tsx'
import { RemoveMember } from './RemoveMember.tsx'
import { TabList } from './TabList.tsx'
import { PAGE, useOrganization, usePlace, useWord } from './use-place.ts'

const STATES = [
  { value: '', label: '全部' },
  { value: 'active', label: '有效' },
  { value: 'expiring', label: '7 天內到期' },
  { value: 'upcoming', label: '未生效' },
  { value: 'expired', label: '已到期' },
]

export function MembersTab() {
  const { id, ctx } = useOrganization()
  const { search, page, change } = usePlace()
  const wide = useWide()
  const { box, word } = useWord()
  const [editing, setEditing] = useState<Member | null>(null)
  const [removing, setRemoving] = useState<Member | null>(null)
  const [inviting, setInviting] = useState(false)
  const role = ROLES.find((one) => one === search.role)
  const status = MEMBER_STATES.find((one) => one === search.status)
  const filters: MemberFilters = {
    page,
    page_size: PAGE,
    ...(word && { search: word }),
    ...(role && { role }),
    ...(status && { status }),
  }
  const list = useQuery(membershipQueries.list(ctx, id, filters))
  const filtered = Boolean(word || role || status)
  const View = wide ? MemberTable : MemberCards
  return (
    <>
      <Bar
        search={<SearchField label="搜尋成員" placeholder="姓名、電子郵件" {...box} />}
        chips={
          <>
            <Chips
              inline="phone"
              label="狀態"
              chips={STATES.map((one) => ({ ...one, on: (status ?? '') === one.value }))}
              onPick={(value) => change({ status: value })}
            />
            <ChipSelect
              label="角色"
              value={role ?? ''}
              onChange={(value) => change({ role: value })}
              options={[
                { value: '', label: '全部角色' },
                ...ROLES.map((value) => ({ value, label: ROLE_NAMES[value] })),
              ]}
            />
          </>
        }
        action={
          <Button kind="filled" icon="plus" onClick={() => setInviting(true)}>
            邀請成員
          </Button>
        }
      />
      <TabList
        query={list}
        title="讀不到成員"
        counter="位"
        empty={
          <EmptyState
            card
            title={filtered ? '沒有符合條件的成員' : '這一頁沒有成員'}
            action={
              <Button size="s" onClick={() => change({ search: '', role: '', status: '' })}>
                清除條件
              </Button>
            }
          >
            換個字，或清除條件再看一次。
          </EmptyState>
        }
      >
        {(items) => <View members={items} onEdit={setEditing} onRemove={setRemoving} />}
      </TabList>
      {editing && <MemberSheet key={editing.user_id} member={editing} onClose={() => setEditing(null)} />}
      {removing && <RemoveMember member={removing} onClose={() => setRemoving(null)} />}
      {inviting && <InviteSheet onClose={() => setInviting(false)} />}
    </>
  )
}
