/* A row of a list of people, groups, strategies or invitations. */
import type { ReactNode } from 'react'
import { cx } from '#ui/open.ts'
import css from './ListRow.module.css'

/** `wraps`: on a phone its first part takes the whole width, the others stand under it. */
export type ListRowProps = { children: ReactNode; as?: 'li' | 'div'; wraps?: boolean }

export function ListRow({ children, as: Root = 'li', wraps = false }: ListRowProps) {
  return <Root className={cx(css.root, wraps && css.wraps)}>{children}</Root>
}
