// The board that the gallery stands on.
import type { ReactNode } from 'react'
import { cx } from '#ui/open.ts'
import css from './Board.module.css'

/** `theme` of its own; `narrow` as wide as a phone. */
export function Board({
  theme,
  narrow = false,
  children,
}: {
  theme?: 'light' | 'dark'
  narrow?: boolean
  children: ReactNode
}) {
  return (
    <div className={cx(css.root, narrow && css.narrow)} data-theme={theme}>
      {children}
    </div>
  )
}
