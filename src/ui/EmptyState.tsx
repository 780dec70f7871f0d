/* Nothing here yet: the wave, one sentence, one verb. */

import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import { Clauses } from './Clauses.tsx'
import { Icon, type IconName } from './Icon.tsx'
import { IconButton } from './IconButton.tsx'
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

/* A line over the content that stays until its reason is gone: offline, expiring, new version, identity. */

/** `bar` the flat strip of 36 px under the top bar (identity), otherwise a rounded note. `onClose` shows a close key. */
export type BannerProps = {
  children: ReactNode
  tone?: 'neutral' | 'info' | 'warn' | 'danger' | 'good'
  icon?: IconName
  action?: ReactNode
  onClose?: () => void
  bar?: boolean
  urgent?: boolean
}

export function Banner({
  children,
  tone = 'neutral',
  icon,
  action,
  onClose,
  bar = false,
  urgent = false,
}: BannerProps) {
  return (
    <div
      className={cx(css.Banner, css[`Banner-${tone}`], bar && css.BannerBar)}
      role={urgent ? 'alert' : 'status'}
    >
      <div className={css.BannerIn}>
        {icon && <Icon name={icon} size={bar ? 18 : 20} className={css.BannerSign} />}
        <div className={cx('sp', bar && 'el')}>{children}</div>
        {action}
        {onClose && <IconButton icon="close" label="關閉" size={18} onClick={onClose} />}
      </div>
    </div>
  )
}

/* How old the figures on the screen are, in words: 離線 · 資料更新於 10:24. */

/** `time` HH:mm (or MM/DD HH:mm), already formatted; null: never updated. `word` who does not answer; `offline` false says only the age. */
export type StaleNoteProps = { time: string | null; word?: string; offline?: boolean }

export function StaleNote({ time, word = '離線', offline = true }: StaleNoteProps) {
  return (
    <p className={css.StaleNote} role="status">
      {offline && <Icon name="offline" size={16} />}
      {offline && `${word} · `}
      {time === null ? (
        '還沒有存下的資料'
      ) : (
        <span>
          資料更新於 <span className="num">{time}</span>
        </span>
      )}
    </p>
  )
}

/* How far a work is: a bar, running to and fro while nobody knows of how much. */

/** `share` 0 to 1; null while the whole is not known. */
export type ProgressBarProps = { label: string; share: number | null }

export function ProgressBar({ label, share }: ProgressBarProps) {
  return <progress className={css.ProgressBar} aria-label={label} max={1} value={share ?? undefined} />
}
