/* What stands under the rows of a card: the pages, when there are several. */
import type { ReactNode } from 'react'
import css from './RowsFoot.module.css'

export function RowsFoot({ children }: { children: ReactNode }) {
  return <div className={css.root}>{children}</div>
}
