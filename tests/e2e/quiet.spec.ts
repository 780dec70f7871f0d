// What a start is spared once its data stands: code that nobody needs yet, and anything that moves.
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { createStrategy } from '#contract/strategy.ts'
import { expect, test } from '#tests/support/app.ts'
import { hookPath } from '#tests/support/desk.ts'
import { signUp } from '#tests/support/people.ts'
import { everythingKept, openAs } from '#tests/support/screen.ts'
import type { TestServer } from '#tests/support/server.ts'

const DIST = process.env['DIST_DIR'] ?? fileURLToPath(new URL('../../dist', import.meta.url))
/** Toasts and what they stand in; tooltips, the offer to install, the list of errors. */
const UNNEEDED = /^(Toasts|MantineRoot|CloseButton|seldom)-/

async function desk(server: TestServer) {
  const person = await signUp(server, '林柏翰')
  const settings = { product_code: 'MXF' }
  const strategy = await person.call(createStrategy, { kind: 'futures', name: '台指突破', settings })
  let count = 0
  const fire = async () => {
    const id = ++count
    const action = id % 2 ? 'buy' : 'sell'
    const body = JSON.stringify({ id: `q${id}`, symbol: 'MXF1!', action, qty: 1, price: 46_000 + 7 * id })
    expect((await server.request(hookPath(strategy), { method: 'POST', body })).status).toBe(200)
    return (46_000 + 7 * id).toLocaleString('en-US')
  }
  return { person, fire }
}
const row = (page: Page, price: string) =>
  page.getByRole('list', { name: '訊號', exact: true }).locator('[data-key]').filter({ hasText: price })
const heard = (page: Page) => page.locator('main').getByText('即時', { exact: true })
const cover = async (page: Page, on: boolean) => {
  const menu = page.locator('#user-menu')
  if (!(await menu.isVisible())) await page.locator('[popovertarget=user-menu]:visible').click()
  const key = menu.getByRole('switch', { name: '隱私模式' })
  await (on ? key.check() : key.uncheck())
}

test('a start loads no toast, no tooltip and no list of errors; the first message brings its own', {
  tag: '@desktop',
}, async ({ page, server }) => {
  const { person, fire } = await desk(server)
  const price = await fire()
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname.split('/').at(-1) ?? ''))
  await openAs(page, server.url, person, '/dashboard')
  await expect(row(page, price)).toBeVisible()
  // the stream is open: what comes after the first page has come
  await expect(heard(page)).toBeVisible()
  await page.evaluate(() => new Promise((idle) => requestIdleCallback(idle)))
  const unneeded = () => asked.filter((name) => UNNEEDED.test(name))
  expect(unneeded()).toEqual([])
  // the names are those of the build
  const files = readdirSync(`${DIST}/assets`).filter((name) => name.endsWith('.js') && UNNEEDED.test(name))
  expect(files.map((name) => name.split('-')[0])).toEqual(
    expect.arrayContaining(['Toasts', 'MantineRoot', 'seldom']),
  )
  await cover(page, true)
  await expect(page.locator('.toaster')).toContainText('隱私模式已開啟')
  expect(unneeded().some((name) => name.startsWith('Toasts-'))).toBe(true)
})

test('offline right after a start a message has its place; where that is not kept yet, its words alone', {
  tag: ['@desktop', '@worker'],
}, async ({ page, context, server }) => {
  const { person } = await desk(server)
  await openAs(page, server.url, person, '/dashboard')
  await everythingKept(page)
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await context.setOffline(true)
  await cover(page, true)
  await expect(page.locator('.toaster')).toContainText('隱私模式已開啟')
  await expect(page.locator('.toast.plain')).toHaveCount(0)
})

test('a message before its place is on the device: its words alone, and the next one in its place', {
  tag: '@desktop',
}, async ({ page, context, server }) => {
  const { person } = await desk(server)
  await openAs(page, server.url, person, '/dashboard')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.locator('[popovertarget=user-menu]:visible').click()
  await context.setOffline(true)
  await cover(page, true)
  await expect(page.locator('.toast.plain')).toContainText('隱私模式已開啟')
  await context.setOffline(false)
  await expect(async () => {
    await cover(page, false)
    await cover(page, true)
    await expect(page.locator('.toaster').last()).toContainText('隱私模式', { timeout: 2_000 })
  }).toPass()
})

// Positions come and go with every signal, figures grow, the newest row pushes all others down.
test('while signals come nothing on the page jumps', { tag: '@both' }, async ({ page, server }) => {
  const { person, fire } = await desk(server)
  for (let n = 0; n < 12; n++) await fire()
  await page.addInitScript(() => {
    const moved: { value: number; nodes: string[] }[] = []
    Object.assign(window, { moved })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number
        hadRecentInput: boolean
        sources: { node: Node | null }[]
      })[])
        if (!entry.hadRecentInput)
          moved.push({
            value: entry.value,
            nodes: entry.sources.map(
              ({ node }) =>
                `${node?.nodeName} ${(node as Element | null)?.className} ${node?.textContent?.slice(0, 40)}`,
            ),
          })
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await openAs(page, server.url, person, '/dashboard')
  await expect(row(page, '46,084')).toBeVisible()
  for (let n = 0; n < 6; n++) {
    // what is asked for again stands there, too: a position opens and closes by it
    const again = page.waitForResponse((response) => response.url().includes('/api/v1/dashboard'))
    await expect(row(page, await fire())).toBeVisible()
    await again
  }
  await page.evaluate(() => new Promise((idle) => requestIdleCallback(idle)))
  expect(await page.evaluate(() => (window as unknown as { moved: unknown[] }).moved)).toEqual([])
})
