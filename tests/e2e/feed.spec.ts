// The feed of the first page: it goes on for as long as one scrolls, what stood in view for a second is read everywhere, signals are no
// part of the badge, and what comes moves nothing.
import type { Page } from '@playwright/test'
import { listNotifications } from '#contract/notification.ts'
import { createStrategy } from '#contract/strategy.ts'
import { axe, expect, test } from '#tests/support/app.ts'
import { hookPath } from '#tests/support/desk.ts'
import { signUp } from '#tests/support/people.ts'
import { openAs } from '#tests/support/screen.ts'
import type { TestServer } from '#tests/support/server.ts'

async function desk(server: TestServer) {
  const person = await signUp(server, '林柏翰')
  const settings = { product_code: 'MXF' }
  const strategy = await person.call(createStrategy, { kind: 'futures', name: '台指突破', settings })
  const path = hookPath(strategy)
  let count = 0
  /** So many more, and all of them told. */
  const fire = async (more: number) => {
    for (let n = 0; n < more; n++) {
      const id = ++count
      const body = JSON.stringify({
        ...{ id: `f${id}`, symbol: 'MXF1!', qty: 1, price: 46_000 + id },
        action: id % 2 ? 'buy' : 'sell',
      })
      expect((await server.request(path, { method: 'POST', body })).status).toBe(200)
    }
    await server.app.notifier.catchUp()
  }
  const counts = async () => {
    const { unread_count, attention_count } = await person.call(listNotifications, {})
    return { unread: unread_count, attention: attention_count }
  }
  return { person, fire, counts }
}
const rows = (page: Page) => page.getByRole('list', { name: '訊號', exact: true }).locator('[data-key]')
const unread = (page: Page) => page.locator('main [data-unread]')
const row = (page: Page, price: string) => rows(page).filter({ hasText: price })

test('what stood in view for a second is read, here and on the other device; the badge is what it was @phone', async ({
  page,
  browser,
  server,
}) => {
  const { person, fire, counts } = await desk(server)
  await fire(60)
  expect(await counts()).toEqual({ unread: 60, attention: 0 })
  // this one stands where the newest are; the other device looks at what comes later
  await openAs(page, server.url, person, '/dashboard')
  await expect(row(page, '46,060')).toBeVisible()
  await expect(unread(page).first()).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: '60 筆新訊號' })).toBeVisible()
  await expect(page.locator('[data-count]')).toHaveCount(0)
  await row(page, '46,060').scrollIntoViewIfNeeded()
  await expect.poll(async () => (await counts()).unread, { timeout: 20_000 }).toBeLessThan(60)
  const seen = (await counts()).unread
  // of what was not scrolled to nothing is read
  expect(seen).toBeGreaterThan(20)
  await expect(row(page, '46,060')).not.toHaveAttribute('data-unread')
  const other = await (await browser.newContext()).newPage()
  await openAs(other, server.url, person, '/dashboard')
  await expect(row(other, '46,060')).toBeVisible()
  // there it was left off here: nothing is new, until something comes
  await expect(unread(other)).toHaveCount(0)
  await other.evaluate(() => scrollTo(0, 0))
  await fire(1)
  await expect(row(other, '46,061')).toBeAttached()
  await expect(page.locator('[data-count]')).toHaveCount(0)
  expect((await counts()).attention).toBe(0)
})

test('elsewhere a dot at 首頁 says that something came, until it was looked at @phone', async ({
  page,
  server,
}) => {
  const { person, fire, counts } = await desk(server)
  await fire(1)
  await openAs(page, server.url, person, '/dashboard')
  await expect.poll(async () => (await counts()).unread, { timeout: 20_000 }).toBe(0)
  const tabs = page.getByRole('navigation', { name: '主要' })
  const dot = tabs.getByText('有新訊號')
  await tabs.getByRole('link', { name: '策略', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: '策略列表' })).toBeVisible()
  await expect(dot).toHaveCount(0)
  await fire(1)
  await expect(dot).toHaveCount(1)
  await tabs.getByRole('link', { name: '首頁' }).click()
  await expect(row(page, '46,002')).toBeVisible()
  await expect(dot).toHaveCount(0)
  await expect.poll(async () => (await counts()).unread, { timeout: 20_000 }).toBe(0)
  await tabs.getByRole('link', { name: '策略', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: '策略列表' })).toBeVisible()
  await expect(dot).toHaveCount(0)
})

