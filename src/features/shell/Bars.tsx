// The desktop bar, 72 px: logo, links, connection, bell, theme, 新增策略, the person.

import { useRouterState } from '@tanstack/react-router'
import { memo } from 'react'
import { useSnapshot } from 'valtio'
import { Connection } from '#screen/Connection.tsx'
import { useGo } from '#screen/go.ts'
import { useTypingMark } from '#screen/keys.ts'
import { CreateStrategy } from '#screen/ListActions.tsx'
import { inbox } from '#screen/outbox.ts'
import { usePrivacy } from '#screen/privacy.ts'
import { actingAs, masked, useMay, useProfile } from '#screen/profile.ts'
import { Bell, ThemeToggle, Top, TopLinks } from '#screen/Top.tsx'
import { viewing } from '#state/app.ts'
import { auth } from '#state/session.ts'
import { IDENTITY, NAV } from '#text/spec.ts'
import { Button } from '#ui/Button.tsx'
import { Banner } from '#ui/EmptyState.tsx'
import { Icon, type IconName } from '#ui/Icon.tsx'
import { cx, opens } from '#ui/open.ts'
import { useRootMark } from '#ui/root-mark.ts'
import { Bone } from '#ui/Skeleton.tsx'
import { Avatar } from '#ui/Tag.tsx'
import css from './Shell.module.css'
import { Unread, USER_MENU } from './UserMenu.tsx'

const LINKS = [
  { href: '/dashboard', label: NAV.home, here: /^\/dashboard/ },
  { href: '/strategies', label: NAV.strategies, here: /^\/strategies/ },
]

export function TopBar() {
  const { open } = useGo()
  const link = (href: string) => ({ href, onClick: opens(() => open(href)) })
  const path = useRouterState({ select: (state) => state.location.pathname })
  const { shown_name, profile } = useProfile()
  const links = [...LINKS, useOrganizationLink()]
  return (
    <Top logo={{ ...link('/dashboard'), label: '凌波，回到首頁' }}>
      <TopLinks
        label="主要"
        links={links.map(({ href, label, here }) => ({ ...link(href), label, here: here.test(path) }))}
      />
      {/* together, once it is known who may create: whatever came later would push the others */}
      {profile ? (
        <>
          <Connection rest />
          <Bell />
          <ThemeToggle />
          <CreateStrategy>
            {(props) => (
              <Button kind="tint" icon="plus" {...props}>
                {NAV.create}
              </Button>
            )}
          </CreateStrategy>
        </>
      ) : (
        <span className="sp" />
      )}
      <button
        className={css.TopBarMe}
        type="button"
        popoverTarget={USER_MENU}
        aria-label={`我的選單：${shown_name}`}
      >
        <Avatar name={shown_name} src={profile?.avatar ?? null} />
      </button>
    </Top>
  )
}

// The phone's tabs: 首頁, 策略, the create key in the middle, the organization, and the person's popover (spec §2).

const Tab = memo(function Tab({
  href,
  label,
  icon,
  here,
  news = false,
}: {
  href: string
  label: string
  icon: IconName
  /** A dot: something came that nobody has looked at. */
  news?: boolean
  /** The page itself, or one that is reached from it. */
  here: boolean | 'below'
}) {
  const { open } = useGo()
  return (
    <a
      href={href}
      onClick={opens(() => open(href))}
      className={cx(here && css.TabBarOn)}
      aria-current={here === 'below' ? 'true' : here ? 'page' : undefined}
    >
      <span className={css.TabBarBadged}>
        <Icon name={icon} size={24} />
        {news && (
          <em className={css.TabBarNews}>
            <span className="vh">有新訊號：</span>
          </em>
        )}
      </span>
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
  const { org_id } = useSnapshot(auth)
  const { news } = useSnapshot(inbox)
  const home = path === '/signals' ? 'below' : path === '/dashboard'
  return (
    <nav ref={bar} className={cx(css.TabBar, four && css.TabBarFour)} aria-label="主要">
      <Tab
        href="/dashboard"
        label={NAV.home}
        icon="home"
        here={home}
        news={!home && !member && news.includes(org_id)}
      />
      <Tab
        href="/strategies"
        label={NAV.strategies_short}
        icon="strategy"
        here={path.startsWith('/strategies')}
      />
      <CreateStrategy>
        {({ href, onClick }) => (
          <a className={css.TabBarMk} href={href} onClick={opens(onClick)} aria-label={NAV.create}>
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
      <button type="button" popoverTarget={USER_MENU} className={cx(MINE.has(path) && css.TabBarOn)}>
        <span className={css.TabBarBadged}>
          <Icon name="person" size={24} />
          {/* the first page has its bell: one count on a screen */}
          {path !== '/dashboard' && !member && <Unread corner />}
        </span>
        我的
      </button>
    </nav>
  )
}

// The organization's place in both bars: 我的組織 for the person, 組織管理 for its admin, 組織詳情 for its member (spec §2).

/** Address, label (`short` on phones) and where it counts as being there; the member's until the role is known. */
export function useOrganizationLink(): { href: string; label: string; short: string; here: RegExp } {
  const { org_id } = useSnapshot(auth)
  useProfile() // the role comes with it
  if (org_id === null)
    return {
      href: '/my-organizations',
      label: NAV.my_organizations,
      short: NAV.organization_short,
      here: /^\/(my-organizations|organizations\/create)/,
    }
  if (actingAs(org_id).role === 'admin')
    return {
      href: '/organizations/manage',
      label: NAV.manage,
      short: NAV.manage_short,
      here: /^\/organizations\/manage/,
    }
  return {
    href: '/organizations/info',
    label: NAV.info,
    short: NAV.info_short,
    here: /^\/organizations\/info/,
  }
}

// In whose name one acts, under the bar, and the way to act in another; nothing in the personal context (spec §2).

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
            className={cx(css.IdentityBannerKey, 'link t13')}
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
