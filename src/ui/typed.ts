/* A number field shows its value with separators, and plainly while it is being typed. */
import { type FocusEvent, useState } from 'react'
import { grouped } from '#text/format.ts'
import { plainNumber } from './step.ts'

/** What is said of a comma that parts no thousands. */
const COMMA = '逗號只用來分千位，小數點請用「.」'

/**
 * Input props for a controlled decimal text; focusing selects all, so that typing replaces. `fault` is what is wrong with what was
 * typed, once it was.
 */
export function useTypedNumber(value: string, onChange: (value: string) => void, onBlur?: () => void) {
  const [typing, setTyping] = useState(false)
  const input = {
    value: typing ? value : grouped(value),
    onChange: (event: { target: { value: string } }) => onChange(plainNumber(event.target.value)),
    onFocus: (event: FocusEvent<HTMLInputElement>) => {
      setTyping(true)
      const input = event.target
      // At once, so that not even the first key meets the old text: what it typed would stand behind it.
      input.value = value
      input.select()
      // a press of the mouse puts its caret there afterwards; what was typed meanwhile stays
      requestAnimationFrame(() => {
        if (input.value === value) input.select()
      })
    },
    onBlur: () => {
      setTyping(false)
      onBlur?.()
    },
  }
  return { input, fault: !typing && value.includes(',') ? COMMA : null }
}
