// Short messages over the page. The library behind them is loaded after the first paint, so a call may come before it.
import { TOAST_MS } from '#contract/limits.ts'
import type { Toast } from './toaster.tsx'

/** Takes every message away: the step that they spoke of is over. */
export function clearToasts(): void {
  import('./toaster.tsx').then(
    ({ clear }) => clear(),
    (error: unknown) => console.warn('toast', error),
  )
}

/** Where a message waits for the page that follows a full load: of this tab, until it is said. */
const CARRIED = 'lingbo_carried_toast'

/** Said on the page that follows: this one is being left by a full load, and what stands on it goes along. */
export function carryToast(message: Pick<Toast, 'title' | 'icon'>): void {
  sessionStorage.setItem(CARRIED, JSON.stringify(message))
}

/** Says what the page before left for this one. */
export function tellCarried(): void {
  const carried = sessionStorage.getItem(CARRIED)
  if (carried === null) return
  sessionStorage.removeItem(CARRIED)
  toast(JSON.parse(carried) as Toast)
}

/** Said before their place on the page stands. */
const early: Toast[] = []
let gone = false

/** The code of their place did not come: what was said, and will be, stands on the page without it. */
export function withoutToasts(): void {
  gone = true
  for (const message of early.splice(0)) plain(message)
}

/** Shows a message. Screen readers hear it politely, a destructive one at once. */
export function toast(message: Toast): void {
  import('./toaster.tsx').then(
    ({ show }) => {
      show({ duration: TOAST_MS, ...message })
      if (document.documentElement.hasAttribute('data-toasts')) return
      if (gone || !navigator.onLine) plain(message)
      else early.push(message)
    },
    (error: unknown) => {
      console.warn('toast', error)
      plain(message)
    },
  )
}

/** The words alone, seen and heard: their code is not on this device yet, and the network is gone. */
function plain({ title, description, duration = TOAST_MS }: Toast): void {
  const words = [title, description].filter(Boolean).join('，')
  const region = document.getElementById('announce')
  if (region) region.textContent = words
  document.querySelector('.toast.plain')?.remove()
  const box = document.createElement('p')
  box.className = 'toast plain'
  box.textContent = words
  document.body.append(box)
  setTimeout(() => box.remove(), duration)
}
