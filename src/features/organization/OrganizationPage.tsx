/* The page around what is about organizations. */
import type { ReactNode } from 'react'
import { cx } from '#ui/open.ts'
import css from './OrganizationPage.module.css'

/** `narrow` for a form alone. */
export function OrganizationPage({ children, narrow = false }: { children: ReactNode; narrow?: boolean }) {
  return <div className={cx('page', narrow && css.narrow)}>{children}</div>
}
