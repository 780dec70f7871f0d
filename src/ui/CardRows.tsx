/* Lines in a card, divided by hairlines: 46 px, 52 under a thumb. */
import type { ReactNode } from 'react'
import css from './CardRows.module.css'
import { cx } from './open.ts'

/** Children are list items. */
export function CardRows({ children, className }: { children: ReactNode; className?: string | undefined }) {
  return <ul className={cx(css.root, className)}>{children}</ul>
}
