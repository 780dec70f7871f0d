/* One of a few that need a sentence each: a radio group in lines, the words of each whole. */
import { type ReactNode, useId } from 'react'
import css from './Choices.module.css'

export type ChoicesProps<T extends string> = {
  legend: ReactNode
  /** '' while nothing is chosen. */
  value: T | ''
  onChange: (value: T) => void
  options: readonly { value: T; label: string; note?: ReactNode }[]
}

export function Choices<T extends string>({ legend, value, onChange, options }: ChoicesProps<T>) {
  const name = useId()
  return (
    <fieldset className={css.root}>
      <legend>{legend}</legend>
      {options.map((option) => (
        <label key={option.value}>
          <input
            type="radio"
            name={name}
            checked={value === option.value}
            onChange={() => onChange(option.value)}
          />
          <span>
            {option.label}
            {option.note && <small>{option.note}</small>}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
