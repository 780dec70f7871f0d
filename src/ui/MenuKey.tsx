/* One line of a menu: a link or a key, 36 px high, 44 under a thumb. */
import type { MouseEvent, ReactNode } from 'react'
import { Icon } from './Icon.tsx'
import type { IconName } from './icons.ts'
import css from './MenuKey.module.css'
import { cx } from './open.ts'

/** With `href` a link; `pressed` makes it a toggle; `role` only inside a menu. */
export type MenuKeyProps = {
  children: ReactNode
  icon?: IconName | undefined
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
  icon,
  href,
  onClick,
  role,
  danger,
  disabled,
  pressed,
  className,
}: MenuKeyProps) {
  const name = cx(css.root, danger && css.danger, className)
  const inside = (
    <>
      {icon && <Icon name={icon} size={18} className={css.icon} />}
      {children}
    </>
  )
  if (href !== undefined)
    return (
      <a role={role} className={name} href={href} onClick={onClick}>
        {inside}
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
      {inside}
    </button>
  )
}
