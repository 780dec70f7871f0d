/* A surface with a hairline: optional head of 52 px with title, count, remark and action. */
import type { ReactNode } from 'react'
import { number } from '#text/format.ts'
import css from './Card.module.css'
import { cx } from './open.ts'

/** `title` makes the head (level h2 unless `level` 3). `flush` rows reach the edges; `pad` gives the body 20 px (16 on phones). */
export type CardProps = {
  children: ReactNode
  title?: ReactNode
  count?: number
  remark?: ReactNode
  action?: ReactNode
  level?: 2 | 3
  pad?: boolean
  flush?: boolean
  /** On phones it reaches the edges of the screen. */
  bleed?: boolean
  /** Its head in two lines on phones, where one is too short. */
  wraps?: boolean
  label?: string
  className?: string | undefined
}

export function Card({
  children,
  title,
  count,
  remark,
  action,
  level = 2,
  pad,
  flush,
  bleed,
  wraps,
  label,
  className,
}: CardProps) {
  const Heading = level === 2 ? 'h2' : 'h3'
  return (
    <section
      className={cx('card', flush && 'flush', bleed && css.bleed, wraps && css.wraps, className)}
      aria-label={label ?? (typeof title === 'string' ? title : undefined)}
    >
      {title !== undefined && (
        <header className={css.head}>
          <Heading>{title}</Heading>
          {count !== undefined && <span className="ink3 num">{number(count)}</span>}
          {remark}
          <span className="sp" />
          {action}
        </header>
      )}
      {pad ? <div className="pad">{children}</div> : children}
    </section>
  )
}
