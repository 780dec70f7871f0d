/* A line over the content that stays until its reason is gone: offline, expiring, new version, identity. */

import type { ReactNode } from 'react'
import { Icon, type IconName } from './Icon.tsx'
import { IconButton } from './IconButton.tsx'
import { cx } from './open.ts'
import css from './states.module.css'

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
