/* A number with its unit inside the box, right aligned. The value stays text: what was typed is never rounded behind the person's back. */

import { type FocusEvent, useId, useState } from 'react'
import { grouped } from '#text/format.ts'
import { described, Field, type FieldFrame, InputBox } from './Field.tsx'
import css from './forms.module.css'
import { Icon } from './Icon.tsx'
import { cx } from './open.ts'

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
        {unit && <span className={css.NumberFieldUnit}>{unit}</span>}
        {step && !props.disabled && (
          <StepButtons
            label={label}
            value={value}
            step={step}
            min={min}
            max={max}
            onChange={onChange}
            compact
          />
        )}
      </InputBox>
    </Field>
  )
}

/* The − and + keys of a number, exact in decimals. */

/** Decimal texts. `compact` for inside a field; otherwise 52 × 44 keys. `side` draws only one of the two. */
export type StepButtonsProps = {
  label: string
  value: string
  step: string
  min?: string | undefined
  max?: string | undefined
  onChange: (value: string) => void
  compact?: boolean
  side?: 'less' | 'more'
}

export function StepButtons({
  label,
  value,
  step,
  min,
  max,
  onChange,
  compact = false,
  side,
}: StepButtonsProps) {
  const less = stepped(value, step, -1, min, max)
  const more = stepped(value, step, 1, min, max)
  const name = cx(css.StepButtons, compact && css.StepButtonsCompact)
  return (
    <>
      {side !== 'more' && (
        <button
          type="button"
          className={name}
          aria-label={`${label}減 ${step}`}
          disabled={less === value}
          onClick={() => onChange(less)}
        >
          <Icon name="minus" size={compact ? 18 : 22} />
        </button>
      )}
      {side !== 'less' && (
        <button
          type="button"
          className={name}
          aria-label={`${label}加 ${step}`}
          disabled={more === value}
          onClick={() => onChange(more)}
        >
          <Icon name="plus" size={compact ? 18 : 22} />
        </button>
      )}
    </>
  )
}

/* A row with a label, big − and + keys and the value between them, typed or stepped (quantity, price on the phone). */

/** Controlled decimal text; `step`, `min`, `max` decimal texts; `down` where a step down is another one; `note` small under the label (一檔 1 點). */
export type StepperProps = {
  label: string
  note?: string
  value: string
  onChange: (value: string) => void
  step: string
  down?: string
  min?: string
  max?: string
  unit?: string
  error?: string | null
  disabled?: boolean
}

export function Stepper({
  label,
  note,
  value,
  onChange,
  step,
  down = step,
  min,
  max,
  unit,
  disabled,
  ...props
}: StepperProps) {
  const id = useId()
  const { input, error } = useTypedNumber(value, onChange, props.error)
  return (
    <div className={css.Stepper}>
      <label className={css.StepperLb} htmlFor={id}>
        {label}
        {(error || note) && (
          <small
            className={error ? css.StepperErr : undefined}
            id={`${id}-note`}
            role={error ? 'alert' : undefined}
          >
            {error || note}
          </small>
        )}
      </label>
      <StepButtons
        side="less"
        label={label}
        value={value}
        step={down}
        min={min}
        max={max}
        onChange={onChange}
      />
      <span className={`${css.StepperVal} num`}>
        <input
          id={id}
          inputMode="decimal"
          autoComplete="off"
          placeholder="—"
          size={Math.max(1, input.value.length)}
          {...input}
          disabled={disabled}
          aria-invalid={error ? true : undefined}
          aria-describedby={error || note ? `${id}-note` : undefined}
        />
        {unit && <small>{unit}</small>}
      </span>
      <StepButtons
        side="more"
        label={label}
        value={value}
        step={step}
        min={min}
        max={max}
        onChange={onChange}
      />
    </div>
  )
}

/* A number field shows its value with separators, and plainly while it is being typed. */

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

/* Exact decimal stepping on texts, so that 0.1 + 0.2 is 0.3 in a price field. */

/** Commas that part groups of three digits. */
const GROUPED = /^-?\d{1,3}(,\d{3})+(\.\d*)?$/

/**
 * Typed text → plain decimal text: full-width to half-width, separators and spaces out, − to -. Not a check. A comma that parts no
 * group of three stays, so that whoever checks refuses it: `12,5` is never 125.
 */
export function plainNumber(text: string): string {
  const typed = text
    .normalize('NFKC')
    .replace(/\s/g, '')
    .replace(/[−－–]/g, '-')
  return GROUPED.test(typed) ? typed.replaceAll(',', '') : typed
}

/** Decimal text as an integer scaled by 10^places; null when it is not a plain decimal. */
function scaled(text: string, places: number): bigint | null {
  const found = /^(-?)(\d*)\.?(\d*)$/.exec(text)
  if (!found || (found[2] === '' && found[3] === '')) return null
  const digits = BigInt((found[2] || '0') + (found[3] ?? '').padEnd(places, '0').slice(0, places))
  return found[1] ? -digits : digits
}

/** The next multiple of `step` in `direction` from `value` (empty counts as 0), kept within min and max. All are decimal texts; the answer has the decimals of the longest. */
export function stepped(value: string, step: string, direction: 1 | -1, min?: string, max?: string): string {
  const places = Math.max(...[value, step].map((text) => text.split('.')[1]?.length ?? 0))
  const by = scaled(step, places)
  if (by === null || by <= 0n) return value
  const from = scaled(value || '0', places)
  if (from === null) return value
  const rest = ((from % by) + by) % by
  let next = direction > 0 ? from - rest + by : from - (rest === 0n ? by : rest)
  const low = min === undefined ? null : scaled(min, places)
  const high = max === undefined ? null : scaled(max, places)
  if (low !== null && next < low) next = low
  if (high !== null && next > high) next = high
  const digits = (next < 0n ? -next : next).toString().padStart(places + 1, '0')
  const whole = digits.slice(0, digits.length - places)
  return `${next < 0n ? '-' : ''}${places ? `${whole}.${digits.slice(-places)}` : whole}`
}
