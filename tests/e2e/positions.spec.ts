// 部位: a report of the source that does not fit is answered, what waits is laid over, and the step line has its table in its place.
import type { Browser, Locator } from '@playwright/test'
import { listStrategySignals } from '#contract/signal.ts'
import { createStrategy, getStrategy, type Strategy } from '#contract/strategy.ts'
import { axe, expect, test } from '#tests/support/app.ts'
import { hookPath } from '#tests/support/desk.ts'
import { inkUnder } from '#tests/support/ink.ts'
import { type Person, signUp } from '#tests/support/people.ts'
import { everythingKept, openSignedIn, signedInContext } from '#tests/support/screen.ts'
import type { TestServer } from '#tests/support/server.ts'

const MINUTE = 60_000

/** One strategy on MXF; each report says where the source stood before and stands after, two minutes apart, the last just now. */
async function reported(
  server: TestServer,
  person: Person,
  reports: readonly (readonly [number, number, number])[],
): Promise<Strategy> {
  const strategy = await person.call(createStrategy, {
    kind: 'futures',
    name: '小台順勢',
    settings: { product_code: 'MXF' },
  })
  const start = Date.now() - reports.length * 2 * MINUTE
  for (const [n, [prev, to, price]] of reports.entries()) {
    const word = prev > 0 ? 'long' : prev < 0 ? 'short' : 'flat'
    const body = JSON.stringify({
      ...{ symbol: 'MXF1!', action: to > prev ? 'buy' : 'sell', contracts: Math.abs(to - prev), price },
      ...{ position_size: to, prev_market_position: word, prev_market_position_size: Math.abs(prev) },
      timenow: new Date(start + n * 2 * MINUTE).toISOString(),
    })
    const answer = await server.request(hookPath(strategy), { method: 'POST', body })
    expect(answer.status, await answer.text()).toBe(200)
  }
  return strategy
}

/** 平台 1 / 來源 2: one was never heard of. */
const MISSED = [
  [0, 1, 22_000],
  [2, 3, 22_100],
] as const

async function open(browser: Browser, server: TestServer, person: Person, path: string) {
  const { viewport = null, isMobile, hasTouch } = test.info().project.use
  const device = {
    viewport,
    ...(isMobile !== undefined && { isMobile }),
    ...(hasTouch !== undefined && { hasTouch }),
  }
  const context = await signedInContext(browser, server.url, person, device)
  return openSignedIn(browser, server.url, person, path, context)
}

test('a mismatch → 補一筆 with what is missing filled in → it fits again', { tag: '@phone' }, async ({
  browser,
  server,
}) => {
  const person = await signUp(server, '周曉晴')
  const strategy = await reported(server, person, MISSED)
  const page = await open(browser, server, person, `/strategies/${strategy.id}?tab=signals`)
  await page.locator('.notices').getByRole('link', { name: '去看看' }).click()
  const card = page.getByRole('region', { name: '部位不一致' })
  await expect(card).toContainText('平台 多 1 口／來源 多 2 口')
  const held = page.getByRole('region', { name: '現在部位' })
  await expect(held).toContainText('22,066.67')
  expect(await axe(page)).toEqual([])

  await card.getByRole('link', { name: '補一筆' }).click()
  const sheet = page.getByRole('dialog', { name: '補一筆' })
  await expect(sheet.getByRole('textbox', { name: '數量' })).toHaveValue('1')
  await expect(sheet).toContainText(/當時的部位\s*多 1 口\s*→\s*多 2 口/)
  await sheet.getByRole('textbox', { name: '價格' }).fill('22050')
  await sheet.getByRole('button', { name: '送出買進 1 口' }).click()
  await expect(sheet).toHaveCount(0)
  await expect(card).toHaveCount(0)
  // (22,000 + 22,050 + 22,100) ÷ 3, marked at 22,100
  await expect(held).toContainText('22,050')
  await expect(held).toContainText('+7,500')
  const { items } = await person.call(listStrategySignals, { id: strategy.id })
  expect(items.map(({ source }) => source).toSorted()).toEqual(['manual', 'webhook', 'webhook'])
  await page.context().close()
})

