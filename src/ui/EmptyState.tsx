/* Nothing here yet: the wave, one sentence, one verb. */
import type { ReactNode } from 'react'
import { Clauses } from './Clauses.tsx'
import css from './EmptyState.module.css'
import { cx } from './open.ts'

/** `children` one warm sentence; `action` a Button; `card` draws the surface around it. */
export type EmptyStateProps = {
  title: string
  children?: ReactNode
  action?: ReactNode
  card?: boolean
  className?: string | undefined
}

export function EmptyState({ title, children, action, card = false, className }: EmptyStateProps) {
  return (
    <div className={cx(css.root, card && 'card', className)}>
      <svg className={css.sign} viewBox="0 0 130 56" width="130" height="56" aria-hidden="true">
        <path
          d="M6 38c18 0 18-22 36-22s20 26 40 26c18 0 26-20 37-31"
          fill="none"
          stroke="var(--edge)"
          strokeWidth="2"
          strokeLinecap="round"
        />
        <circle cx="120" cy="10" r="4.5" fill="var(--brand)" />
      </svg>
      <b>{title}</b>
      {children && (
        <p>
          <Clauses>{children}</Clauses>
        </p>
      )}
      {action && <div className={cx(css.below, css.action)}>{action}</div>}
    </div>
  )
}
