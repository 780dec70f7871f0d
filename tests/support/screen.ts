// A signed-in browser for tests and benches that are not about signing in: the token stands in storage as a sign-in leaves it.
import type { Browser, BrowserContext, BrowserContextOptions, Page } from '@playwright/test'
import type { Person } from './people.ts'

/** A browser context whose first page is already signed in as the person (wire §1 keys). */
export async function signedInContext(
  browser: Browser,
  url: string,
  person: Pick<Person, 'token' | 'uid'>,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const user = JSON.stringify({ id: person.uid, role: 'user', defaultContext: 'personal' })
  return browser.newContext({
    locale: 'zh-TW',
    timezoneId: 'Asia/Taipei',
    serviceWorkers: 'allow',
    ...options,
    storageState: {
      cookies: [],
      origins: [
        {
          origin: url,
          localStorage: [
            { name: 'token', value: person.token },
            { name: 'lingbo_user', value: user },
          ],
        },
      ],
    },
  })
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
