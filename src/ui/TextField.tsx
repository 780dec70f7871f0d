/* One-line or multi-line text. */
import { type HTMLInputTypeAttribute, type ReactNode, useId } from 'react'
import { Counted } from './Counted.tsx'
import { described, Field, type FieldFrame } from './Field.tsx'
import { InputBox } from './InputBox.tsx'

/** Controlled text. `rows` > 1 makes it a textarea; `counter` shows length / maxLength in code points. `leading`/`trailing` stand inside the box. */
export type TextFieldProps = FieldFrame & {
  value: string
  onChange: (value: string) => void
  onBlur?: () => void
  type?: HTMLInputTypeAttribute
  name?: string
  placeholder?: string
  autoComplete?: string
  inputMode?: 'text' | 'email' | 'numeric' | 'decimal' | 'search' | 'tel' | 'url'
  maxLength?: number
  counter?: boolean
  rows?: number
  disabled?: boolean
  readOnly?: boolean
  required?: boolean
  leading?: ReactNode
  trailing?: ReactNode
  mono?: boolean
  /** For a code: its characters stand apart. */
  spaced?: boolean
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
  const { rows = 1, disabled, readOnly, required, leading, trailing, mono, spaced, large, error } = props
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
      <InputBox
        error={Boolean(error)}
        disabled={disabled}
        tall={rows > 1}
        mono={mono}
        spaced={spaced}
        large={large}
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
      </InputBox>
    </Field>
  )
}
