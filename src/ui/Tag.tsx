/* A small filled label: a state in a table, a warning on a card, a group's name. */
import type { ReactNode } from 'react'
import { Icon } from './Icon.tsx'
import type { IconName } from './icons.ts'
import { cx } from './open.ts'
import css from './Tag.module.css'

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
    <Box className={cx(css.root, tone !== 'neutral' && css[tone], className)}>
      {icon && <Icon name={icon} size={14} />}
      <span className={cx('el', words)}>{children}</span>
      {end}
    </Box>
  )
}
