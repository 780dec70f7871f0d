// Everything a browser keeps of an origin, and everything a page shows, as text: to look for what must not be there.
import type { Page } from '@playwright/test'

/** By place: `localStorage`, `indexedDB lingbo-… signals`, `cache … /url`, `page` and so on. */
export async function storages(page: Page): Promise<Record<string, string>> {
  const cookies = JSON.stringify(await page.context().cookies())
  const found = await page.evaluate(async () => {
    const ask = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
    const fields = [...document.querySelectorAll('input, textarea')]
    const found: Record<string, string> = {
      localStorage: JSON.stringify({ ...localStorage }),
      sessionStorage: JSON.stringify({ ...sessionStorage }),
      page: document.documentElement.outerHTML,
      fields: fields.map((field) => (field as HTMLInputElement).value).join(' '),
      address: `${location.href} ${JSON.stringify(history.state)} ${window.name} ${document.title}`,
    }
    for (const { name } of await indexedDB.databases()) {
      const db = await ask(indexedDB.open(name as string))
      for (const store of db.objectStoreNames) {
        const own = db.transaction(store).objectStore(store)
        const [keys, values] = [await ask(own.getAllKeys()), await ask(own.getAll())]
        if (keys.length > 0) found[`indexedDB ${name} ${store}`] = JSON.stringify([keys, values])
      }
      db.close()
    }
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys())
        found[`cache ${name} ${request.url}`] = request.url + (await (await cache.match(request))?.text())
    }
    return found
  })
  return { ...found, cookies }
}

/** Which of these strings stand where, as `place: string`. */
export function standing(places: Record<string, string>, marks: readonly string[]): string[] {
  return Object.entries(places).flatMap(([place, text]) =>
    marks.filter((mark) => text.includes(mark)).map((mark) => `${place}: ${mark}`),
  )
}
