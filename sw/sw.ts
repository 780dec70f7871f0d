// The service worker: its events, one line each.
import type { PrecacheEntry } from 'workbox-precaching'
import { keepShell } from './shell-cache.ts'

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: (PrecacheEntry | string)[] }

keepShell(self.__WB_MANIFEST)
// Never at install: an open page needs the files it was built with until the person agrees (pwa.md §3.4).
self.addEventListener('message', ({ data }) => {
  if (typeof data === 'object' && data !== null && 'type' in data && data.type === 'SKIP_WAITING')
    void self.skipWaiting()
})
