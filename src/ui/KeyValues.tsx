/* Lines of name and value: what a result is made of, settings to read. */
import type { ReactNode } from 'react'
import css from './KeyValues.module.css'
import { cx } from './open.ts'

/** `total` draws the line above and sets it in 600. */
export type KeyValuesProps = {
  rows: readonly { label: ReactNode; value: ReactNode; total?: boolean; key?: string }[]
  /** Two beside each other where there is room, smaller. */
  columns?: boolean
}

export function KeyValues({ rows, columns = false }: KeyValuesProps) {
  return (
    <dl className={cx(css.root, columns && css.columns, 'num')}>
      {rows.map((row, at) => (
        <div
          key={row.key ?? (typeof row.label === 'string' ? row.label : at)}
          className={cx(row.total && css.total)}
        >
          <dt>{row.label}</dt>
          {/* another value stands there anew: at the right edge a longer one would slide */}
          <dd key={typeof row.value === 'string' ? row.value : ''}>{row.value}</dd>
        </div>
      ))}
    </dl>
  )
}
