// A signed-in browser for tests and benches that are not about signing in: the token stands in storage as a sign-in leaves it.
import type { Browser, BrowserContext, BrowserContextOptions, Page } from '@playwright/test'
import type { Person } from './people.ts'

const userOf = ({ uid }: Pick<Person, 'uid'>) =>
  JSON.stringify({ id: uid, role: 'user', defaultContext: 'personal' })

/** A browser context whose first page is already signed in as the person (wire §1 keys); with the worker where the file has it. */
export async function signedInContext(
  browser: Browser,
  url: string,
  person: Pick<Person, 'token' | 'uid'>,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({ locale: 'zh-TW', timezoneId: 'Asia/Taipei', ...options })
  // `storageState` would open a page of its own for this, in each context a tenth of a second of processor.
  const script = await context.addInitScript(
    ([origin, token, user]) => {
      if (location.origin !== origin) return
      localStorage.setItem('token', token)
      localStorage.setItem('lingbo_user', user)
    },
    [new URL(url).origin, person.token, userOf(person)] as const,
  )
  // Once: whoever signs out afterwards is signed out.
  let done = false
  context.on('page', (page) => {
    page.on('domcontentloaded', () => {
      if (done || !page.url().startsWith(url)) return
      done = true
      void script.dispose()
    })
  })
  return context
}

/** Opens a path signed in; in a fresh context when none is given. */
export async function openSignedIn(
  browser: Browser,
  url: string,
  person: Pick<Person, 'token' | 'uid'>,
  path: string,
  context?: BrowserContext,
): Promise<Page> {
  const own = context ?? (await signedInContext(browser, url, person))
  const page = await own.newPage()
  await page.goto(url + path)
  return page
}

/**
 * Opens a path signed in, on a page of a context that nobody is signed in to. Its storage is filled on a file of the server, once:
 * whoever signs out afterwards is signed out.
 */
export async function openAs(
  page: Page,
  url: string,
  person: Pick<Person, 'token' | 'uid'>,
  path: string,
): Promise<void> {
  await page.goto(`${url}/robots.txt`)
  await page.evaluate(
    ([token, user]) => {
      localStorage.setItem('token', token)
      localStorage.setItem('lingbo_user', user)
    },
    [person.token, userOf(person)] as const,
  )
  await page.goto(url + path)
}

/** Waits until the service worker answers for the page and keeps every file of the app, also those that no start needs. */
export async function everythingKept(page: Page): Promise<void> {
  const whole = await page.evaluate(async () => {
    const never = new Promise<never>((_, refuse) => {
      setTimeout(() => refuse(new Error('no worker after a minute: is the test tagged @worker?')), 60_000)
    })
    const { active } = await Promise.race([navigator.serviceWorker.ready, never])
    while (active?.state !== 'activated') await new Promise((next) => setTimeout(next, 50))
    const { port1, port2 } = new MessageChannel()
    const answer = new Promise<boolean>((told) => {
      port1.onmessage = ({ data }) => told(data as boolean)
    })
    active.postMessage({ type: 'KEEP_LATER' }, [port2])
    return answer
  })
  if (!whole) throw new Error('the worker could not fetch every file')
}
