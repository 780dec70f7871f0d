/* First and last day of a period, with the usual lengths a press away. */
import type { Span } from '#contract/access.ts'
import { number } from '#text/format.ts'
import { Button } from '#ui/Button.tsx'
import { isDay } from '#ui/day.ts'
import { DateField } from '#ui/SearchSelect.tsx'
import { addMonths, today } from '../parts/words.ts'
import css from './PeriodFields.module.css'

/** A period as the fields hold it: `YYYY-MM-DD`, '' for no last day. */
export interface Days {
  starts_on: string
  ends_on: string
}

/** `known` is the last day that stands now: lengths count from it when it is not over. Without `starts_on` only the last day is asked. `usual` days from the first are given where no last day is said. */
export type PeriodFieldsProps = {
  days: Days
  onChange: (changes: Partial<Days>) => void
  errors?: Record<string, string>
  known?: string | null
  only_end?: boolean
  usual?: number | null
}

const NO_DAY = '沒有這一天，請寫成 2026/12/31'
const LENGTHS = [
  { months: 1, label: '＋1 個月' },
  { months: 3, label: '＋3 個月' },
  { months: 12, label: '＋1 年' },
]

export function PeriodFields(props: PeriodFieldsProps) {
  const { days, onChange, errors = {}, known = null, only_end, usual = null } = props
  const base = [today(), known ?? '', only_end ? '' : days.starts_on].filter(isDay).sort().at(-1) as string
  const span = [only_end ? today() : days.starts_on, days.ends_on] as const
  return (
    <>
      <div className={css.days}>
        {!only_end && (
          <DateField
            label="起日"
            span={span}
            name="starts_on"
            value={days.starts_on}
            error={errors['starts_on']}
            onChange={(starts_on) => onChange({ starts_on })}
          />
        )}
        <DateField
          label="到期日"
          span={span}
          name="ends_on"
          value={days.ends_on}
          error={errors['ends_on'] ?? errors['expires_on']}
          hint={
            days.ends_on === ''
              ? usual === null
                ? '沒有期限'
                : `留空就從加入那天起 ${number(usual)} 天（「設定」的預設成員天數）`
              : isDay(days.ends_on) && (days.ends_on < today() ? '這一天已經過去' : '當天結束前都有效')
          }
          onChange={(ends_on) => onChange({ ends_on })}
        />
      </div>
      <div className="row wrap gap8">
        {LENGTHS.map(({ months, label }) => (
          <Button
            key={months}
            size="s"
            kind="soft"
            onClick={() => onChange({ ends_on: addMonths(base, months) })}
          >
            {label}
          </Button>
        ))}
        <Button size="s" kind="soft" disabled={days.ends_on === ''} onClick={() => onChange({ ends_on: '' })}>
          {usual === null ? '無期限' : '留空'}
        </Button>
      </div>
    </>
  )
}

/** The days that were chosen, as a call takes them. */
export function spanOf({ starts_on, ends_on }: Days): Span {
  return { starts_on, ends_on: ends_on || null }
}

/** As `periodErrors`, for somebody or something that is only put in: days that are over would be for nothing. */
export function newPeriodErrors(days: Days): Record<string, string> {
  if (isDay(days.ends_on) && days.ends_on < today()) return { ends_on: '這一天已經過去，請選今天或之後' }
  return periodErrors(days)
}

/** What is wrong with a period before it is sent; empty when nothing is. */
export function periodErrors({ starts_on, ends_on }: Days): Record<string, string> {
  if (starts_on === '') return { starts_on: '請選擇起日' }
  for (const [name, day] of Object.entries({ starts_on, ends_on }))
    if (day !== '' && !isDay(day)) return { [name]: NO_DAY }
  if (ends_on !== '' && ends_on < starts_on) return { ends_on: '到期日要在起日當天或之後' }
  return {}
}
