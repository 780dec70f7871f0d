// One count on every screen: first page, list and strategy agree, after a void, without a network and without a server.
import type { Page } from '@playwright/test'
import { signalFeed, voidSignal } from '#contract/signal.ts'
import { createStrategy, type Strategy, type StrategyInput } from '#contract/strategy.ts'
import { expect, test } from '#tests/support/app.ts'
import { hookPath } from '#tests/support/desk.ts'
import { type Person, signUp } from '#tests/support/people.ts'
import { openSignedIn, signedInContext } from '#tests/support/screen.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { kept } from '#tests/support/storages.ts'

/** Noon in Taipei of a trading day: no day turns while this is read. */
const NOON = Date.parse('2026-11-20T04:00:00.000Z')

interface Stage {
  server: TestServer
  person: Person
  strategy: Strategy
  /** Lets the clock go on. */
  wait(ms: number): void
  send(action: string, price: number): Promise<string>
}

async function stage(): Promise<Stage> {
  const dist = process.env['DIST_DIR']
  let at = NOON
  const server = await startServer({ overrides: { now: () => at }, env: dist ? { DIST_DIR: dist } : {} })
  const person = await signUp(server, '周曉晴')
  const strategy = await person.call(createStrategy, {
    kind: 'futures',
    name: '數得清',
    settings: { product_code: 'MXF' },
  } as StrategyInput)
  return {
    server,
    person,
    strategy,
    wait(ms) {
      at += ms
    },
    async send(action, price) {
      at += 1_000
      const time = new Date(at).toISOString()
      const body = JSON.stringify({ symbol: 'MXF1!', action, quantity: 1, price, time })
      const reply = await server.request(hookPath(strategy), { method: 'POST', body })
      expect(reply.status).toBe(200)
      return ((await reply.json()) as { signal_id: string }).signal_id
    },
  }
}

async function openFirst(
  { server, person }: Stage,
  browser: Parameters<typeof signedInContext>[0],
  now = NOON + 60_000,
) {
  const { viewport, isMobile, hasTouch } = test.info().project.use
  const options = { viewport: viewport ?? null, isMobile: isMobile ?? false, hasTouch: hasTouch ?? false }
  const context = await signedInContext(browser, server.url, person, options)
  await context.clock.setFixedTime(now)
  return openSignedIn(browser, server.url, person, '/dashboard', context)
}

const main = (page: Page) => page.locator('main')
/** 今日訊號 as the first page says it, on a phone and on a desk. */
const today = (page: Page) =>
  main(page)
    .locator('[aria-label="今日訊號"] .t28, .figures div:has(dt:text-is("今日訊號")) dd')
    .filter({ visible: true })
const dayLine = (page: Page) => main(page).locator('.day-header .num').first()
const signs = (page: Page, words: RegExp) => page.getByText(words).filter({ visible: true })

test('after a void: the first page, its parts, the list and the strategy say one number @desktop', async ({
  browser,
}) => {
  const set = await stage()
  const { server, person, strategy, send } = set
  await send('long_entry', 23_000)
  await send('long_exit', 23_010)
  const wrong = await send('long_entry', 23_020)
  await person.call(voidSignal, { id: wrong, reason: '打錯了' })
  const page = await openFirst(set, browser)
  await expect(today(page)).toHaveText(/^3/)
  await expect(page.locator('[aria-label="今日訊號"] dd')).toHaveText(['1', '1', '1', /:/])
  await page.goto(`${server.url}/signals`)
  await expect(dayLine(page)).toHaveText('3 筆 · 作廢 1')
  await page.goto(`${server.url}/strategies/${strategy.id}?tab=signals`)
  await expect(page.getByRole('tab', { name: /訊號/ })).toHaveText('訊號3')
  await expect(dayLine(page)).toHaveText('3 筆 · 作廢 1')
  // the newest is the one that was voided: it is no action beside the position
  await page.goto(`${server.url}/strategies`)
  await expect(main(page).getByText(/ 已作廢$/)).toBeVisible()
  await page.context().close()
  await server.close()
})

