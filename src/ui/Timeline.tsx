/* What happened when, as a line with points: a signal from the source to the screen. */

import css from './figures.module.css'
import { cx } from './open.ts'

/** One point: `end` the filled one (arrived here), `open` not on the line any more. Times already formatted. */
export type TimelineStep = {
  key: string
  title: string
  note?: string
  time: string
  delta?: string
  kind?: 'end' | 'open'
}

/** Oldest first. */
export type TimelineProps = { steps: readonly TimelineStep[]; label?: string }

export function Timeline({ steps, label }: TimelineProps) {
  return (
    <ol className={css.Timeline} aria-label={label}>
      {steps.map((step) => (
        <li key={step.key} className={cx(step.kind && css[`Timeline-${step.kind}`])}>
          <span className={css.TimelineK}>
            <b>{step.title}</b>
            {step.note && <small>{step.note}</small>}
          </span>
          <span className={`${css.TimelineT} num`}>
            {step.time}
            {step.delta && <small>{step.delta}</small>}
          </span>
        </li>
      ))}
    </ol>
  )
}
