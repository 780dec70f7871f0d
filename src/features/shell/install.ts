// Watches for the browser's own offer to install; where there is none (iOS) the steps are told. Loaded after the first paint.

import { storage } from '#screen/device.ts'
import { countVisit, install, refuseInstall } from '#state/install.ts'

/** What Chromium hands over; it can be shown once. */
interface InstallEvent extends Event {
  prompt(): Promise<{ outcome: 'accepted' | 'dismissed' }>
}

let kept: InstallEvent | null = null

/** Begins to watch; call once. */
export function followInstall(): void {
  const standalone =
    matchMedia('(display-mode: standalone), (display-mode: window-controls-overlay)').matches ||
    ('standalone' in navigator && navigator.standalone === true)
  if (standalone) return
  const may_ask = countVisit(storage, Date.now())
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    kept = event as InstallEvent
    if (may_ask) install.offer = 'prompt'
  })
  addEventListener('appinstalled', () => {
    install.offer = null
  })
  const ios =
    /iPhone|iPad|iPod/.test(navigator.userAgent) ||
    (navigator.platform === 'MacIntel' && navigator.maxTouchPoints > 1)
  if (ios && may_ask) install.offer = 'ios'
}

/** The browser has a question to ask, and it is not installed yet. */
export const canInstall = () => kept !== null

/** Shows the browser's own question; whatever the answer, ours is over. */
export async function askInstall(): Promise<void> {
  const event = kept
  kept = null
  install.offer = null
  const answer = await event?.prompt()
  if (answer?.outcome === 'dismissed') refuseInstall(storage, Date.now())
}

/** The person does not want it now. */
export function notNow(): void {
  refuseInstall(storage, Date.now())
}
