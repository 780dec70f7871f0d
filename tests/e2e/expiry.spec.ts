// A month that is over left a position open: said on every tab, closed on 部位 by the settlement price, and its record is in the list.
import { createStrategy } from '#contract/strategy.ts'
import { axe, expect, test } from '#tests/support/app.ts'
import { type Person, signUp } from '#tests/support/people.ts'
import { openSignedIn, signedInContext } from '#tests/support/screen.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { noHolidays } from '#tests/support/ten-trades.ts'
import { addDays, contractEnd, instantOf, isOver, taipei } from '#trading/calendar.ts'

let fixed: number | null = null
let stage: { server: TestServer; person: Person }

test.beforeAll(async () => {
  const dist = process.env['DIST_DIR']
  const overrides = { now: () => fixed ?? Date.now() }
  const server = await startServer({ overrides, env: dist ? { DIST_DIR: dist } : {} })
  noHolidays(server)
  stage = { server, person: await signUp(server, '周曉晴') }
})
test.afterAll(() => stage.server.close())

/** The month that ended last, as of today. */
function endedMonth(): { contract: string; ended: string } {
  const now = new Date().toISOString()
  for (let day = taipei(now).date; ; day = addDays(`${day.slice(0, 7)}-01`, -1)) {
    const contract = day.slice(0, 7).replace('-', '')
    if (isOver(contract, now)) return { contract, ended: contractEnd(contract) as string }
  }
}

test('expired → price → closed @phone', async ({ browser }, info) => {
  const { server, person } = stage
  const { contract, ended } = endedMonth()
  const last = taipei(ended).date
  const strategy = await person.call(createStrategy, {
    kind: 'futures',
    name: `到期 ${info.project.name}`,
    settings: { product_code: 'MXF', contract_rule: 'month', contract_month: contract, fee_per_side: 25 },
  })
  const hook = new URL(strategy.webhooks?.[0]?.url as string).pathname
  fixed = Date.parse(instantOf(addDays(last, -2), '09:00'))
  const time = new Date(fixed).toISOString()
  const message = { symbol: `MXF${contract}`, action: 'long_entry', quantity: 2, price: 22_000, time }
  const answer = await server.request(hook, { method: 'POST', body: JSON.stringify(message) })
  fixed = null
  expect(answer.status).toBe(200)

  const { viewport = null, isMobile, hasTouch } = info.project.use
  const device = {
    viewport,
    ...(isMobile !== undefined && { isMobile }),
    ...(hasTouch !== undefined && { hasTouch }),
  }
  const context = await signedInContext(browser, server.url, person, device)
  const page = await openSignedIn(browser, server.url, person, '/strategies', context)
  await expect(page.getByText('契約已到期').first()).toBeVisible()

  // Nothing was closed yet, so the signals come first; the notice leads to where it is dealt with.
  await page.goto(`${server.url}/strategies/${strategy.id}`)
  await expect(page.locator('.notices')).toContainText('部位還沒有平倉')
  await page.locator('.notices').getByRole('link', { name: '去看看' }).click()
  await expect(page.locator('.notices')).toHaveCount(0)
  const card = page.getByRole('region', { name: /^小台 .*月 已到期$/ })
  await expect(card).toContainText('還有多 2 口沒有平倉')
  await expect(card).toContainText(`最後交易日 ${last.replaceAll('-', '/')}`)
  expect(await axe(page)).toEqual([])

  const close = card.getByRole('button', { name: '以結算價平倉' })
  await close.click()
  await expect(card).toContainText('請輸入最後結算價')
  await card.getByLabel('最後結算價').fill('22,100')
  await expect(card).toContainText('+10,000')
  await close.click()
  await expect(card).toHaveCount(0)
  await expect(page.getByRole('region', { name: '現在部位' })).toContainText('空手')
  await page.getByRole('tab', { name: '總覽' }).click()
  await expect(page.locator('.equity-card-big')).toContainText('+9,812')
  await expect(page.locator('.figure-rows li', { hasText: '平均持有' })).toContainText('2 天 4 小時')

  await page.getByRole('tab', { name: '訊號' }).click()
  const row = page.locator('main .signal-row', { hasText: '到期結算' })
  await expect(row).toContainText('22,100')
  await row.click()
  const sheet = page.getByRole('dialog')
  await expect(sheet).toContainText('契約到期')
  await expect(sheet).toContainText('到期，以最後結算價平倉')
  await expect(sheet).not.toContainText('螢幕')
  await context.close()
})
