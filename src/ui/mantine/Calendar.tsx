/* The calendar of a DateField: @mantine/dates without its own styles, in our look, Chinese, weeks from Sunday as calendars here. */
import { DatePicker, DatesProvider } from '@mantine/dates'
import 'dayjs/locale/zh-tw'
import { Icon } from '../Icon.tsx'
import css from './Calendar.module.css'
import { dayLabel, isBetween, today } from './days.ts'
import { MantineRoot } from './MantineRoot.tsx'

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
  calendarHeader: css.head,
  calendarHeaderControl: css.turn,
  calendarHeaderLevel: css.level,
  weekday: css.weekday,
  day: css.day,
  monthsListControl: css.pick,
  yearsListControl: css.pick,
  month: css.table,
  monthsList: css.table,
  yearsList: css.table,
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
