// The keys of the shell: / search, g and a letter to go, n a signal by hand, ? the list of them. Never while typing or in a dialog, nor when switched off.

import { useRouter } from '@tanstack/react-router'
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'
import { preferences } from '#state/preferences.ts'
import { useGo } from './go.ts'
import { useMay } from './profile.ts'

/** Where g and a letter lead. */
export const PLACES = [
  { key: 'd', label: '首頁', href: '/dashboard' },
  { key: 's', label: '策略列表', href: '/strategies' },
  { key: 'a', label: '全部訊號', href: '/signals' },
  { key: 'p', label: '個人設定', href: '/profile' },
] as const

/** g counts this long, in ms. */
const WAITS = 1_500

/** The keys are switched off, text is being typed, or more stands over the page than the `dialogs` that share its keys. */
export function taken(event: KeyboardEvent, dialogs = 0): boolean {
  const { target } = event
  const typing =
    target instanceof Element && target.closest('input:not([type=radio], [type=checkbox]), textarea, select')
  return Boolean(
    !preferences.single_keys ||
      event.defaultPrevented ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      typing ||
      document.querySelectorAll('dialog[open], :popover-open:not([data-over-all])').length > dialogs,
  )
}

/** Puts the focus into the page's search box; false when the page has none on the screen. */
function search(): boolean {
  const boxes = document.querySelectorAll<HTMLInputElement>('main input[type=search]')
  const box = [...boxes].find((one) => one.getClientRects().length > 0)
  box?.select()
  box?.focus()
  return box !== undefined
}

/** Listens while the shell stands; `onHelp` shows the list of keys. */
export function useKeys(onHelp: () => void): void {
  const { open } = useGo()
  const manual = useManual()
  const may_send = useMay('strategy:edit')
  const act = useEffectEvent((key: string, going: boolean): boolean => {
    const place = going && PLACES.find((one) => one.key === key)
    if (place) open(place.href)
    else if (key === '/') return search()
    else if (key === '?') onHelp()
    else if (key === 'n' && may_send) manual.open()
    else return false
    return true
  })
  // with the first frame: an effect may come later than the first key on a busy device
  useLayoutEffect(() => {
    let g_at = Number.NEGATIVE_INFINITY
    const pressed = (event: KeyboardEvent) => {
      if (taken(event) || event.repeat) return
      const key = event.key.toLowerCase()
      const going = event.timeStamp - g_at < WAITS
      g_at = key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY
      if (act(key, going)) event.preventDefault()
    }
    addEventListener('keydown', pressed)
    return () => removeEventListener('keydown', pressed)
  }, [])
}

// The address of the sheet of a manual signal (ruling A8): over the page of its strategy, else over the list; and the way back.

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The sheet was opened from the page before this one, whatever page it stands over: that is where closing it leads. */
    over?: boolean
  }
}

/** `id` of a strategy, or any: over a strategy's own page it is that one. */
export function manualHref(id = '1'): string {
  const { pathname, search: before } = location
  const search = new URLSearchParams(before)
  search.set('manual', id)
  const here = /^\/strategies(\/[0-9a-f-]{36})?$/.test(pathname)
  return here ? `${pathname}?${search}` : `/strategies?manual=${id}`
}

/** `open` the sheet over the page, `pick` a strategy in it, `close` it again; `to` gives the two props of a link or button. */
export function useManual() {
  const { history } = useRouter()
  const open = (href = manualHref()) => history.push(href, { over: true })
  return {
    open,
    to: (href = manualHref()) => ({ href, onClick: () => open(href) }),
    pick: (id: string) => history.replace(manualHref(id), history.location.state),
    close: () => {
      const { pathname, search, state } = history.location
      const left = new URLSearchParams(search)
      left.delete('manual')
      left.delete('gap')
      if (state.over) history.back()
      else history.replace(`${pathname}${left.size > 0 ? `?${left}` : ''}`)
    },
  }
}

// Whether the phone's keyboard is likely open: a field of the page has the focus.

const FIELD = 'main :is(input:not([type="checkbox"], [type="radio"]), textarea)'
/** The first two tell; the others find out that a field which had the focus has left the page, which no browser announces alike. */
const EVENTS = ['focusin', 'focusout', 'pointerup', 'keyup', 'scroll'] as const

/** A field has the focus now. */
export const isTyping = (): boolean => document.activeElement?.matches(FIELD) === true

/** The element that gets the ref carries `data-typing` meanwhile, without being drawn again. */
export function useTypingMark(): RefObject<HTMLElement | null> {
  const marked = useRef<HTMLElement>(null)
  useEffect(() => {
    const judge = ({ type }: Event) => {
      if (type === 'scroll' && !marked.current?.hasAttribute('data-typing')) return
      marked.current?.toggleAttribute('data-typing', isTyping())
    }
    for (const name of EVENTS) document.addEventListener(name, judge, { passive: true })
    return () => {
      for (const name of EVENTS) document.removeEventListener(name, judge)
    }
  }, [])
  return marked
}
