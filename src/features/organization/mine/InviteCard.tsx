/* An invitation that I received: from whom, as what, until when; accept or decline. */
import { useEffect } from 'react'
import type { MyInvite } from '#contract/invitation.ts'
import { mdHm, ymd } from '#text/format.ts'
import { Avatar } from '#ui/Avatar.tsx'
import { cx } from '#ui/open.ts'
import css from '../OrganizationPage.module.css'
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
  const { cover, face } = usePeople()
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
    <section className={cx(css.card, css.invite, 'card')} aria-label={`${name}的邀請`}>
      <div className={css.head}>
        <Avatar name={name} src={face(invite.organization.logo)} size={44} />
        <div className="sp">
          <h2>{name}</h2>
          <p className="t13 ink2 num">
            {cover(invite.invited_by)} 邀請你成為{ROLE_WORDS[invite.role]}
            {invite.expires_on ? `，到 ${ymd(invite.expires_on)}` : '，沒有期限'}
          </p>
          <p className="t13 ink3 num">邀請有效到 {mdHm(invite.valid_until)}</p>
        </div>
      </div>
      <Answer answer={answer} />
    </section>
  )
}
