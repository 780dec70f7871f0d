/* The list around signal rows; its width, not the window's, decides between two lines and one line in columns. */
import type { ReactNode } from 'react'
import './signal.css'
import { cx } from './open.ts'

/** Children are SignalRows. A virtual list gives the class `sigs` to its own box instead. `framed` at the foot of a Card; `pinned` stands above the list (what waits to be sent). */
export type SignalListProps = {
  children: ReactNode
  label?: string
  framed?: boolean
  pinned?: boolean
  className?: string | undefined
}

export function SignalList({ children, label, framed = false, pinned = false, className }: SignalListProps) {
  return (
    <ul className={cx('sigs', framed && 'framed', pinned && 'pinned', className)} aria-label={label}>
      {children}
    </ul>
  )
}
