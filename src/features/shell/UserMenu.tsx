// The person's menu: identity switcher, privacy mode, 個人設定, 公告, 使用說明, 登出, 訊號通知 with what is unread; on phones also the theme (spec §2).

import { useSnapshot } from 'valtio'
import type { OrganizationEntry } from '#contract/organization.ts'
import { prefs } from '#screen/device.ts'
import { useGo } from '#screen/go.ts'
import { inbox } from '#screen/outbox.ts'
import { usePrivacy } from '#screen/privacy.ts'
import { masked, useProfile } from '#screen/profile.ts'
import { signOut } from '#screen/session.ts'
import { switchIdentity } from '#screen/switch.ts'
import { leaveView } from '#screen/viewing.ts'
import { viewing } from '#state/app.ts'
import { preferences } from '#state/preferences.ts'
import { auth } from '#state/session.ts'
import { IDENTITY, NAV } from '#text/spec.ts'
import { Icon } from '#ui/Icon.tsx'
import { MenuKey, Popover } from '#ui/Menu.tsx'
import { cx, opens } from '#ui/open.ts'
import { Switch } from '#ui/Switch.tsx'
import { Avatar } from '#ui/Tag.tsx'
import css from './Shell.module.css'

/** Id of the popover; every key that opens it names it. */
export const USER_MENU = 'user-menu'

export function UserMenu() {
  return (
    <Popover id={USER_MENU} label="我的選單" className={css.UserMenu}>
      <Inside />
    </Popover>
  )
}

function Inside() {
  const { open } = useGo()
  const { profile, shown_name } = useProfile()
  const privacy = usePrivacy()
  const { member } = useSnapshot(viewing)
  const close = () => document.getElementById(USER_MENU)?.hidePopover()
  return (
    <>
      <div className={css.UserMenuHead}>
        <Avatar name={shown_name} src={profile?.avatar ?? null} size={40} />
        <div className={cx(css.UserMenuWords, 'sp')}>
          <b className="el">{shown_name}</b>
          <small className="el">{privacy.on ? '••••' : profile?.email}</small>
        </div>
      </div>
      <hr />
      {!member && <IdentitySwitcher onDone={close} />}
      {!member && (profile?.organizations.length ?? 0) > 0 && <hr />}
      <Switch
        className={css.UserMenuSwitch}
        label="隱私模式"
        checked={privacy.on}
        onChange={privacy.set}
        note="姓名換成星號，金額遮起來"
      />
      <div className="mob">
        <ThemeSwitch className={css.UserMenuSwitch} />
      </div>
      <hr />
      {member ? (
        <MenuKey
          icon="eye-off"
          onClick={() => {
            close()
            leaveView(open)
          }}
        >
          <span className="sp">結束檢視</span>
        </MenuKey>
      ) : (
        <Own close={close} />
      )}
    </>
  )
}

/** What is the person's alone. */
function Own({ close }: { close: () => void }) {
  const { open } = useGo()
  return (
    <>
      <MenuKey
        icon="bell"
        href="/signal-notification"
        onClick={opens(() => {
          close()
          open('/signal-notification')
        })}
      >
        <span className="sp">{NAV.notifications}</span>
        <Unread />
      </MenuKey>
      <MenuKey
        icon="megaphone"
        href="/my-announcements"
        onClick={opens(() => {
          close()
          open('/my-announcements')
        })}
      >
        <span className="sp">公告</span>
      </MenuKey>
      <MenuKey
        icon="person"
        href="/profile"
        onClick={opens(() => {
          close()
          open('/profile')
        })}
      >
        <span className="sp">{NAV.profile}</span>
      </MenuKey>
      <MenuKey
        icon="book"
        href="/guide"
        onClick={opens(() => {
          close()
          open('/guide')
        })}
      >
        <span className="sp">使用說明</span>
      </MenuKey>
      <MenuKey
        icon="logout"
        onClick={() => {
          close()
          void signOut()
        }}
      >
        <span className="sp">{NAV.logout}</span>
      </MenuKey>
    </>
  )
}

// 切換身份: the person alone, or as admin or member of one of the organizations (spec §2).

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
    <fieldset className={css.IdentitySwitcher}>
      <legend className="t12 ink3">{NAV.switch_identity}</legend>
      <Choice name={shown_name} note="個人身份" on={org_id === null} onPick={pick(null)} />
      <p className={`t12 ink3 ${css.IdentitySwitcherPart}`}>{NAV.my_organizations}</p>
      <div className={css.IdentitySwitcherList}>
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
    <MenuKey className={css.IdentitySwitcherOne} pressed={on} onClick={onPick}>
      <Avatar name={name} src={src} size={28} />
      <span className={cx(css.IdentitySwitcherWords, 'sp')}>
        <span className="el">{name}</span>
        <small>{note}</small>
      </span>
      {on && <Icon name="check" size={18} className="brand-ink" />}
    </MenuKey>
  )
}

// Dark theme as a row with a switch, for the phone's popover.

export function ThemeSwitch({ className }: { className?: string | undefined }) {
  const { theme_mode } = useSnapshot(preferences)
  return (
    <Switch
      className={className}
      label="深色主題"
      checked={theme_mode === 'dark'}
      onChange={(on) => prefs.set_theme(on ? 'dark' : 'light')}
    />
  )
}

// The count of unread notifications as a badge: at the phone's tab that opens the person's menu, and in the menu.

/** Nothing when all is read; `corner` of an icon instead of at the end of a line. */
export function Unread({ corner = false }: { corner?: boolean }) {
  const { unread } = useSnapshot(inbox)
  return unread > 0 ? (
    <em className={cx(css.Unread, corner && css.UnreadCorner)} data-count={unread > 99 ? '99+' : unread}>
      <span className="vh">{unread} 則未讀通知</span>
    </em>
  ) : null
}
