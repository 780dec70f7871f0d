// The keys of the shell: / search, g and a letter to go, n a signal by hand, ? the list of them. Never while typing or in a dialog, nor when switched off.
import { useEffectEvent, useLayoutEffect } from 'react'
import { preferences } from '#state/preferences.ts'
import { useGo } from './go.ts'
import { useManual } from './manual.ts'
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
