/* On or off, taking effect at once. With `label` shown it is a whole row; with `hideLabel` only the switch. */
import { useId } from 'react'
import css from './Switch.module.css'

/** `note` explains under the label; `reason` says why it is disabled. */
export type SwitchProps = {
  label: string
  checked: boolean
  onChange: (checked: boolean) => void
  note?: string
  disabled?: boolean
  hideLabel?: boolean
}

export function Switch({ label, checked, onChange, note, disabled, hideLabel = false }: SwitchProps) {
  const id = useId()
  const key = (
    <input
      id={id}
      className={css.key}
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
  if (hideLabel) return <span className={css.hit}>{key}</span>
  return (
    <label className={css.root} htmlFor={id}>
      <span className="sp">
        {label}
        {note && <small id={`${id}-note`}>{note}</small>}
      </span>
      {key}
    </label>
  )
}
