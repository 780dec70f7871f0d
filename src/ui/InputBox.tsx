/* The box around what is typed or chosen: 40 high, 44 under a thumb; the ring of the focus is its own. */
import type { ReactNode } from 'react'
import { Icon } from './Icon.tsx'
import css from './InputBox.module.css'
import { cx } from './open.ts'

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
    css.root,
    error && css.error,
    disabled && css.disabled,
    find && css.find,
    pick && css.pick,
    tall && css.tall,
    mono && css.mono,
    spaced && css.spaced,
    large && css.large,
    className,
  )
  return (
    <Box className={name}>
      {children}
      {pick && <Icon name="chevron-down" size={18} className={css.arrow} />}
    </Box>
  )
}
