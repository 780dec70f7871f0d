/* Two sides of a page: beside each other on wide screens, one above the other from 1023 px down. */
import type { CSSProperties, ReactNode } from 'react'
import { cx } from './open.ts'
import css from './Sides.module.css'

/** `columns` of the grid when they are beside each other; two halves without it. `by` says for tests who made the figures. */
export type SidesProps = {
  columns?: string
  className?: string | undefined
  by?: string
  children: ReactNode
}

export function Sides({ columns, className, by, children }: SidesProps) {
  const style = columns ? ({ '--sides': columns } as CSSProperties) : undefined
  return (
    <div className={cx(css.root, className)} style={style} data-by={by}>
      {children}
    </div>
  )
}
