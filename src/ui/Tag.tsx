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
  className?: string | undefined
}

export function Tag({ children, tone = 'neutral', icon, className }: TagProps) {
  return (
    <span className={cx(css.root, tone !== 'neutral' && css[tone], className)}>
      {icon && <Icon name={icon} size={14} />}
      <span className="el">{children}</span>
    </span>
  )
}
