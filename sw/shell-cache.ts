// The app's own files: all of them on the device, so that every route starts without a network. Never data: that is Dexie's.
import {
  cleanupOutdatedCaches,
  createHandlerBoundToURL,
  type PrecacheEntry,
  precacheAndRoute,
} from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'

/** What the server answers itself: index.html must never stand in for it. */
const NOT_THE_APP = [/^\/api\//, /^\/hooks\//, /^\/oidc\//, /^\/files\//]

/** Keeps every built file and answers every navigation with index.html. `files` is what the build injects. */
export function keepShell(files: (PrecacheEntry | string)[]): void {
  cleanupOutdatedCaches()
  precacheAndRoute(files)
  registerRoute(new NavigationRoute(createHandlerBoundToURL('/index.html'), { denylist: NOT_THE_APP }))
}
