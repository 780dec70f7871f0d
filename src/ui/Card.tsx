/* A surface with a hairline: optional head of 52 px with title, count, remark and action. */

import type { ComponentProps, CSSProperties, ReactNode } from 'react'
import { number } from '#text/format.ts'
import { Button } from './Button.tsx'
import { Icon, type IconName } from './Icon.tsx'
import css from './layout.module.css'
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
      className={cx('card', flush && 'flush', bleed && css.CardBleed, wraps && css.CardWraps, className)}
      aria-label={label ?? (typeof title === 'string' ? title : undefined)}
    >
      {title !== undefined && (
        <header className={css.CardHead}>
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

/* Lines in a card, divided by hairlines: 46 px, 52 under a thumb. */

/** Children are list items. `links`: each holds one link as wide as the card, a title (`b`) over a small line (`small`). */
export type CardRowsProps = { children: ReactNode; links?: boolean; className?: string | undefined }

export function CardRows({ children, links = false, className }: CardRowsProps) {
  return <ul className={cx(css.CardRows, links && css.CardRowsLinks, className)}>{children}</ul>
}

/* Two sides of a page: beside each other on wide screens, one above the other from 1023 px down. */

/** `columns` of the grid when they are beside each other; two halves without it. `by` says for tests who made the figures. */
export type SidesProps = {
  columns?: string
  className?: string | undefined
  by?: string
  children: ReactNode
}

export function Sides({ columns, className, by, children }: SidesProps) {
  const style = columns ? ({ '--sides': columns } as CSSProperties) : undefined
  return (
    <div className={cx(css.Sides, className)} style={style} data-by={by}>
      {children}
    </div>
  )
}

/* A row that opens: raw messages, a delivery, advanced settings. The platform's details, so it works with search in page. */

/** `note` at the right of the summary. */
export type FoldProps = {
  title: ReactNode
  note?: ReactNode
  icon?: IconName
  children: ReactNode
  open?: boolean
  /** A part of a form: as high as a heading wants it. */
  large?: boolean
}

export function Fold({ title, note, icon, children, open = false, large = false }: FoldProps) {
  return (
    <details className={cx(css.Fold, large && css.FoldLarge)} open={open}>
      <summary>
        {icon && <Icon name={icon} className="ink3" />}
        <span className="sp">{title}</span>
        {note && <span className={cx(css.FoldNote, 't13 ink3')}>{note}</span>}
        <Icon name="chevron-down" size={18} className={cx(css.FoldTurn, 'ink3')} />
      </summary>
      <div className={css.FoldBody}>{children}</div>
    </details>
  )
}

/* A table of a card: hairlines between rows, figures at the right (class n), 52 px a row. */

/** As the platform's table; a row with `data-dim` steps back. */
export function Table({ className, ...table }: ComponentProps<'table'>) {
  return <table {...table} className={cx(css.Table, className)} />
}

/* Pages of a list: 第 1–10 位，共 48 位, 上一頁, 下一頁. */

/** `page` from 1; `counter` the measure word (筆, 位). Nothing when one page holds all. */
export type PagerProps = {
  page: number
  pageSize: number
  total: number
  onPage: (page: number) => void
  counter?: string
}

export function Pager({ page, pageSize, total, onPage, counter = '筆' }: PagerProps) {
  if (total <= pageSize && page === 1) return null
  const from = (page - 1) * pageSize + 1
  const to = Math.min(total, page * pageSize)
  return (
    <nav className={cx(css.Pager, 'row gap8')} aria-label="分頁">
      <span className="t13 ink3 num">
        第 {number(from)}–{number(to)} {counter}，共 {number(total)} {counter}
      </span>
      <span className="sp" />
      <Button size="s" kind="soft" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        上一頁
      </Button>
      <Button size="s" kind="soft" disabled={to >= total} onClick={() => onPage(page + 1)}>
        下一頁
      </Button>
    </nav>
  )
}
