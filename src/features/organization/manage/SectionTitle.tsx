/* What a part of the rows is: over the rows of a card, or of a table. */
import type { ReactNode } from 'react'
import css from './SectionTitle.module.css'

/** `columns`: it stands over so many of a table. */
export type SectionTitleProps = { children: ReactNode; as?: 'h2' | 'h3'; columns?: number }

export function SectionTitle({ children, as: Root = 'h2', columns }: SectionTitleProps) {
  if (columns === undefined) return <Root className={css.root}>{children}</Root>
  return (
    <th className={css.root} colSpan={columns} scope="rowgroup">
      {children}
    </th>
  )
}
