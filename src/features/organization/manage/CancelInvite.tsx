/* Taking an invitation back: the link in the mail stops working. */
import type { Invite } from '#contract/join.ts'
import { invitationMutations } from '#data/nouns/invitation.ts'
import { Ask } from '#screen/Ask.tsx'
import { usePeople } from '../parts/people.ts'
import { useOrganization } from './use-place.ts'

export function CancelInvite({ invite, onClose }: { invite: Invite; onClose: () => void }) {
  const { id, ctx } = useOrganization()
  const { cover } = usePeople()
  return (
    <Ask
      title="撤回邀請"
      verb="撤回"
      icon="close"
      mutation={invitationMutations.cancel(ctx)}
      input={{ id, invite_id: invite.id }}
      done={{ title: '已撤回邀請', description: cover(invite.email) }}
      safe="邀請還在，"
      onClose={onClose}
    >
      <p>寄給 {cover(invite.email)} 的連結立刻失效。之後可以再寄一份新的。</p>
    </Ask>
  )
}
