// The ten trades of domain §6.2, posted as webhooks: the same figures on the screen, computed on the device, also with the network gone.
import type { Page } from '@playwright/test'
import { createStrategy, type Strategy, type StrategyInput } from '#contract/strategy.ts'
import { axe, expect, test } from '#tests/support/app.ts'
import { type Person, signUp } from '#tests/support/people.ts'
import { everythingKept, openSignedIn, signedInContext } from '#tests/support/screen.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { kept } from '#tests/support/storages.ts'
import { noHolidays, postTen, TEN_STRATEGY } from '#tests/support/ten-trades.ts'

interface Stage {
  server: TestServer
  person: Person
  ten: Strategy
}
let fixed: number | null = null
let stage: Stage

test.beforeAll(async () => {
  const dist = process.env['DIST_DIR']
  const overrides = { now: () => fixed ?? Date.now() }
  const server = await startServer({ overrides, env: dist ? { DIST_DIR: dist } : {} })
  noHolidays(server)
  const person = await signUp(server, '周曉晴')
  const ten = await person.call(createStrategy, TEN_STRATEGY as StrategyInput)
  await postTen(server.url, ten, (ms) => {
    fixed = ms
  })
  stage = { server, person, ten }
})
test.afterAll(() => stage.server.close())

const row = (page: Page, label: string) => page.locator('.figure-rows li', { hasText: label })

/** The figures of domain §6.2 as they are written. */
async function expectTheFigures(page: Page) {
  await expect(page.locator('.equity-card-big')).toContainText('+32,016')
  await expect(page.locator('.equity-card-big')).toContainText('+6.40%')
  const written: [string, string][] = [
    ['勝率', '60.00%'],
    ['獲利因子', '3.04'],
    ['賺賠比', '2.02'],
    ['期望值', '+3,202'],
    ['最大回撤', '−2.95%'],
    ['最大回撤', '−15,728 元'],
    ['夏普值', '2.44'],
    ['回復因子', '2.04'],
    ['交易次數', '10'],
    ['最長未創高', '34'],
    ['最大連敗', '4'],
    ['毛損益', '+33,250'],
    ['手續費', '650'],
    ['交易稅', '584'],
    ['平均獲利', '7,957'],
    ['平均虧損', '3,932'],
    ['最大單筆獲利', '+20,812'],
    ['最大單筆虧損', '−8,190'],
    ['平均持有', '20 小時 5 分'],
    ['最大連勝', '5'],
  ]
  for (const [label, text] of written) await expect(row(page, label).first()).toContainText(text)
  for (const [month, text] of [
    ['6', '+33,936'],
    ['7', '−11,132'],
    ['8', '+9,212'],
  ] as const)
    await expect(page.getByRole('button', { name: new RegExp(`^2026 年 ${month} 月`) })).toContainText(text)
  await expect(page.getByRole('button', { name: /^多淨損益/ })).toHaveText('+15,242')
  await expect(page.getByRole('button', { name: /^空淨損益/ })).toHaveText('+16,774')
  await expect(page.getByRole('button', { name: /^夜盤交易次數/ })).toHaveText('2')
}

