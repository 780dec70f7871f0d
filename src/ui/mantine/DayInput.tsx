/* What a DateField becomes: a field to write a day into, and the key to its calendar. */
import 'dayjs/locale/zh-tw'
import { DatePicker, DatesProvider } from '@mantine/dates'
import { type KeyboardEvent, useId, useState } from 'react'
import { serverNow } from '#text/now.ts'
import { taipei, ymd } from '#text/time.ts'
import { dayFrom, isDay } from '../day.ts'
import type { FieldFrame } from '../Field.tsx'
import css from '../forms.module.css'
import { Icon } from '../Icon.tsx'
import { IconButton } from '../IconButton.tsx'
import { Popover } from '../Menu.tsx'
import { TextField } from '../TextField.tsx'
import { MantineRoot } from './MantineRoot.tsx'

/**
 * `value` a day of Taipei as `YYYY-MM-DD`, '' for none. `onChange` may also bring a text that is no day, as it was typed: what
 * checks the form says so (day.ts). `span` two days whose days between are tinted, '' where it has no end.
 */
export type DayInputProps = FieldFrame & {
  value: string
  onChange: (value: string) => void
  span?: readonly [string, string]
  name?: string
  disabled?: boolean
}

export function DayInput({ span, value, onChange, ...field }: DayInputProps) {
  const id = useId()
  const [typed, setTyped] = useState<string | null>(null)
  const panel = () => document.getElementById(id)
  const opens = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' || !(event.target instanceof HTMLInputElement) || field.disabled) return
    event.preventDefault()
    panel()?.showPopover()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the key is the field's inside
    <div onKeyDown={opens}>
      <TextField
        {...field}
        autoComplete="off"
        placeholder="年/月/日"
        value={typed ?? (isDay(value) ? ymd(value) : value)}
        onChange={(text) => {
          setTyped(text)
          onChange(dayFrom(text, today()) ?? text.trim())
        }}
        onBlur={() => setTyped(null)}
        trailing={
          !field.disabled && (
            <IconButton icon="calendar" label={`${field.label}的月曆`} size={18} inField opensId={id} />
          )
        }
      />
      <Popover id={id} label={`${field.label}的月曆`}>
        <Calendar
          value={isDay(value) ? value : ''}
          span={span?.every((day) => day === '' || isDay(day)) ? span : undefined}
          onPick={(day) => {
            setTyped(null)
            onChange(day)
            panel()?.hidePopover()
          }}
        />
      </Popover>
    </div>
  )
}

/* The calendar of a DateField: @mantine/dates without its own styles, in our look, Chinese, weeks from Sunday as calendars here. */

/** `value` and `span` as of DateField. */
export type CalendarProps = {
  value: string
  span?: readonly [string, string] | undefined
  onPick: (day: string) => void
}

const SETTINGS = { locale: 'zh-tw', firstDayOfWeek: 0, consistentWeeks: true } as const
const WORDS = {
  nextMonth: '下個月',
  previousMonth: '上個月',
  nextYear: '下一年',
  previousYear: '上一年',
  nextDecade: '之後十年',
  previousDecade: '之前十年',
}
const CLASSES = {
  calendarHeader: css.CalendarHead,
  calendarHeaderControl: css.CalendarTurn,
  calendarHeaderLevel: css.CalendarLevel,
  weekday: css.CalendarWeekday,
  day: css.CalendarDay,
  monthsListControl: css.CalendarPick,
  yearsListControl: css.CalendarPick,
  month: css.CalendarTable,
  monthsList: css.CalendarTable,
  yearsList: css.CalendarTable,
}

export function Calendar({ value, span, onPick }: CalendarProps) {
  const now = today()
  const first = value || now
  return (
    <MantineRoot>
      <DatesProvider settings={SETTINGS}>
        <DatePicker
          unstyled
          classNames={CLASSES}
          value={value || null}
          defaultDate={first}
          onChange={(day) => day && onPick(day)}
          monthLabelFormat="YYYY 年 M 月"
          yearLabelFormat="YYYY 年"
          monthsListFormat="M 月"
          ariaLabels={WORDS}
          previousIcon={<Icon name="chevron-left" size={18} />}
          nextIcon={<Icon name="chevron-right" size={18} />}
          getDayAriaLabel={dayLabel}
          getDayProps={(day) => ({
            // the library asks the device's clock
            'data-today': day === now || undefined,
            'data-autofocus': day === first || undefined,
            'data-in-range': (span && isBetween(day, span)) || undefined,
            'aria-current': day === now ? 'date' : undefined,
            'aria-pressed': day === value,
          })}
        />
      </DatesProvider>
    </MantineRoot>
  )
}

/* Days of Taipei as texts `YYYY-MM-DD`: what a calendar says of one and where it stands. No Date, so no zone moves them. */

/** Today in Taipei, wherever the device is. */
export const today = (): string => taipei(serverNow()).day

/** `2026 年 11 月 23 日 週一`. */
export function dayLabel(day: string): string {
  const { year, month, date, weekday } = taipei(`${day}T00:00:00+08:00`)
  return `${year} 年 ${Number(month)} 月 ${Number(date)} 日 週${weekday}`
}

/** Whether a day lies strictly between the two of a span; '' at its end is open. */
export function isBetween(day: string, [from, to]: readonly [string, string]): boolean {
  return from !== '' && day > from && (to === '' || day < to)
}
