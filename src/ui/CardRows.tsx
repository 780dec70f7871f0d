/* Lines in a card, divided by hairlines: 46 px, 52 under a thumb. */
import type { ReactNode } from 'react'
import css from './CardRows.module.css'
import { cx } from './open.ts'

/** Children are list items. `links`: each holds one link as wide as the card, a title (`b`) over a small line (`small`). */
export type CardRowsProps = { children: ReactNode; links?: boolean; className?: string | undefined }

export function CardRows({ children, links = false, className }: CardRowsProps) {
  return <ul className={cx(css.root, links && css.links, className)}>{children}</ul>
}
