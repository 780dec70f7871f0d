/* One-line or multi-line text. */
import { type HTMLInputTypeAttribute, type ReactNode, useId } from 'react'
import { described, Field, type FieldFrame } from './Field.tsx'
import { cx } from './open.ts'

/** Controlled text. `rows` > 1 makes it a textarea; `counter` shows length / maxLength in code points. `leading`/`trailing` stand inside the box. */
export type TextFieldProps = FieldFrame & {
  value: string
  onChange: (value: string) => void
  onBlur?: () => void
  type?: HTMLInputTypeAttribute
  name?: string
  placeholder?: string
  autoComplete?: string
  inputMode?: 'text' | 'email' | 'numeric' | 'decimal' | 'search' | 'url'
  maxLength?: number
  counter?: boolean
  rows?: number
  disabled?: boolean
  readOnly?: boolean
  required?: boolean
  leading?: ReactNode
  trailing?: ReactNode
  mono?: boolean
  /** As tall as a thumb wants it where the form is all there is. */
  large?: boolean
}

export function TextField(props: TextFieldProps) {
  const id = useId()
  const {
    value,
    onChange,
    onBlur,
    type = 'text',
    name,
    placeholder,
    autoComplete,
    inputMode,
    maxLength,
    counter,
  } = props
  const { rows = 1, disabled, readOnly, required, leading, trailing, mono, large, error } = props
  const hint =
    counter && maxLength ? <Counted hint={props.hint} used={[...value].length} max={maxLength} /> : props.hint
  const control = {
    ...described(id, { hint, error }),
    value,
    name,
    placeholder,
    autoComplete,
    maxLength,
    disabled,
    readOnly,
    required,
    onBlur,
  }
  return (
    <Field
      id={id}
      label={props.label}
      hint={hint}
      error={error}
      action={props.action}
      hideLabel={props.hideLabel ?? false}
      className={props.className}
    >
      <span
        className={cx(
          'in',
          error && 'err',
          disabled && 'dis',
          rows > 1 && 'tall',
          mono && 'mono-in',
          large && 'large',
        )}
      >
        {leading}
        {rows > 1 ? (
          <textarea {...control} rows={rows} onChange={(event) => onChange(event.target.value)} />
        ) : (
          <input
            {...control}
            type={type}
            inputMode={inputMode}
            onChange={(event) => onChange(event.target.value)}
          />
        )}
        {trailing}
      </span>
    </Field>
  )
}

function Counted({ hint, used, max }: { hint: ReactNode; used: number; max: number }) {
  return (
    <span className="counted">
      <span>{hint}</span>
      <span className="num">
        {used}／{max}
      </span>
    </span>
  )
}
