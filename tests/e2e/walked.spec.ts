// What hesitated when the author's and the reader's way were walked by hand: a key that leads beside its aim, a line that breaks.
import type { Page } from '@playwright/test'
import { correctSignal, voidSignal } from '#contract/signal.ts'
import { createStrategy, type Strategy } from '#contract/strategy.ts'
import { expect, test } from '#tests/support/app.ts'
import { hookPath } from '#tests/support/desk.ts'
import { signedIn } from '#tests/support/identities.ts'
import { type Person, signUp } from '#tests/support/people.ts'
import { everythingKept, openSignedIn, signedInContext } from '#tests/support/screen.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

/** Noon in Taipei of a trading day: no day turns while a day is counted. */
const NOON = Date.parse('2026-11-20T04:00:00.000Z')

async function make(person: Person, name: string): Promise<Strategy> {
  const settings = { product_code: 'MXF' }
  return person.call(createStrategy, { kind: 'futures', name, settings, max_position: 50 })
}
async function send(
  server: TestServer,
  strategy: Strategy,
  action: string,
  price: number | string,
): Promise<string> {
  const body = JSON.stringify({ symbol: 'MXF1!', action, quantity: 5, price })
  const reply = await server.request(hookPath(strategy), { method: 'POST', body })
  return ((await reply.json()) as { signal_id: string }).signal_id
}
const refused = (page: Page) => page.locator('section[aria-label="最近接收紀錄"] .request-row-line')

// domain §7.4: log of requests: reason, body without the secret, what was read
test('a refused message is one press away: the log stands in sight with the refused ones, also three screens down', async ({
  page,
  server,
}) => {
  const person = await signUp(server, '陳作者')
  const strategy = await make(person, '有一則沒收下')
  await send(server, strategy, 'long_entry', 46_500)
  await send(server, strategy, 'long_entry', '很高的價'.repeat(12))
  await signedIn(page, person)
  await page.goto(`${server.url}/strategies/${strategy.id}?tab=signals`)
  await page.getByRole('link', { name: '去看看' }).click()
  await expect(refused(page)).toHaveCount(1)
  await expect(refused(page)).toContainText('價格不對')
  await expect(refused(page)).toBeInViewport({ ratio: 1 })
  // why not stands there whole
  const cut = (node: Element) => node.scrollWidth > node.clientWidth || node.scrollHeight > node.clientHeight
  expect(await refused(page).locator('.request-row-said').evaluate(cut)).toBe(false)
  // from the first page the same
  await page.goto(`${server.url}/dashboard`)
  await page.getByText('1 則訊息沒收下').click()
  await expect(refused(page)).toContainText('價格不對')
  await expect(refused(page)).toBeInViewport({ ratio: 1 })
})

test('the line of a day keeps to one line: count, what was voided and corrected, and the whole sum', {
  tag: ['@phone', '@soak'],
}, async ({ page }) => {
  const dist = process.env['DIST_DIR']
  const began = Date.now()
  const now = () => NOON + (Date.now() - began)
  const server = await startServer({ overrides: { now }, env: dist ? { DIST_DIR: dist } : {} })
  const person = await signUp(server, '陳作者')
  const strategy = await make(person, '有作廢也有更正')
  const first = await send(server, strategy, 'long_entry', 43_000)
  const wrong = await send(server, strategy, 'long_entry', 43_100)
  await person.call(voidSignal, { id: wrong, reason: '打錯了' })
  await person.call(correctSignal, { id: first, price: 43_050 })
  await send(server, strategy, 'long_exit', 46_600)
  await page.clock.setFixedTime(NOON + 60_000)
  await signedIn(page, person)
  await page.goto(`${server.url}/strategies/${strategy.id}?tab=signals`)
  const line = page.locator('main .day-header').first()
  await expect(line.locator('.day-header-count')).toHaveText('3 筆 · 作廢 1 · 更正 1')
  await expect(line.locator('.day-header-count')).toBeInViewport({ ratio: 1 })
  await expect(line).toContainText('+886,')
  const cut = () =>
    line.evaluate((node) =>
      [...node.children]
        .filter((child) => !child.matches('.sp, .day-header-word'))
        .filter((child) => child.getClientRects().length > 0)
        .filter((child) => child.scrollWidth > child.clientWidth + 1 || child.clientHeight > 24)
        .map((child) => child.textContent),
    )
  await expect.poll(cut).toEqual([])
  await page.context().close()
  await server.close()
})

