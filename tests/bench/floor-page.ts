// The least that could start: one page of text, which its own service worker answers when there is no server.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const PAGE = `<!doctype html><meta charset="utf-8"><title>floor</title>
<main>floor 45,678</main><script>navigator.serviceWorker.register('/sw.js')</script>`
const WORKER = `self.addEventListener('install', (event) => event.waitUntil(caches.open('f').then((cache) => cache.add('/'))))
self.addEventListener('fetch', (event) => event.respondWith(caches.match('/').then((kept) => kept ?? fetch(event.request))))`

/** Serves it on a free port. */
export async function openFloor(): Promise<{ url: string; close(): void }> {
  const http = createServer((request, response) => {
    const worker = request.url === '/sw.js'
    response.setHeader('content-type', worker ? 'text/javascript' : 'text/html; charset=utf-8')
    response.end(worker ? WORKER : PAGE)
  })
  await new Promise<void>((ready) => http.listen(0, '127.0.0.1', ready))
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    close() {
      http.close()
      http.closeAllConnections()
    },
  }
}
