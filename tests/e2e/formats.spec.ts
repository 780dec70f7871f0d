// A message of a format that nobody has seen: the phone asks, one tap takes it; said otherwise, it is taken as it was said.
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from '@playwright/test'
import { subscribePush } from '#contract/binding.ts'
import { listStrategySignals } from '#contract/signal.ts'
import { createStrategy, type Strategy } from '#contract/strategy.ts'
import { createWebhook, testWebhook } from '#contract/webhook.ts'
import { confirmFormat, listFormats } from '#contract/webhook-format.ts'
import { axe, expect, ownServerTest as test } from '#tests/support/app.ts'
import { hookPath } from '#tests/support/desk.ts'
import { type Person, signUp } from '#tests/support/people.ts'
import { type PushService, startPushService } from '#tests/support/push-service.ts'
import { notingWorker, pushTo, shownBy } from '#tests/support/pushed.ts'
import { everythingKept, openSignedIn, signedInContext } from '#tests/support/screen.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

const DIST = process.env['DIST_DIR'] ?? fileURLToPath(new URL('../../dist', import.meta.url))
let server: TestServer
let service: PushService
let offset_ms = 0

test.beforeAll(async () => {
  service = await startPushService()
  server = await startServer({
    notifies: true,
    env: { DIST_DIR: DIST, OUTGOING_ALLOW: '127.0.0.0/8' },
    overrides: { now: () => Date.now() + offset_ms },
  })
})
test.afterAll(async () => {
  await server.close()
  await service.close()
  expect(service.wrong).toEqual([])
})

async function make(name: string): Promise<{ person: Person; strategy: Strategy; webhook_id: string }> {
  const person = await signUp(server, '周曉晴')
  const settings = { product_code: 'MXF' }
  const strategy = await person.call(createStrategy, { kind: 'futures', name, settings, max_position: 99 })
  return { person, strategy, webhook_id: strategy.webhooks?.[0]?.id ?? '' }
}
const post = async (strategy: Strategy, body: string) =>
  (await server.request(hookPath(strategy), { method: 'POST', body })).status
const bot = (over: object = {}) =>
  JSON.stringify({ bot: '突破', symbol: 'MXF1!', cmd: 'long_entry', qty: 2, price: 46_500, ...over })
const records = async (person: Person, { id }: Strategy) =>
  (await person.call(listStrategySignals, { id })).items

async function open(browser: Browser, person: Person, path: string): Promise<Page> {
  const { viewport = null, isMobile, hasTouch } = test.info().project.use
  const context = await signedInContext(browser, server.url, person, {
    viewport,
    ...(isMobile !== undefined && { isMobile }),
    ...(hasTouch !== undefined && { hasTouch }),
  })
  return openSignedIn(browser, server.url, person, path, context)
}
const settings = (strategy: Strategy, more = '') => `/strategies/${strategy.id}?tab=settings${more}`
const sheet = (page: Page) => page.getByRole('dialog')

test('the phone rings, one tap shows it beside its words, the next takes it; what follows stands at once', {
  tag: ['@phone', '@worker'],
}, async ({ browser }) => {
  const { person, strategy } = await make('外部機器人')
  const device = service.subscribe(server.app.vapid.public)
  await person.call(subscribePush, device)
  const page = await open(browser, person, '/dashboard')
  await everythingKept(page)
  const worker = await notingWorker(page.context(), person.uid)
  await page.goto('about:blank')

  expect(await post(strategy, bot())).toBe(202)
  expect(await records(person, strategy)).toEqual([])
  await server.app.notifier.catchUp()
  const message = service.messages.find(({ endpoint }) => endpoint === device.endpoint)
  await pushTo(page, server.url, message?.text ?? '')
  await expect.poll(() => shownBy(worker)).toHaveLength(1)
  const [shown] = await shownBy(worker)
  expect(shown?.title).toBe('新格式的訊息：多單進場 小台近月 2 口 46,500？')

  await page.goto(server.url + shown?.url)
  await expect(sheet(page)).toContainText('多單進場')
  await expect(sheet(page)).toContainText('小台 近月2 口46,500')
  await expect(sheet(page)).toContainText('部位會變成 多 2 口')
  // what is looked at is marked with what it is, the rest is there and is not
  const marks = sheet(page).locator('mark')
  await expect(marks).toHaveText(['MXF1!商品', 'long_entry動作', '2口數', '46500價格'])
  await expect(sheet(page)).toContainText('"bot":"突破"')
  expect(await axe(page)).toEqual([])
  await sheet(page).getByRole('button', { name: '是，以後這樣讀' }).click()

  await expect(page).toHaveURL(/tab=signals/)
  const rows = page.locator('main li[aria-setsize]')
  await expect(rows).toHaveCount(1)
  await expect(rows.first()).toContainText('46,500')
  await expect(rows.first()).toContainText('0 → +2')
  expect(await post(strategy, bot({ qty: 1, price: 46_510 }))).toBe(200)
  await expect(rows).toHaveCount(2, { timeout: 1_000 })
  await page.context().close()
})

