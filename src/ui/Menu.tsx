/* A short list of actions behind a 更多 key. */

import {
  Fragment,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type ToggleEvent,
  useState,
} from 'react'
import { Icon, type IconName } from './Icon.tsx'
import { cx, opens } from './open.ts'
import css from './overlays.module.css'

/** One action; `href` makes it a link. `apart` draws a hairline above; `danger` always comes with an icon; `note` says why it is disabled. */
export type MenuItem = {
  label: string
  icon?: IconName
  onPick?: () => void
  href?: string
  danger?: boolean
  apart?: boolean
  disabled?: boolean
  note?: string
}

/** Opened by a Button or IconButton whose `opensId` is `id`. */
export type MenuProps = { id: string; label: string; items: readonly MenuItem[]; align?: 'start' | 'end' }

/** Arrow keys move between the items, Home and End to the ends. */
function travel(event: KeyboardEvent<HTMLDivElement>) {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=menuitem]:not(:disabled)')]
  const at = items.indexOf(document.activeElement as HTMLElement)
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key]
  if (to === undefined || items.length === 0) return
  event.preventDefault()
  items[(to + items.length) % items.length]?.focus()
}

export function Menu({ id, label, items, align = 'end' }: MenuProps) {
  const pick = (item: MenuItem) => () => {
    document.getElementById(id)?.hidePopover()
    item.onPick?.()
  }
  return (
    <Popover id={id} label={label} align={align} role="menu">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only listens for the arrow keys of the items inside */}
      <div onKeyDown={travel}>
        {items.map((item) => {
          return (
            <Fragment key={item.label}>
              {item.apart && <hr />}
              <MenuKey
                role="menuitem"
                icon={item.icon}
                href={item.href}
                danger={item.danger}
                disabled={item.disabled}
                onClick={item.href !== undefined && item.onPick ? opens(pick(item)) : pick(item)}
              >
                <span className="sp">
                  {item.label}
                  {item.note && <small>{item.note}</small>}
                </span>
              </MenuKey>
            </Fragment>
          )
        })}
      </div>
    </Popover>
  )
}

/* One line of a menu: a link or a key, 36 px high, 44 under a thumb. */

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
  const name = cx(css.MenuKey, danger && css.MenuKeyDanger, className)
  const inside = (
    <>
      {icon && <Icon name={icon} size={18} className={css.MenuKeyIcon} />}
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

/* A floating panel on the platform's popover: light dismiss, Esc and top layer are the browser's; only the place is ours. */

/** Open it with a button whose `opensId` (popoverTarget) is `id`. `align` which edge follows the button. `children` are drawn only while it is open. */
export type PopoverProps = {
  id: string
  label: string
  children: ReactNode
  align?: 'start' | 'end'
  className?: string | undefined
  role?: 'menu' | 'dialog'
}

const GAP = 6
const MARGIN = 8

/** Below the button, or above it when there is more room; never outside the window. */
function place(panel: HTMLElement, align: 'start' | 'end') {
  // the same panel may have a key in the bar and one among the tabs, of which only one is on the screen
  const keys = document.querySelectorAll(`[popovertarget="${CSS.escape(panel.id)}"]`)
  const button = [...keys].find((key) => key.getClientRects().length > 0)
  if (!button) return
  const by = button.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = panel
  const left = align === 'end' ? by.right - width : by.left
  const below = by.bottom + GAP + height <= innerHeight - MARGIN || by.top < innerHeight - by.bottom
  const top = below ? by.bottom + GAP : by.top - GAP - height
  panel.style.left = `${Math.max(MARGIN, Math.min(left, innerWidth - width - MARGIN))}px`
  panel.style.top = `${Math.max(MARGIN, Math.min(top, innerHeight - height - MARGIN))}px`
}

export function Popover({ id, label, children, align = 'end', className, role = 'dialog' }: PopoverProps) {
  const [open, setOpen] = useState(false)
  const opens = (event: ToggleEvent<HTMLDivElement>) => {
    if (event.newState === 'open') setOpen(true)
  }
  const toggled = (event: ToggleEvent<HTMLDivElement>) => {
    if (event.newState !== 'open') return setOpen(false)
    place(event.currentTarget, align)
    const first = role === 'menu' ? '[role=menuitem]' : '[data-autofocus]'
    event.currentTarget.querySelector<HTMLElement>(first)?.focus()
  }
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles it can take allow a name
    <div
      id={id}
      popover="auto"
      role={role}
      aria-label={label}
      className={cx(css.Popover, className)}
      onBeforeToggle={opens}
      onToggle={toggled}
    >
      {open && children}
    </div>
  )
}
