/* The line under a field: what helps, or what is wrong. */
import type { ComponentProps } from 'react'
import css from './Hint.module.css'
import { cx } from './open.ts'

/** As the platform's paragraph; `error` in the colour of what is wrong, its sign before it. */
export function Hint({ error = false, className, ...line }: ComponentProps<'p'> & { error?: boolean }) {
  return <p {...line} className={cx(css.root, error && css.error, className)} />
}
