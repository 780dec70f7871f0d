/* Nothing here yet: the wave, one sentence, one verb. */

import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import { Clauses } from './Clauses.tsx'
import { Icon } from './Icon.tsx'
import { cx } from './open.ts'
import css from './states.module.css'

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
    <div className={cx(css.EmptyState, card && 'card', className)}>
      <svg className={css.EmptyStateSign} viewBox="0 0 130 56" width="130" height="56" aria-hidden="true">
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
      {action && <div className={cx(css.EmptyStateBelow, css.EmptyStateAction)}>{action}</div>}
    </div>
  )
}

/* Something could not be read: what failed, what is safe, 重試. */

/** `title` what failed (讀不到訊號); `children` what happened and what still works; `onRetry` shows 重試, `busy` while trying. `row`: one line in a card of rows, as tall as the row that was waited for. */
export type FailStateProps = {
  title: string
  children?: ReactNode
  onRetry?: () => void
  busy?: boolean
  action?: ReactNode
  card?: boolean
  row?: boolean
}

export function FailState({
  title,
  children,
  onRetry,
  busy = false,
  action,
  card = false,
  row = false,
}: FailStateProps) {
  if (row)
    return (
      <div className={css.FailStateRow} role="alert">
        <Icon name="warning" size={20} className="ink3" />
        <p className="sp">
          <b>{title}</b>
          {children && <small>{children}</small>}
        </p>
        {onRetry && (
          <Button size="s" busy={busy} onClick={onRetry}>
            重試
          </Button>
        )}
        {action}
      </div>
    )
  return (
    <div className={card ? `${css.EmptyState} card` : css.EmptyState} role="alert">
      <Icon name="warning" size={28} className={cx(css.EmptyStateSign, 'ink3')} />
      <b>{title}</b>
      {children && (
        <p>
          <Clauses>{children}</Clauses>
        </p>
      )}
      <div className={cx(css.EmptyStateBelow, 'row gap8')}>
        {onRetry && (
          <Button size="s" busy={busy} onClick={onRetry}>
            重試
          </Button>
        )}
        {action}
      </div>
    </div>
  )
}

/* 為什麼不行？: which permission is missing, as whom one stands here, and whom to ask. */

/** `children` one or two sentences. */
export type DenyNoteProps = { title?: string; children: ReactNode; action?: ReactNode }

export function DenyNote({ title = '為什麼不行？', children, action }: DenyNoteProps) {
  return (
    <div className={`card ${css.DenyNote}`}>
      <Icon name="info" className={css.DenyNoteSign} />
      <div className="sp">
        <b>{title}</b>
        <p>{children}</p>
        {action}
      </div>
    </div>
  )
}
