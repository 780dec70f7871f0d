// 損益 in four ways: what is in view by wheel and pinch, a full screen and a turned phone, days, months, spread, both sides, a picture.
import type { Locator, Page } from '@playwright/test'
import { createStrategy, getStrategy, type Strategy, type StrategyInput } from '#contract/strategy.ts'
import { axe, expect, test } from '#tests/support/app.ts'
import { hookPath } from '#tests/support/desk.ts'
import { type Person, signUp } from '#tests/support/people.ts'
import { everythingKept, openSignedIn } from '#tests/support/screen.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { noHolidays } from '#tests/support/ten-trades.ts'

let server: TestServer
let person: Person
let strategy: Strategy
let fixed: number | null = null

/** Points of a day's trade; even days long, odd ones short. */
const POINTS = [60, -140, 90, -60, 150, -210, 80, 40, -30, 70, 110, -40]

test.beforeAll(async () => {
  const dist = process.env['DIST_DIR']
  const overrides = { now: () => fixed ?? Date.now() }
  server = await startServer({ overrides, env: dist ? { DIST_DIR: dist } : {} })
  noHolidays(server)
  person = await signUp(server, '周曉晴')
  strategy = await make(person, '多空都做')
  for (const [n, points] of POINTS.entries()) {
    const side = n % 2 === 0 ? 'long' : 'short'
    const morning = Date.parse('2026-05-25T01:00:00Z') + n * 86_400_000
    await say(`${side}_entry`, 22_000, morning)
    await say(`${side}_exit`, side === 'long' ? 22_000 + points : 22_000 - points, morning + 3_600_000)
  }
})
test.afterAll(() => server.close())

const make = (of: Person, name: string) =>
  of.call(createStrategy, {
    kind: 'futures',
    name,
    direction: 'both',
    initial_capital: 100_000,
    settings: { product_code: 'MXF' },
  } as StrategyInput)

async function say(action: string, price: number, at_ms: number, of = strategy) {
  fixed = at_ms
  const time = new Date(at_ms).toISOString()
  const body = JSON.stringify({ symbol: 'TAIFEX:MXF1!', action, quantity: 1, price, time })
  const answer = await fetch(new URL(hookPath(of), server.url), { method: 'POST', body })
  fixed = null
  expect(answer.status, await answer.text()).toBe(200)
}

const cardOf = (page: Page) => page.getByRole('region', { name: '損益與權益曲線' })
const choose = (within: Locator, name: string) => within.getByText(name, { exact: true }).click()

async function openCard(browser: Parameters<typeof openSignedIn>[0]) {
  const page = await openSignedIn(browser, server.url, person, `/strategies/${strategy.id}?tab=overview`)
  const card = cardOf(page)
  await expect(card.locator('.chart-point-halo')).toBeVisible()
  await expect(page.locator('.overview-tab')).toHaveAttribute('data-by', 'device')
  return { page, card }
}

async function middle(one: Locator) {
  await one.evaluate((node) => node.scrollIntoView({ block: 'center' }))
  const box = await one.boundingBox()
  if (!box) throw new Error('not on the screen')
  return { x: box.x + box.width / 2, y: box.y + box.height / 2, width: box.width }
}

