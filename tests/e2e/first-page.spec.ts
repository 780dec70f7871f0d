// A first page is drawn from its first answers, before the application runs (src/glance/page.tsx): the same page, whose links and keys
// work, and never one that the application would not show.
import type { Page } from '@playwright/test'
import { logout } from '#contract/session.ts'
import { listStrategySignals } from '#contract/signal.ts'
import { createStrategy } from '#contract/strategy.ts'
import { expect, test } from '#tests/support/app.ts'
import { hookPath } from '#tests/support/desk.ts'
import { type Person, signUp } from '#tests/support/people.ts'
import { signedInContext } from '#tests/support/screen.ts'
import type { TestServer } from '#tests/support/server.ts'

const DRAWN = '#root > [data-glance]'
const ENTRY = /\/assets\/vendor-/

async function desk(server: TestServer): Promise<{ person: Person; id: string }> {
  const person = await signUp(server, '早起人')
  const settings = { product_code: 'MXF' }
  const strategy = await person.call(createStrategy, { kind: 'futures', name: '清晨突破', settings })
  for (const [action, price] of [
    ['buy', 46_000],
    ['sell', 46_100],
    ['buy', 46_512],
  ] as const) {
    const body = JSON.stringify({ symbol: 'MXF1!', action, qty: 1, price })
    expect((await server.request(hookPath(strategy), { method: 'POST', body })).status).toBe(200)
  }
  return { person, id: strategy.id }
}

/** Keeps the application from running until it is let go. */
async function withheld(page: Page): Promise<() => void> {
  let release = () => {}
  const released = new Promise<void>((done) => {
    release = done
  })
  await page.route(ENTRY, async (route) => {
    await released
    await route.continue()
  })
  return release
}

/** Where the words of the page stand. */
const lines = (page: Page) =>
  page.locator('main').evaluate((main) =>
    [...main.querySelectorAll('h1, h2, time, [class*="price"], [class*="product"], .num, a')]
      .filter((one) => one.checkVisibility() && one.getBoundingClientRect().top < innerHeight)
      .map((one) => {
        const { x, y, width, height } = one.getBoundingClientRect()
        return [one.textContent, Math.round(x), Math.round(y), Math.round(width), Math.round(height)].join(
          ' ',
        )
      }),
  )

const PAGES = [
  ['/dashboard', '最新訊號', '46,512'],
  ['/signals', '全部訊號', '46,512'],
  ['/strategies', '策略列表', '清晨突破'],
  ['/strategies/ID', '清晨突破', '獲利因子'],
  ['/my-organizations', '我的組織', '建立組織'],
] as const

for (const [path, heading, words] of PAGES)
  test(`${path} stands before the application, and nothing moves when that comes @both`, async ({
    browser,
    server,
    complaints,
  }) => {
    const { person, id } = await desk(server)
    const { viewport } = test.info().project.use
    const context = await signedInContext(browser, server.url, person, { viewport: viewport ?? null })
    const page = await context.newPage()
    page.on('console', (message) => {
      if (message.text().startsWith('glance')) complaints.push(message.text())
    })
    const release = await withheld(page)
    await page.goto(server.url + path.replace('ID', id), { waitUntil: 'commit' })
    const drawn = page.locator(DRAWN)
    await expect(drawn.getByText(heading).first()).toBeVisible()
    await expect(drawn.getByText(words).first()).toBeVisible()
    const before = await lines(page)
    expect(before.length).toBeGreaterThan(1)
    await page.evaluate(() => {
      const seen: string[][] = []
      Object.assign(window, { seen })
      new MutationObserver((_, observer) => {
        if (document.querySelector('#root > [data-glance]')) return
        observer.disconnect()
        seen.push([...document.querySelectorAll('main h1, main h2')].map((one) => one.textContent ?? ''))
      }).observe(document.getElementById('root') as Node, { childList: true })
    })
    release()
    await expect(drawn).toHaveCount(0)
    const [headings] = await page.evaluate(() => (window as unknown as { seen: string[][] }).seen)
    expect(headings?.join(' '), 'the application comes whole, not as a skeleton').toContain(heading)
    await expect(page.locator('[data-skeleton]')).toHaveCount(0)
    // what the device's own records add later adds room to nothing that stood there
    const after = await lines(page)
    const kept = before.filter((line) => after.includes(line))
    expect(kept.length, `${before.join('\n')}\n→\n${after.join('\n')}`).toBeGreaterThan(before.length * 0.8)
    await context.close()
  })

test('a link and a key that are pressed before the application are pressed in it @phone', async ({
  browser,
  server,
}) => {
  const { person } = await desk(server)
  const { viewport } = test.info().project.use
  const context = await signedInContext(browser, server.url, person, { viewport: viewport ?? null })
  for (const [role, name, led] of [
    ['link', '全部訊號', async (page: Page) => await expect(page).toHaveURL(/\/signals$/)],
    [
      'button',
      '篩選',
      async (page: Page) => await expect(page.getByRole('dialog', { name: '篩選' })).toBeVisible(),
    ],
  ] as const) {
    const page = await context.newPage()
    const release = await withheld(page)
    await page.goto(`${server.url}/dashboard`, { waitUntil: 'commit' })
    await page.locator(DRAWN).getByRole(role, { name, exact: true }).click()
    release()
    await led(page)
    await page.close()
  }
  await context.close()
})

