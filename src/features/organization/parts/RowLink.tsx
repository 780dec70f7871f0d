/* What of a row leads somewhere: its words, what stands beside them, and the sign that it leads on. */
import type { ReactNode } from 'react'
import { Icon } from '#ui/Icon.tsx'
import { cx, opens } from '#ui/open.ts'
import css from './RowLink.module.css'

export type RowLinkProps = { href: string; onOpen: () => void; children: ReactNode }

export function RowLink({ href, onOpen, children }: RowLinkProps) {
  return (
    <a className={cx(css.root, 'sp')} href={href} onClick={opens(onOpen)}>
      {children}
      <Icon name="chevron-right" size={18} className="ink3" />
    </a>
  )
}
