/* A checkbox with its sentence: consent, choosing rows. */

import { type ReactNode, useId } from 'react'
import css from './forms.module.css'
import { cx } from './open.ts'

/** `label` may hold a link; `hideLabel` keeps it for screen readers only (then it must be text). */
export type CheckboxProps = {
  label: ReactNode
  checked: boolean
  onChange: (checked: boolean) => void
  disabled?: boolean
  hideLabel?: boolean
  mixed?: boolean
  /** Alone in a cell of a table, all of which is the target. */
  cell?: boolean
  className?: string | undefined
}

export function Checkbox({
  label,
  checked,
  onChange,
  disabled,
  hideLabel = false,
  mixed = false,
  cell = false,
  className,
}: CheckboxProps) {
  return (
    <label className={cx(css.Checkbox, cell && css.CheckboxCell, className)}>
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        ref={(node) => {
          if (node) node.indeterminate = mixed
        }}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span className={hideLabel ? 'vh' : css.CheckboxWords}>{label}</span>
    </label>
  )
}

/* One of a few that need a sentence each: a radio group in lines, the words of each whole. */

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
    <fieldset className={css.Choices}>
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
