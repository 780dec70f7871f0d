/* Frame of every field: label, control, and below it either the error or the hint. */

import type { ComponentProps, ReactNode } from 'react'
import css from './fields.module.css'
import { Icon } from './Icon.tsx'
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
    <button type="button" className={cx(css.FieldLink, 'link')} onClick={onClick}>
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
    <div className={cx(css.Field, className)} data-field="">
      <div className={cx(css.FieldTop, hideLabel && 'vh', quietLabel && css.FieldQuiet)}>
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

/* The line under a field: what helps, or what is wrong. */

/** As the platform's paragraph; `error` in the colour of what is wrong, with `sign` its sign before it. */
export type HintProps = ComponentProps<'p'> & { error?: boolean; sign?: boolean }

export function Hint({ error = false, sign = false, className, children, ...line }: HintProps) {
  return (
    <p {...line} className={cx(css.Hint, error && css.HintError, className)}>
      {sign ? (
        <>
          <Icon name="warning" size={16} className={css.HintSign} />
          <span>{children}</span>
        </>
      ) : (
        children
      )}
    </p>
  )
}

/* The box around what is typed or chosen: 40 high, 44 under a thumb; the ring of the focus is its own. */

/** Its child is the platform's own `input`, `select` or `textarea`, which fills it. `find` lower, for search; `pick` with the arrow of a list; `tall` for many lines; `mono` for machines' words; `spaced` for a code. */
export type InputBoxProps = {
  children: ReactNode
  as?: 'span' | 'search'
  error?: boolean
  disabled?: boolean | undefined
  find?: boolean
  pick?: boolean
  tall?: boolean
  mono?: boolean | undefined
  spaced?: boolean | undefined
  large?: boolean | undefined
  className?: string | undefined
}

export function InputBox(props: InputBoxProps) {
  const {
    children,
    as: Box = 'span',
    error,
    disabled,
    find,
    pick,
    tall,
    mono,
    spaced,
    large,
    className,
  } = props
  const name = cx(
    css.InputBox,
    error && css.InputBoxError,
    disabled && css.InputBoxDisabled,
    find && css.InputBoxFind,
    pick && css.InputBoxPick,
    tall && css.InputBoxTall,
    mono && css.InputBoxMono,
    spaced && css.InputBoxSpaced,
    large && css.InputBoxLarge,
    className,
  )
  return (
    <Box className={name}>
      {children}
      {pick && <Icon name="chevron-down" size={18} className={css.InputBoxArrow} />}
    </Box>
  )
}

/* A hint with how much of the room is used, at its right. */

export function Counted({ hint, used, max }: { hint: ReactNode; used: ReactNode; max: ReactNode }) {
  return (
    <span className={css.Counted}>
      <span>{hint}</span>
      <span className="num">
        {used}／{max}
      </span>
    </span>
  )
}
