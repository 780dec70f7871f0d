/* The bar on top, 72 px: of the shell on desktops, and of visitors. */

import type { ReactNode } from 'react'
import { useSnapshot } from 'valtio'
import { viewing } from '#state/app.ts'
import { preferences } from '#state/preferences.ts'
import { NAV } from '#text/spec.ts'
import { Mark } from '#ui/Icon.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { cx, type opens } from '#ui/open.ts'
import { prefs } from './device.ts'
import css from './frame.module.css'
import { useGo } from './go.ts'
import { inbox } from './outbox.ts'

/** `logo` where it leads and what it says; `close` brings it to the edges of a phone. */
export function Top({
  logo,
  close = false,
  children,
}: {
  logo: { href: string; label: string; onClick?: ReturnType<typeof opens> }
  close?: boolean
  children: ReactNode
}) {
  const { href, label, onClick } = logo
  return (
    <header className={cx(css.Top, close && css.TopClose)}>
      <div>
        <a className={css.TopLogo} href={href} onClick={onClick} aria-label={label}>
          <Mark size={28} />
          凌波
        </a>
        {children}
      </div>
    </header>
  )
}

/* The links of the bar on top, as high as it is. */

/** `label` what they lead through; `here` leads to where one is; `desk` not on phones. */
export type TopLinksProps = {
  label: string
  links: readonly { href: string; label: string; here?: boolean; onClick?: ReturnType<typeof opens> }[]
  desk?: boolean
}

export function TopLinks({ label, links, desk = false }: TopLinksProps) {
  return (
    <nav className={cx(css.TopLinks, desk && 'desk')} aria-label={label}>
      {links.map(({ here = false, label: words, ...link }) => (
        <a key={link.href} {...link} aria-current={here ? 'page' : undefined}>
          {words}
        </a>
      ))}
    </nav>
  )
}

// Light or dark with one press; 跟隨系統 stands in the profile.

export function ThemeToggle() {
  const { theme_mode } = useSnapshot(preferences)
  const next = theme_mode === 'dark' ? 'light' : 'dark'
  return (
    <IconButton
      icon={theme_mode === 'dark' ? 'sun' : 'moon'}
      label={next === 'dark' ? '切換深色' : '切換淺色'}
      onClick={() => prefs.set_theme(next)}
    />
  )
}

// The bell: how many notifications are unread, and the way to them. In the desktop's bar and beside the phone's greeting.

export function Bell() {
  const { unread } = useSnapshot(inbox)
  const { member } = useSnapshot(viewing)
  const { go } = useGo()
  // what was told to a member is the member's
  if (member) return null
  return (
    <IconButton
      icon="bell"
      size={22}
      label={NAV.notifications}
      badge={unread}
      {...go('/signal-notification')}
    />
  )
}
