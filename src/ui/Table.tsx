/* A table of a card: hairlines between rows, figures at the right (class n), 52 px a row. */

import type { ComponentProps } from 'react'
import { number } from '#text/format.ts'
import { Button } from './Button.tsx'
import css from './layout.module.css'
import { cx } from './open.ts'

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
