/* A short list of actions behind a 更多 key. */
import { Fragment, type KeyboardEvent } from 'react'
import type { IconName } from './icons.ts'
import { MenuKey } from './MenuKey.tsx'
import { opens } from './open.ts'
import { Popover } from './Popover.tsx'

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
