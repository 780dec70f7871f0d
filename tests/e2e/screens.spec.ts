// Every screen with data: no serious accessibility finding in either theme, nothing sideways, and never a blank page without the server.
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { createStrategy, type Strategy, type StrategyInput } from '#contract/strategy.ts'
import { axe, expect, test } from '#tests/support/app.ts'
import { hookPath } from '#tests/support/desk.ts'
import { type Person, signUp } from '#tests/support/people.ts'
import { openSignedIn, signedInContext } from '#tests/support/screen.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

const PRICE = '46,588'

/** Somebody with two strategies of names that do not fit, one with an open position and a closed trade. */
async function furnish(server: TestServer): Promise<{ person: Person; strategies: [Strategy, Strategy] }> {
  const person = await signUp(server, '凌'.repeat(60))
  const make = (name: string, product_code: string) =>
    person.call(createStrategy, {
      kind: 'futures',
      name,
      summary: 'https://example.com/'.padEnd(200, 'w'),
      note: `# 說明\n\n${'W'.repeat(200)}`,
      tags: ['突破', 'M'.repeat(20)],
      settings: { product_code },
    } as StrategyInput)
  const strategies: [Strategy, Strategy] = [
    await make('波'.repeat(60), 'MXF'),
    await make('W'.repeat(60), 'TXF'),
  ]
  const at = Date.now() - 60_000
  const fills = [
    { action: 'buy', size: 2, before: 0, price: 46_500 },
    { action: 'sell', size: 0, before: 2, price: 46_541 },
    { action: 'buy', size: 2, before: 0, price: 46_588 },
  ]
  for (const [n, { action, size, before, price }] of fills.entries()) {
    const answer = await server.request(hookPath(strategies[0]), {
      method: 'POST',
      body: JSON.stringify({
        id: `n-${n}`,
        symbol: 'TAIFEX:MXF1!',
        action,
        contracts: '2',
        price: String(price),
        market_position: size ? 'long' : 'flat',
        market_position_size: String(size),
        prev_market_position: before ? 'long' : 'flat',
        prev_market_position_size: String(before),
        timenow: `${new Date(at + n * 1_000).toISOString().slice(0, 19)}Z`,
      }),
    })
    expect(answer.status, await answer.text()).toBe(200)
  }
  return { person, strategies }
}

const shellRoutes = (id: string) => [
  '/dashboard',
  '/signals',
  '/strategies',
  '/strategies/create',
  '/strategies/create/futures',
  `/strategies/create/futures?connect=${id}`,
  `/strategies/${id}`,
  `/strategies/${id}?tab=signals`,
  `/strategies/${id}?tab=note`,
  `/strategies/${id}?tab=settings`,
  `/strategies/${id}/edit`,
  '/profile',
  '/403?missing=strategy:create',
  '/nowhere',
]

/** The heading is there and nothing is still loading. */
async function settled(page: Page, path: string): Promise<void> {
  await expect(page.locator('h1').first(), path).toBeAttached()
  await expect(page.locator('.skeleton, .loading'), path).toHaveCount(0)
}

/** Texts that cannot be read on their ground. */
async function contrast(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).withRules(['color-contrast']).analyze()
  return violations.flatMap(({ nodes }) => nodes.map(({ html }) => html.slice(0, 160)))
}

const sideways = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)

test.setTimeout(240_000)

test('every screen in light and dark: nothing serious for axe, nothing sideways', async ({
  browser,
  server,
  viewport,
}) => {
  const { person, strategies } = await furnish(server)
  const context = await signedInContext(browser, server.url, person, {
    viewport,
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  const narrow = { width: viewport && viewport.width < 768 ? 320 : 768, height: viewport?.height ?? 800 }
  for (const path of shellRoutes(strategies[0].id)) {
    await page.goto(server.url + path)
    await settled(page, path)
    expect(await axe(page), path).toEqual([])
    // the theme decides about colours and nothing else
    await page.evaluate(() => {
      document.documentElement.dataset['theme'] = 'dark'
      // colours pass over within a frame even with reduced motion
      return new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)))
    })
    expect(await contrast(page), `${path} dark`).toEqual([])
    await expect.poll(() => sideways(page), path).toBeLessThanOrEqual(0)
    await page.setViewportSize(narrow)
    await expect.poll(() => sideways(page), `${path} at ${narrow.width}`).toBeLessThanOrEqual(0)
    if (viewport) await page.setViewportSize(viewport)
  }
  await context.close()
})

test('every screen starts without the server, with what is stored or the name of what is missing', async ({
  browser,
}) => {
  const dist = process.env['DIST_DIR']
  const server = await startServer(dist ? { env: { DIST_DIR: dist } } : {})
  const { person, strategies } = await furnish(server)
  const [{ id, name }, other] = strategies
  const page = await openSignedIn(browser, server.url, person, '/dashboard')
  await expect(page.locator('main').getByText(PRICE).filter({ visible: true }).first()).toBeVisible()
  await page.evaluate(async () => {
    const { active } = await navigator.serviceWorker.ready
    while (active?.state !== 'activated') await new Promise((next) => setTimeout(next, 50))
  })
  await server.close()

  const missing = /讀不到|找不到|目前離線/
  const shown: [path: string, words: string | RegExp][] = [
    ['/', '策略一觸發'],
    ['/dashboard', PRICE],
    ['/signals', PRICE],
    ['/strategies', missing],
    ['/strategies/create', '期貨策略'],
    ['/strategies/create/futures', '策略名稱'],
    [`/strategies/create/futures?connect=${id}`, missing],
    [`/strategies/${id}`, missing],
    [`/strategies/${other.id}?tab=settings`, missing],
    [`/strategies/${id}/edit`, missing],
    ['/profile', '外觀'],
    ['/403?missing=strategy:create', '需要「新增策略」'],
    ['/nowhere', '首頁'],
  ]
  for (const [path, words] of shown) {
    await page.goto(server.url + path)
    await settled(page, path)
    const said = page.locator('body').getByText(words).or(page.locator('main').getByText(name))
    await expect(said.filter({ visible: true }).first(), path).toBeVisible()
  }
  await page.context().close()
})
