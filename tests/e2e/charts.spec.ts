// What is drawn and what moves: no word on a line, one table in the chart's place, nothing pushed by a position, a wave without end.
import type { Locator } from '@playwright/test'
import { createStrategy, type Strategy, type StrategyInput } from '#contract/strategy.ts'
import { expect, test } from '#tests/support/app.ts'
import { hookPath } from '#tests/support/desk.ts'
import { inkUnder } from '#tests/support/ink.ts'
import { type Person, signUp } from '#tests/support/people.ts'
import { openSignedIn } from '#tests/support/screen.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { noHolidays } from '#tests/support/ten-trades.ts'

interface Stage {
  server: TestServer
  person: Person
  traded: Strategy
  make: (name: string) => Promise<Strategy>
  say: (strategy: Strategy, action: string, price: number, at_ms?: number) => Promise<void>
}
let fixed: number | null = null

/** Below and above the capital again and again, and beside it in the end, where a name over the line would lie on it. */
const POINTS = [60, -140, 90, -60, 150, -210, 80, 40, -30, -8, 6, -4]

let stage: Stage

test.beforeAll(async () => {
  const dist = process.env['DIST_DIR']
  const overrides = { now: () => fixed ?? Date.now() }
  const server = await startServer({ overrides, env: dist ? { DIST_DIR: dist } : {} })
  noHolidays(server)
  const person = await signUp(server, '周曉晴')
  const make = (name: string) =>
    person.call(createStrategy, {
      kind: 'futures',
      name,
      initial_capital: 100_000,
      settings: { product_code: 'MXF' },
    } as StrategyInput)
  const say: Stage['say'] = async (strategy, action, price, at_ms) => {
    const now = at_ms ?? Date.now()
    fixed = at_ms ?? null
    const time = new Date(now).toISOString()
    const body = JSON.stringify({ symbol: 'TAIFEX:MXF1!', action, quantity: 1, price, time })
    const answer = await fetch(new URL(hookPath(strategy), server.url), { method: 'POST', body })
    fixed = null
    expect(answer.status, await answer.text()).toBe(200)
  }
  const traded = await make('貼著初始資金')
  for (const [n, points] of POINTS.entries()) {
    const morning = Date.parse('2026-06-01T01:00:00Z') + n * 86_400_000
    await say(traded, 'long_entry', 22_000, morning)
    await say(traded, 'long_exit', 22_000 + points, morning + 3_600_000)
  }
  stage = { server, person, traded, make, say }
})
test.afterAll(() => stage.server.close())

const boxOf = async (one: Locator) => {
  const box = await one.boundingBox()
  if (!box) throw new Error('not on the screen')
  return box
}

/** What is read twice the same, with a moment between: the page has come to rest. */
async function still<T>(read: () => Promise<T>): Promise<T> {
  let last = await read()
  await expect
    .poll(
      async () => {
        const before = last
        last = await read()
        return JSON.stringify(last) === JSON.stringify(before)
      },
      { intervals: [500] },
    )
    .toBe(true)
  return last
}

/** Where the chart draws. */
const CANVASES = '.equity-chart-box canvas'

test('a curve of one day goes from edge to edge @desktop', { tag: '@soak' }, async ({ browser }) => {
  const { server, person, say, make } = stage
  const strategy = await make('只有一天')
  const morning = Date.parse('2026-06-01T01:00:00Z')
  await say(strategy, 'long_entry', 22_000, morning)
  await say(strategy, 'long_exit', 22_050, morning + 3_600_000)
  const page = await openSignedIn(browser, server.url, person, `/strategies/${strategy.id}?tab=overview`)
  const [box, end] = [page.locator('.equity-chart-box'), page.locator('.chart-point-halo')]
  await expect(end).toBeVisible()
  await expect
    .poll(async () => {
      const [frame, { x, width }] = [await boxOf(box), await boxOf(end)]
      return Math.abs(x + width / 2 - frame.x - frame.width)
    })
    .toBeLessThanOrEqual(2)
  const tip = page.locator('.chart-tip')
  const { width } = await boxOf(box)
  await box.hover({ position: { x: width - 2, y: 80 } })
  await expect(tip).toContainText('102,406')
  await box.hover({ position: { x: 2, y: 80 } })
  await expect(tip).toContainText('開始')
  // between them the day speaks
  await box.hover({ position: { x: width / 2, y: 80 } })
  await expect(tip).toContainText('102,406')
  await page.context().close()
})

