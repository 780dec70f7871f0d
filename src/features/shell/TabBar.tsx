// The phone's tabs: 首頁, 策略, the create key in the middle, the organization, and the person's popover (spec §2).

import { useRouterState } from '@tanstack/react-router'
import { memo } from 'react'
import { useSnapshot } from 'valtio'
import { useGo } from '#screen/go.ts'
import { useTypingMark } from '#screen/keys.ts'
import { CreateStrategy } from '#screen/ListKeys.tsx'
import { useMay } from '#screen/profile.ts'
import { viewing } from '#state/app.ts'
import { NAV } from '#text/spec.ts'
import { Icon, type IconName } from '#ui/Icon.tsx'
import { cx, opens } from '#ui/open.ts'
import { useRootMark } from '#ui/root-mark.ts'
import { useOrganizationLink } from './organization-link.ts'
import css from './TabBar.module.css'
import { Unread } from './Unread.tsx'
import { USER_MENU } from './UserMenu.tsx'

const Tab = memo(function Tab({
  href,
  label,
  icon,
  here,
}: {
  href: string
  label: string
  icon: IconName
  /** The page itself, or one that is reached from it. */
  here: boolean | 'below'
}) {
  const { open } = useGo()
  return (
    <a
      href={href}
      onClick={opens(() => open(href))}
      className={cx(here && css.on)}
      aria-current={here === 'below' ? 'true' : here ? 'page' : undefined}
    >
      <Icon name={icon} size={24} />
      {label}
    </a>
  )
})

/** What the popover of 我的 leads to. */
const MINE: ReadonlySet<string> = new Set(['/profile', '/signal-notification', '/my-announcements', '/guide'])

export function TabBar() {
  const path = useRouterState({ select: (state) => state.location.pathname })
  const organization = useOrganizationLink()
  const bar = useTypingMark()
  useRootMark('tabs')
  const four = !useMay('strategy:create')
  const { member } = useSnapshot(viewing)
  return (
    <nav ref={bar} className={cx(css.root, four && css.four)} aria-label="主要">
      <Tab
        href="/dashboard"
        label={NAV.home}
        icon="home"
        here={path === '/signals' ? 'below' : path === '/dashboard'}
      />
      <Tab
        href="/strategies"
        label={NAV.strategies_short}
        icon="strategy"
        here={path.startsWith('/strategies')}
      />
      <CreateStrategy>
        {({ href, onClick }) => (
          <a className={css.mk} href={href} onClick={opens(onClick)} aria-label={NAV.create}>
            <Icon name="plus" size={26} />
          </a>
        )}
      </CreateStrategy>
      <Tab
        href={organization.href}
        label={organization.short}
        icon="people"
        here={organization.here.test(path)}
      />
      <button type="button" popoverTarget={USER_MENU} className={cx(MINE.has(path) && css.on)}>
        <span className={css.badged}>
          <Icon name="person" size={24} />
          {/* the first page has its bell: one count on a screen */}
          {path !== '/dashboard' && !member && <Unread corner />}
        </span>
        我的
      </button>
    </nav>
  )
}
