/* Deleting a group: who loses what, and what stays. */
import { useMutation } from '@tanstack/react-query'
import type { StrategyGroup } from '#contract/group.ts'
import { groupMutations } from '#data/group.ts'
import { toast } from '#features/shell/toast.ts'
import { number } from '#text/format.ts'
import { Ask } from '../parts/Ask.tsx'
import { failureText } from '../parts/failure.ts'
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
  const remove = useMutation(groupMutations.remove(ctx))
  return (
    <Ask
      title={`刪除「${group.name}」`}
      verb="刪除群組"
      busy={remove.isPending}
      failure={remove.error && failureText(remove.error, '群組還在，')}
      onClose={onClose}
      onYes={() =>
        remove.mutate(
          { id: group.id },
          {
            onSuccess: () => {
              toast({ title: `已刪除「${group.name}」`, icon: 'check' })
              onClose()
              onGone?.()
            },
          },
        )
      }
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
