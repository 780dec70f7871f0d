/* A line of small figures under a big one: label over value. */

import type { ReactNode } from 'react'
import { MASK, number } from '#text/format.ts'
import css from './figures.module.css'
import { cx } from './open.ts'

/** `value` text or a part (Delta, Money). `framed` draws the hairline above (foot of a card). */
export type FiguresProps = {
  figures: readonly { label: string; value: ReactNode; unit?: string }[]
  framed?: boolean
  /** Closer on phones. */
  tight?: boolean
}

export function Figures({ figures, framed = false, tight = false }: FiguresProps) {
  return (
    <dl className={cx(css.Figures, framed && css.FiguresFramed, tight && css.FiguresTight)}>
      {figures.map((figure) => (
        <div key={figure.label}>
          <dt>{figure.label}</dt>
          <dd className="num">
            {figure.value}
            {figure.unit && <small>{figure.unit}</small>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/* Lines of name and value: what a result is made of, settings to read. */

/** `total` draws the line above and sets it in 600. */
export type KeyValuesProps = {
  rows: readonly { label: ReactNode; value: ReactNode; total?: boolean; key?: string }[]
  /** Two beside each other where there is room, smaller. */
  columns?: boolean
}

export function KeyValues({ rows, columns = false }: KeyValuesProps) {
  return (
    <dl className={cx(css.KeyValues, columns && css.KeyValuesColumns, 'num')}>
      {rows.map((row, at) => (
        <div
          key={row.key ?? (typeof row.label === 'string' ? row.label : at)}
          className={cx(row.total && css.KeyValuesTotal)}
        >
          <dt>{row.label}</dt>
          {/* another value stands there anew: at the right edge a longer one would slide */}
          <dd key={typeof row.value === 'string' ? row.value : ''}>{row.value}</dd>
        </div>
      ))}
    </dl>
  )
}

/* The one number of a screen, at 40 px. */

/** `lead` at the head of the first page: on phones a taller line and a smaller unit. */
export type BigProps = {
  children: ReactNode
  as?: 'span' | 'p'
  lead?: boolean
  className?: string | undefined
}

export function Big({ children, as: Box = 'span', lead = false, className }: BigProps) {
  return <Box className={cx(css.Big, lead && css.BigLead, className)}>{children}</Box>
}

/* Money in privacy mode: dots to the eye, a word to the screen reader. */

export function Masked() {
  return (
    <span className="num ink2">
      <span className="dots" aria-hidden="true">
        {MASK}
      </span>
      <span className="vh">已隱藏</span>
    </span>
  )
}

/* An amount of money without a sign's colour: capital, cost, market value. */

/** Whole dollars unless `digits`; null shows —; `masked` privacy mode; `strong` 600. */
export type MoneyProps = {
  value: number | null
  unit?: string
  digits?: number
  masked?: boolean
  strong?: boolean
}

export function Money({ value, unit = '元', digits = 0, masked = false, strong = false }: MoneyProps) {
  if (masked) return <Masked />
  if (value === null) return <span className="num ink3">—</span>
  return (
    <span className={cx('num', strong && 'w6')}>
      {number(value, digits)}
      {unit && <small>{unit}</small>}
    </span>
  )
}