test('in the evening the line counts, and says what its sum is, also beside a void; the note is first to give way', {
  tag: ['@phone', '@soak'],
}, async ({ page }) => {
  const dist = process.env['DIST_DIR']
  const began = Date.now()
  const evening = NOON + 8 * 3_600_000
  const now = () => evening + (Date.now() - began)
  const server = await startServer({ overrides: { now }, env: dist ? { DIST_DIR: dist } : {} })
  const person = await signUp(server, '陳作者')
  const strategy = await make(person, '夜盤作廢')
  await send(server, strategy, 'long_entry', 43_000)
  await send(server, strategy, 'long_exit', 43_100)
  await page.clock.setFixedTime(evening + 60_000)
  await signedIn(page, person)
  await page.goto(`${server.url}/strategies/${strategy.id}?tab=signals`)
  const line = page.locator('main .day-header').first()
  // what is clipped is visible to everything but this
  const whole = async (...words: string[]) => {
    for (const one of words)
      await expect(line.getByText(one, { exact: true }), one).toBeInViewport({ ratio: 0.99 })
  }
  await whole('2 筆', '含夜盤', '已實現')
  await page.setViewportSize({ width: 320, height: 640 })
  await whole('2 筆', '已實現')
  await expect(line.getByText('含夜盤')).not.toBeInViewport()
  await page.setViewportSize({ width: 390, height: 844 })
  await person.call(voidSignal, {
    id: await send(server, strategy, 'long_entry', 43_200),
    reason: '打錯了',
  })
  await page.reload()
  await whole('3 筆 · 作廢 1', '已實現')
  await page.context().close()
  await server.close()
})

test('after midnight what came in the evening says its day under 今天, as it does on the first page', {
  tag: '@phone',
}, async ({ page }) => {
  const dist = process.env['DIST_DIR']
  const began = Date.now()
  // Thursday: what comes on a Friday evening is Monday's
  const evening = NOON - 18 * 3_600_000
  let later = 0
  const now = () => evening + later + (Date.now() - began)
  const server = await startServer({ overrides: { now }, env: dist ? { DIST_DIR: dist } : {} })
  const person = await signUp(server, '陳作者')
  const strategy = await make(person, '跨夜')
  await send(server, strategy, 'long_entry', 43_000)
  later = 7 * 3_600_000
  await send(server, strategy, 'long_exit', 43_100)
  await page.clock.setFixedTime(evening + later + 60_000)
  await signedIn(page, person)
  await page.goto(`${server.url}/strategies/${strategy.id}?tab=signals`)
  const times = page.locator('main .signal-row time')
  await expect(times).toHaveText([/^01:0\d:\d\d$/, /^11\/19 18:0\d$/])
  await page.context().close()
  await server.close()
})

test('in the metro: a strategy that was only listed opens, and says what its newest record says', {
  tag: ['@phone', '@worker'],
}, async ({ browser, server }) => {
  const person = await signUp(server, '捷運讀者')
  const strategy = await make(person, '沒有打開過的策略')
  await send(server, strategy, 'long_entry', 46_500)
  const { viewport = null, isMobile = false, hasTouch = false } = test.info().project.use
  const context = await signedInContext(browser, server.url, person, {
    viewport,
    isMobile,
    hasTouch,
  })
  const page = await openSignedIn(browser, server.url, person, '/strategies', context)
  await everythingKept(page)
  const card = page.getByRole('link', { name: /沒有打開過的策略/ }).first()
  await expect(page.locator('main')).toContainText('@46,500')
  // heard on the first page, while the list and the strategy are not looked at
  await page.getByRole('link', { name: '首頁' }).filter({ visible: true }).click()
  await expect(page.locator('main .signal-row')).toHaveCount(1)
  await send(server, strategy, 'short_entry', 46_600)
  await expect(page.locator('main .signal-row')).toHaveCount(2)
  await context.setOffline(true)
  await expect(page.getByText('離線').filter({ visible: true }).first()).toBeVisible()
  await page.getByRole('link', { name: '策略', exact: true }).filter({ visible: true }).click()
  await expect(card).toBeVisible()
  await expect(page.locator('main')).toContainText('@46,600')
  await card.click()
  await expect(page.getByRole('region', { name: '現在部位' })).toContainText('46,600')
  await expect(page.getByText('讀不到這個策略')).toHaveCount(0)
  await expect(page.getByRole('tab', { name: /訊號/ })).toHaveText('訊號2')
  await context.close()
})

