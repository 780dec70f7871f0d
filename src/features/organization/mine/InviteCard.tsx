/* An invitation that I received: from whom, as what, until when; accept or decline. */
import { useEffect } from 'react'
import type { MyInvite } from '#contract/join.ts'
import { mdHm, ymd } from '#text/format.ts'
import { OrganizationCard } from '../parts/OrganizationCard.tsx'
import { OrganizationHead } from '../parts/OrganizationHead.tsx'
import { usePeople } from '../parts/people.ts'
import { ROLE_WORDS } from '../parts/words.ts'
import { Answer } from './Answer.tsx'
import { useAnswer } from './use-answer.ts'

/** `onHold` gets the invitation while it is being answered: until then its card stays, also when the list has lost it. */
export function InviteCard({
  invite,
  onHold,
}: {
  invite: MyInvite
  onHold: (held: MyInvite | null) => void
}) {
  const { cover } = usePeople()
  const name = cover(invite.organization.name)
  const answer = useAnswer(name, invite.code)
  const busy = answer.busy !== null
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list asked again gives another object of the same invitation
  useEffect(() => {
    if (!busy) return
    onHold(invite)
    return () => onHold(null)
  }, [busy, onHold])
  return (
    <OrganizationCard invites label={`${name}的邀請`}>
      <OrganizationHead name={name} logo={invite.organization.logo}>
        <p className="t13 ink2 num">
          {cover(invite.invited_by)} 邀請你成為{ROLE_WORDS[invite.role]}
          {invite.expires_on ? `，到 ${ymd(invite.expires_on)}` : '，沒有期限'}
        </p>
        <p className="t13 ink3 num">邀請有效到 {mdHm(invite.valid_until)}</p>
      </OrganizationHead>
      <Answer answer={answer} />
    </OrganizationCard>
  )
}
