/* 成員: found by name, role and state; a table on wide screens, cards on phones. */

import { useQuery } from '@tanstack/react-query'
import { Fragment, useState } from 'react'
import type { Member } from '#contract/membership.ts'
import { MEMBER_STATES } from '#contract/organization.ts'
import { ROLE_NAMES, ROLES } from '#contract/permissions.ts'
import { type MemberFilters, membershipMutations, membershipQueries } from '#data/nouns/organization.ts'
import { Ask } from '#screen/Ask.tsx'
import { useWide } from '#screen/browser.ts'
import { useGo } from '#screen/go.ts'
import { useProfile } from '#screen/profile.ts'
import { viewAs } from '#screen/viewing.ts'
import { ymd } from '#text/format.ts'
import { Button } from '#ui/Button.tsx'
import { Table } from '#ui/Card.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { Menu } from '#ui/Menu.tsx'
import { cx } from '#ui/open.ts'
import { ChipSelect, Chips } from '#ui/Segments.tsx'
import { Tag } from '#ui/Tag.tsx'
import { SearchField } from '#ui/TextField.tsx'
import { InviteSheet } from './InvitesTab.tsx'
import { MemberSheet } from './MemberSheet.tsx'
import css from './OrganizationManagePage.module.css'
import { Bar, GroupTags, PeriodLine, Person, RowActions, SectionTitle, usePeople } from './Parts.tsx'
import { PAGE, TabList, useOrganization, usePlace, useWord } from './TabList.tsx'
import { periodStateWords, ROLE_WORDS } from './words.ts'

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

/* Members as cards, for phones: who, until when, what to do. */

export function MemberCards({ members, ...acts }: { members: readonly Member[] } & MemberActs) {
  const { cover } = usePeople()
  return (
    <div className="card flush">
      {sections(members).map(({ title, members: own }) => (
        <Fragment key={title}>
          {title && <SectionTitle>{title}</SectionTitle>}
          <ul>
            {own.map((member) => {
              const period = { starts_on: member.starts_on, ends_on: member.expires_on }
              const state = periodStateWords(member.status, period)
              return (
                <li key={member.user_id} className={css.MemberCardsMember}>
                  <div className="row gap8">
                    <div className="sp">
                      <Person
                        name={member.name}
                        avatar={member.avatar}
                        note={cover(member.email)}
                        dim={member.status === 'expired'}
                        onOpen={() => acts.onEdit(member)}
                      />
                    </div>
                    <MemberMenu member={member} {...acts} />
                  </div>
                  <div className={css.MemberCardsUnder}>
                    <Tag tone={state.tone} icon={state.icon}>
                      {state.text}
                    </Tag>
                    <span className="t13 ink2">{ROLE_WORDS[member.role]}</span>
                    <GroupTags member={member} />
                  </div>
                  {member.expires_on && (
                    <div className={css.MemberCardsUnder}>
                      <PeriodLine period={period} wide />
                      <span className="t13 ink3 num">到 {ymd(member.expires_on)}</span>
                    </div>
                  )}
                </li>
              )
            })}
          </ul>
        </Fragment>
      ))}
    </div>
  )
}

/* Members as a table: one line each, the period as a stroke. */

export function MemberTable({ members, ...acts }: { members: readonly Member[] } & MemberActs) {
  const { cover } = usePeople()
  return (
    <div className="card flush">
      <Table className={css.MemberTableTable}>
        <thead>
          <tr>
            <th scope="col">姓名</th>
            <th scope="col">角色</th>
            <th scope="col" className={css.MemberTableBig}>
              群組
            </th>
            <th scope="col" className={css.MemberTableBig}>
              加入日
            </th>
            <th scope="col">期間</th>
            <th scope="col">到期日</th>
            <th scope="col">狀態</th>
            <th scope="col">
              <span className="vh">操作</span>
            </th>
          </tr>
        </thead>
        {sections(members).map(({ title, members: own }) => (
          <tbody key={title}>
            {title && (
              <tr>
                <SectionTitle columns={8}>{title}</SectionTitle>
              </tr>
            )}
            {own.map((member) => {
              const period = { starts_on: member.starts_on, ends_on: member.expires_on }
              const state = periodStateWords(member.status, period)
              const over = member.status === 'expired'
              return (
                <tr key={member.user_id} data-dim={over || undefined}>
                  <td>
                    <Person
                      name={member.name}
                      avatar={member.avatar}
                      note={cover(member.email)}
                      dim={over}
                      size={32}
                      onOpen={() => acts.onEdit(member)}
                    />
                  </td>
                  <td>{ROLE_WORDS[member.role]}</td>
                  <td className={css.MemberTableBig}>
                    <GroupTags member={member} />
                  </td>
                  <td className={cx(css.MemberTableBig, 'num ink2')}>{ymd(member.joined_at)}</td>
                  <td>
                    <PeriodLine period={period} />
                  </td>
                  <td className="num">{member.expires_on ? ymd(member.expires_on) : '—'}</td>
                  <td>
                    <Tag tone={state.tone} icon={state.icon}>
                      {state.text}
                    </Tag>
                  </td>
                  <td>
                    <MemberMenu member={member} {...acts} />
                  </td>
                </tr>
              )
            })}
          </tbody>
        ))}
      </Table>
    </div>
  )
}

