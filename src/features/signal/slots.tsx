/* The boxes of the virtual list's lines. While it scrolls, only what comes in is drawn: every other box stays as it is. */
import { type CSSProperties, memo } from 'react'
import { dayTitle } from '#text/format.ts'
import { besideText } from '#text/signal.ts'
import { DayHeader } from '#ui/nouns/DayHeader.tsx'
import { cx } from '#ui/open.ts'
import type { ListEntry } from './days.ts'
import { RecordRow, type RecordRowProps } from './RecordRow.tsx'
import css from './SignalWindow.module.css'

/** `place` px from the list's top; null sticks under the filters. */
type Placed = { place: number | null }

function styleAt(place: number | null): CSSProperties {
  return place === null ? { paddingTop: 0 } : { transform: `translateY(${place}px)` }
}

/** `today` the day now in Taipei: the evening's session belongs to the next one, and a day to come is named as one. */
export type DaySlotProps = Placed & {
  entry: Extract<ListEntry, { kind: 'day' }>
  today: string
  masked: boolean
}

export const DaySlot = memo(function DaySlot({ entry, place, today, masked }: DaySlotProps) {
  const title = dayTitle(entry.day, `${today}T00:00:00+08:00`)
  return (
    <li className={place === null ? cx(css.slot, css.stuck) : css.slot} style={styleAt(place)}>
      <DayHeader
        className={css.day}
        title={title}
        {...(entry.day > today && entry.night && { note: '含夜盤' })}
        count={entry.count}
        besides={besideText(entry)
          .map((words) => ` · ${words}`)
          .join('')}
        realised={entry.realised}
        masked={masked}
      />
    </li>
  )
})

/** `at` the record's place among the `of` that are listed, from 0. */
export type RowSlotProps = Placed & RecordRowProps & { at: number; of: number }

export const RowSlot = memo(function RowSlot({ place, at, of, ...row }: RowSlotProps) {
  return (
    <li
      className={css.slot}
      style={styleAt(place)}
      data-key={row.record.id}
      aria-setsize={of}
      aria-posinset={at + 1}
    >
      <RecordRow {...row} />
    </li>
  )
})
