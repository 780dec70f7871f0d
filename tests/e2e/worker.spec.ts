// The worker's files: a new version beside the old one, a network that goes away half-way, a device that is full.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { expect, test } from '#tests/support/app.ts'
import { keptFiles } from '#tests/support/kept-files.ts'
import { type Lead, type Line, startLine } from '#tests/support/line.ts'
import { signUp } from '#tests/support/people.ts'
import { everythingKept, signedInContext } from '#tests/support/screen.ts'
import { secondBuild } from '#tests/support/second-build.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

const DIST = process.env['DIST_DIR'] ?? fileURLToPath(new URL('../../dist', import.meta.url))
const { later } = keptFiles(DIST)
/** A page that no start needs, and the words it stands with. */
const GUIDE = later.filter((file) => /^assets\/guide-.+\.js$/.test(file))

/** What the worker keeps of these files, by name; with how long each is. */
const held = (page: Page, files: readonly string[]) =>
  page.evaluate(async (wanted) => {
    const found: Record<string, number> = {}
    for (const file of wanted) {
      const kept = await caches.match(`/${file}`)
      if (kept) found[file] = (await kept.arrayBuffer()).byteLength
    }
    return found
  }, files)
const whole = (dist: string, files: readonly string[]) =>
  Object.fromEntries(files.map((file) => [file, readFileSync(join(dist, file)).length]))

interface Stage {
  server: TestServer
  line: Line
  page: Page
  to(way?: (path: string) => Lead | null): void
}

/** Somebody signed in behind a line of their own; nothing is open yet. */
async function stage(browser: Parameters<typeof signedInContext>[0], server: TestServer): Promise<Stage> {
  const line = await startLine(() => ({ to: server.url }))
  const person = await signUp(server, '浪人')
  const context = await signedInContext(browser, line.url, person)
  const page = await context.newPage()
  return {
    server,
    line,
    page,
    to: (way = () => null) => line.lead((path) => way(path) ?? { to: server.url }),
  }
}
const active = (page: Page) =>
  page.evaluate(async () => {
    const { active } = await navigator.serviceWorker.ready
    while (active?.state !== 'activated') await new Promise((next) => setTimeout(next, 50))
  })
const heading = (page: Page) => page.locator('main h1, h1').first()
/** A version is some 150 files: as long as a slow machine needs to fetch and keep them. */
const WHOLE = { timeout: 120_000 }
const GONE = '這一頁還沒存到這支裝置'

test('a new version: the old page keeps its files, the new one is whole before it takes over', {
  tag: ['@desktop', '@worker'],
}, async ({ browser, server }) => {
  const scratch = mkdtempSync(join(tmpdir(), 'lingbo-second-'))
  const files = secondBuild(DIST, join(scratch, 'dist'))
  const second = await startServer({ env: { DIST_DIR: join(scratch, 'dist') } })
  const next = keptFiles(join(scratch, 'dist'))
  expect(next.later.filter((file) => later.includes(file))).toEqual([])
  expect(files).toEqual(expect.arrayContaining(next.later))
  const { line, page, to } = await stage(browser, server)
  await page.goto(`${line.url}/dashboard`)
  await everythingKept(page)
  // a first visit is not the worker's yet
  await page.reload()
  await expect(heading(page)).toBeVisible()

  // The server has only the new files now; one of them does not come at first.
  const [missing = ''] = next.later
  const deployed = (path: string): Lead | null =>
    path.startsWith('/api/') ? null : path === `/${missing}` ? 'dead' : { to: second.url }
  to(deployed)
  const look = () =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.getRegistration()
      await registration?.update()
    })
  await look()
  await expect
    .poll(() => held(page, next.later).then((found) => Object.keys(found).length))
    .toBeGreaterThan(0)
  // a version that is not whole does not wait to take over
  await expect
    .poll(
      () =>
        page.evaluate(async () => {
          const registration = await navigator.serviceWorker.getRegistration()
          return [registration?.installing?.state, registration?.waiting?.state]
        }),
      WHOLE,
    )
    .toEqual([undefined, undefined])
  await expect(page.getByText('新版本已就緒')).toHaveCount(0)

  to((path) => (path.startsWith('/api/') ? null : { to: second.url }))
  await look()
  await expect(page.getByText('新版本已就緒')).toBeVisible(WHOLE)
  expect(await held(page, next.later)).toEqual(whole(join(scratch, 'dist'), next.later))
  expect(await held(page, later)).toEqual(whole(DIST, later))

  // The page of the old version opens what it never opened before: from its own files.
  expect(later.filter((file) => /^assets\/profile-.+\.js$/.test(file))).not.toEqual([])
  await page.evaluate(() => {
    history.pushState({}, '', '/profile')
    dispatchEvent(new PopStateEvent('popstate'))
  })
  await expect(page.getByText('外觀').first()).toBeVisible()
  await expect(page.getByText(GONE)).toHaveCount(0)

  await page.getByRole('button', { name: '更新', exact: true }).click()
  const [app = ''] = files.filter((file) => /^assets\/app-.+\.js$/.test(file))
  await expect(page.locator(`script[src="/${app}"]`)).toBeAttached()
  await expect.poll(() => held(page, later).then(Object.keys)).toEqual([])
  to(() => 'dead')
  await page.context().setOffline(true)
  for (const path of ['/guide', '/strategies/create/futures', '/profile']) {
    await page.goto(line.url + path)
    await expect(heading(page), path).toBeVisible()
    await expect(page.getByText(GONE), path).toHaveCount(0)
  }
  await page.context().close()
  await line.close()
  await second.close()
  rmSync(scratch, { recursive: true, force: true })
})

