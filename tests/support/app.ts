// What every browser test starts with: the real server with the built app, and a page whose complaints fail the test.
import { fileURLToPath } from 'node:url'
import { test as base, expect, type Page } from '@playwright/test'
import { STOOD } from '#tests/report/failures.ts'
import { axeOn } from './axe-once.ts'
import { hears } from './heard.ts'
import { type OwnBrowser, ownBrowser } from './own-browser.ts'
import { PASSWORD } from './people.ts'
import { startServer, type TestServer } from './server.ts'
import { stood } from './stood.ts'
import { TARGET_SIZE, withoutCovered } from './targets.ts'
import { SOAK } from './tier.ts'

/** The tag of a test that is about the service worker. For every other one it would fetch the whole application anew, once a device. */
const WORKER = '@worker'

/**
 * For files with a server of their own. What lives as long as a worker is the same for every file, since Playwright starts a
 * process and a browser anew where it is not: `server`, and a browser that remembers what is said on its pages (heard.ts).
 */
export const ownServerTest = base.extend<object, { server: TestServer }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from the pattern
  serviceWorkers: async ({}, use, { tags }) => use(tags.includes(WORKER) ? 'allow' : 'block'),
  browser: [
    async ({ browser }, use) => {
      const plain = browser.newContext.bind(browser)
      browser.newContext = async (options) => {
        const context = await plain(options)
        await hears(context)
        return context
      }
      await use(browser)
      browser.newContext = plain
    },
    { scope: 'worker' },
  ],
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from the pattern
    async ({}, use) => {
      const dist = process.env['DIST_DIR'] ?? fileURLToPath(new URL('../../dist', import.meta.url))
      const server = await startServer({ notifies: true, env: { DIST_DIR: dist } })
      await use(server)
      await server.close()
    },
    { scope: 'worker' },
  ],
})

/**
 * `complaints` gathers what the page printed as errors, CSP refusals included. `own` is a browser with a profile on the disk,
 * if it is started.
 */
export const test = ownServerTest.extend<{ complaints: string[]; own: OwnBrowser }>({
  own: async ({ viewport }, use) => {
    const own = ownBrowser(viewport)
    await use(own)
    await own.end()
  },
  complaints: [
    // `own` stands here so that it still runs when a failure is looked at
    async ({ page, browser, own }, use, info) => {
      const complaints: string[] = []
      page.on('pageerror', (error) => complaints.push(`pageerror: ${error.message}`))
      page.on('console', (message) => {
        // a refused call is the browser's own line, not a fault of the page
        if (message.type() === 'error' && !/^Failed to load resource/.test(message.text()))
          complaints.push(message.text())
      })
      await use(complaints)
      if (info.status !== info.expectedStatus || complaints.length > 0)
        await info.attach(STOOD, {
          body: await stood([...browser.contexts(), ...own.running()]),
          contentType: 'text/plain',
        })
      // a call that is still held or passed on when the test has ended is nobody's any more
      if (!page.isClosed()) await page.unrouteAll({ behavior: 'ignoreErrors' })
      expect(complaints).toEqual([])
    },
    { auto: true },
  ],
})

export { announced, messages, said, unheard } from './heard.ts'
export { expect }

/** Signs in through the form and waits for the first page. */
export async function signInByForm(
  page: Page,
  url: string,
  email: string,
  password = PASSWORD,
): Promise<void> {
  await page.goto(`${url}/login`)
  await page.getByLabel('帳號').fill(email)
  await page.getByLabel('密碼', { exact: true }).fill(password)
  await page.getByRole('button', { name: '登入', exact: true }).click()
  await expect(page).toHaveURL(`${url}/dashboard`)
}

/** Texts that cannot be read on their ground in the dark; the theme decides about colours and nothing else. */
export async function axeInTheDark(page: Page, { always = false } = {}): Promise<string[]> {
  if (!SOAK && !always) return []
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.evaluate(() => {
    document.documentElement.dataset['theme'] = 'dark'
    // colours pass over within a frame even with reduced motion
    return new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)))
  })
  return axe(page, { rules: ['color-contrast'], always })
}

/**
 * Findings of axe on what is on the screen, as `rule: element`: serious and critical ones, with `every` also the mild ones.
 * With `rules` only those are tried. `npm test` looks where it is said `always`, at every screen once (screens.spec.ts); at the
 * states that other files bring a screen into, the soak.
 */
export async function axe(
  page: Page,
  { every = false, rules = [] as string[], always = false } = {},
): Promise<string[]> {
  if (!SOAK && !always) return []
  const look = async () => {
    await still(page)
    const { violations } = await (await axeOn(page))
      .options({
        resultTypes: ['violations'],
        ...(rules.length > 0 ? { runOnly: rules } : { rules: TARGET_SIZE }),
      })
      .analyze()
    return (await withoutCovered(page, violations))
      .filter(({ impact }) => every || impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 160)}`))
  }
  const found = await look()
  // A toast may have faded out under its eyes, half transparent for a moment: what is wrong with the page is still there.
  return found.length > 0 ? look() : found
}

/** Waits until nothing fades or slides any more: on the way it has neither its colours nor its place. */
async function still(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const ends = document
      .getAnimations()
      .filter(
        ({ effect, playState }) =>
          playState === 'running' && effect?.getComputedTiming().endTime !== Infinity,
      )
    await Promise.allSettled(ends.map(({ finished }) => finished))
  })
}
