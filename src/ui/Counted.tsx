/* A hint with how much of the room is used, at its right. */
import type { ReactNode } from 'react'
import css from './Counted.module.css'

export function Counted({ hint, used, max }: { hint: ReactNode; used: ReactNode; max: ReactNode }) {
  return (
    <span className={css.root}>
      <span>{hint}</span>
      <span className="num">
        {used}／{max}
      </span>
    </span>
  )
}
