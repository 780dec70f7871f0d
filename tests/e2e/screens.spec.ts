// Every screen with data: no serious accessibility finding in either theme, nothing sideways, and never a blank page without the server.
import type { Page } from '@playwright/test'
import { createStrategy, type Strategy, type StrategyInput } from '#contract/strategy.ts'
import { axe, axeInTheDark, expect, test } from '#tests/support/app.ts'
import { hookPath } from '#tests/support/desk.ts'
import { signedIn } from '#tests/support/identities.ts'
import { innerWords, wordsIn } from '#tests/support/inner-words.ts'
import { makeOrganization } from '#tests/support/organization.ts'
import { type Person, signUp } from '#tests/support/people.ts'
import { everythingKept, openSignedIn } from '#tests/support/screen.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { wordsShown } from '#tests/support/shown.ts'
import { kept } from '#tests/support/storages.ts'
import { SOAK, sized } from '#tests/support/tier.ts'

const PRICE = '46,588'
/** Of the screens that start without the server `npm test` tries these. */
const IN_TEST = /^\/(dashboard|signals|strategies\/create|strategies\/[\w-]{36}|nowhere)$/

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

/** The screens of the product, as they are with data. */
const shellRoutes = (id: string) => [
  '/dashboard',
  '/signals',
  '/strategies',
  '/strategies/create',
  '/strategies/create/futures',
  `/strategies/create/futures?connect=${id}`,
  '/strategies/create/stock',
  '/strategies/create/xq-stock',
  `/strategies/${id}`,
  `/strategies/${id}?tab=signals`,
  `/strategies/${id}?tab=positions`,
  `/strategies/${id}?tab=note`,
  `/strategies/${id}?tab=settings`,
  `/strategies/${id}/edit`,
  '/profile',
  '/403?missing=strategy:create',
  '/nowhere',
]
/** What somebody sees who is not signed in. */
const OUTSIDE = [
  '/',
  '/login',
  '/login?tab=register',
  '/reset-password',
  '/auth/oauth/authorize',
  '/sso',
  '/token-login',
  '/nowhere',
  '/403?missing=strategy:create',
]
/** What an admin sees of an organization. */
const orgRoutes = (id: string) => [
  '/my-organizations',
  '/organizations/info',
  `/organizations/${id}/announcements`,
  ...[
    'overview',
    'members',
    'invites',
    'requests',
    'groups',
    'strategies',
    'access',
    'announcements',
    'settings',
  ].map((tab) => `/organizations/manage?tab=${tab}`),
]
/** The demonstrations, the guide and what waits for its data: not even of best practice may anything be found. */
const EXEMPLARY = [
  '/guide',
  '/tests/permission',
  '/component-demo',
  '/demo-strategylist',
  '/demo-strategylist/icons',
  '/demo-strategylist/color-test',
  '/search-form-demo',
  '/test-shadcn',
  '/my-announcements',
  '/signal-notification',
]

/** The heading is there and nothing is still loading; the gallery shows what loading looks like. */
async function settled(page: Page, path: string): Promise<void> {
  await expect(page.locator('h1').first(), path).toBeAttached()
  await expect(page.locator('.skeleton:not(.board *), .loading-screen:not(.board *)'), path).toHaveCount(0)
}

/** How far it goes over the edge, in px; a phone's `innerWidth` would grow along. */
const sideways = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

/**
 * Loads each of them once, looks at both ends of its layout and, on the phone and in the soak, with axe in both themes; `own`:
 * words that people gave.
 */
async function visit(
  page: Page,
  url: string,
  paths: readonly string[],
  { every = false, own }: { every?: boolean; own?: ReadonlySet<string> } = {},
): Promise<void> {
  const viewport = page.viewportSize() ?? { width: 1440, height: 900 }
  const narrow = { width: viewport.width < 768 ? 320 : 768, height: viewport.height }
  for (const path of paths) {
    await page.goto(url + path)
    await settled(page, path)
    if (own) expect.soft(innerWords(await wordsShown(page), own), `${path} inner words`).toEqual([])
    if (SOAK || narrow.width === 320) {
      expect.soft(await axe(page, { every, always: true }), path).toEqual([])
      expect.soft(await axeInTheDark(page, { always: true }), `${path} dark`).toEqual([])
    }
    await expect.poll(() => sideways(page), path).toBeLessThanOrEqual(0)
    await page.setViewportSize(narrow)
    await expect.poll(() => sideways(page), `${path} at ${narrow.width}`).toBeLessThanOrEqual(0)
    await page.setViewportSize(viewport)
  }
}

// spec §2: Contents of each page (fields, tables, forms) are not shown.
test.describe('every screen in light and dark: nothing serious for axe, nothing sideways', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } })

  test('signed out', { tag: '@both' }, async ({ page, server }) => {
    await page.addInitScript(() => {
      addEventListener('securitypolicyviolation', (event) => console.error('CSP', event.violatedDirective))
    })
    await visit(page, server.url, OUTSIDE, { own: new Set() })
  })
  test('with data', { tag: '@both' }, async ({ page, server }) => {
    const { person, strategies } = await furnish(server)
    await signedIn(page, person)
    const own = new Set(
      strategies.flatMap(({ name, summary, note, tags }) => wordsIn([name, summary, note, tags].join(' '))),
    )
    await visit(page, server.url, shellRoutes(strategies[0].id), { own })
  })
  test('an organization, and making one', async ({ page, server }) => {
    const person = await signUp(server, '林柏翰')
    const org = await makeOrganization(server.app, '海風投顧', [{ uid: person.uid, role: 'admin' }])
    await signedIn(page, person)
    await visit(page, server.url, ['/organizations/create'])
    await page.evaluate((id) => localStorage.setItem('currentOrganizationId', id), org)
    await visit(page, server.url, orgRoutes(org))
  })
  test('the guide and the demonstrations, not even of best practice', async ({ page, server }) => {
    await signedIn(page, await signUp(server, '林柏翰'))
    await visit(page, server.url, EXEMPLARY, { every: true })
  })
})

test('every screen starts without the server, with what is stored or the name of what is missing', {
  tag: ['@phone', '@worker'],
}, async ({ browser }) => {
  const dist = process.env['DIST_DIR']
  const server = await startServer(dist ? { env: { DIST_DIR: dist } } : {})
  const { person, strategies } = await furnish(server)
  const [{ id, name }, other] = strategies
  const page = await openSignedIn(browser, server.url, person, '/dashboard')
  await expect(page.locator('main').getByText(PRICE).filter({ visible: true }).first()).toBeVisible()
  await everythingKept(page)
  await kept(page, ['answers', '["personal","dashboard"]', '46588'], ['signals', '46588'])
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
  for (const [path, words] of sized(
    shown.filter(([path]) => IN_TEST.test(path)),
    shown,
  )) {
    await page.goto(server.url + path)
    await settled(page, path)
    const said = page.locator('body').getByText(words).or(page.locator('main').getByText(name))
    await expect(said.filter({ visible: true }).first(), path).toBeVisible()
  }
  await page.context().close()
})
