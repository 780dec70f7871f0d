/* The list around signal rows; its width, not the window's, decides between two lines and one line in columns. */
import type { ReactNode } from 'react'
import './signal.css'
import { cx } from './open.ts'

/** Children are SignalRows. A virtual list gives the class `sigs` to its own box instead. */
export type SignalListProps = { children: ReactNode; label?: string; framed?: boolean }

export function SignalList({ children, label, framed = false }: SignalListProps) {
  return (
    <ul className={cx('sigs', framed && 'framed')} aria-label={label}>
      {children}
    </ul>
  )
}