test('the ten trades: figures, each opens into its trades, and offline after a restart the device computes the same @desktop', {
  tag: '@worker',
}, async ({ browser }) => {
  const { server, person, ten } = stage
  const path = `/strategies/${ten.id}`
  const page = await openSignedIn(browser, server.url, person, path)
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' && !/^Failed to load/.test(message.text())) complaints.push(message.text())
  })
  // Closed trades: the overview comes first.
  await expect(page.getByRole('tab', { name: '總覽' })).toHaveAttribute('aria-selected', 'true')
  await expect(page.locator('.overview-tab')).toHaveAttribute('data-by', 'device')
  await expectTheFigures(page)
  await expect(page.getByRole('img', { name: /^日終權益曲線與當日最深回撤/ })).toHaveAccessibleName(
    /2026\/06\/02 至 2026\/08\/19，最後權益 532,016 元，最大回撤 −2\.95%/,
  )
  expect(await axe(page)).toEqual([])

  // A figure opens into its formula and the trades of the fall; a trade opens into its two signals.
  await row(page, '最大回撤').first().click()
  const sheet = page.getByRole('dialog').last()
  await expect(sheet).toContainText('先前最高點')
  await expect(sheet.locator('.trade-line')).toHaveCount(4)
  await sheet.locator('.trade-line', { hasText: '−8,190' }).click()
  const opened = page.getByRole('dialog').last()
  await expect(opened).toContainText('−8,000 元')
  await opened.getByText('出場訊號').click()
  await expect(page.getByRole('dialog', { name: '訊號紀錄' })).toContainText('22,420')

  // The network goes, the browser starts again with what the device holds.
  await everythingKept(page)
  const whole = Array.from({ length: 20 }, (_, at) => ['signals', ten.id, `"chain_seq":${at + 1},`])
  await kept(
    page,
    ['answers', '["personal","strategy","one"', ten.id],
    ['answers', '["person","market","calendar"]'],
    ...whole,
  )
  await page.context().setOffline(true)
  await page.goto(`${server.url}${path}`)
  await expect(page.locator('.overview-tab')).toHaveAttribute('data-by', 'device')
  await expectTheFigures(page)
  await page
    .getByRole('region', { name: '權益曲線' })
    .getByRole('radio', { name: '今年' })
    .check({ force: true })
  await expect(page.locator('.equity-card-big')).toContainText('今年淨損益')
  await page.getByRole('tab', { name: '交易' }).click()
  await expect(page.locator('.trade-window-list > li')).toHaveCount(10)
  await page.getByRole('button', { name: '虧損' }).click()
  await expect(page.locator('.trade-window-list > li')).toHaveCount(4)
  await page.context().setOffline(false)
  expect(complaints).toEqual([])
  await page.context().close()
})

test('without a closed trade there is nothing to compute, and the signals come first @phone', async ({
  browser,
}) => {
  const { server, person } = stage
  const input = { kind: 'futures', name: '還沒開始', settings: { product_code: 'TXF' } }
  const empty = await person.call(createStrategy, input as StrategyInput)
  const page = await openSignedIn(browser, server.url, person, `/strategies/${empty.id}`)
  await expect(page.getByRole('tab', { name: '訊號' })).toHaveAttribute('aria-selected', 'true')
  await page.getByRole('tab', { name: '總覽' }).click()
  await expect(page.getByText('還沒有平倉的交易')).toBeVisible()
  await page.getByRole('tab', { name: '交易' }).click()
  await expect(page.getByText('還沒有平倉的交易')).toBeVisible()
  await page.context().close()
})

test('where the device cannot compute, the server does, and its answer is kept for offline', {
  tag: ['@phone', '@worker', '@soak'],
}, async ({ browser }) => {
  const { server, person, ten } = stage
  const context = await signedInContext(browser, server.url, person)
  await context.route('**/api/v1/market/calendar', (route) => route.abort())
  const page = await openSignedIn(browser, server.url, person, '/dashboard', context)
  await page.goto(`${server.url}/strategies/${ten.id}?tab=overview`)
  await expect(page.locator('.overview-tab')).toHaveAttribute('data-by', 'server', { timeout: 60_000 })
  await expectTheFigures(page)
  await everythingKept(page)
  await kept(
    page,
    ['answers', '["personal","strategy","one"', ten.id],
    ['answers', '["personal","strategy","statistics"', ten.id],
  )
  await page.context().setOffline(true)
  await page.reload()
  await expect(page.locator('.overview-tab')).toHaveAttribute('data-by', 'server')
  await expectTheFigures(page)
  await expect(page.locator('.strategy-detail-page-tab').getByText(/資料更新於/)).toBeVisible()
  await page.context().close()
})

test('privacy mode shows shares, no amounts @phone', async ({ browser }) => {
  const { server, person, ten } = stage
  const page = await openSignedIn(browser, server.url, person, '/dashboard')
  await page.evaluate(() => localStorage.setItem('privacyMode', 'true'))
  await page.goto(`${server.url}/strategies/${ten.id}?tab=overview`)
  await expect(page.locator('.equity-card-big')).toContainText('+6.40%')
  await expect(page.locator('.equity-chart-over .equity-chart-axis').first()).toBeVisible()
  const text = await page.locator('.overview-tab').innerText()
  for (const amount of ['32,016', '15,728', '33,936', '15,242', '7,957', '500,000', '53.2'])
    expect(text).not.toContain(amount)
  await page.goto(`${server.url}/strategies/${ten.id}?tab=trades`)
  await expect(page.locator('.trade-window-list > li')).toHaveCount(10)
  expect(await page.locator('.trade-window-list').innerText()).not.toMatch(/13,808|20,812/)
  await page.context().close()
})