test('the wheel and a drag choose what is in view, and the whole comes back @desktop', async ({
  browser,
}) => {
  const { page, card } = await openCard(browser)
  const chart = card.locator('.equity-chart-box')
  const whole = card.getByRole('button', { name: '看整段' })
  await expect(whole).toHaveCount(0)
  await expect(async () => {
    const { x, y } = await middle(chart)
    await page.mouse.move(x, y)
    // a wheel that turns while the page still moves is the page's: it has to rest first
    await page.waitForTimeout(600)
    await page.mouse.wheel(0, -240)
    await expect(whole).toBeVisible({ timeout: 1_000 })
  }).toPass()
  // the newest day is out of sight until it is pulled in
  const end = card.locator('.chart-point-halo')
  await expect(end).toHaveCount(0)
  const { x, y, width } = await middle(chart)
  await page.mouse.move(x + width / 3, y)
  await page.mouse.down()
  await page.mouse.move(x - width / 3, y, { steps: 5 })
  await page.mouse.move(x - width, y, { steps: 5 })
  await page.mouse.up()
  await expect(end).toHaveCount(1)
  await expect(whole).toBeVisible()
  await whole.click()
  await expect(whole).toHaveCount(0)
  // nothing is left to zoom out: the wheel is the page's
  await page.evaluate(() => scrollTo(0, 0))
  await expect(async () => {
    const box = await chart.boundingBox()
    await page.mouse.move((box?.x ?? 0) + 50, (box?.y ?? 0) + 50)
    await page.mouse.wheel(0, 300)
    expect(await page.evaluate(() => scrollY)).toBeGreaterThan(0)
  }).toPass()
  await expect(whole).toHaveCount(0)
  await page.context().close()
})

