// The app's own files: all of them on the device, so that every route starts without a network. Never data: that is Dexie's.
import {
  cleanupOutdatedCaches,
  createHandlerBoundToURL,
  type PrecacheEntry,
  precacheAndRoute,
} from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'
import { CacheFirst } from 'workbox-strategies'
import { NOT_THE_APP } from './not-the-app.ts'

declare const self: ServiceWorkerGlobalScope

/** A file as the build names it; `later`: no start needs it (vite.config.ts), its name changes with its content. */
export type KeptFile = PrecacheEntry & { later?: true }

const LATER = 'lingbo-later'
/** So many at once: what the person does meanwhile goes first. */
const AT_ONCE = 3

/** `broken_off`: the network went away, or a file was refused; the next start goes on. */
type Filled = 'whole' | 'full' | 'broken_off'

/** Keeps every built file and answers every navigation with index.html. `files` is what the build injects. */
export function keepShell(files: KeptFile[]): void {
  cleanupOutdatedCaches()
  precacheAndRoute(files.filter(({ later }) => !later))
  registerRoute(new NavigationRoute(createHandlerBoundToURL('/index.html'), { denylist: NOT_THE_APP }))
  keepLater(
    new Set(files.filter(({ later }) => later).map(({ url }) => new URL(url, self.location.href).href)),
  )
}

/**
 * Files that no start needs: an update brings them with it; on a first visit they come when the page asks for them, once it
 * stands (src/features/shell/worker.ts), or when one is used. A first visit pays for what it shows.
 */
function keepLater(urls: ReadonlySet<string>): void {
  const strategy = new CacheFirst({ cacheName: LATER })
  registerRoute(({ url }) => urls.has(url.href), strategy)

  const fill = async (event: ExtendableEvent): Promise<Filled> => {
    const cache = await caches.open(LATER)
    const missing = async () => {
      const kept = new Set((await cache.keys()).map(({ url }) => url))
      return [...urls].filter((url) => !kept.has(url))
    }
    const waiting = await missing()
    const some = async () => {
      for (let url = waiting.pop(); url !== undefined; url = waiting.pop())
        await Promise.all(strategy.handleAll({ event, request: new Request(url) }))
    }
    const ends = await Promise.allSettled(Array.from({ length: AT_ONCE }, some))
    // not everything that was answered was kept: a refused file is not
    if ((await missing()).length === 0) return 'whole'
    return ends.some((end) => end.status === 'rejected' && isFull(end.reason)) ? 'full' : 'broken_off'
  }
  let filling: Promise<Filled> | null = null
  const filled = (event: ExtendableEvent) => {
    filling ??= fill(event).finally(() => {
      filling = null
    })
    return filling
  }
  self.addEventListener('install', (event) => {
    if (!self.registration.active) return
    const whole = async () => {
      // The version before stays, and the next look goes on from what has come. A full device must not keep anybody back.
      if ((await filled(event)) === 'broken_off') throw new Error('not every file of the new version came')
    }
    event.waitUntil(whole())
  })
  self.addEventListener('message', (event) => {
    if ((event.data as { type?: unknown } | null)?.type !== 'KEEP_LATER') return
    event.waitUntil(filled(event).then((end) => event.ports[0]?.postMessage(end === 'whole')))
  })
  // No page of the version before is open any more.
  self.addEventListener('activate', (event) => {
    const clean = async () => {
      const cache = await caches.open(LATER)
      const old = (await cache.keys()).filter(({ url }) => !urls.has(url))
      await Promise.all(old.map((request) => cache.delete(request)))
    }
    event.waitUntil(clean())
  })
}

function isFull(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'QuotaExceededError'
}
