/* What a DateField becomes: a field to write a day into, and the key to its calendar. */
import { type KeyboardEvent, useId, useState } from 'react'
import { ymd } from '#text/time.ts'
import { dayFrom, isDay } from '../day.ts'
import type { FieldFrame } from '../Field.tsx'
import { IconButton } from '../IconButton.tsx'
import { Popover } from '../Popover.tsx'
import { TextField } from '../TextField.tsx'
import { Calendar } from './Calendar.tsx'
import { today } from './days.ts'

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