test('a record that a link names stands on a fresh device before the application @both', async ({
  browser,
  server,
}) => {
  const { person, id } = await desk(server)
  const { items } = await person.call(listStrategySignals, { id })
  const newest = items.find(({ price }) => price === 46_512)
  const { viewport } = test.info().project.use
  const context = await signedInContext(browser, server.url, person, { viewport: viewport ?? null })
  const page = await context.newPage()
  const release = await withheld(page)
  await page.goto(`${server.url}/signals?signal=${newest?.id}`, { waitUntil: 'commit' })
  const drawn = page.locator('dialog[data-glance]')
  await expect(drawn).toContainText('46,512')
  await expect(drawn).toContainText('清晨突破')
  release()
  await expect(drawn).toHaveCount(0)
  await expect(page.getByRole('dialog')).toContainText('46,512')
  await expect(page.getByRole('dialog')).toContainText('看這個策略')
  await context.close()
})

/** What stands when the first answers are here; the application runs only afterwards. */
async function drawnOf(page: Page, url: string, meanwhile: () => Promise<unknown> = async () => {}) {
  await page.addInitScript(() => {
    new MutationObserver(() => {
      const drawn = document.querySelector('#root > [data-glance]')
      if (drawn) Object.assign(window, { drawn: drawn.textContent })
    }).observe(document, { childList: true, subtree: true })
  })
  const release = await withheld(page)
  let answer = () => {}
  const answered = new Promise<void>((done) => {
    answer = done
  })
  await page.route('**/api/v1/user/profile', async (route) => {
    await answered
    await route.fallback()
  })
  const profile = page.waitForResponse('**/api/v1/user/profile')
  await page.goto(url, { waitUntil: 'commit' })
  await page.waitForFunction(() => 'early' in window)
  await meanwhile()
  answer()
  await (await profile).finished()
  // a page that is drawn at all is drawn within a turn of its last answer; this waits for many
  await page.evaluate(async () => {
    for (let turn = 0; turn < 30; turn++) await new Promise((done) => requestAnimationFrame(done))
  })
  const drawn = await page.evaluate(() => (window as unknown as { drawn?: string }).drawn ?? null)
  release()
  return drawn
}

test('nothing is drawn early that the application would not show @desktop', async ({
  browser,
  server,
  complaints,
}) => {
  const { person } = await desk(server)
  const other = await desk(server)
  const opened = async (work: (page: Page) => Promise<unknown>) => {
    const context = await signedInContext(browser, server.url, person)
    await work(await context.newPage())
    await context.close()
  }
  const url = `${server.url}/dashboard`
  await opened(async (page) => expect(await drawnOf(page, url)).toContain('早起人'))
  // privacy mode covers the name and the money
  await opened(async (page) => {
    await page.addInitScript(() => localStorage.setItem('privacyMode', 'true'))
    const drawn = await drawnOf(page, url)
    expect(drawn).toContain('46,512')
    expect(drawn).not.toContain('早起人')
    expect(drawn).toContain('已隱藏')
    // positions stay, amounts do not
    expect(drawn).not.toMatch(/[+−]\d[\d,]{2}/)
  })
  // whoever is signed in by the time the answer comes is somebody else, acts in another name, or nobody
  for (const change of [
    (token: string) => localStorage.setItem('token', token),
    () => localStorage.setItem('currentOrganizationId', '01900000-0000-7000-8000-00000000000f'),
    () => localStorage.removeItem('token'),
    () => localStorage.setItem('lingbo_user', '{"id":"somebody"}'),
  ])
    await opened(async (page) =>
      expect(
        await drawnOf(page, url, () => page.evaluate(change, other.person.token)),
        `${change}`,
      ).toBeNull(),
    )
  // a link in another identity's name; a password that has to be changed first; a role that may not see the page
  await opened(async (page) =>
    expect(await drawnOf(page, `${url}?org=01900000-0000-7000-8000-00000000000f`)).toBeNull(),
  )
  const withProfile = (page: Page, changes: object) =>
    page.route('**/api/v1/user/profile', async (route) => {
      const response = await route.fetch()
      const json = await response.json()
      await route.fulfill({ response, json: { ...json, result: { ...json.result, ...changes } } })
    })
  await opened(async (page) => {
    await withProfile(page, { need_force_update_password: true })
    expect(await drawnOf(page, url)).toBeNull()
  })
  // a session that the server has ended
  await person.call(logout, {})
  await opened(async (page) => {
    expect(await drawnOf(page, url)).toBeNull()
    await expect(page).not.toHaveURL(/dashboard/)
  })
  complaints.length = 0 // the sessions that were ended
})
