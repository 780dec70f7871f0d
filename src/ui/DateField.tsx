/* A calendar day. The platform's own field on phones and until the code has come; under a mouse one that is written as days are here, with Mantine's calendar. */
import { useRef } from 'react'
import { arriving, useArrived } from './arriving.ts'
import css from './DateField.module.css'
import type { DayInputProps } from './mantine/DayInput.tsx'
import { useMouse } from './mouse.ts'
import { TextField } from './TextField.tsx'

const input = arriving(() => import('./mantine/DayInput.tsx'))

export function DateField(props: DayInputProps) {
  const box = useRef<HTMLDivElement>(null)
  const DayInput = useArrived(input, box, useMouse())?.DayInput
  const { span: _span, ...field } = props
  return (
    <div ref={box} className={css.root}>
      {DayInput ? <DayInput {...props} /> : <TextField {...field} type="date" />}
    </div>
  )
}
