/* A number with its unit inside the box, right aligned. The value stays text: what was typed is never rounded behind the person's back. */
import { useId } from 'react'
import { described, Field, type FieldFrame } from './Field.tsx'
import { InputBox } from './InputBox.tsx'
import css from './NumberField.module.css'
import { StepKeys } from './StepKeys.tsx'
import { useTypedNumber } from './typed.ts'

/** Controlled decimal text ('' is empty; full-width digits and separators are accepted and normalised). `step` as decimal text adds − and + keys that move by it, exact. */
export type NumberFieldProps = FieldFrame & {
  value: string
  onChange: (value: string) => void
  onBlur?: () => void
  unit?: string
  step?: string
  min?: string
  max?: string
  integer?: boolean
  name?: string
  placeholder?: string
  disabled?: boolean
  required?: boolean
}

export function NumberField(props: NumberFieldProps) {
  const id = useId()
  const { input, error } = useTypedNumber(props.value, props.onChange, props.error, props.onBlur)
  const { label, hint, action, hideLabel = false, value, onChange, unit, step, min, max, integer } = props
  return (
    <Field id={id} label={label} hint={hint} error={error} action={action} hideLabel={hideLabel}>
      <InputBox error={Boolean(error)} disabled={props.disabled}>
        <input
          {...described(id, { hint, error })}
          className="r num"
          inputMode={integer ? 'numeric' : 'decimal'}
          autoComplete="off"
          {...input}
          name={props.name}
          placeholder={props.placeholder}
          disabled={props.disabled}
          required={props.required}
        />
        {unit && <span className={css.unit}>{unit}</span>}
        {step && !props.disabled && (
          <StepKeys label={label} value={value} step={step} min={min} max={max} onChange={onChange} compact />
        )}
      </InputBox>
    </Field>
  )
}
