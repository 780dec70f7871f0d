// A browser with a profile on the disk: it can be closed in peace or killed, and started again with what it kept.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page, type ViewportSize } from 'playwright'
import { findBrowser, killBrowser, LAUNCH_ARGS } from './browser.ts'
import { hears } from './heard.ts'

export interface OwnBrowser {
  /** Starts it with what it kept; `prepare` comes before its first page. Its first page is open already. */
  start(prepare?: (context: BrowserContext) => Promise<unknown>): Promise<BrowserContext>
  /** Closes it as a person does; resolves when its last process is gone. */
  close(): Promise<void>
  /** Kills every process of it at once. */
  kill(): Promise<void>
  /** What runs now, for a look at a failure. */
  running(): BrowserContext[]
  /** Closes it and forgets what it kept. */
  end(): Promise<void>
}

/** Nothing is started and no folder made before `start`. */
export function ownBrowser(viewport: ViewportSize | null): OwnBrowser {
  let folder: string | undefined
  let context: BrowserContext | undefined
  const own: OwnBrowser = {
    async start(prepare) {
      await own.close()
      folder ??= mkdtempSync(join(tmpdir(), 'lingbo-browser-'))
      // a killed one leaves its mark behind
      rmSync(join(folder, 'SingletonLock'), { force: true })
      const executablePath = findBrowser()
      context = await chromium.launchPersistentContext(folder, {
        args: LAUNCH_ARGS,
        viewport,
        locale: 'zh-TW',
        timezoneId: 'Asia/Taipei',
        ...(executablePath && { executablePath }),
      })
      await hears(context)
      await prepare?.(context)
      return context
    },
    async close() {
      const last = context
      context = undefined
      await last?.close()
    },
    async kill() {
      if (!folder || !context) throw new Error('no browser runs')
      killBrowser(folder)
      const dead = context
      context = undefined
      // it answers no more
      await dead.close().catch(() => undefined)
    },
    running: () => (context ? [context] : []),
    async end() {
      await own.close()
      if (folder) rmSync(folder, { recursive: true, force: true })
    },
  }
  return own
}

/**
 * Starts it as somebody finds it who signed in on an earlier evening and closed it in peace. Chromium writes localStorage to
 * the disk late, and may end before: what did not get there is not what these tests are about, so the evening comes again.
 */
export async function afterAnEvening(
  own: OwnBrowser,
  url: string,
  spend: (page: Page) => Promise<void>,
  prepare?: (context: BrowserContext) => Promise<unknown>,
): Promise<BrowserContext> {
  for (let evenings = 1; evenings <= 3; evenings++) {
    await spend(await (await own.start(prepare)).newPage())
    const context = await own.start(prepare)
    // a path that the app does not answer: nothing but the disk has a say
    const page = await context.newPage()
    await page.goto(`${url}/api/`)
    const kept = await page.evaluate(() => localStorage.getItem('token') !== null)
    await page.close()
    if (kept) return context
  }
  throw new Error('three evenings long the sign-in did not reach the disk')
}
