/* A choice from a list: the platform's own select, dressed as our field. */
import { useId } from 'react'
import { described, Field, type FieldFrame, InputBox } from './Field.tsx'

/** One choice; `group` puts it under a heading. */
export type Option<T extends string = string> = {
  value: T
  label: string
  disabled?: boolean
  group?: string
}

/** `placeholder` is shown, and cannot be chosen, while value is ''. */
export type SelectFieldProps<T extends string> = FieldFrame & {
  value: T | ''
  onChange: (value: T) => void
  options: readonly Option<T>[]
  placeholder?: string
  name?: string
  disabled?: boolean
  required?: boolean
}

export function SelectField<T extends string>(props: SelectFieldProps<T>) {
  const id = useId()
  const {
    label,
    hint,
    error,
    action,
    hideLabel = false,
    value,
    onChange,
    options,
    placeholder,
    name,
    disabled,
    required,
    quietLabel = false,
  } = props
  const groups = [...new Set(options.map((option) => option.group))]
  return (
    <Field
      id={id}
      label={label}
      hint={hint}
      error={error}
      action={action}
      hideLabel={hideLabel}
      quietLabel={quietLabel}
    >
      <InputBox pick error={Boolean(error)} disabled={disabled}>
        <select
          {...described(id, { hint, error })}
          value={value}
          name={name}
          disabled={disabled}
          required={required}
          onChange={(event) => onChange(event.target.value as T)}
        >
          {placeholder !== undefined && (
            <option value="" disabled hidden>
              {placeholder}
            </option>
          )}
          {groups.map((group) => {
            const own = options
              .filter((option) => option.group === group)
              .map((option) => (
                <option key={option.value} value={option.value} disabled={option.disabled}>
                  {option.label}
                </option>
              ))
            return group === undefined ? (
              own
            ) : (
              <optgroup key={group} label={group}>
                {own}
              </optgroup>
            )
          })}
        </select>
      </InputBox>
    </Field>
  )
}
