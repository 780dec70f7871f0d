/* A key of the keyboard, as it is named on it. */
import { cx } from './open.ts'
import css from './Tag.module.css'

export function Kbd({ children, className }: { children: string; className?: string | undefined }) {
  return <kbd className={cx(css.root, css.line, className)}>{children}</kbd>
}
