/* The members of a group with their days: added, changed, taken out. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { GroupMember, StrategyGroup } from '#contract/group.ts'
import { groupMutations, groupQueries } from '#data/group.ts'
import { toast } from '#features/shell/toast.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Pager } from '#ui/Pager.tsx'
import { Ask } from '../parts/Ask.tsx'
import { failureText } from '../parts/failure.ts'
import { ListState } from '../parts/ListState.tsx'
import { Person } from '../parts/Person.tsx'
import { usePeople } from '../parts/people.ts'
import { periodText, today } from '../parts/words.ts'
import { AddMembers } from './AddMembers.tsx'
import { SpanRow } from './SpanRow.tsx'
import { SpanSheet } from './SpanSheet.tsx'
import { useOrganization } from './use-place.ts'

const PAGE = 20

/** In the group for nothing: its days here are over, or the membership's are. */
function isOver({ state, member_expires_on }: GroupMember): boolean {
  return state === 'ended' || (member_expires_on !== null && member_expires_on < today())
}

export function GroupMembers({ group }: { group: StrategyGroup }) {
  const { ctx } = useOrganization()
  const { cover } = usePeople()
  const [page, setPage] = useState(1)
  const [adding, setAdding] = useState(false)
  const [editing, setEditing] = useState<GroupMember | null>(null)
  const [removing, setRemoving] = useState<GroupMember | null>(null)
  const list = useQuery(groupQueries.members(ctx, group.id, { page, page_size: PAGE }))
  const update = useMutation(groupMutations.updateMember(ctx))
  const remove = useMutation(groupMutations.removeMember(ctx))
  return (
    <Card
      title="成員"
      count={list.data?.total ?? group.member_count}
      action={
        <Button size="s" kind="tint" icon="plus" onClick={() => setAdding(true)}>
          加入成員
        </Button>
      }
    >
      <ListState query={list} title="讀不到群組的成員" card={false}>
        {({ items, total }) =>
          items.length === 0 ? (
            <EmptyState title="還沒有成員">加入成員後，他們才看得到這個群組的策略。</EmptyState>
          ) : (
            <>
              <ul>
                {items.map((member) => (
                  <SpanRow
                    key={member.user_id}
                    id={member.user_id}
                    name={cover(member.name)}
                    state={isOver(member) ? 'ended' : member.state}
                    period={member}
                    onEdit={() => setEditing(member)}
                    onRemove={() => setRemoving(member)}
                  >
                    <Person
                      name={member.name}
                      avatar={member.avatar}
                      note={periodText(member)}
                      dim={isOver(member)}
                    />
                  </SpanRow>
                ))}
              </ul>
              <div className="og-foot">
                <Pager page={page} pageSize={PAGE} total={total} counter="位" onPage={setPage} />
              </div>
            </>
          )
        }
      </ListState>
      {adding && <AddMembers group={group} onClose={() => setAdding(false)} />}
      {editing && (
        <SpanSheet
          title="群組裡的期間"
          subtitle={cover(editing.name)}
          note={
            editing.member_expires_on
              ? `成員資格到 ${editing.member_expires_on.replaceAll('-', '/')}，兩者先到的為準。`
              : undefined
          }
          period={editing}
          busy={update.isPending}
          onSave={(span, refuse) =>
            update.mutate(
              { id: group.id, user_id: editing.user_id, ...span },
              {
                onSuccess: () => {
                  toast({ title: '期間已更新', icon: 'check' })
                  setEditing(null)
                },
                onError: refuse,
              },
            )
          }
          onClose={() => setEditing(null)}
        />
      )}
      {removing && (
        <Ask
          title={`移出「${cover(removing.name)}」`}
          verb="移出群組"
          icon="minus"
          busy={remove.isPending}
          failure={remove.error && failureText(remove.error, '沒有任何變更，')}
          onClose={() => {
            remove.reset()
            setRemoving(null)
          }}
          onYes={() =>
            remove.mutate(
              { id: group.id, user_id: removing.user_id },
              {
                onSuccess: () => {
                  toast({ title: `已移出「${cover(removing.name)}」`, icon: 'check' })
                  setRemoving(null)
                },
              },
            )
          }
        >
          <p>經由這個群組看到的策略立刻看不到；其他群組不受影響。</p>
        </Ask>
      )}
    </Card>
  )
}