/* The last cell of a member: 續期 when it is due, and the rest behind 更多. */

/** What is done with a member from its row. */
export type MemberActs = { onEdit: (member: Member) => void; onRemove: (member: Member) => void }

export function MemberMenu({ member, onEdit, onRemove }: { member: Member } & MemberActs) {
  const { cover } = usePeople()
  const { profile } = useProfile()
  const { go } = usePlace()
  const { open } = useGo()
  // an admin sees what every admin sees; whoever's days are not today sees nothing
  const sees = member.role === 'member' && (member.status === 'active' || member.status === 'expiring')
  const name = cover(member.name)
  const id = `og-member-${member.user_id}`
  const me = profile?.id === member.user_id
  const due = member.status === 'expiring' || member.status === 'expired'
  return (
    <RowActions>
      {due && (
        <button
          type="button"
          className="link t13"
          onClick={() => onEdit(member)}
          aria-label={`續期：${name}`}
        >
          續期
        </button>
      )}
      <IconButton icon="more" label={`${name}：更多`} opensId={id} />
      <Menu
        id={id}
        label={`${name}：更多`}
        items={[
          { label: '編輯角色與期間', icon: 'edit', onPick: () => onEdit(member) },
          { label: '看得到什麼', icon: 'eye', onPick: () => go({ tab: 'access', user: member.user_id }) },
          ...(sees
            ? [{ label: '以成員身分檢視', icon: 'person' as const, onPick: () => void viewAs(member, open) }]
            : []),
          {
            label: '移除成員',
            icon: 'trash',
            danger: true,
            apart: true,
            ...(me
              ? { disabled: true, note: '自己要走，請在「設定」離開組織' }
              : { onPick: () => onRemove(member) }),
          },
        ]}
      />
    </RowActions>
  )
}

/* Removing a member: what ends for them, and that it ends now. */

export function RemoveMember({ member, onClose }: { member: Member; onClose: () => void }) {
  const { id, ctx } = useOrganization()
  const { cover } = usePeople()
  const name = cover(member.name)
  return (
    <Ask
      title={`移除「${name}」`}
      verb="移除成員"
      mutation={membershipMutations.remove(ctx)}
      input={{ id, user_id: member.user_id }}
      done={{ title: `已移除 ${name}` }}
      safe="這位成員還在，"
      sole_admin="這是唯一沒有到期日的管理者：先把另一位成員設為管理者，再移除這一位。"
      onClose={onClose}
    >
      <p>
        權限立刻結束：開著的畫面會離開這個組織，裝置上的副本也會刪除。由這位成員建立的策略屬於組織，會留下。
      </p>
    </Ask>
  )
}

// Members in the parts of a list: those who are counted, those to come, those whose time is over.

const OUTSIDE = {
  upcoming: '未生效：起日還沒到，不計入成員數',
  expired: '已到期：看不到策略與訊號，不計入成員數，可以續期',
} as const

/** In the list's own order; `title` null for the members of today. A list of one state alone needs none. */
export function sections(members: readonly Member[]): { title: string | null; members: readonly Member[] }[] {
  const parts = Map.groupBy(members, ({ status }) =>
    status === 'upcoming' || status === 'expired' ? status : null,
  )
  return [...parts].map(([state, own]) => ({ title: state && OUTSIDE[state], members: own }))
}
