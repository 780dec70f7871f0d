/* Removing a member: what ends for them, and that it ends now. */
import type { Member } from '#contract/membership.ts'
import { membershipMutations } from '#data/nouns/organization.ts'
import { Ask } from '#screen/Ask.tsx'
import { usePeople } from '../parts/people.ts'
import { useOrganization } from './use-place.ts'

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
