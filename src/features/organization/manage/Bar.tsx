/* The bar over a list: what is searched, what it is narrowed to, and the key that adds one. */
import type { ReactNode } from 'react'
import css from './Bar.module.css'

/** `chips` scroll as one line on phones: the chips among them are `inline="phone"`. */
export type BarProps = { search?: ReactNode; chips?: ReactNode; action?: ReactNode }

export function Bar({ search, chips, action }: BarProps) {
  return (
    <div className={css.root}>
      {search && <div className={css.search}>{search}</div>}
      {chips ? <div className={css.chips}>{chips}</div> : <span className={css.room} />}
      {action && <div className={css.action}>{action}</div>}
    </div>
  )
}
