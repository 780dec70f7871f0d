/* The one number of a screen, at 40 px. */
import type { ReactNode } from 'react'
import css from './Big.module.css'
import { cx } from './open.ts'

/** `lead` at the head of the first page: on phones a taller line and a smaller unit. */
export type BigProps = {
  children: ReactNode
  as?: 'span' | 'p'
  lead?: boolean
  className?: string | undefined
}

export function Big({ children, as: Box = 'span', lead = false, className }: BigProps) {
  return <Box className={cx(css.root, lead && css.lead, className)}>{children}</Box>
}
