// Everything a browser keeps of an origin, and everything a page shows, as text: to look for what must not be there, or to wait for what must.
import { expect, type Page } from '@playwright/test'

/** One store of one database: each row as its key and its content (JSON). */
interface Store {
  database: string
  store: string
  rows: [key: string, content: string][]
}

/** Every store of this origin that holds something; read in the page. */
async function stores(): Promise<Store[]> {
  const ask = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
    })
  const found: Store[] = []
  for (const { name = '' } of await indexedDB.databases()) {
    const opening = indexedDB.open(name)
    // gone since it was named: looking must not make it anew
    opening.onupgradeneeded = () => opening.transaction?.abort()
    const db = await ask(opening).catch(() => null)
    if (!db) continue
    for (const store of db.objectStoreNames) {
      const own = db.transaction(store).objectStore(store)
      const [keys, values] = [await ask(own.getAllKeys()), await ask(own.getAll())]
      // as text here already: not everything that a database holds can leave the page
      const rows = keys.map((key, at): [string, string] => [String(key), JSON.stringify(values[at])])
      if (rows.length > 0) found.push({ database: name, store, rows })
    }
    db.close()
  }
  return found
}

/** What is kept elsewhere, and what the page shows, by place; read in the page. With `marks` only those of them that stand there. */
async function places(marks: readonly string[] | null): Promise<Record<string, string[]>> {
  const fields = [...document.querySelectorAll('input, textarea')]
  const found: Record<string, string[]> = {}
  const look = (place: string, text: string) => {
    found[place] = marks ? marks.filter((mark) => text.includes(mark)) : [text]
  }
  look('localStorage', JSON.stringify({ ...localStorage }))
  look('sessionStorage', JSON.stringify({ ...sessionStorage }))
  look('page', document.documentElement.outerHTML)
  look('fields', fields.map((field) => (field as HTMLInputElement).value).join(' '))
  look('address', `${location.href} ${JSON.stringify(history.state)} ${window.name} ${document.title}`)
  for (const name of await caches.keys()) {
    const cache = await caches.open(name)
    // both in the order of the cache; one question for all of them, since a look is taken very often
    let [keys, answers] = [await cache.keys(), await cache.matchAll()]
    while (keys.length !== answers.length) [keys, answers] = [await cache.keys(), await cache.matchAll()]
    const texts = await Promise.all(answers.map((answer) => answer.text()))
    for (const [at, { url }] of keys.entries()) look(`cache ${name} ${url}`, url + texts[at])
  }
  return found
}

/** What a look outside of `places` finds, by place. */
async function others(page: Page): Promise<[place: string, text: string][]> {
  const databases = (await page.evaluate(stores)).map(({ database, store, rows }): [string, string] => [
    `indexedDB ${database} ${store}`,
    rows.flat().join(' '),
  ])
  return [...databases, ['cookies', JSON.stringify(await page.context().cookies())]]
}

/** By place: `localStorage`, `indexedDB lingbo-… signals`, `cache … /url`, `page` and so on. */
export async function storages(page: Page): Promise<Record<string, string>> {
  const found = Object.entries(await page.evaluate(places, null))
  return Object.fromEntries([
    ...found.map(([place, texts]) => [place, texts.join('')]),
    ...(await others(page)),
  ])
}

/**
 * Which of these strings stand where, as `place: string`. They are looked for in the page: everything that a device keeps is
 * 2 MB, too much to hand over for every look.
 */
export async function standing(page: Page, marks: readonly string[]): Promise<string[]> {
  const found = Object.entries(await page.evaluate(places, marks))
  for (const [place, text] of await others(page))
    found.push([place, marks.filter((mark) => text.includes(mark))])
  return found.flatMap(([place, stands]) => stands.map((mark) => `${place}: ${mark}`))
}

/** The rows of every person's own database on this device, each as `store key content`. */
export async function rows(page: Page): Promise<string[]> {
  return (await page.evaluate(stores))
    .filter(({ database }) => database.startsWith('lingbo-') && database !== 'lingbo-session')
    .flatMap(({ store, rows }) => rows.map(([key, content]) => `${store} ${key} ${content}`))
}

/**
 * Waits until for each of these lists one row on the device holds all its texts: what was answered is written a moment after
 * the screen has it, and whoever goes offline, or away, before that finds less.
 */
export async function kept(page: Page, ...wanted: (readonly string[])[]): Promise<void> {
  await expect
    .poll(async () => {
      const held = await rows(page)
      return wanted.filter((texts) => !held.some((row) => texts.every((text) => row.includes(text))))
    })
    .toEqual([])
}

/** Waits until the page knows who is here and in which organizations: only then can it be told to act as one of them. */
export async function profileKnown(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(() => localStorage.getItem('lingbo_profile'))).not.toBeNull()
}

/**
 * Everything the databases of this origin hold goes, and with it the profile for the first paint. The page is left for one of
 * the server where no application has them open: beside one, the two would race. Not for where a worker answers.
 */
export async function emptyDevice(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/robots.txt`)
  await page.evaluate(async () => {
    for (const { name = '' } of await indexedDB.databases())
      await new Promise<void>((resolve, reject) => {
        const request = indexedDB.deleteDatabase(name)
        request.onsuccess = () => resolve()
        request.onerror = () => reject(request.error)
      })
    localStorage.removeItem('lingbo_profile')
  })
}
