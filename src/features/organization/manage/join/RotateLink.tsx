/* A link under a new address: whoever has the old one comes in no more. */
import type { InviteLink } from '#contract/join.ts'
import { joinMutations } from '#data/nouns/invitation.ts'
import { Ask } from '#screen/Ask.tsx'
import { useOrganization } from '../use-place.ts'

export function RotateLink({ link, onClose }: { link: InviteLink; onClose: () => void }) {
  const { id, ctx } = useOrganization()
  return (
    <Ask
      title="換新網址？"
      verb="換新網址"
      icon="refresh"
      mutation={joinMutations.updateLink(ctx)}
      input={{ id, link_id: link.id, rotate: true }}
      done={{ title: '連結已換新網址', description: '請把新的網址給要邀請的人。' }}
      safe="舊的網址還能用，"
      onClose={onClose}
    >
      <p>舊的網址與 QR 碼立刻失效，之前貼出去的都不能再用。已經加入的人與待審核的申請不受影響。</p>
    </Ask>
  )
}
