/* Frame of every field: label, control, and below it either the error or the hint. */
import type { ReactNode } from 'react'
import css from './Field.module.css'
import { Hint } from './Hint.tsx'
import { cx } from './open.ts'

/** What every field part takes besides its own. `error` replaces `hint`; `action` is a FieldLink or a choice of views at the label's right. */
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

/** The small link at a field's right: no higher than the line, wider to the finger. */
export function FieldLink({ children, onClick }: { children: ReactNode; onClick: () => void }) {
  return (
    <button type="button" className={cx(css.link, 'link')} onClick={onClick}>
      {children}
    </button>
  )
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
    <div className={cx(css.root, className)} data-field="">
      <div className={cx(css.top, hideLabel && 'vh', quietLabel && css.quiet)}>
        <label htmlFor={id}>{label}</label>
        {action}
      </div>
      {children}
      {error ? (
        <Hint error sign id={`${id}-note`} role="alert">
          {error}
        </Hint>
      ) : (
        hint && <Hint id={`${id}-note`}>{hint}</Hint>
      )}
    </div>
  )
}
