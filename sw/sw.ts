// The service worker: its events, one line each.
import { catchCalls } from './capture.ts'
import { openShown, receivePush } from './push.ts'
import { renewPush } from './renew-push.ts'
import { type KeptFile, keepShell } from './shell-cache.ts'
import { sendWaiting } from './sync.ts'

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: KeptFile[] }

keepShell(self.__WB_MANIFEST)
catchCalls()
// Not in every browser, and not in the types: a page that opens does the same.
self.addEventListener('sync', (event) => (event as ExtendableEvent).waitUntil(sendWaiting()))
self.addEventListener('push', (event) => event.waitUntil(receivePush(event)))
self.addEventListener('notificationclick', (event) => event.waitUntil(openShown(event)))
self.addEventListener('pushsubscriptionchange', (event) => (event as ExtendableEvent).waitUntil(renewPush()))
// Never at install: an open page needs the files it was built with until the person agrees (pwa.md §3.4).
self.addEventListener('message', ({ data }) => {
  if (typeof data === 'object' && data !== null && 'type' in data && data.type === 'SKIP_WAITING')
    void self.skipWaiting()
})
