// Leads the person to a page: in a window that is open already, else in a new one.
import { NOT_THE_APP } from './not-the-app.ts'

declare const self: ServiceWorkerGlobalScope

/** A window that answers is at work; one of an older version, or asleep, does not. */
const ANSWER_MS = 1_000

/** The app's windows, nobody else's of this origin. */
export async function windows(): Promise<readonly WindowClient[]> {
  const all = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  return all.filter(({ url }) => !NOT_THE_APP.some((path) => path.test(new URL(url).pathname)))
}

export async function goTo(path: string): Promise<void> {
  const all = await windows()
  const found =
    all.find(({ focused }) => focused) ??
    all.find(({ visibilityState }) => visibilityState === 'visible') ??
    all[0]
  const href = new URL(path, self.location.origin).href
  if (!found) return void (await self.clients.openWindow(href))
  // A browser may refuse to bring a window forward; it goes there all the same.
  const client = await found.focus().catch(() => found)
  if (await asked(client, path)) return
  await client.navigate(href).catch(() => self.clients.openWindow(href))
}

/** Asks the page to go there by itself: nothing is loaded anew, and what is being written is asked about. */
function asked(client: WindowClient, path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    const timer = setTimeout(() => resolve(false), ANSWER_MS)
    port1.onmessage = () => {
      clearTimeout(timer)
      resolve(true)
    }
    client.postMessage({ type: 'GO', path }, [port2])
  })
}
