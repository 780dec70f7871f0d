/* One block of the opened record: title, something small at its right, content. */

import type { ReactNode } from 'react'
import { Icon, type IconName } from '#ui/Icon.tsx'
import css from './Block.module.css'

/** `tone` colours the icon: good fits, danger does not. */
export type BlockProps = {
  title: string
  aside?: ReactNode
  icon?: IconName
  tone?: 'good' | 'danger' | 'quiet'
  children: ReactNode
}

export function Block({ title, aside, icon, tone = 'quiet', children }: BlockProps) {
  return (
    <section className={css.block} aria-label={title}>
      <header>
        {icon && (
          <Icon
            name={icon}
            className={tone === 'good' ? 'good-ink' : tone === 'danger' ? 'danger-ink' : 'ink3'}
          />
        )}
        <h3>{title}</h3>
        <span className="sp" />
        {aside}
      </header>
      {children}
    </section>
  )
}
