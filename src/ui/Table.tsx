/* A table of a card: hairlines between rows, figures at the right (class n), 52 px a row. */
import type { ComponentProps } from 'react'
import { cx } from './open.ts'
import css from './Table.module.css'

/** As the platform's table; a row with `data-dim` steps back. */
export function Table({ className, ...table }: ComponentProps<'table'>) {
  return <table {...table} className={cx(css.root, className)} />
}
