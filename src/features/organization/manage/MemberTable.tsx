/* Members as a table: one line each, the period as a stroke. */

import type { Member } from '#contract/membership.ts'
import { ymd } from '#text/format.ts'
import { cx } from '#ui/open.ts'
import { Table } from '#ui/Table.tsx'
import { Tag } from '#ui/Tag.tsx'
import { PeriodLine } from '../parts/PeriodLine.tsx'
import { Person } from '../parts/Person.tsx'
import { usePeople } from '../parts/people.ts'
import { periodStateWords, ROLE_WORDS } from '../parts/words.ts'
import { GroupTags } from './GroupTags.tsx'
import type { MemberActs } from './MemberMenu.tsx'
import { MemberMenu } from './MemberMenu.tsx'
import css from './MemberTable.module.css'
import { SectionTitle } from './SectionTitle.tsx'
import { sections } from './sections.ts'

export function MemberTable({ members, ...acts }: { members: readonly Member[] } & MemberActs) {
  const { cover } = usePeople()
  return (
    <div className="card flush">
      <Table className={css.table}>
        <thead>
          <tr>
            <th scope="col">姓名</th>
            <th scope="col">角色</th>
            <th scope="col" className={css.big}>
              群組
            </th>
            <th scope="col" className={css.big}>
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
                  <td className={css.big}>
                    <GroupTags member={member} />
                  </td>
                  <td className={cx(css.big, 'num ink2')}>{ymd(member.joined_at)}</td>
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
