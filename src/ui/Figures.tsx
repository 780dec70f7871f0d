/* A line of small figures under a big one: label over value. */
import type { ReactNode } from 'react'
import css from './Figures.module.css'
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
    <dl className={cx(css.root, framed && css.framed, tight && css.tight)}>
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
