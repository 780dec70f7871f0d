// The person's menu: identity switcher, privacy mode, 個人設定, 公告, 使用說明, 登出, 訊號通知 with what is unread; on phones also the theme (spec §2).

import { useSnapshot } from 'valtio'
import { useGo } from '#screen/go.ts'
import { usePrivacy } from '#screen/privacy.ts'
import { useProfile } from '#screen/profile.ts'
import { signOut } from '#screen/session.ts'
import { leaveView } from '#screen/viewing.ts'
import { viewing } from '#state/app.ts'
import { NAV } from '#text/spec.ts'
import { MenuKey, Popover } from '#ui/Menu.tsx'
import { cx, opens } from '#ui/open.ts'
import { Switch } from '#ui/Switch.tsx'
import { Avatar } from '#ui/Tag.tsx'
import { IdentitySwitcher } from './IdentitySwitcher.tsx'
import { ThemeSwitch } from './ThemeSwitch.tsx'
import { Unread } from './Unread.tsx'
import css from './UserMenu.module.css'

/** Id of the popover; every key that opens it names it. */
export const USER_MENU = 'user-menu'

export function UserMenu() {
  return (
    <Popover id={USER_MENU} label="我的選單" className={css.root}>
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
      <div className={css.head}>
        <Avatar name={shown_name} src={profile?.avatar ?? null} size={40} />
        <div className={cx(css.words, 'sp')}>
          <b className="el">{shown_name}</b>
          <small className="el">{privacy.on ? '••••' : profile?.email}</small>
        </div>
      </div>
      <hr />
      {!member && <IdentitySwitcher onDone={close} />}
      {!member && (profile?.organizations.length ?? 0) > 0 && <hr />}
      <Switch
        className={css.switch}
        label="隱私模式"
        checked={privacy.on}
        onChange={privacy.set}
        note="姓名換成星號，金額遮起來"
      />
      <div className="mob">
        <ThemeSwitch className={css.switch} />
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
