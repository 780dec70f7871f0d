/* Figures as rows, each a button that opens into its formula and trades. */
import type { ReactNode } from 'react'
import type { StatsSummary } from '#contract/statistics.ts'
import { cx } from '#ui/open.ts'
import css from './FigureRows.module.css'
import { FIGURES, type FigureKey, figureText } from './words.ts'

/** `remark` small before the value. */
export type FigureRowsProps = {
  keys: readonly FigureKey[]
  summary: StatsSummary
  masked: boolean
  remark?: Partial<Record<FigureKey, ReactNode>>
  onFigure: (key: FigureKey) => void
}

export function FigureRows({ keys, summary, masked, remark = {}, onFigure }: FigureRowsProps) {
  return (
    <ul className={cx(css.root, 'num')}>
      {keys.map((key) => (
        <li key={key}>
          <button type="button" onClick={() => onFigure(key)}>
            <span className={css.name}>
              {FIGURES[key].label}
              {FIGURES[key].unit && <i>{FIGURES[key].unit}</i>}
            </span>
            {remark[key] && <small>{remark[key]}</small>}
            <b>{figureText(key, summary, masked)}</b>
          </button>
        </li>
      ))}
    </ul>
  )
}