test('as wide as a tablet upright: a row is as high as what stands in it, in both lists', {
  tag: ['@desktop', '@soak'],
}, async ({ page, server }) => {
  const person = await signUp(server, '平板讀者')
  const strategy = await make(person, '台指當沖')
  for (const price of [46_500, 46_510, 46_520]) await send(server, strategy, 'long_entry', price)
  await signedIn(page, person)
  // 1,280 has one line, 768 two: to the pixel where the list's border decides
  for (const width of [768, 770, 771, 1_280]) {
    await page.setViewportSize({ width, height: 1_024 })
    for (const path of ['/signals', `/strategies/${strategy.id}?tab=signals`]) {
      await page.goto(`${server.url}${path}`)
      const list = page.locator('main .signal-board-window .signal-row')
      await expect(list).toHaveCount(3)
      // what the next row lies over of the one above it
      const under = () =>
        list.evaluateAll((all) => {
          const boxes = all.map((row) => row.getBoundingClientRect()).sort((a, b) => a.top - b.top)
          return boxes.slice(1).map((box, at) => Math.round(box.top - (boxes[at]?.bottom ?? 0)))
        })
      await expect.poll(under, `${path} at ${width} px`).toEqual([0, 0])
    }
  }
})

test('messages that were only refused: no key of the page says that none ever came', {
  tag: '@phone',
}, async ({ page, server }) => {
  const person = await signUp(server, '第一則就沒收下')
  const strategy = await make(person, '還沒接好')
  await send(server, strategy, 'long_entry', '很高')
  await signedIn(page, person)
  await page.goto(`${server.url}/strategies/${strategy.id}?tab=settings`)
  await expect(page.getByText('上一則沒收下')).toBeVisible()
  await expect(page.getByText('還沒收過訊息')).toHaveCount(0)
})

test('several positions are counted wherever a strategy stands: no size of the first one alone @phone', async ({
  page,
  server,
}) => {
  const person = await signUp(server, '買了兩檔')
  const held = { kind: 'stock', name: '兩檔在手', settings: {}, max_position: 50 } as const
  const strategy = await person.call(createStrategy, held)
  // with one only, the sheet opens at once and nothing is to be picked
  await make(person, '另一個')
  for (const symbol of ['2330', '2454']) {
    const body = JSON.stringify({ symbol, action: 'buy', quantity: 2, price: 1_000 })
    const answer = await server.request(hookPath(strategy), { method: 'POST', body })
    expect(answer.status, await answer.text()).toBe(200)
  }
  await signedIn(page, person)
  await page.goto(`${server.url}/strategies/${strategy.id}`)
  const standing = page.locator('.standing').filter({ visible: true })
  await expect(standing).toContainText('2 個部位')
  await expect(standing).toContainText('2330 多 2 張')
  await expect(standing).toContainText('2454 多 2 張')
  await page.goto(`${server.url}/strategies?manual=1`)
  await expect(page.getByRole('button', { name: /^兩檔在手/ })).toContainText('2 個部位')
})

test('without a mouse: the code is sent once more, and the next key typed is its first digit', {
  tag: '@desktop',
}, async ({ page, server }) => {
  const person = await signUp(server, '等驗證信', { verify: false })
  await signedIn(page, person)
  await page.goto(`${server.url}/profile`)
  const again = page.getByRole('button', { name: '再寄一次' })
  await again.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: /秒後可再寄/ })).toBeVisible()
  await expect(page.getByLabel('驗證碼')).toBeFocused()
})
