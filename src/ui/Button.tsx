/* The button, and a link that looks like one. One filled button per view. */

import type { ReactNode } from 'react'
import css from './buttons.module.css'
import { Icon, type IconName } from './Icon.tsx'
import { cx, opens } from './open.ts'

/** How loud: filled (main action), tint, soft, ghost (text only), outline (default), danger. */
export type ButtonKind = 'filled' | 'tint' | 'soft' | 'ghost' | 'outline' | 'danger'

/** `size` s 32 (40 on phones), m 40, l 52. `busy` shows the ring, keeps the width's place and refuses clicks. With `href` it is a link; `onClick` then opens inside the app. Who frames buttons gives them `--button-flex`, `--button-width` (the least), `--button-height` and `--button-size` (of the letters). */
export type ButtonProps = {
  children: ReactNode
  kind?: ButtonKind
  size?: 's' | 'm' | 'l'
  icon?: IconName
  trailing?: IconName
  wide?: boolean
  /** In the bar at the end of a form: on phones 48 high. */
  bar?: boolean
  /** On a sunken ground: as white as a card, also under the mouse. */
  raised?: boolean
  /** For a name: as many lines as it needs. */
  long?: boolean
  /** Within a text: begins where the text begins. */
  plain?: boolean
  busy?: boolean
  disabled?: boolean
  type?: 'button' | 'submit'
  href?: string
  /** The link leads out of the app, to a page of its own. */
  away?: boolean
  onClick?: () => void
  label?: string
  describedBy?: string
  id?: string
  form?: string
  /** In a dialog: gets the first focus. */
  firstFocus?: boolean
  /** Id of a Popover or Menu that it opens. */
  opensId?: string
  className?: string | undefined
}

export function Button(props: ButtonProps) {
  const {
    children,
    kind = 'outline',
    size = 'm',
    icon,
    trailing,
    wide,
    bar,
    raised,
    long,
    plain,
    busy,
    disabled,
    type = 'button',
  } = props
  const { href, away, onClick, label, describedBy, id, form, firstFocus, opensId, className } = props
  const name = cx(
    css.Button,
    css[`Button-${kind}`],
    size !== 'm' && css[`Button-${size}`],
    wide && css.ButtonWide,
    bar && css.ButtonBar,
    raised && css.ButtonRaised,
    long && css.ButtonLong,
    plain && css.ButtonPlain,
    className,
  )
  const aria = { id, 'aria-label': label, 'aria-describedby': describedBy }
  const inside = (
    <>
      {busy ? (
        <span className={css.ButtonRing} aria-hidden="true" />
      ) : (
        icon && <Icon name={icon} size={size === 's' ? 16 : 18} />
      )}
      {children}
      {trailing && <Icon name={trailing} size={size === 's' ? 16 : 18} />}
    </>
  )
  if (href !== undefined && !disabled)
    return (
      <a
        className={name}
        href={href}
        {...(away && { target: '_blank', rel: 'noreferrer' })}
        onClick={opens(onClick)}
        {...aria}
      >
        {inside}
      </a>
    )
  return (
    <button
      className={name}
      type={type}
      form={form}
      disabled={disabled}
      data-autofocus={firstFocus || undefined}
      popoverTarget={opensId}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      {...aria}
    >
      {inside}
    </button>
  )
}