test('the network goes away half-way: nothing is half kept, a page that is not kept says so, the next start goes on', {
  tag: ['@desktop', '@worker'],
}, async ({ browser, server }) => {
  const { line, page, to } = await stage(browser, server)
  expect(GUIDE.length).toBeGreaterThan(0)
  const isGuide = (path: string) => GUIDE.includes(path.slice(1))
  // the guide's own file breaks off in the middle, whoever asks
  to((path) => (isGuide(path) ? { half: server.url } : null))
  await page.goto(`${line.url}/dashboard`)
  await active(page)
  const others = later.filter((file) => !GUIDE.includes(file))
  await expect.poll(() => held(page, others), WHOLE).toEqual(whole(DIST, others))
  expect(await held(page, GUIDE)).toEqual({})

  to(() => 'dead')
  await page.context().setOffline(true)
  await page.goto(`${line.url}/profile`)
  await expect(page.getByText('外觀').first()).toBeVisible()
  await page.goto(`${line.url}/guide`)
  await expect(page.getByRole('heading', { name: GONE })).toBeVisible()
  await expect(page.locator('.skeleton, .loading-screen')).toHaveCount(0)

  await page.context().setOffline(false)
  to()
  await page.getByRole('button', { name: '重試' }).click()
  await expect(page.getByText(GONE)).toHaveCount(0)
  await expect(heading(page)).toBeVisible()
  // opened or not: the next start brings what is missing
  await page.goto(`${line.url}/dashboard`)
  await expect.poll(() => held(page, later), WHOLE).toEqual(whole(DIST, later))
  await page.context().close()
  await line.close()
})

test('a full device: what cannot be kept comes from the network, and is kept once there is room', {
  tag: ['@desktop', '@worker', '@soak'],
}, async ({ browser, server }) => {
  const { line, page, to } = await stage(browser, server)
  to((path) => (later.includes(path.slice(1)) ? 'dead' : null))
  await page.goto(`${line.url}/dashboard`)
  await active(page)
  await expect.poll(() => held(page, later)).toEqual({})
  const device = await page.context().newCDPSession(page)
  await device.send('Storage.overrideQuotaForOrigin', { origin: line.url, quotaSize: 1_000 })
  to()
  await page.goto(`${line.url}/guide`)
  await expect(heading(page)).toBeVisible()
  await expect(page.getByText(GONE)).toHaveCount(0)
  expect(await held(page, GUIDE)).toEqual({})
  await device.send('Storage.overrideQuotaForOrigin', { origin: line.url })
  await page.goto(`${line.url}/dashboard`)
  // a start's own question may meet a round that is still ending for want of room: it is asked until one has all
  await expect
    .poll(() =>
      everythingKept(page).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true)
  expect(await held(page, later)).toEqual(whole(DIST, later))
  await page.context().close()
  await line.close()
})
