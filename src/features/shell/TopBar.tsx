// The desktop bar, 72 px: logo, links, connection, bell, theme, 新增策略, the person.

import { useRouterState } from '@tanstack/react-router'
import { Bell } from '#screen/Bell.tsx'
import { Connection } from '#screen/Connection.tsx'
import { useGo } from '#screen/go.ts'
import { CreateStrategy } from '#screen/ListKeys.tsx'
import { useProfile } from '#screen/profile.ts'
import { ThemeToggle, Top, TopLinks } from '#screen/Top.tsx'
import { NAV } from '#text/spec.ts'
import { Button } from '#ui/Button.tsx'
import { opens } from '#ui/open.ts'
import { Avatar } from '#ui/Tag.tsx'
import { useOrganizationLink } from './organization-link.ts'
import css from './TopBar.module.css'
import { USER_MENU } from './UserMenu.tsx'

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
        className={css.me}
        type="button"
        popoverTarget={USER_MENU}
        aria-label={`我的選單：${shown_name}`}
      >
        <Avatar name={shown_name} src={profile?.avatar ?? null} />
      </button>
    </Top>
  )
}