test('no name and no value lies on what is drawn, nor on another', async ({ browser }) => {
  const page = await openSignedIn(
    browser,
    stage.server.url,
    stage.person,
    `/strategies/${stage.traded.id}?tab=overview`,
  )
  const labels = page.locator(
    '.equity-chart-over > .equity-chart-axis, .equity-chart-over > .equity-chart-name > span',
  )
  await expect(page.locator('.equity-chart-axis', { hasText: '初始資金' })).toBeVisible()
  await expect(page.locator('.equity-chart-name')).toContainText('最大 −')
  // there is something to lie on
  await expect.poll(() => inkUnder(page, page.locator('.equity-chart-box'), CANVASES)).toBeGreaterThan(1_000)
  const look = () => expect(lies_free).toPass({ timeout: 60_000 })
  // the names find their place after the line is drawn
  const lies_free = async () => {
    const all = await labels.all()
    const boxes = await Promise.all(all.map(boxOf))
    const texts = await Promise.all(all.map((one) => one.innerText()))
    for (const [i, one] of all.entries()) {
      expect(await inkUnder(page, one, CANVASES), `under ${texts[i]}`).toBe(0)
      for (const [k, other] of boxes.slice(i + 1).entries()) {
        const { x, y, width, height } = boxes[i] as (typeof boxes)[number]
        const apart =
          x + width <= other.x ||
          other.x + other.width <= x ||
          y + height <= other.y + 1 ||
          other.y + other.height <= y + 1
        expect(apart, `${texts[i]} on ${texts[i + 1 + k]}`).toBe(true)
      }
    }
  }
  await look()
  // the drawn fall is the table's
  const worst = await page
    .locator('.figure-rows li', { hasText: '最大回撤' })
    .first()
    .locator('b')
    .innerText()
  await expect(page.locator('.equity-chart-name')).toContainText(`最大 ${worst}`)
  await expect(page.locator('.equity-chart-head')).toContainText('日終權益＝初始資金 100,000 元＋已實現損益')
  await expect(page.locator('.stats-card-note').first()).toContainText(
    '權益＝初始資金 100,000 元＋已實現損益',
  )
  for (const period of ['3月', '今年']) {
    await page
      .getByRole('region', { name: '權益曲線' })
      .getByRole('radio', { name: period })
      .check({ force: true })
    await expect(page.locator('.equity-card-big')).toContainText(period)
    // a phone's key stands under the chart: what was pressed is scrolled to, and the bar of tabs lies on the names
    await page.evaluate(() => scrollTo(0, 0))
    // the pointer that pressed it would stand on the chart now, and its line goes through the names
    await page.mouse.move(0, 0)
    if (await page.locator('.equity-chart-over').isVisible()) await look()
  }
  await page.context().close()
})

test('the table takes the place of the chart, and its neighbours stay as they are', { tag: '@soak' }, async ({
  browser,
}) => {
  const page = await openSignedIn(
    browser,
    stage.server.url,
    stage.person,
    `/strategies/${stage.traded.id}?tab=overview`,
  )
  await expect(page.locator('.equity-chart-last')).toBeVisible()
  await expect(page.locator('.overview-tab')).toHaveAttribute('data-by', 'device')
  const neighbours = ['.equity-card', '.stats-card', '.month-card', '.equity-card-switch'].map((css) =>
    page.locator(css).first(),
  )
  // on the page: a press may scroll it
  const places = () =>
    Promise.all(
      neighbours.map((one) =>
        one.evaluate((node) => {
          const { top, left, width, height } = node.getBoundingClientRect()
          return [top + scrollY, left, width, height].map(Math.round)
        }),
      ),
    )
  const before = await still(places)
  const equity = page.getByRole('region', { name: '權益曲線' })
  await equity.getByRole('button', { name: /^以表格看/ }).click()
  const table = page.getByRole('region', { name: '逐日權益與回撤' })
  await expect(table.getByRole('row')).toHaveCount(1 + 10)
  await expect(table.getByRole('row').nth(1)).toContainText('2026/06/12')
  await expect.poll(places).toEqual(before)
  await equity.getByRole('button', { name: /^看圖/ }).click()
  await expect(table).toHaveCount(0)
  await expect.poll(places).toEqual(before)
  await page.context().close()
})

test('a position that comes, turns and goes does not move the list', async ({ browser }) => {
  const { server, person, say } = stage
  const own = await person.call(createStrategy, {
    kind: 'futures',
    name: '部位會變，名稱也不短：小台指日夜盤順勢突破與拉回加碼',
    initial_capital: 100_000,
    settings: { product_code: 'MXF' },
  } as StrategyInput)
  // it speaks already, so that no notice about silence goes with the next message
  await say(own, 'long_entry', 22_000)
  await say(own, 'long_exit', 22_010)
  const page = await openSignedIn(browser, server.url, person, `/strategies/${own.id}?tab=signals`)
  const standing = page.locator('.standing:visible')
  const rows = page.locator('.signal-board-window .signal-board-slot[data-key]')
  await expect(standing).toContainText('空手')
  await expect(rows).toHaveCount(2)
  const places = () =>
    Promise.all(
      [page.locator('.strategy-detail-page .tabs'), page.locator('.signal-board-window')].map(
        async (one) => (await boxOf(one)).y,
      ),
    )
  const before = await still(places)
  // each differs from the one before, so that what stood there is not taken for what comes
  const steps: [string, number, RegExp][] = [
    ['long_entry', 22_000, /多\s*1 口.*—.*沒有報價/s],
    ['long_entry', 22_105, /多\s*2 口/],
    ['short_entry', 21_950, /空\s*1 口/],
    ['close_all', 21_900, /空手/],
  ]
  for (const [n, [action, price, held]] of steps.entries()) {
    await say(own, action, price)
    await expect(rows).toHaveCount(3 + n)
    await expect(standing).toContainText(held)
    await expect.poll(places, action).toEqual(before)
  }
  await page.context().close()
})

test('the wave reaches the edge of wide screens', { tag: ['@desktop', '@soak'] }, async ({ page }) => {
  for (const width of [1440, 1920, 2560, 3840]) {
    await page.setViewportSize({ width, height: 900 })
    for (const [path, wave] of [
      ['/', '.landing-page-wave path'],
      ['/login', '.inflow-inflow path'],
    ] as const) {
      await page.goto(stage.server.url + path)
      await expect(page.locator(wave)).toBeVisible()
      const left = () => page.locator(wave).evaluate((one) => one.getBoundingClientRect().left)
      await expect.poll(left, `${path} at ${width}`).toBeLessThanOrEqual(0)
    }
  }
})
