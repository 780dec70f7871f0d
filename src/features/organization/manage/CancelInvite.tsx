/* Taking an invitation back: the link in the mail stops working. */
import { useMutation } from '@tanstack/react-query'
import type { Invite } from '#contract/invitation.ts'
import { invitationMutations } from '#data/invitation.ts'
import { toast } from '#features/shell/toast.ts'
import { Ask } from '../parts/Ask.tsx'
import { failureText } from '../parts/failure.ts'
import { usePeople } from '../parts/people.ts'
import { useOrganization } from './use-place.ts'

export function CancelInvite({ invite, onClose }: { invite: Invite; onClose: () => void }) {
  const { id, ctx } = useOrganization()
  const { cover } = usePeople()
  const cancel = useMutation(invitationMutations.cancel(ctx))
  return (
    <Ask
      title="撤回邀請"
      verb="撤回"
      icon="close"
      busy={cancel.isPending}
      failure={cancel.error && failureText(cancel.error, '邀請還在，')}
      onClose={onClose}
      onYes={() =>
        cancel.mutate(
          { id, invite_id: invite.id },
          {
            onSuccess: () => {
              toast({ title: '已撤回邀請', description: cover(invite.email), icon: 'check' })
              onClose()
            },
          },
        )
      }
    >
      <p>寄給 {cover(invite.email)} 的連結立刻失效。之後可以再寄一份新的。</p>
    </Ask>
  )
}
