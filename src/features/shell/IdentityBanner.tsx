// In whose name one acts, under the bar, and the way to act in another; nothing in the personal context (spec §2).

import { useSnapshot } from 'valtio'
import { usePrivacy } from '#screen/privacy.ts'
import { masked, useProfile } from '#screen/profile.ts'
import { viewing } from '#state/app.ts'
import { auth } from '#state/session.ts'
import { IDENTITY, NAV } from '#text/spec.ts'
import { Banner } from '#ui/Banner.tsx'
import { cx } from '#ui/open.ts'
import { Bone } from '#ui/Skeleton.tsx'
import css from './IdentityBanner.module.css'
import { USER_MENU } from './UserMenu.tsx'

export function IdentityBanner() {
  const { org_id } = useSnapshot(auth)
  const { profile } = useProfile()
  const privacy = usePrivacy()
  const { member } = useSnapshot(viewing)
  const organization = profile?.organizations.find(({ id }) => id === org_id)
  // its name is on its way: it comes into its room, nothing moves down
  if (org_id !== null && !profile)
    return (
      <Banner bar icon="people">
        <Bone w={160} h={12} style={{ marginBlock: 5 }} />
      </Banner>
    )
  if (!organization) return null
  return (
    <Banner
      bar
      icon="people"
      action={
        // as a member sees it there is one way out, and it stands in the band above
        member ? null : (
          // its menu stays where the avatar has it, which on phones is under the thumb
          <button
            type="button"
            className={cx(css.key, 'link t13')}
            aria-haspopup="dialog"
            onClick={({ currentTarget: source }) =>
              document.getElementById(USER_MENU)?.showPopover({ source })
            }
          >
            {NAV.switch_identity}
          </button>
        )
      }
    >
      <span className="ink3">{IDENTITY[organization.role]}</span>{' '}
      <b>{privacy.on ? masked(organization.name) : organization.name}</b>
    </Banner>
  )
}
