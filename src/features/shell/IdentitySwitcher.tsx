// 切換身份: the person alone, or as admin or member of one of the organizations (spec §2).

import { useSnapshot } from 'valtio'
import type { OrganizationEntry } from '#contract/organization.ts'
import { usePrivacy } from '#screen/privacy.ts'
import { masked, useProfile } from '#screen/profile.ts'
import { switchIdentity } from '#screen/switch.ts'
import { auth } from '#state/session.ts'
import { IDENTITY, NAV } from '#text/spec.ts'
import { Icon } from '#ui/Icon.tsx'
import { MenuKey } from '#ui/Menu.tsx'
import { cx } from '#ui/open.ts'
import { Avatar } from '#ui/Tag.tsx'
import css from './IdentitySwitcher.module.css'

/** `onDone` closes what it stands in. */
export function IdentitySwitcher({ onDone }: { onDone: () => void }) {
  const { profile, shown_name } = useProfile()
  const { org_id } = useSnapshot(auth)
  const organizations = profile?.organizations ?? []
  if (organizations.length === 0) return null
  const pick = (id: string | null) => () => {
    onDone()
    switchIdentity(id)
  }
  return (
    <fieldset className={css.root}>
      <legend className="t12 ink3">{NAV.switch_identity}</legend>
      <Choice name={shown_name} note="個人身份" on={org_id === null} onPick={pick(null)} />
      <p className={`t12 ink3 ${css.part}`}>{NAV.my_organizations}</p>
      <div className={css.list}>
        {organizations.map((one) => (
          <Organization key={one.id} one={one} on={one.id === org_id} onPick={pick(one.id)} />
        ))}
      </div>
    </fieldset>
  )
}

function Organization({ one, on, onPick }: { one: OrganizationEntry; on: boolean; onPick: () => void }) {
  const privacy = usePrivacy()
  const role = IDENTITY[one.role]
  const note = one.expires_on === null ? role : `${role}，到 ${one.expires_on.slice(5).replace('-', '/')}`
  return (
    <Choice
      name={privacy.on ? masked(one.name) : one.name}
      src={privacy.on ? null : one.logo}
      note={note}
      on={on}
      onPick={onPick}
    />
  )
}

type ChoiceProps = { name: string; note: string; src?: string | null; on: boolean; onPick: () => void }

function Choice({ name, note, src = null, on, onPick }: ChoiceProps) {
  return (
    <MenuKey className={css.one} pressed={on} onClick={onPick}>
      <Avatar name={name} src={src} size={28} />
      <span className={cx(css.words, 'sp')}>
        <span className="el">{name}</span>
        <small>{note}</small>
      </span>
      {on && <Icon name="check" size={18} className="brand-ink" />}
    </MenuKey>
  )
}
