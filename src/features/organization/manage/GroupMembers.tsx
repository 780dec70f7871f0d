/* The members of a group with their days: added, changed, taken out. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { GroupMember, StrategyGroup } from '#contract/group.ts'
import { groupMutations, groupQueries } from '#data/nouns/group.ts'
import { ymd } from '#text/time.ts'
import { Pager } from '#ui/Table.tsx'
import { Person } from '../parts/Person.tsx'
import { usePeople } from '../parts/people.ts'
import { RowsFoot } from '../parts/RowsFoot.tsx'
import { periodText, placePeriod, today } from '../parts/words.ts'
import { AddMembers } from './AddMembers.tsx'
import { SpanCard } from './SpanCard.tsx'
import { SpanRow } from './SpanRow.tsx'
import { SpanSheet } from './SpanSheet.tsx'
import { TakeOut } from './TakeOut.tsx'
import { useOrganization, usePlace } from './use-place.ts'

const PAGE = 20

/** In the group for nothing: its days here are over, or the membership's are. */
function isOver({ state, member_expires_on }: GroupMember): boolean {
  return state === 'ended' || (member_expires_on !== null && member_expires_on < today())
}

/** The days of the place, and the membership's end where that comes first. */
function daysText(member: GroupMember): string {
  const { ends_on } = placePeriod(member)
  return ends_on === null || ends_on === member.ends_on
    ? periodText(member)
    : `${periodText(member)} · 成員資格到 ${ymd(ends_on)}`
}

export function GroupMembers({ group }: { group: StrategyGroup }) {
  const { ctx } = useOrganization()
  const { cover } = usePeople()
  const { go } = usePlace()
  const [page, setPage] = useState(1)
  const list = useQuery(groupQueries.members(ctx, group.id, { page, page_size: PAGE }))
  const total = list.data?.total
  // of one page the rows themselves are counted: the group's own number may come a moment later
  const whole = total !== undefined && total <= PAGE
  return (
    <SpanCard
      noun="成員"
      count={whole ? (list.data?.items.filter((one) => !isOver(one)).length ?? 0) : group.member_count}
      over={isOver}
      query={list}
      onFirst={page > 1 ? () => setPage(1) : undefined}
      rowsOf={({ items }) => items}
      empty="加入成員後，他們才看得到這個群組的策略。"
      row={(member, acts) => (
        <SpanRow
          key={member.user_id}
          id={member.user_id}
          name={cover(member.name)}
          state={isOver(member) ? 'ended' : member.state}
          period={placePeriod(member)}
          seen={{ label: '看得到什麼', onOpen: () => go({ tab: 'access', user: member.user_id }) }}
          {...acts}
        >
          <Person name={member.name} avatar={member.avatar} note={daysText(member)} dim={isOver(member)} />
        </SpanRow>
      )}
      foot={
        <RowsFoot>
          <Pager page={page} pageSize={PAGE} total={total ?? 0} counter="位" onPage={setPage} />
        </RowsFoot>
      }
      add={(onClose) => <AddMembers group={group} onClose={onClose} />}
      edit={(member, onClose) => (
        <SpanSheet
          name={cover(member.name)}
          note={
            member.member_expires_on
              ? `成員資格到 ${member.member_expires_on.replaceAll('-', '/')}，兩者先到的為準。`
              : undefined
          }
          ends="儲存後經由這個群組看到的策略立刻看不到；其他群組不受影響，隨時可以再改期間。"
          period={member}
          mutation={groupMutations.updateMember(ctx)}
          input={(span) => ({ id: group.id, user_id: member.user_id, ...span })}
          onClose={onClose}
        />
      )}
      remove={(member, onClose) => (
        <TakeOut
          name={cover(member.name)}
          mutation={groupMutations.removeMember(ctx)}
          input={{ id: group.id, user_id: member.user_id }}
          onClose={onClose}
        >
          <p>經由這個群組看到的策略立刻看不到；其他群組不受影響。</p>
        </TakeOut>
      )}
    />
  )
}
