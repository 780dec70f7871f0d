/* Frame of every field: label, control, and below it either the error or the hint. */
import type { ReactNode } from 'react'
import css from './Field.module.css'
import { Hint } from './Hint.tsx'
import { Icon } from './Icon.tsx'
import { cx } from './open.ts'

/** What every field part takes besides its own. `error` replaces `hint`; `action` is a small link at the label's right. */
export type FieldFrame = {
  label: string
  hint?: ReactNode
  error?: string | null | undefined
  action?: ReactNode
  hideLabel?: boolean
  /** Its room is kept and nothing shown: the field beside it speaks for both. Its name is heard. */
  quietLabel?: boolean
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
  quietLabel,
  className,
  children,
}: FieldFrame & { id: string; children: ReactNode }) {
  return (
    <div className={cx(css.root, className)}>
      <div className={cx(css.top, hideLabel && 'vh', quietLabel && css.quiet)}>
        <label htmlFor={id}>{label}</label>
        {action}
      </div>
      {children}
      {error ? (
        <Hint error id={`${id}-note`} role="alert">
          <Icon name="warning" size={16} />
          <span>{error}</span>
        </Hint>
      ) : (
        hint && <Hint id={`${id}-note`}>{hint}</Hint>
      )}
    </div>
  )
}
