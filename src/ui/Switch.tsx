/* On or off, taking effect at once. With `label` shown it is a whole row; with `hideLabel` only the switch. */
import { useId } from 'react'
import './switch.css'

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
      className="sw"
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
  if (hideLabel) return <span className="sw-hit">{key}</span>
  return (
    <label className="sw-row" htmlFor={id}>
      <span className="sp">
        {label}
        {note && <small id={`${id}-note`}>{note}</small>}
      </span>
      {key}
    </label>
  )
}
