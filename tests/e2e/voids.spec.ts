// A void and a corrected price reach an open first page and list, a device that was away, and stay the same without a network.
import type { BrowserContext, Page } from '@playwright/test'
import { correctSignal, voidSignal } from '#contract/signal.ts'
import { createStrategy, type Strategy, type StrategyInput } from '#contract/strategy.ts'
import { expect, test } from '#tests/support/app.ts'
import { hookPath } from '#tests/support/desk.ts'
import { type Person, signUp } from '#tests/support/people.ts'
import { everythingKept, openSignedIn, signedInContext } from '#tests/support/screen.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { kept } from '#tests/support/storages.ts'

/** Noon in Taipei of a trading day: no day turns while this is read. */
const NOON = Date.parse('2026-11-20T04:00:00.000Z')

interface Stage {
  server: TestServer
  person: Person
  strategy: Strategy
  /** In, out with 10 points, in again: one position, +500 before costs. */
  ids: [entry: string, exit: string, again: string]
}

async function stage(): Promise<Stage> {
  const dist = process.env['DIST_DIR']
  let at = NOON
  const server = await startServer({ overrides: { now: () => at }, env: dist ? { DIST_DIR: dist } : {} })
  const person = await signUp(server, '周曉晴')
  const strategy = await person.call(createStrategy, {
    kind: 'futures',
    name: '作廢一筆',
    settings: { product_code: 'MXF' },
  } as StrategyInput)
  const send = async (action: string, price: number) => {
    at += 1_000
    const body = JSON.stringify({
      symbol: 'MXF1!',
      action,
      quantity: 1,
      price,
      time: new Date(at).toISOString(),
    })
    const reply = await server.request(hookPath(strategy), { method: 'POST', body })
    expect(reply.status).toBe(200)
    return ((await reply.json()) as { signal_id: string }).signal_id
  }
  const ids: Stage['ids'] = [
    await send('long_entry', 23_000),
    await send('long_exit', 23_100),
    await send('long_entry', 23_210),
  ]
  return { server, person, strategy, ids }
}

async function contextOf({ server, person }: Stage, browser: Parameters<typeof signedInContext>[0]) {
  const { viewport, isMobile, hasTouch } = test.info().project.use
  const options = { viewport: viewport ?? null, isMobile: isMobile ?? false, hasTouch: hasTouch ?? false }
  const context = await signedInContext(browser, server.url, person, options)
  await context.clock.setFixedTime(NOON + 60_000)
  return context
}
const open = (set: Stage, context: BrowserContext, path: string) =>
  openSignedIn(context.browser() as never, set.server.url, set.person, path, context)

/** The two records that come after the three: without them the device does not hold the record whole. */
const VOIDS = [4, 5].map((n) => ['signals', `"chain_seq":${n},`])

const main = (page: Page) => page.locator('main')
/** 今日訊號, what was realised today, and that nothing is held: as the first page says them on each width. */
const today = (page: Page) =>
  main(page)
    .locator('[aria-label="今日訊號"] .t28, .figures div:has(dt:text-is("今日訊號")) dd')
    .filter({ visible: true })
const realised = (page: Page) => main(page).locator('.dashboard-page-money .big')
const flat = (page: Page) =>
  main(page).locator('.dashboard-page-flat, dt:text-is("持倉中策略")').filter({ visible: true })
const dayLine = (page: Page) => main(page).locator('.day-header .num').first()
const row = (page: Page, text: string) => main(page).locator('.signal-row', { hasText: text })
const voided = (page: Page) => page.locator('main .signal-row.signal-row-voided')

test('a void arrives on an open first page and list: marked, counted, without its position; offline the same @phone', {
  tag: '@worker',
}, async ({ browser }) => {
  const set = await stage()
  const { server, person, ids } = set
  const context = await contextOf(set, browser)
  const first = await open(set, context, '/dashboard')
  const list = await open(set, context, '/signals')
  await expect(today(first)).toHaveText(/^3/)
  await expect(realised(first)).toContainText('+4,')
  await expect(flat(first)).toHaveCount(0)
  await expect(dayLine(list)).toHaveText('3 筆')
  await expect(voided(list)).toHaveCount(0)
  await everythingKept(first)

  await person.call(voidSignal, { id: ids[2], reason: '打錯了' })
  await expect(flat(first)).toHaveCount(1)
  await expect(today(first)).toHaveText(/^3/)
  await expect(realised(first)).toContainText('+4,')
  await expect(dayLine(list)).toHaveText('3 筆 · 作廢 1')
  await expect(voided(list)).toContainText('23,210')
  await expect(row(list, '打錯了')).toHaveCount(1)

  // without its entry the exit has made nothing
  await person.call(voidSignal, { id: ids[0], reason: '連同進場' })
  await expect(voided(list)).toHaveCount(2)
  await expect(dayLine(list)).toHaveText('3 筆 · 作廢 2')
  await expect(realised(first)).toHaveText(/^0/)
  // also the answer that knows of both: the one before it is kept already
  await kept(
    first,
    ['answers', '["personal","dashboard"', '"signal_count":3,"realised_pnl":0}'],
    ...VOIDS,
    ...[ids[0], ids[2]].map((id) => ['signals', id, '"status":"voided"']),
    ['signals', ids[1], '"realised_pnl":null'],
  )

  await context.setOffline(true)
  await first.goto(`${server.url}/dashboard`)
  await list.goto(`${server.url}/signals`)
  await expect(today(first)).toHaveText(/^3/)
  await expect(realised(first)).toHaveText(/^0/)
  await expect(flat(first)).toHaveCount(1)
  await expect(voided(list)).toHaveCount(2)
  await expect(dayLine(list)).toHaveText('3 筆 · 作廢 2')
  await context.close()
  await server.close()
})

test('a device that hears no stream finds a void and a new price by asking, and keeps both @phone', {
  tag: '@worker',
}, async ({ browser }) => {
  const set = await stage()
  const { server, person, ids } = set
  const context = await contextOf(set, browser)
  await context.route('**/api/v1/events', (route) => route.abort())
  const page = await open(set, context, '/dashboard')
  await expect(realised(page)).toContainText('+4,')
  await everythingKept(page)
  await kept(page, ['answers', '["personal","dashboard"'])
  await page.goto(`${server.url}/signals`)
  await expect(dayLine(page)).toHaveText('3 筆')
  await kept(page, ['meta', 'feed:personal'], ...ids.map((id) => ['signals', id]))

  await person.call(voidSignal, { id: ids[2], reason: '打錯了' })
  await person.call(correctSignal, { id: ids[1], price: 23_150, note: '券商成交價' })
  await page.goto(`${server.url}/signals`)
  const same = async () => {
    await expect(dayLine(page)).toHaveText('3 筆 · 作廢 1 · 更正 1')
    await expect(voided(page)).toContainText('23,210')
    // 150 points of 10 in place of 100
    await expect(row(page, '+7,4')).toContainText('23,150')
  }
  await same()
  await kept(
    page,
    ['signals', ids[2], '"status":"voided"'],
    ['signals', ids[1], '"status":"corrected"', '"price_used":23150'],
    ...VOIDS,
  )
  await context.setOffline(true)
  await page.goto(`${server.url}/signals`)
  await same()
  await page.goto(`${server.url}/dashboard`)
  await expect(realised(page)).toContainText('+7,4')
  await context.close()
  await server.close()
})
