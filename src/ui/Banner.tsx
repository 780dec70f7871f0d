/* A line over the content that stays until its reason is gone: offline, expiring, new version, identity. */
import type { ReactNode } from 'react'
import css from './Banner.module.css'
import { Icon } from './Icon.tsx'
import { IconButton } from './IconButton.tsx'
import type { IconName } from './icons.ts'
import { cx } from './open.ts'

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
    <div className={cx(css.root, css[tone], bar && css.bar)} role={urgent ? 'alert' : 'status'}>
      <div className={css.in}>
        {icon && <Icon name={icon} size={bar ? 18 : 20} className={css.sign} />}
        <div className={cx('sp', bar && 'el')}>{children}</div>
        {action}
        {onClose && <IconButton icon="close" label="關閉" size={18} onClick={onClose} />}
      </div>
    </div>
  )
}
