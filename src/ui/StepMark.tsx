/* The sign before a step: its number, or a tick when it is done. */
import { Icon } from './Icon.tsx'
import { cx } from './open.ts'
import css from './StepMark.module.css'

export type StepMarkProps = { number: number; state: 'done' | 'next' | 'open' }

export function StepMark({ number, state }: StepMarkProps) {
  return (
    <span className={cx(css.root, 'num', css[state])}>
      {state === 'done' ? <Icon name="check" size={16} label="完成" /> : number}
    </span>
  )
}
