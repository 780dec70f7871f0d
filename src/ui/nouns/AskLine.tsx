/* The third line of a row: a sentence and its keys, over the area that opens the row. */
import type { ReactNode } from 'react'
import css from './AskLine.module.css'

export function AskLine({ children }: { children: ReactNode }) {
  return <div className={css.root}>{children}</div>
}
