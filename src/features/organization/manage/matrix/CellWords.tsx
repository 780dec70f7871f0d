/* The days of a cell, short, with the sign of where they stand. */
import { Icon } from '#ui/Icon.tsx'
import { cx } from '#ui/open.ts'
import { Tag } from '#ui/Tag.tsx'
import { periodStateWords, periodText, shortPeriod } from '../../parts/words.ts'
import css from './CellWords.module.css'
import type { Cell } from './lines.ts'

export function CellWords({ state, period }: Cell) {
  const text = shortPeriod(state, period)
  if (state === 'active') return <span className={cx(css.root, 'num')}>{text}</span>
  if (state === 'ended')
    return (
      <span className={cx(css.root, css.over, 'num')}>
        <Icon name="close" size={14} />
        {text}
      </span>
    )
  const { text: word } = periodStateWords(state, period)
  return (
    <Tag tone={state === 'expiring' ? 'warn' : 'neutral'} icon="clock" words="num">
      {text}
      {/* the colour says it to others */}
      {state === 'expiring' && <span className="vh">，{word}</span>}
    </Tag>
  )
}

/** The whole of it: both days, and the word of the state. */
export function cellTitle({ state, period }: Cell): string {
  return `${periodText(period)}，${periodStateWords(state, period).text}`
}
