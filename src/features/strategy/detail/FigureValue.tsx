/* The one number of a sheet: of a figure that is opened, of a trade. */
import type { ReactNode } from 'react'
import { cx } from '#ui/open.ts'
import css from './FigureValue.module.css'

export function FigureValue({ children }: { children: ReactNode }) {
  return <p className={cx(css.root, 'num')}>{children}</p>
}
