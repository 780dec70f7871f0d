/* Two fields beside each other; one under the other where the screen is narrow. */
import type { ReactNode } from 'react'
import { cx } from '#ui/open.ts'
import css from './Two.module.css'

/** `stacked` one under the other on every phone. */
export function Two({ children, stacked = false }: { children: ReactNode; stacked?: boolean }) {
  return <div className={cx(css.root, stacked && css.stacked)}>{children}</div>
}
