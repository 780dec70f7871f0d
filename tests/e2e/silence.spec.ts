// The alarm of a silent source, from the switch in the form to the next message: in the inbox, on the strategy, on the first page.
import type { Page } from '@playwright/test'
import { createStrategy, getStrategy } from '#contract/strategy.ts'
import { SilenceWatch } from '#server/notify/silence.ts'
import { axe, expect, said, test } from '#tests/support/app.ts'
import { type Person, signUp } from '#tests/support/people.ts'
import { openSignedIn, signedInContext } from '#tests/support/screen.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { noHolidays } from '#tests/support/ten-trades.ts'
import { addDays, instantOf, taipei, tradingDayFrom } from '#trading/calendar.ts'

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

const todo = (page: Page) => page.getByText('太久沒收到訊號', { exact: true }).locator('visible=true')

test('switch on → silent → alarm, warning and to-do → a message comes @phone', async ({ browser }, info) => {
  const { server, person } = stage
  const watch = new SilenceWatch(server.app)
  const name = `無聲 ${info.project.name}`
  const strategy = await person.call(createStrategy, {
    ...{ kind: 'futures', name, settings: { product_code: 'MXF' } },
  } as never)
  const hook = new URL(strategy.webhooks?.[0]?.url as string).pathname
  const send = async (id: string) => {
    const message = { id, symbol: 'MXF1!', action: 'buy', qty: 1, price: 46_500 }
    expect((await server.request(hook, { method: 'POST', body: JSON.stringify(message) })).status).toBe(200)
  }
  const pass = async (minutes: number) => {
    const until = (fixed as number) + minutes * 60_000
    while ((fixed as number) < until) {
      fixed = Math.min(until, (fixed as number) + 240_000)
      await watch.look()
    }
    await server.app.notifier.catchUp()
  }

  const { viewport = null, isMobile, hasTouch } = info.project.use
  const device = {
    viewport,
    ...(isMobile !== undefined && { isMobile }),
    ...(hasTouch !== undefined && { hasTouch }),
  }
  const context = await signedInContext(browser, server.url, person, device)
  const page = await openSignedIn(browser, server.url, person, `/strategies/${strategy.id}/edit`, context)
  await page.locator('summary', { hasText: '進階' }).click()
  await page.getByRole('switch', { name: /太久沒收到訊號時提醒我/ }).click()
  await expect(page.getByText('收到的訊號還不夠看出平常的頻率')).toBeVisible()
  await page.getByLabel('超過多久').fill('30')
  expect(await axe(page)).toEqual([])
  await page.getByRole('button', { name: '儲存修改' }).click()
  await said(page, '已儲存修改')
  expect((await person.call(getStrategy, { id: strategy.id })).silence_alarm).toEqual({
    enabled: true,
    max_gap_minutes: 30,
  })

  // The next morning on which the market is open.
  const day = tradingDayFrom(addDays(taipei(new Date().toISOString()).date, 1))
  fixed = Date.parse(instantOf(day, '09:00'))
  await watch.look()
  await send('first')
  await page.goto(`${server.url}/dashboard`)
  await expect(page.getByRole('list', { name: '訊號' }).getByText(name).first()).toBeVisible()
  await expect(todo(page)).toHaveCount(0)
  await pass(36)
  // It comes by itself.
  await expect(todo(page)).toBeVisible()
  await todo(page).click()
  await expect(page.locator('.notices')).toContainText('請確認來源平台的快訊還在執行')

  await page.goto(`${server.url}/signal-notification`)
  const row = page.getByRole('listitem').filter({ hasText: `${name} · 太久沒收到訊號` })
  await expect(row).toContainText(/交易時段裡已經 3\d 分鐘沒有訊息進來/)
  expect(await axe(page)).toEqual([])
  await row.getByRole('link').click()
  await expect(page).toHaveURL(new RegExp(`/strategies/${strategy.id}`))
  await expect(page.locator('.notices')).toContainText('太久沒收到訊號')

  await send('second')
  await expect(page.locator('.notices')).toHaveCount(0)
  await page.goto(`${server.url}/dashboard`)
  await expect(page.getByRole('list', { name: '訊號' }).getByText(name).first()).toBeVisible()
  await expect(todo(page)).toHaveCount(0)
  fixed = null
  await context.close()
})