test('what came since one left is over 「看到這裡」, and opening one reads it', {
  tag: ['@desktop'],
}, async ({ page, server }) => {
  const { person, fire, counts } = await desk(server)
  await fire(3)
  await openAs(page, server.url, person, '/dashboard')
  await expect.poll(async () => (await counts()).unread, { timeout: 20_000 }).toBe(0)
  await page.goto(`${server.url}/strategies`)
  await fire(4)
  await page.goto(`${server.url}/dashboard`)
  await expect(page.getByText('看到這裡')).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: '4 筆新訊號' })).toBeVisible()
  const [line, last] = await Promise.all([
    page.getByText('看到這裡').boundingBox(),
    row(page, '46,003').boundingBox(),
  ])
  expect(Math.abs((line?.y ?? 0) + (line?.height ?? 0) / 2 - (last?.y ?? 0))).toBeLessThan(2)
  await axe(page)
  await row(page, '46,005').getByRole('link').click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expect(page).toHaveURL(/\/dashboard\?signal=/)
  await page.goBack()
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect.poll(async () => (await counts()).unread, { timeout: 20_000 }).toBe(0)
})

test('it goes on for as long as one scrolls, and what comes moves nothing that is read @phone', async ({
  page,
  context,
  server,
}) => {
  await context.addInitScript(() => {
    Object.assign(window, { moved: 0 })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[])
        (window as unknown as { moved: number }).moved += entry.value
    }).observe({ type: 'layout-shift', buffered: true })
  })
  const { person, fire } = await desk(server)
  await fire(120)
  await openAs(page, server.url, person, '/dashboard')
  // the list is whole: what its first rows brought is behind us
  await expect(row(page, '46,120')).toHaveAttribute('aria-setsize', '120')
  const moved = () => page.evaluate(() => (window as unknown as { moved: number }).moved)
  const before = await moved()
  // at the top a new one comes in by itself
  await fire(2)
  await expect(row(page, '46,122')).toBeVisible()
  // rows in sight are few of all: the rest comes with scrolling
  expect(await rows(page).count()).toBeLessThan(60)
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight / 2))
  const reading = rows(page).filter({ visible: true }).nth(12)
  await expect(reading).toBeInViewport()
  const key = (await reading.getAttribute('data-key')) ?? ''
  const at = () => page.locator(`[data-key="${key}"]`).boundingBox()
  const place = await at()
  await fire(3)
  await expect(page.getByRole('button', { name: /3 筆新訊號/ })).toBeVisible()
  expect(Math.abs(((await at())?.y ?? 0) - (place?.y ?? 0))).toBeLessThan(1)
  expect((await moved()) - before).toBe(0)
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  await expect(row(page, '46,001')).toBeInViewport()
})

test('two filters in sight, the others behind one', { tag: ['@desktop'] }, async ({ page, server }) => {
  const { person, fire } = await desk(server)
  await fire(2)
  await openAs(page, server.url, person, '/dashboard')
  await expect(row(page, '46,002')).toBeVisible()
  const bar = page.locator('main [data-filters]')
  // of few strategies one is chosen in the platform's own list
  await expect(bar.getByRole('combobox')).toHaveCount(1)
  await bar.getByRole('button', { name: '篩選' }).click()
  const sheet = page.getByRole('dialog', { name: '篩選' })
  await sheet.getByRole('combobox', { name: '動作' }).selectOption({ label: '平倉' })
  await sheet.getByRole('button', { name: '完成' }).click()
  await expect(rows(page)).toHaveCount(1)
  await expect(bar.getByRole('button', { name: /^篩選/ })).toContainText('1')
  await expect(page).toHaveURL(/\/dashboard$/)
  await bar.getByRole('button', { name: '清除篩選' }).click()
  await expect(rows(page)).toHaveCount(2)
})

test('a fresh device shows the newest with the page’s first answer, before its own list is here; the list moves none of them @phone', async ({
  page,
  server,
}) => {
  const { person, fire } = await desk(server)
  await fire(30)
  let open = () => {}
  const gate = new Promise<void>((done) => {
    open = done
  })
  await page.route('**/api/v1/signals?latest=*', async (route) => {
    await gate
    await route.continue()
  })
  await openAs(page, server.url, person, '/dashboard')
  await expect(row(page, '46,030')).toBeVisible()
  const before = await row(page, '46,030').boundingBox()
  const line = rows(page).first()
  await expect(line).not.toHaveAttribute('aria-setsize', '30')
  open()
  await expect(line).toHaveAttribute('aria-setsize', '30')
  expect(await row(page, '46,030').boundingBox()).toEqual(before)
})
