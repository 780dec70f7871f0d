/* A number field shows its value with separators, and plainly while it is being typed. */
import { type FocusEvent, useState } from 'react'
import { grouped } from '#text/format.ts'
import { plainNumber } from './step.ts'

/** What is said of a comma that parts no thousands. */
const COMMA = '逗號只用來分千位，小數點請用「.」'

/**
 * Input props for a controlled decimal text; focusing selects all, so that typing replaces. Its
 * `error` is the given one, or, once a comma was typed that parts no thousands, that: it says what to do.
 */
export function useTypedNumber(
  value: string,
  onChange: (value: string) => void,
  given: string | null | undefined,
  onBlur?: () => void,
) {
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
  const error = value.includes(',') && (given || !typing) ? COMMA : given
  return { input, error }
}
