/* The sticky line over a day's rows: date, how many, realised of the day. */
import { number } from '#text/format.ts'
import { cx } from '../open.ts'
import css from './DayHeader.module.css'
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
    <div className={cx(css.root, className)}>
      <Heading>{title}</Heading>
      {note && (
        <small className={css.note} title="夜盤屬於下一個交易日">
          <span>{note}</span>
        </small>
      )}
      {count !== undefined && (
        <span className={`num ${css.count}`}>{`${number(count)} ${unit}${besides}`}</span>
      )}
      <span className="sp" />
      {realised !== null && (
        <>
          <span className={css.word}>
            <span>已實現</span>
          </span>
          <Delta value={realised} masked={masked} strong />
        </>
      )}
    </div>
  )
}
