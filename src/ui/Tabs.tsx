/* Links that look and announce like tabs; each has its own address. */
import { type KeyboardEvent, useLayoutEffect, useRef } from 'react'
import { number } from '#text/format.ts'
import { cx, opens } from './open.ts'
import css from './switches.module.css'

/** One tab with its address. A `count` of null has its room and says nothing: what comes later moves no tab. Above `most` it says 99+. */
export type Tab<T extends string = string> = {
  value: T
  label: string
  href: string
  count?: number | null
  most?: number
}

/** `onOpen` opens inside the app; `sub` the smaller second level (pills instead of an underline). */
export type TabsProps<T extends string> = {
  label: string
  value: T
  tabs: readonly Tab<T>[]
  onOpen?: (tab: Tab<T>) => void
  sub?: boolean
  /** Lower where the screen is low. */
  low?: boolean
  className?: string | undefined
}

function countText({ count, most = Infinity }: Tab): string {
  if (typeof count !== 'number') return ''
  return count > most ? `${most}+` : number(count)
}

/** Left and right move the focus, Enter follows the link. */
function travel(event: KeyboardEvent<HTMLDivElement>) {
  const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')]
  const at = tabs.indexOf(document.activeElement as HTMLElement)
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key]
  if (to === undefined || at < 0) return
  event.preventDefault()
  tabs[(to + tabs.length) % tabs.length]?.focus()
}

/** Where the strip is longer than the screen, the chosen tab stands in its middle; the page itself does not move. */
function intoSight(strip: HTMLDivElement | null): void {
  const tab = strip?.querySelector<HTMLElement>('[aria-selected=true]')
  if (!strip || !tab || strip.scrollWidth <= strip.clientWidth) return
  const before = tab.getBoundingClientRect().left - strip.getBoundingClientRect().left
  strip.scrollLeft += before - (strip.clientWidth - tab.offsetWidth) / 2
}

export function Tabs<T extends string>(props: TabsProps<T>) {
  const { label, value, tabs, onOpen, sub = false, low = false, className } = props
  const strip = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is another tab that is chosen
  useLayoutEffect(() => intoSight(strip.current), [value])
  return (
    <div
      ref={strip}
      className={cx(css.Tabs, sub && css.TabsSub, low && css.TabsLow, className)}
      role="tablist"
      aria-label={label}
      onKeyDown={travel}
    >
      {tabs.map((tab) => (
        <a
          key={tab.value}
          role="tab"
          aria-selected={tab.value === value}
          tabIndex={tab.value === value ? 0 : -1}
          className={
            cx(tab.value === value && css.TabsOn, tab.count !== undefined && css.TabsCounts) || undefined
          }
          data-label={tab.label}
          href={tab.href}
          onClick={opens(onOpen && (() => onOpen(tab)))}
        >
          <span>
            {tab.label}
            {countText(tab) && <small className="num">{countText(tab)}</small>}
          </span>
        </a>
      ))}
    </div>
  )
}
