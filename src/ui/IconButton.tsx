/* A square button of one icon: 36 px, 44 on phones or with `large`. */

import { Icon, type IconName } from './Icon.tsx'
import { cx, opens } from './open.ts'
import css from './switches.module.css'

/** `label` is what it does, in words; `badge` a small count at its corner (0 hides it); `pressed` makes it a toggle. */
export type IconButtonProps = {
  icon: IconName
  label: string
  onClick?: () => void
  href?: string
  size?: number
  large?: boolean
  /** Beside chips: on phones as round and low as they are. */
  chip?: boolean
  badge?: number
  /** Steps back: in the palest ink. */
  quiet?: boolean
  /** At the end of a box one types in. */
  inField?: boolean
  pressed?: boolean
  disabled?: boolean
  id?: string
  /** Id of a Popover or Menu that it opens. */
  opensId?: string
  className?: string | undefined
}

export function IconButton({
  icon,
  label,
  onClick,
  href,
  size = 20,
  large,
  chip,
  badge = 0,
  quiet,
  inField,
  pressed,
  disabled,
  id,
  opensId,
  className,
}: IconButtonProps) {
  const name = cx(
    css.IconButton,
    large && css.IconButtonLarge,
    chip && css.IconButtonChip,
    quiet && css.IconButtonQuiet,
    inField && css.IconButtonInField,
    className,
  )
  const shown = badge > 99 ? '99+' : badge
  const words = badge > 0 ? `${label}，${shown} 則未讀` : label
  const inside = (
    <>
      <Icon name={icon} size={size} />
      {badge > 0 && <em aria-hidden="true">{shown}</em>}
    </>
  )
  if (href !== undefined)
    return (
      <a className={name} id={id} href={href} data-icon-key="" aria-label={words} onClick={opens(onClick)}>
        {inside}
      </a>
    )
  return (
    <button
      className={name}
      id={id}
      type="button"
      data-icon-key=""
      aria-label={words}
      aria-pressed={pressed}
      disabled={disabled}
      popoverTarget={opensId}
      onClick={onClick}
    >
      {inside}
    </button>
  )
}
