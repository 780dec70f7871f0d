// Catches calls that may wait and that no page could send: a page of an older version, or one that was closed while it asked.
import { registerRoute } from 'workbox-routing'
import { succeed } from '#contract/endpoint.ts'
import { QUEUED, type QueuedCall } from '#contract/outbox.ts'
import { newKey, OUTBOX_HEADER } from '#data/client.ts'
import { added, draft, openStore } from '#data/outbox/store.ts'
import { tellPages } from './sync.ts'

declare const self: ServiceWorkerGlobalScope

const API = '/api/v1'

interface Caught {
  name: string
  call: QueuedCall
  params: Record<string, string>
}

/** Which queued call a request is; null for every other. */
function recognise(method: string, pathname: string): Caught | null {
  if (!pathname.startsWith(`${API}/`)) return null
  const parts = pathname.slice(API.length).split('/')
  for (const [name, call] of Object.entries(QUEUED)) {
    const wanted = call.path.split('/')
    if (call.method !== method || wanted.length !== parts.length) continue
    const params: Record<string, string> = {}
    const fits = wanted.every((part, at) => {
      const given = parts[at] as string
      if (!part.startsWith(':')) return part === given
      params[part.slice(1)] = decodeURIComponent(given)
      return given !== ''
    })
    if (fits) return { name, call, params }
  }
  return null
}

/** The person of the request's own token, not of whoever is signed in when it fails. */
function uidOf(request: Request): string | null {
  const [, payload = ''] = (request.headers.get('authorization') ?? '').split('.')
  try {
    const { uid }: { uid?: unknown } = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')))
    return typeof uid === 'string' ? uid : null
  } catch {
    return null // no token, or none of ours: nothing can be kept for nobody
  }
}

/** Puts the request into the outbox; null when that cannot be done. Gives its key. */
async function keep(request: Request, { name, call, params }: Caught): Promise<string | null> {
  const uid = uidOf(request)
  if (uid === null) return null
  const body = (await request.json()) as Record<string, unknown>
  const key = request.headers.get('idempotency-key') ?? newKey(Date.now())
  const row = draft(
    { name },
    { ...call, dated: false }, // the body stays as it was: the server may know it already under this key
    { ...params, ...body },
    { label: call.label },
    { uid, org_id: request.headers.get('lb-org-id'), now: Date.now(), key },
  )
  const kept = await openStore(uid, Date.now).change((rows) => added(rows, row, { ...call, replaces: false }))
  tellPages(uid)
  const { sync } = self.registration as { sync?: { register(tag: string): Promise<void> } }
  // without Background Sync the next page that opens sends it
  await sync?.register('lingbo-outbox').catch(() => undefined)
  return kept.key
}

/** A call that the page itself gave up, and that is still there to do it again. */
const isGivenUp = async (error: unknown, client_id: string) =>
  error instanceof DOMException &&
  error.name === 'AbortError' &&
  (await self.clients.get(client_id)) !== undefined

/** Listens to requests that change something; those of the outbox itself pass by. */
export function catchCalls(): void {
  for (const method of ['POST', 'PUT', 'DELETE'] as const)
    registerRoute(
      ({ url, request, sameOrigin }) =>
        sameOrigin && !request.headers.has(OUTBOX_HEADER) && recognise(method, url.pathname) !== null,
      async ({ request, url, event }) => {
        const copy = request.clone()
        try {
          return await fetch(request)
        } catch (error) {
          const caught = recognise(method, url.pathname)
          if (!caught || (await isGivenUp(error, (event as FetchEvent).clientId))) throw error
          const key = await keep(copy, caught)
          if (key === null) throw error
          return new Response(JSON.stringify(succeed({ queued: true, key })), {
            status: 202,
            headers: { 'content-type': 'application/json' },
          })
        }
      },
      method,
    )
}
