/* The keys that end a row. */
import type { ReactNode } from 'react'
import css from './RowKeys.module.css'

export function RowKeys({ children }: { children: ReactNode }) {
  return <span className={css.root}>{children}</span>
}