test('in the evening the figures are the next trading date’s, and are called by it @phone', async ({
  browser,
}) => {
  const set = await stage()
  const { server, send, wait } = set
  await send('long_entry', 23_000)
  await send('long_exit', 23_010)
  wait(4 * 3_600_000)
  // Friday 16:01: the night session belongs to Monday, and this noon's two signals to 今天
  const page = await openFirst(set, browser, NOON + 4 * 3_600_000 + 60_000)
  await expect(main(page).getByText(/^11\/23（含夜盤）已實現/)).toBeVisible()
  await expect(main(page).getByText('11/23 訊號', { exact: true }).filter({ visible: true })).toBeVisible()
  await expect(main(page).getByText(/今日/)).toHaveCount(0)
  await page.goto(`${server.url}/signals`)
  await expect(dayLine(page)).toHaveText('2 筆')
  await expect(main(page).getByRole('heading', { name: '今天 11/20 週五' })).toBeVisible()
  await page.context().close()
  await server.close()
})

test('on a closed day the last session stands there by its name, and no card of zeros @phone', async ({
  browser,
}) => {
  const set = await stage()
  const { server, send, wait } = set
  await send('long_entry', 23_000)
  await send('long_exit', 23_010)
  wait(24 * 3_600_000)
  // Saturday noon, and nothing came in the night
  const page = await openFirst(set, browser, NOON + 24 * 3_600_000 + 60_000)
  await expect(main(page).getByText('11/20 週五已實現', { exact: true })).toBeVisible()
  await expect(
    main(page)
      .locator('[aria-label="11/20 週五訊號"] .t28, .figures div:has(dt:text-is("11/20 週五訊號")) dd')
      .filter({ visible: true }),
  ).toHaveText(/^2/)
  await expect(main(page).locator('.dashboard-page-money .big')).toContainText('+')
  await expect(main(page).getByText(/今日/)).toHaveCount(0)
  await page.context().close()
  await server.close()
})

test('while nobody answers: counts of the list, one age, one sign, and whose silence it is @phone', {
  tag: '@worker',
}, async ({ browser }) => {
  const set = await stage()
  const { server, person, send } = set
  await send('long_entry', 23_000)
  const page = await openFirst(set, browser)
  await expect(today(page)).toHaveText(/^1/)
  await page.evaluate(async () => {
    const { active } = await navigator.serviceWorker.ready
    while (active?.state !== 'activated') await new Promise((next) => setTimeout(next, 50))
  })
  await kept(page, ['answers', '["personal","dashboard"'])
  await page.goto(`${server.url}/strategies`)
  await expect(main(page).getByText('數得清')).toBeVisible()
  await kept(page, ['answers', '["personal","strategy","list"', '數得清'])
  await page.goto(`${server.url}/my-organizations`)
  await expect(main(page).getByText('還沒有組織')).toBeVisible()
  await kept(page, ['answers', '"organization","mine"'])
  // the first page is not looked at while these come: its kept answer stays behind
  await page.goto(`${server.url}/signals`)
  await expect(dayLine(page)).toHaveText('1 筆')
  await send('long_exit', 23_011)
  await send('short_entry', 23_022)
  await expect(dayLine(page)).toHaveText('3 筆')
  const { items } = await person.call(signalFeed, { after: 0 })
  await kept(page, ...items.map(({ id }): [string, string] => ['signals', id]))

  await page.context().setOffline(true)
  await page.goto(`${server.url}/dashboard`)
  await expect(today(page)).toHaveText(/^3/)
  await expect(signs(page, /資料更新於/)).toHaveCount(1)
  await expect(signs(page, /離線/)).toHaveCount(1)
  await expect(
    page.locator('.dashboard-page-lead').getByText('—', { exact: true }).filter({ visible: true }).first(),
  ).toBeVisible()
  await page.goto(`${server.url}/signals`)
  await expect(dayLine(page)).toHaveText('3 筆')
  for (const [path, shown] of [
    ['/strategies', '數得清'],
    ['/my-organizations', '還沒有組織'],
  ] as const) {
    await page.goto(server.url + path)
    await expect(main(page).getByText(shown)).toBeVisible()
    await expect(signs(page, /資料更新於/)).toHaveCount(1)
    await expect(main(page).getByText(/資料更新於/)).toHaveCount(0)
  }

  await server.close()
  await page.context().setOffline(false)
  await page.goto(`${server.url}/dashboard`)
  await expect(signs(page, /伺服器沒有回應/)).toHaveCount(1, { timeout: 90_000 })
  await expect(signs(page, /離線/)).toHaveCount(0)
  await expect(signs(page, /資料更新於/)).toHaveCount(1)
  await expect(today(page)).toHaveText(/^3/)
  await page.context().close()
})