test('not right: each part is said, tried while it is, and taken so; listed, renamed, deleted', {
  tag: '@desktop',
}, async ({ browser }) => {
  const { person, strategy } = await make('說不清')
  const body = '{"bot":{"tkr":"MXF1!","dir":"看多","lots":"2手","px":46500,"sl":46400}}'
  expect(await post(strategy, body)).toBe(202)
  const page = await open(browser, person, settings(strategy))
  const log = page.locator('section[aria-label="最近接收紀錄"]')
  await expect(log.getByText('等你確認', { exact: true }).first()).toBeVisible()
  await log.locator('.request-row-line').first().click()

  // nobody can say what it is: only its words are asked, and the message says at once what that does
  await expect(sheet(page).getByRole('heading')).toHaveText('這則要怎麼讀？')
  const yes = sheet(page).getByRole('button', { name: '是，以後這樣讀' })
  await expect(sheet(page)).toContainText('請先選「看多」「手」的意思')
  await expect(yes).toBeDisabled()
  await sheet(page).getByLabel('「看多」的意思').selectOption('空單進場')
  await sheet(page).getByLabel('「手」的意思').selectOption('口')
  await expect(sheet(page)).toContainText('空單進場 小台 近月 2 口 46,500')
  await sheet(page).getByLabel('「看多」的意思').selectOption('多單進場')
  await sheet(page).getByLabel('bot.sl 是什麼').selectOption('價格')
  await expect(sheet(page)).toContainText('多單進場 小台 近月 2 口 46,400')
  await expect(sheet(page).getByLabel('bot.px 是什麼')).toHaveValue('')
  await sheet(page).getByLabel('bot.px 是什麼').selectOption('價格')
  await expect(sheet(page)).toContainText('多單進場 小台 近月 2 口 46,500')
  expect(await axe(page)).toEqual([])
  await yes.click()
  await expect(sheet(page)).toHaveCount(0)
  await expect(log.locator('.request-row-line').first()).toContainText('已收下')
  expect(await records(person, strategy)).toMatchObject([
    { action: 'long_entry', quantity: 2, price: 46_500, symbol: 'MXF' },
  ])
  expect(await post(strategy, body.replace('46500', '46510'))).toBe(200)

  const card = page.locator('section[aria-label="訊息格式"]')
  await card.getByText('你的格式 1').click()
  await expect(sheet(page).locator('mark').first()).toBeVisible()
  await sheet(page).getByLabel('名稱').fill('機器人')
  await sheet(page).getByRole('button', { name: '儲存' }).click()
  await expect(card).toContainText('機器人')
  await card.getByText('機器人').click()
  await sheet(page).getByRole('button', { name: '刪除這種格式' }).click()
  await page.getByRole('dialog', { name: '刪除「機器人」' }).getByRole('button', { name: '刪除格式' }).click()
  await expect(sheet(page)).toHaveCount(0)
  await expect(card).not.toContainText('機器人')
  expect(await post(strategy, body)).toBe(202)
  await page.context().close()
})

