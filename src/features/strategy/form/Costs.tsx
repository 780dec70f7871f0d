/* What a trade costs, in one line that makes the fees tangible. */
import type { ReactNode } from 'react'
import { Icon } from '#ui/Icon.tsx'
import { cx } from '#ui/open.ts'
import css from './Costs.module.css'

export function Costs({ children }: { children: ReactNode }) {
  return (
    <div className={cx(css.root, 'num')} role="status">
      <Icon name="info" size={18} className={cx(css.icon, 'ink3')} />
      <div>{children}</div>
    </div>
  )
}
