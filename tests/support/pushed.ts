// Pushes in a browser of the tests: what the server sent is handed to the real worker through the browser's own door for it, and
// what the worker shows is written down: not every Chromium of the tests has a place for notifications.
import type { BrowserContext, Page, Worker } from '@playwright/test'

export interface ShownNotification {
  title: string
  tag: string
  body: string
  url: string
  /** Records on the device at that moment. */
  kept: number
}
interface Noting {
  shown: ShownNotification[]
}

/** The worker of a context, which from now on notes what it shows for `uid`. */
export async function notingWorker(context: BrowserContext, uid: string): Promise<Worker> {
  const [worker] = context.serviceWorkers()
  if (!worker) throw new Error('no worker runs')
  await worker.evaluate((name) => {
    const scope = globalThis as unknown as Noting & {
      registration: { showNotification: unknown; getNotifications: unknown }
    }
    scope.shown = []
    const counted = () =>
      new Promise<number>((resolve, reject) => {
        const opening = indexedDB.open(name)
        opening.onupgradeneeded = () => opening.transaction?.abort()
        opening.onerror = () => resolve(0) // none of this person here
        opening.onsuccess = () => {
          const counting = opening.result.transaction('signals').objectStore('signals').count()
          counting.onerror = () => reject(counting.error)
          counting.onsuccess = () => {
            opening.result.close()
            resolve(counting.result)
          }
        }
      })
    // a shell without windows has no icon either, and ends the worker that asks for one
    Object.assign(navigator, { setAppBadge: () => Promise.resolve() })
    scope.registration.getNotifications = () => Promise.resolve([])
    scope.registration.showNotification = async (
      title: string,
      { tag, body, data }: { tag: string; body: string; data?: { url: string } },
    ) => {
      scope.shown.push({ title, tag, body, url: data?.url ?? '', kept: await counted() })
    }
  }, `lingbo-${uid}`)
  return worker
}

/** What it has shown so far. */
export const shownBy = (worker: Worker): Promise<ShownNotification[]> =>
  worker.evaluate(() => (globalThis as unknown as Noting).shown)

/** The way to the worker of `origin`, for one message after the other; `page` is any page of its context and stays. */
export async function pushDoor(page: Page, origin: string): Promise<(data: string) => Promise<void>> {
  const session = await page.context().newCDPSession(page)
  const known = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const own = registrations.find(({ scopeURL }) => scopeURL === `${origin}/`)
      if (own) resolve(own.registrationId)
    })
  })
  await session.send('ServiceWorker.enable')
  const registrationId = await known
  return async (data) => {
    await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data })
  }
}

/** Hands one message to the worker of `origin`. */
export async function pushTo(page: Page, origin: string, data: string): Promise<void> {
  await (await pushDoor(page, origin))(data)
}