test('what one message cannot say is asked, and a new word of a known format alone', {
  tag: '@phone',
}, async ({ browser }) => {
  const { person, strategy, webhook_id } = await make('問清楚')
  await post(strategy, '{"symbol":"MXF1!","action":"buy","volume":2,"price":46500}')
  const page = await open(browser, person, settings(strategy))
  await page.getByRole('button', { name: '去確認' }).click()
  const yes = sheet(page).getByRole('button', { name: '是，以後這樣讀' })
  await expect(yes).toBeDisabled()
  await sheet(page).getByLabel('不是，不用看').check()
  await expect(sheet(page)).toContainText('部位會變成 多 1 口')
  await sheet(page).getByLabel('是這一筆的數量', { exact: false }).first().check()
  await expect(sheet(page)).toContainText('部位會變成 多 2 口')
  await yes.click()
  await expect.poll(async () => (await records(person, strategy)).length).toBe(1)

  await post(strategy, '{"symbol":"MXF1!","action":"scale_out","volume":1,"price":46510}')
  await page.getByRole('button', { name: '去確認' }).click()
  await expect(sheet(page).getByRole('heading')).toHaveText('第一次出現的字')
  await sheet(page).getByLabel('「scale_out」的意思').selectOption('多單出場')
  await expect(sheet(page).locator('.format-sheet-action')).toContainText('多單出場')
  await yes.click()
  await expect.poll(async () => (await records(person, strategy)).length).toBe(2)
  expect((await records(person, strategy)).map(({ action }) => action).sort()).toEqual(['buy', 'long_exit'])
  const { items } = await person.call(listFormats, { id: webhook_id })
  expect(items.map(({ name, state }) => [name, state])).toEqual([['你的格式 1', 'confirmed']])
  await page.context().close()
})

test('without a network it says so; messages that waited long are taken quietly or left', {
  tag: '@phone',
}, async ({ browser }) => {
  const { person, strategy } = await make('等了很久')
  offset_ms = -900_000
  await post(strategy, bot())
  offset_ms = 0
  await post(strategy, bot({ price: 46_510 }))
  const page = await open(browser, person, settings(strategy))
  await page.getByRole('button', { name: '去確認' }).click()
  await expect(sheet(page)).toContainText('2 則在等')
  const yes = sheet(page).getByRole('button', { name: '是，以後這樣讀' })
  await expect(yes).toBeEnabled()
  await page.context().setOffline(true)
  await expect(sheet(page)).toContainText('目前離線，連上網路才送得出去。')
  await expect(yes).toBeDisabled()
  await page.context().setOffline(false)
  await sheet(page).getByLabel('略過這幾則', { exact: false }).check()
  await yes.click()
  await expect(sheet(page)).toHaveCount(0)
  await expect(page.locator('section[aria-label="最近接收紀錄"]')).toContainText('忽略')
  expect(await records(person, strategy)).toEqual([])
  expect(await post(strategy, bot())).toBe(200)
  await page.context().close()
})

test('it is said where one is: on the first screen, at the strategy, in the list; a test of it says what will be', {
  tag: '@desktop',
}, async ({ browser }) => {
  const { person, strategy } = await make('到處都寫')
  // of the second of its webhooks: the link does not say of which
  const { id: webhook_id, url } = await person.call(createWebhook, { strategy_id: strategy.id, name: '備援' })
  await server.request(new URL(url ?? '').pathname, { method: 'POST', body: bot() })
  const page = await open(browser, person, '/dashboard')
  await page.getByRole('link', { name: '新格式等你確認' }).click()
  await expect(sheet(page)).toContainText('多單進場')
  await expect(sheet(page)).toContainText('到處都寫 · 備援')
  await sheet(page).getByRole('button', { name: '不是訊號，略過' }).click()
  await page.getByRole('dialog', { name: '略過這種訊息' }).getByRole('button', { name: '取消' }).click()
  await sheet(page).getByRole('button', { name: '關閉' }).click()
  await page.goto(`${server.url}/strategies`)
  await expect(page.locator('main')).toContainText('新格式等你確認')
  await page.goto(`${server.url}/strategies/${strategy.id}?tab=signals`)
  await page.locator('.notices').getByRole('link', { name: '去確認' }).click()
  await expect(sheet(page)).toContainText('多單進場')
  await page.goto(`${server.url}/strategies/${strategy.id}?tab=signals`)
  await expect(page.getByText('新格式等你確認')).toBeVisible()
  expect((await person.call(testWebhook, { id: webhook_id, body: bot() })).answer.status).toBe('held')
  const { items } = await person.call(listFormats, { id: webhook_id })
  await person.call(confirmFormat, { id: webhook_id, format_id: items[0]?.id ?? '', waiting: 'take' })
  await expect(page.getByText('新格式等你確認')).toHaveCount(0)
  await page.context().close()
})
