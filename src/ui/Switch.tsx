/* On or off, taking effect at once. With `label` shown it is a whole row; with `hideLabel` only the switch. */
import { useId } from 'react'
import { cx } from './open.ts'
import css from './switches.module.css'

/** `note` explains under the label; `reason` says why it is disabled. */
export type SwitchProps = {
  label: string
  checked: boolean
  onChange: (checked: boolean) => void
  note?: string
  disabled?: boolean
  hideLabel?: boolean
  /** The place of the row. */
  className?: string | undefined
}

export function Switch(props: SwitchProps) {
  const { label, checked, onChange, note, disabled, hideLabel = false, className } = props
  const id = useId()
  const key = (
    <input
      id={id}
      className={css.SwitchKey}
      type="checkbox"
      role="switch"
      checked={checked}
      disabled={disabled}
      aria-checked={checked}
      aria-label={hideLabel ? label : undefined}
      aria-describedby={note && !hideLabel ? `${id}-note` : undefined}
      onChange={(event) => onChange(event.target.checked)}
    />
  )
  if (hideLabel) return <span className={css.SwitchHit}>{key}</span>
  return (
    <label className={cx(css.Switch, className)} htmlFor={id}>
      <span className="sp">
        {label}
        {note && <small id={`${id}-note`}>{note}</small>}
      </span>
      {key}
    </label>
  )
}
