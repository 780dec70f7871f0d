/* The list around signal rows; its width, not the window's, decides between two lines and one line in columns. */
import type { ReactNode } from 'react'
import { cx } from '../open.ts'
import css from './SignalList.module.css'

/** Children are SignalRows. `framed` at the foot of a Card; `pinned` stands above the list (what waits to be sent). */
export type SignalListProps = {
  children: ReactNode
  label?: string
  framed?: boolean
  pinned?: boolean
  className?: string | undefined
}

export function SignalList(props: SignalListProps) {
  const { children, label, framed = false, pinned = false, className } = props
  return (
    <ul className={cx(css.root, framed && css.framed, pinned && css.pinned, className)} aria-label={label}>
      {children}
    </ul>
  )
}
