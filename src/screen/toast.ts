// Short messages over the page. Their place and the library behind it come with the first of them: most starts say nothing.
import { proxy } from 'valtio'
import { TOAST_MS } from '#contract/limits.ts'
import type { Toast } from './toaster.tsx'

/** Something is to be said, or was: their place belongs on the page from then on. */
export const toasts = proxy({ wanted: false })

/** The place on the page, once it stands. */
interface Place {
  show(message: Toast): void
  clear(): void
}
let place: Place | null = null
let gone = false
/** Said before their place stands. */
const waiting: Toast[] = []

/** Their place stands and says from now on what is to be said. */
export function toastsStand(by: Place): void {
  place = by
  for (const message of waiting.splice(0)) by.show(message)
}

/** The code of their place did not come: what was said, and will be until it comes after all, stands on the page without it. */
export function withoutToasts(): void {
  gone = true
  for (const message of waiting.splice(0)) plain(message)
}

/** Shows a message. Screen readers hear it politely, a destructive one at once. */
export function toast(given: Toast): void {
  const message = { duration: TOAST_MS, ...given }
  if (place) place.show(message)
  else if (gone) plain(message)
  else {
    waiting.push(message)
    toasts.wanted = true
  }
}

/** Takes every message away: the step that they spoke of is over. */
export function clearToasts(): void {
  waiting.length = 0
  place?.clear()
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
