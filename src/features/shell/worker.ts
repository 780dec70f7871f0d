// The service worker: registered after the first paint; a new version waits until the person says so (pwa.md §3.4).
import { Workbox } from 'workbox-window'
import { isDirty } from '#screen/dirty.ts'
import { updateWaits } from '#state/install.ts'

/** How often an open tab looks for a new version. */
const LOOK_MS = 60 * 60_000
/** A page counts as just started this long. */
const START_MS = 5_000
/** A worker that does not take over within this time is helped by a reload. */
const TAKEOVER_MS = 15_000

/** A tap on a notification: the worker has brought this window forward and says where to go (sw/go-to.ts). */
function followTaps(open: (path: string) => void): void {
  navigator.serviceWorker.addEventListener('message', ({ data, ports }) => {
    const said = data as { type?: unknown; path?: unknown } | null
    if (said?.type !== 'GO' || typeof said.path !== 'string') return
    ports[0]?.postMessage(true)
    open(said.path)
  })
}

/** Registers /sw.js. Where the browser has no workers (plain http from another machine) the app works online only. `open` goes to a page. */
export async function registerWorker(open: (path: string) => void): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  followTaps(open)
  const worker = new Workbox('/sw.js', { type: 'classic', updateViaCache: 'none' })
  const reload = () => {
    if (!isDirty()) location.reload()
  }
  const apply = () => {
    setTimeout(reload, TAKEOVER_MS)
    worker.messageSkipWaiting()
  }
  worker.addEventListener('waiting', ({ wasWaitingBeforeRegister }) => {
    // it was ready before this start, and nobody has begun anything yet: no need to ask
    if (wasWaitingBeforeRegister && performance.now() < START_MS && !isDirty()) apply()
    else updateWaits(apply)
  })
  // Comes to every tab when one of them has accepted the new version; to a first visit also when its own worker begins.
  let controlled = navigator.serviceWorker.controller !== null
  worker.addEventListener('controlling', () => {
    if (controlled) reload()
    controlled = true
  })
  let registration: ServiceWorkerRegistration | undefined
  try {
    registration = await worker.register()
  } catch (error) {
    console.warn('service worker', error)
    return
  }
  // The library listens for one version only: one that did not arrive whole must not be the last that is heard of.
  registration?.addEventListener('updatefound', () => {
    const next = registration.installing
    next?.addEventListener('statechange', () => {
      if (next.state === 'installed' && registration.active) updateWaits(apply)
    })
  })
  // The page stands: now the files that no start needs (sw/shell-cache.ts).
  void navigator.serviceWorker.ready.then(({ active }) => active?.postMessage({ type: 'KEEP_LATER' }))
  const look = () => {
    if (document.visibilityState === 'visible' && navigator.onLine) {
      worker.update().catch((error: unknown) => console.warn('service worker update', error))
    }
  }
  setInterval(look, LOOK_MS)
  document.addEventListener('visibilitychange', look)
}
