// What the open app tells of a signal: shown where somebody looks, opened when it is opened, each once, offline too; and nothing from a hidden page.
import type { Page } from '@playwright/test'
import { updateNotificationSetting } from '#contract/notification.ts'
import { createStrategy } from '#contract/strategy.ts'
import { expect, test } from '#tests/support/app.ts'
import { hookPath } from '#tests/support/desk.ts'
import { signUp } from '#tests/support/people.ts'
import { openAs } from '#tests/support/screen.ts'
import type { TestServer } from '#tests/support/server.ts'

async function desk(server: TestServer) {
  const person = await signUp(server, '林柏翰')
  const settings = { product_code: 'MXF' }
  const strategy = await person.call(createStrategy, { kind: 'futures', name: '台指突破', settings })
  const path = hookPath(strategy)
  const fire = async (price: number) => {
    const body = JSON.stringify({ id: `p${price}`, symbol: 'MXF1!', action: 'buy', qty: 1, price })
    expect((await server.request(path, { method: 'POST', body })).status).toBe(200)
  }
  /** How the lines of the inbox stand, oldest first. */
  const told = async () => {
    const rows = await server.app.db
      .selectFrom('notifications')
      .select(['shown_at', 'opened_at'])
      .where('uid', '=', person.uid)
      .where('listed', '=', 1)
      .orderBy('id')
      .execute()
    return rows.map(({ shown_at, opened_at }) => [shown_at !== null, opened_at !== null])
  }
  return { person, strategy, fire, told }
}

/** Calls with receipts that the page has sent: the server has them sooner than this process hears of them. */
function receipts(page: Page): string[] {
  const urls: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/signals/receipts')) urls.push(request.url())
  })
  return urls
}
const row = (page: Page, price: string) =>
  page.getByRole('list', { name: '訊號' }).getByRole('listitem').filter({ hasText: price })
const open = (page: Page, price: string) => row(page, price).getByRole('link').click()

test('a signal that comes while one looks is told shown, then opened, and its way says so @phone', async ({
  page,
  server,
}) => {
  const { person, fire, told } = await desk(server)
  await fire(46_001)
  await expect.poll(told).toEqual([[false, false]])
  await openAs(page, server.url, person, '/signals')
  await expect(row(page, '46,001')).toBeVisible()
  await fire(46_002)
  await expect(row(page, '46,002')).toBeVisible()
  await expect.poll(told, { timeout: 60_000 }).toEqual([
    [false, false],
    [true, false],
  ])
  await open(page, '46,002')
  const record = page.getByRole('dialog')
  await expect(record.getByText('站內畫面顯示')).toBeVisible()
  await expect.poll(told, { timeout: 60_000 }).toEqual([
    [false, false],
    [true, true],
  ])
  // The old one was opened in the app as well, and shown by that.
  await page.goBack()
  await expect(record).toBeHidden()
  await open(page, '46,001')
  await expect.poll(told, { timeout: 60_000 }).toEqual([
    [true, true],
    [true, true],
  ])
  // Its way is read anew with the next opening, as soon as the page knows that the server has it.
  await expect(async () => {
    await page.goBack()
    await expect(record).toBeHidden()
    await open(page, '46,001')
    await expect(record.getByText('在站內打開')).toBeVisible({ timeout: 5_000 })
  }).toPass({ timeout: 60_000 })
})

test('who wants none in the inbox sends none', { tag: ['@desktop', '@soak'] }, async ({ page, server }) => {
  const { person, fire, told } = await desk(server)
  await person.call(updateNotificationSetting, { 'kinds.signal.in_app': false })
  const sent = receipts(page)
  await openAs(page, server.url, person, '/signals')
  await expect(page.getByText('還沒有訊號')).toBeVisible()
  await fire(46_003)
  await expect(row(page, '46,003')).toBeVisible()
  await open(page, '46,003')
  await expect(page.getByRole('dialog').getByText('存入紀錄')).toBeVisible()
  // Switched on again, the next one is told of, and the one before still is not.
  await person.call(updateNotificationSetting, { 'kinds.signal.in_app': true })
  await page.goBack()
  await fire(46_004)
  await expect(row(page, '46,004')).toBeVisible()
  await expect.poll(told, { timeout: 60_000 }).toEqual([[true, false]])
  await expect.poll(() => sent.length).toBeGreaterThan(0)
  expect(sent).toHaveLength(1)
})

test('how long each step takes: what could not be read says so, and is tried again', {
  tag: ['@phone', '@soak'],
}, async ({ page, server }) => {
  const { person, strategy, fire } = await desk(server)
  await fire(46_005)
  await page.route('**/latency', (route) => route.abort())
  await openAs(page, server.url, person, `/strategies/${strategy.id}?tab=settings`)
  const failed = page.getByRole('alert').filter({ hasText: '讀不到每一步的時間' })
  await expect(failed).toBeVisible({ timeout: 60_000 })
  await page.unroute('**/latency')
  await failed.getByRole('button', { name: '重試' }).click()
  await expect(page.getByRole('table', { name: '訊號每一步花的時間' })).toContainText('收到 → 存好')
})
