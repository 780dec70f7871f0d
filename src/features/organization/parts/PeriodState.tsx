/* A period as a stroke, its days in words, and how it stands. */

import type { ReactNode } from 'react'
import type { Span } from '#contract/access.ts'
import { Tag } from '#ui/Tag.tsx'
import { PeriodLine } from './PeriodLine.tsx'
import css from './PeriodState.module.css'
import type { periodStateWords } from './words.ts'

export type PeriodStateProps = {
  period: Span
  state: ReturnType<typeof periodStateWords>
  children: ReactNode
}

export function PeriodState({ period, state, children }: PeriodStateProps) {
  return (
    <div className={css.root}>
      <PeriodLine period={period} wide />
      <span className="row gap8">
        {children}
        <Tag tone={state.tone} icon={state.icon}>
          {state.text}
        </Tag>
      </span>
    </div>
  )
}
