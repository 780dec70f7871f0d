/* A floating panel on the platform's popover: light dismiss, Esc and top layer are the browser's; only the place is ours. */
import { type ReactNode, type ToggleEvent, useState } from 'react'
import { cx } from './open.ts'
import css from './Popover.module.css'

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
      className={cx(css.root, className)}
      onBeforeToggle={opens}
      onToggle={toggled}
    >
      {open && children}
    </div>
  )
}
