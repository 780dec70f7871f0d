/* The bar on top, 72 px: of the shell on desktops, and of visitors. */
import type { ReactNode } from 'react'
import { Mark } from '#ui/Mark.tsx'
import { cx, type opens } from '#ui/open.ts'
import css from './Top.module.css'

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
    <header className={cx(css.root, close && css.close)}>
      <div>
        <a className={css.logo} href={href} onClick={onClick} aria-label={label}>
          <Mark size={28} />
          凌波
        </a>
        {children}
      </div>
    </header>
  )
}
