/* Frame of every field: label, control, and below it either the error or the hint. */
import type { ReactNode } from 'react'
import './field.css'
import { Icon } from './Icon.tsx'
import { cx } from './open.ts'

/** What every field part takes besides its own. `error` replaces `hint`; `action` is a small link at the label's right. */
export type FieldFrame = {
  label: string
  hint?: ReactNode
  error?: string | null | undefined
  action?: ReactNode
  hideLabel?: boolean
  className?: string | undefined
}

/** ARIA of the control inside a frame with that id. */
export function described(id: string, { hint, error }: Pick<FieldFrame, 'hint' | 'error'>) {
  return {
    id,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': error || hint ? `${id}-note` : undefined,
  }
}

export function Field({
  id,
  label,
  hint,
  error,
  action,
  hideLabel,
  className,
  children,
}: FieldFrame & { id: string; children: ReactNode }) {
  return (
    <div className={cx('fld', className)}>
      <div className={cx('fld-top', hideLabel && 'vh')}>
        <label htmlFor={id}>{label}</label>
        {action}
      </div>
      {children}
      {error ? (
        <p className="hint err" id={`${id}-note`} role="alert">
          <Icon name="warning" size={16} />
          <span>{error}</span>
        </p>
      ) : (
        hint && (
          <p className="hint" id={`${id}-note`}>
            {hint}
          </p>
        )
      )}
    </div>
  )
}
