/* 今日訊號 on a desk: how many, their parts, and what came beside them. */
import { number } from '#text/format.ts'
import { hms } from '#text/time.ts'
import type { Day } from '#trading/day.ts'
import { Card } from '#ui/Card.tsx'
import { cx } from '#ui/open.ts'
import css from './TodayCard.module.css'

const OTHER_DAYS = [
  ['voids', '作廢'],
  ['corrections', '更正'],
] as const

/** `count` signals of the trading date; `day` what the device's records say about it; `title` how it is called. */
export function TodayCard({ count, day, title }: { count: number; day: Day; title: string }) {
  return (
    <Card
      title={title}
      remark={
        <>
          {OTHER_DAYS.filter(([key]) => day[key] > 0).map(([key, verb]) => (
            <span key={key} className="t13 ink3 nowrap num">
              {verb}其他日 {number(day[key])} 筆
            </span>
          ))}
          {day.late > 0 && <span className="t13 warn-ink nowrap">{day.late} 筆延遲</span>}
        </>
      }
      action={
        <span className="t28 w6 num">
          {number(count)}
          <small className="t13 ink3"> 筆</small>
        </span>
      }
    >
      <dl className={cx(css.root, 'num')}>
        <Line label="進場、加碼" value={day.opened} />
        <Line label="減碼、平倉" value={day.closed} />
        <Line label="已作廢、未動作" value={day.rest} />
        <Line label="最近一筆" value={day.last_at ? hms(day.last_at) : '—'} />
      </dl>
    </Card>
  )
}

function Line({ label, value }: { label: string; value: number | string }) {
  return (
    <div>
      <dt>{label}</dt>
      {/* another value stands there anew: at the right edge a longer one would slide */}
      <dd key={value}>{typeof value === 'number' ? number(value) : value}</dd>
    </div>
  )
}
