/* The page around a strategy's form. */
import type { ReactNode } from 'react'
import { cx } from '#ui/open.ts'
import css from './FormPage.module.css'

export function FormPage({ children }: { children: ReactNode }) {
  return <div className={cx('page', css.root)}>{children}</div>
}
