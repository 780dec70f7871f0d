/* The quiet state word of a signal row: icon and word without a box (延遲 3 分, 手動, 已作廢, 待送出). */
import { Icon } from '../Icon.tsx'
import type { IconName } from '../icons.ts'
import { cx } from '../open.ts'
import css from './StateWord.module.css'

/** `tone` quiet (ink-3), plain (ink-2), warn, danger or wait (brand: waits for the person). `--state-sign: none` around it leaves its icon out. */
export type StateWordProps = {
  text: string
  icon?: IconName
  tone?: 'quiet' | 'plain' | 'warn' | 'danger' | 'wait'
  className?: string | undefined
}

export function StateWord({ text, icon, tone = 'quiet', className }: StateWordProps) {
  return (
    <span className={cx(css.root, css[tone], className)}>
      {icon && <Icon name={icon} size={14} className={css.sign} />}
      {text}
    </span>
  )
}