test('以來源為準 and 忽略 leave who answered what, and may be answered anew; what waits is marked', {
  tag: ['@desktop', '@worker'],
}, async ({ browser, server }) => {
  const person = await signUp(server, '周曉晴')
  const strategy = await reported(server, person, MISSED)
  const page = await open(browser, server, person, `/strategies/${strategy.id}?tab=positions`)
  const card = page.getByRole('region', { name: '部位不一致' })
  await card.getByRole('button', { name: '忽略' }).click()
  await expect(card).toHaveCount(0)
  const line = page.getByText(/的部位不一致（平台 多 1 口／來源 多 2 口）/)
  await expect(line).toContainText('已忽略（周曉晴，')
  await page.getByRole('button', { name: '重新回答' }).click()
  await card.getByRole('button', { name: '以來源為準' }).click()
  await expect(line).toContainText('以來源為準（周曉晴，')
  expect((await person.call(getStrategy, { id: strategy.id })).warnings).toEqual([])

  const held = page.getByRole('region', { name: '現在部位' })
  await expect(held).toContainText('多')
  // the sheet comes from what the device keeps
  await everythingKept(page)
  await page.context().setOffline(true)
  await page.getByRole('link', { name: '手動訊號' }).and(page.locator(':visible')).click()
  const sheet = page.getByRole('dialog', { name: '手動訊號' })
  await sheet.getByRole('group', { name: '動作' }).getByRole('button', { name: /^平倉/ }).click()
  await sheet.getByRole('textbox', { name: '價格' }).fill('22200')
  await sheet.getByRole('button', { name: '送出平倉' }).click()
  await expect(held).toContainText('待送出')
  await expect(held).toContainText('現在 多 3 口')
  await page.context().close()
})

test('the step line: no word on what is drawn, one table in its place, and it moves with the next signal', {
  tag: '@desktop',
}, async ({ browser, server }) => {
  const person = await signUp(server, '周曉晴')
  const strategy = await reported(server, person, [
    [0, 2, 22_000],
    [2, 5, 22_010],
    [5, 0, 22_020],
    [0, -3, 22_030],
    [-3, -1, 22_040],
    [-1, 1, 22_050],
  ])
  const page = await open(browser, server, person, `/strategies/${strategy.id}?tab=positions`)
  const chart = page.getByRole('img', { name: /^部位變化，.*現在多 1 口$/ })
  const labels = page.locator('[data-over="history"] > span')
  await expect(labels).toHaveText(['+5', '0', '−3', '+1'])
  const canvases = '[role="img"][aria-label^="部位變化"] canvas'
  await expect.poll(() => inkUnder(page, chart, canvases)).toBeGreaterThan(1_000)
  await expect(async () => {
    for (const one of await labels.all())
      expect(await inkUnder(page, one, canvases), await one.innerText()).toBe(0)
  }).toPass({ timeout: 60_000 })

  const card = page.getByRole('region', { name: '部位變化' })
  const size = async (one: Locator) => (await one.boundingBox())?.height
  const before = await size(card)
  await card.getByRole('button', { name: /^以表格看/ }).click()
  const rows = page.getByRole('region', { name: '每次變化' }).getByRole('row')
  await expect(rows).toHaveCount(1 + 6)
  await expect(rows.nth(1)).toContainText('−1 → +1')
  await expect.poll(() => size(card)).toBe(before)
  expect(await axe(page)).toEqual([])

  const body = JSON.stringify({ symbol: 'MXF1!', action: 'close_all', price: 22_060, time: new Date() })
  const answer = await server.request(hookPath(strategy), { method: 'POST', body })
  expect(answer.status, await answer.text()).toBe(200)
  await expect(rows).toHaveCount(1 + 7)
  await expect(rows.nth(1)).toContainText('+1 → 0')
  await expect(page.getByRole('region', { name: '現在部位' })).toContainText('空手')
  await card.getByRole('button', { name: /^看圖/ }).click()
  await expect(page.getByRole('img', { name: /現在空手$/ })).toBeVisible()
  await page.context().close()
})
