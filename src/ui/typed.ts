/* A number field shows its value with separators, and plainly while it is being typed. */
import { type FocusEvent, useState } from 'react'
import { grouped } from '#text/format.ts'
import { plainNumber } from './step.ts'

/** Input props for a controlled decimal text; focusing selects all, so that typing replaces. */
export function useTyped(value: string, onChange: (value: string) => void, onBlur?: () => void) {
  const [typing, setTyping] = useState(false)
  return {
    value: typing ? value : grouped(value),
    onChange: (event: { target: { value: string } }) => onChange(plainNumber(event.target.value)),
    onFocus: (event: FocusEvent<HTMLInputElement>) => {
      setTyping(true)
      const input = event.target
      // after the plain value is in place, otherwise the selection is lost with the old text
      requestAnimationFrame(() => input.select())
    },
    onBlur: () => {
      setTyping(false)
      onBlur?.()
    },
  }
}
