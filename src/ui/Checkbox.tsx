/* A checkbox with its sentence: consent, choosing rows. */
import type { ReactNode } from 'react'
import css from './Checkbox.module.css'
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
    <label className={cx(css.root, cell && css.cell, className)}>
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        ref={(node) => {
          if (node) node.indeterminate = mixed
        }}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span className={hideLabel ? 'vh' : css.words}>{label}</span>
    </label>
  )
}
