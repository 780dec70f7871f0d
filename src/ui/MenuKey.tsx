/* One line of a menu: a link or a key, 36 px high, 44 under a thumb. */
import type { MouseEvent, ReactNode } from 'react'
import css from './MenuKey.module.css'
import { cx } from './open.ts'

/** With `href` a link; `pressed` makes it a toggle; `role` only inside a menu. */
export type MenuKeyProps = {
  children: ReactNode
  href?: string | undefined
  onClick?: ((event: MouseEvent) => void) | undefined
  role?: 'menuitem'
  danger?: boolean | undefined
  disabled?: boolean | undefined
  pressed?: boolean
  className?: string | undefined
}

export function MenuKey({
  children,
  href,
  onClick,
  role,
  danger,
  disabled,
  pressed,
  className,
}: MenuKeyProps) {
  const name = cx(css.root, danger && css.danger, className)
  if (href !== undefined)
    return (
      <a role={role} className={name} href={href} onClick={onClick}>
        {children}
      </a>
    )
  return (
    <button
      role={role}
      type="button"
      className={name}
      disabled={disabled}
      aria-pressed={pressed}
      onClick={onClick}
    >
      {children}
    </button>
  )
}
