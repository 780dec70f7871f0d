/* Deleting a group: who loses what, and what stays. */
import type { StrategyGroup } from '#contract/group.ts'
import { groupMutations } from '#data/nouns/group.ts'
import { Ask } from '#screen/Ask.tsx'
import { number } from '#text/format.ts'
import { useOrganization } from './use-place.ts'

export function DeleteGroup({
  group,
  onClose,
  onGone,
}: {
  group: StrategyGroup
  onClose: () => void
  onGone?: () => void
}) {
  const { ctx } = useOrganization()
  return (
    <Ask
      title={`刪除「${group.name}」`}
      verb="刪除群組"
      mutation={groupMutations.remove(ctx)}
      input={{ id: group.id }}
      done={{ title: `已刪除「${group.name}」` }}
      safe="群組還在，"
      onClose={onClose}
      onDone={onGone}
    >
      <p>
        {group.member_count > 0
          ? `${number(group.member_count)} 位成員經由這個群組看到的策略立刻看不到。`
          : '群組裡還沒有成員。'}
        成員與策略本身不會刪除。
      </p>
    </Ask>
  )
}