test('two fingers choose what is in view @phone', async ({ browser }) => {
  const { page, card } = await openCard(browser)
  const chart = card.locator('.equity-chart-box')
  const cdp = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', xs: number[], y: number) =>
    cdp.send('Input.dispatchTouchEvent', { type, touchPoints: xs.map((x, id) => ({ x, y, id })) })
  const whole = card.getByRole('button', { name: '看整段' })
  await expect(async () => {
    const { x, y } = await middle(chart)
    await touch('touchStart', [x - 20, x + 20], y)
    for (const away of [30, 50, 80, 110]) await touch('touchMove', [x - away, x + away], y)
    await touch('touchEnd', [], y)
    await expect(whole).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await whole.click()
  await expect(whole).toHaveCount(0)
  await page.context().close()
})

test('it fills the screen by its key, and Escape brings the page back as it was', async ({ browser }) => {
  const { page, card } = await openCard(browser)
  const key = card.getByRole('button', { name: '全螢幕' })
  await key.click()
  const full = page.getByRole('dialog', { name: '多空都做的損益' })
  await expect(full.locator('.chart-point-halo')).toBeVisible()
  const size = page.viewportSize()
  await expect
    .poll(async () => {
      const box = await full.boundingBox()
      return [box?.width, box?.height]
    })
    .toEqual([size?.width, size?.height])
  await choose(full, '每日')
  await expect(full.getByRole('img', { name: /^每日淨損益/ })).toBeVisible()
  expect(await axe(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(full).toHaveCount(0)
  await expect(key).toBeFocused()
  await expect(card.getByRole('img', { name: /^每日淨損益/ })).toBeVisible()
  await page.context().close()
})

test('a phone turned on its side has the chart alone, and turned back the page @phone', async ({
  browser,
}) => {
  const { page, card } = await openCard(browser)
  await page.setViewportSize({ width: 844, height: 390 })
  const full = page.getByRole('dialog', { name: '多空都做的損益' })
  await expect(full.locator('.chart-point-halo')).toBeVisible()
  await expect
    .poll(async () => (await full.locator('.equity-chart-box').boundingBox())?.height ?? 0)
    .toBeGreaterThan(240)
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(full).toHaveCount(0)
  await expect(card.locator('.chart-point-halo')).toBeVisible()
  await page.context().close()
})

test('days, months and the spread, each as a table for who hears the page; the two sides apart', async ({
  browser,
}) => {
  const { page, card } = await openCard(browser)
  const picture = card.locator('.equity-card-view')
  const height = async () => Math.round((await picture.boundingBox())?.height ?? 0)
  const before = await height()
  await choose(card, '每日')
  await expect(
    card.getByRole('img', { name: '每日淨損益，2026/05/25 至 2026/06/05，賺 5 天，賠 5 天' }),
  ).toBeVisible()
  await card.getByRole('button', { name: '多空分開' }).click()
  await expect(card.locator('[data-chart="daily"]')).toContainText('上面多單，下面空單')
  await expect(card.locator('canvas').first()).toBeVisible()
  await card.getByRole('button', { name: '以表格看' }).click()
  const days = card.getByRole('region', { name: '逐日淨損益' })
  await expect(days.getByRole('row')).toHaveCount(1 + 10)
  expect(await axe(page)).toEqual([])
  await card.getByRole('button', { name: '看圖' }).click()

  await choose(card, '月曆')
  const may = card.getByRole('table', { name: '2026 年 5 月每日淨損益' })
  const june = card.getByRole('table', { name: '2026 年 6 月每日淨損益' })
  await expect(june.getByRole('button')).toHaveCount(5)
  expect(await height()).toBe(before)
  await card.getByRole('button', { name: '上個月' }).click()
  await expect(may.getByRole('button')).toHaveCount(5)
  expect(await axe(page)).toEqual([])
  await may.getByRole('button').first().click()
  const opened = page.getByRole('dialog', { name: '2026/05/25' })
  await expect(opened).toContainText('交易次數')
  await expect(opened).toContainText('1 筆')
  await page.keyboard.press('Escape')
  await expect(opened).toHaveCount(0)

  await choose(card, '分布')
  await expect(card.getByRole('img', { name: '每筆淨損益的分布，賺 7 筆，賠 5 筆' })).toBeVisible()
  expect(await height()).toBe(before)
  await card.getByRole('button', { name: '以表格看' }).click()
  const bins = card.getByRole('region', { name: '每筆淨損益的分布' })
  await expect(bins.getByRole('row')).not.toHaveCount(0)
  const counts = await bins.getByRole('row').locator('td:last-child').allInnerTexts()
  expect(counts.reduce((total, text) => total + Number(text), 0)).toBe(12)
  expect(await axe(page)).toEqual([])
  await page.context().close()
})

test('a picture to share says what was chosen to be told', async ({ browser }) => {
  const { page, card } = await openCard(browser)
  await card.getByRole('button', { name: '分享圖片' }).click()
  const sheet = page.getByRole('dialog', { name: '分享圖片' })
  await expect(sheet.getByRole('img', { name: /多空都做.*淨損益，.*元/ })).toBeVisible()
  await choose(sheet, '只有百分比')
  const shares = sheet.getByRole('img', { name: /多空都做.*報酬率/ })
  await expect(shares).toBeVisible()
  await expect(shares).not.toHaveAccessibleName(/元/)
  await choose(sheet, '只有圖')
  await expect(sheet.getByRole('img')).toHaveAccessibleName('要分享的圖：只有曲線，沒有名稱與數字')
  expect(await axe(page)).toEqual([])
  const saved = page.waitForEvent('download')
  await sheet.getByRole('button', { name: '下載' }).click()
  expect((await saved).suggestedFilename()).toBe('損益曲線.png')
  await page.context().close()
})

test('one curve over all strategies stands over their list, also without a network @phone', {
  tag: '@worker',
}, async ({ browser }) => {
  const other = await signUp(server, '林小滿')
  const [first, second] = [await make(other, '第一個'), await make(other, '第二個')]
  for (const [at, one] of [first, second].entries()) {
    const morning = Date.parse('2026-06-02T01:00:00Z') + at * 86_400_000
    await say('long_entry', 22_000, morning, one)
    await say('long_exit', 22_100 + at, morning + 3_600_000, one)
  }
  const sum = await Promise.all(
    [first, second].map(async ({ id }) => (await other.call(getStrategy, { id })).summary.net_profit),
  )
  const shown = `+${sum.reduce((total, net) => total + net, 0).toLocaleString('en-US')}`
  const page = await openSignedIn(browser, server.url, other, '/strategies')
  const all = page.getByRole('region', { name: '全部策略的損益' })
  await expect(all).toContainText(shown)
  await expect(all).toContainText('自 2026/06/02')
  await expect(all.getByRole('img', { name: '全部策略的累計已實現損益' })).toBeVisible()
  await everythingKept(page)
  await page.context().setOffline(true)
  await page.goto(`${server.url}/strategies`)
  await expect(all).toContainText(shown)
  await page.context().close()
})
