/* The sticky line over a day's rows: date, how many, realised of the day. */

import type { ReactNode } from 'react'
import { number } from '#text/format.ts'
import { Icon } from '../Icon.tsx'
import { cx } from '../open.ts'
import { useRootMark } from '../root-mark.ts'
import css from './cards.module.css'
import { Delta } from './Delta.tsx'

/** `title` 今天 11/20 週五; `note` why a day to come has rows; `unit` what is counted; `besides` what is listed and not counted ( · 作廢 1); `realised` whole dollars, null leaves it out; `level` of the heading for screen readers. */
export type DayHeaderProps = {
  title: string
  note?: string
  count?: number
  unit?: string
  besides?: string
  realised?: number | null
  masked?: boolean
  level?: 2 | 3
  /** Its place in a list that keeps it in sight itself. */
  className?: string | undefined
}

export function DayHeader({
  title,
  note,
  count,
  unit = '筆',
  besides = '',
  realised = null,
  masked = false,
  level = 2,
  className,
}: DayHeaderProps) {
  const Heading = level === 2 ? 'h2' : 'h3'
  return (
    <div className={cx(css.DayHeader, className)}>
      <Heading>{title}</Heading>
      {note && (
        <small className={css.DayHeaderNote} title="夜盤屬於下一個交易日">
          <span>{note}</span>
        </small>
      )}
      {count !== undefined && (
        <span className={`num ${css.DayHeaderCount}`}>{`${number(count)} ${unit}${besides}`}</span>
      )}
      <span className="sp" />
      {realised !== null && (
        <>
          <span className={css.DayHeaderWord}>
            <span>已實現</span>
          </span>
          <Delta value={realised} masked={masked} strong />
        </>
      )}
    </div>
  )
}

/* 「3 筆新訊號 ↑」: appears over the list instead of a jump when the person has scrolled away. */

/** Nothing at 0. Floats 12 px above the tab bar. `noun` 訊號 by default, `unit` what it is counted by. */
export type NewPillProps = { count: number; onClick: () => void; noun?: string; unit?: string }

export function NewPill({ count, onClick, noun = '訊號', unit = '筆' }: NewPillProps) {
  return (
    <div className={css.NewPill} role="status">
      {count > 0 && (
        <Pill onClick={onClick}>
          {count > 99 ? '99+' : count} {unit}新{noun}
        </Pill>
      )}
    </div>
  )
}

function Pill({ children, onClick }: { children: ReactNode; onClick: () => void }) {
  useRootMark('pill')
  return (
    <button type="button" className={css.NewPillPill} onClick={onClick}>
      {children}
      <Icon name="arrow-up" size={18} />
    </button>
  )
}
