/* A small filled label: a state in a table, a warning on a card, a group's name. */

import type { ReactNode } from 'react'
import { Icon, type IconName } from './Icon.tsx'
import { cx } from './open.ts'
import css from './states.module.css'

/** Meaning of a label, never profit or loss. `info` waits for the person, `line` is only outlined. */
export type TagTone = 'neutral' | 'good' | 'warn' | 'danger' | 'info' | 'line'

/** An icon is due whenever the tone carries meaning. */
export type TagProps = {
  children: ReactNode
  tone?: TagTone
  icon?: IconName
  as?: 'span' | 'li'
  /** The key that takes it away. */
  end?: ReactNode
  /** A class of its words (num). */
  words?: string
  className?: string | undefined
}

export function Tag(props: TagProps) {
  const { children, tone = 'neutral', icon, as: Box = 'span', end, words, className } = props
  return (
    <Box className={cx(css.Tag, tone !== 'neutral' && css[`Tag-${tone}`], className)}>
      {icon && <Icon name={icon} size={14} />}
      <span className={cx('el', words)}>{children}</span>
      {end}
    </Box>
  )
}

/* A key of the keyboard, as it is named on it. */

export function Kbd({ children, className }: { children: string; className?: string | undefined }) {
  return <kbd className={cx(css.Tag, css.TagLine, className)}>{children}</kbd>
}

/* What is not read yet: a point at the row's edge beside the weight of its title, for colour is never the only sign. */

/** Stands in a row that is `position: relative`; `--unread-top` of that row says how far down. Screen readers hear 未讀 in the title. */
export function UnreadDot() {
  return <span className={css.UnreadDot} />
}

/* The sign before a step: its number, or a tick when it is done. */

export type StepMarkProps = { number: number; state: 'done' | 'next' | 'open' }

export function StepMark({ number, state }: StepMarkProps) {
  return (
    <span className={cx(css.StepMark, 'num', css[`StepMark-${state}`])}>
      {state === 'done' ? <Icon name="check" size={16} label="完成" /> : number}
    </span>
  )
}

/* A face or the first character of a name. */

/** `src` null or absent shows the character; `size` px (32). Decorative: the name stands beside it. */
export type AvatarProps = {
  name: string
  src?: string | null
  size?: number
  dim?: boolean
  className?: string | undefined
}

export function Avatar({ name, src, size = 32, dim = false, className }: AvatarProps) {
  const box = { width: size, height: size, fontSize: Math.round(size * 0.4) }
  if (src) return <img className={cx(css.Avatar, className)} src={src} alt="" style={box} loading="lazy" />
  return (
    <span className={cx(css.Avatar, dim && css.AvatarDim, className)} style={box} aria-hidden="true">
      {[...name.trim()][0]?.toUpperCase() ?? '·'}
    </span>
  )
}
