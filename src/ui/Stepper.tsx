/* A row with a label, big − and + keys and the value between them, typed or stepped (quantity, price on the phone). */
import { useId } from 'react'
import { StepKeys } from './StepKeys.tsx'
import css from './Stepper.module.css'
import { useTypedNumber } from './typed.ts'

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
    <div className={css.root}>
      <label className={css.lb} htmlFor={id}>
        {label}
        {(error || note) && (
          <small className={error ? css.err : undefined} id={`${id}-note`} role={error ? 'alert' : undefined}>
            {error || note}
          </small>
        )}
      </label>
      <StepKeys side="less" label={label} value={value} step={down} min={min} max={max} onChange={onChange} />
      <span className={`${css.val} num`}>
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
      <StepKeys side="more" label={label} value={value} step={step} min={min} max={max} onChange={onChange} />
    </div>
  )
}
