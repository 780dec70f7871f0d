/* A calendar day. The platform's own field on phones and until the code has come; under a mouse one that is written as days are here, with Mantine's calendar. */
import { useRef } from 'react'
import { arriving, useArrived } from './arriving.ts'
import css from './DateField.module.css'
import type { FieldFrame } from './Field.tsx'
import { useMouse } from './mouse.ts'
import { TextField } from './TextField.tsx'

/**
 * `value` a day of Taipei as `YYYY-MM-DD`, '' for none. `onChange` may also bring a text that is no day, as it was typed: what
 * checks the form says so (day.ts). `span` two days whose days between are tinted, '' where it has no end.
 */
export type DateFieldProps = FieldFrame & {
  value: string
  onChange: (value: string) => void
  span?: readonly [string, string]
  name?: string
  disabled?: boolean
}

const input = arriving(() => import('./mantine/DayInput.tsx'))

export function DateField(props: DateFieldProps) {
  const box = useRef<HTMLDivElement>(null)
  const DayInput = useArrived(input, box, useMouse())?.DayInput
  const { span: _span, ...field } = props
  return (
    <div ref={box} className={css.root}>
      {DayInput ? <DayInput {...props} /> : <TextField {...field} type="date" />}
    </div>
  )
}
