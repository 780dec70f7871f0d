/* An organization, or an invitation to one, as a card. */
import type { ReactNode } from 'react'
import { cx } from '#ui/open.ts'
import css from './OrganizationCard.module.css'

/** `label` for who hears it; `invites`: it asks for an answer. */
export type OrganizationCardProps = {
  children: ReactNode
  as?: 'section' | 'li' | 'div'
  label?: string
  role?: 'status'
  invites?: boolean
}

export function OrganizationCard({ as: Root = 'section', label, invites, ...rest }: OrganizationCardProps) {
  return <Root className={cx(css.root, invites && css.invites, 'card')} aria-label={label} {...rest} />
}
