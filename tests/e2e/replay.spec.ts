// 重新解析: what would change is shown first; then it is made, with its progress, stopped between two batches, gone on with after a reload.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { createStrategy, type Strategy, updateStrategy } from '#contract/strategy.ts'
import type { Webhook } from '#contract/webhook.ts'
import { expect, ownServerTest as test } from '#tests/support/app.ts'
import { type Person, signUp } from '#tests/support/people.ts'
import { openSignedIn, signedInContext } from '#tests/support/screen.ts'
import { freePort, type SpawnedServer, spawnServer } from '#tests/support/server.ts'

let server: SpawnedServer
let data_dir: string
let person: Person
let count = 0

test.beforeAll(async () => {
  data_dir = mkdtempSync(join(tmpdir(), 'lingbo-replay-'))
  const env = { LOG_LEVEL: 'error', HOOK_BURST: '5000', HOOK_RATE_PER_MINUTE: '5000' }
  server = await spawnServer({ data_dir, port: await freePort(), env })
  person = await signUp(server, '周曉晴')
})
test.afterAll(async () => {
  await server.stop('SIGKILL')
  rmSync(data_dir, { recursive: true, force: true })
})

/** A strategy whose webhook has refused so many messages of another product. */
async function make(refused: number): Promise<{ strategy: Strategy; webhook: Webhook }> {
  const strategy = await person.call(createStrategy, {
    kind: 'futures',
    name: `重播 ${++count}`,
    settings: { product_code: 'MXF' },
    allow_pyramiding: true,
    max_position: 999,
  })
  const webhook = strategy.webhooks?.[0] as Webhook
  for (let i = 0; i < refused; i++) await send(webhook, { symbol: 'TXF1!', price: 46_000 + i })
  return { strategy, webhook }
}
async function send(webhook: Webhook, over: Record<string, unknown>): Promise<void> {
  const body = JSON.stringify({ symbol: 'MXF1!', action: 'buy', quantity: 1, ...over })
  await server.request(new URL(webhook.url as string).pathname, { method: 'POST', body })
}
const takeAll = ({ id }: Strategy) => person.call(updateStrategy, { id, on_symbol_mismatch: 'accept' })

async function open(browser: Browser, strategy: Strategy, more = ''): Promise<Page> {
  const { viewport = null, isMobile, hasTouch } = test.info().project.use
  const context = await signedInContext(browser, server.url, person, {
    viewport,
    ...(isMobile !== undefined && { isMobile }),
    ...(hasTouch !== undefined && { hasTouch }),
  })
  return openSignedIn(browser, server.url, person, `/strategies/${strategy.id}?tab=settings${more}`, context)
}

// domain §7.4: read again, one and many
test('refused ones, chosen or filtered: first what would change, then exactly that @phone', async ({
  browser,
}) => {
  const { strategy, webhook } = await make(3)
  await send(webhook, { action: '{{strategy.order.action}}' })
  await takeAll(strategy)
  const page = await open(browser, strategy)
  const log = page.locator('section[aria-label="最近接收紀錄"]')
  await expect(log.getByText('其中商品不符').locator('..')).toContainText('3')
  await expect(log.locator('.deliveries-card-list > li').first()).toContainText('變數未替換')
  await expect(log.locator('.deliveries-card-list > li').nth(1)).toContainText('商品不符')

  // One, from its own row.
  await log.locator('.request-row-line').nth(1).click()
  await log.getByRole('button', { name: '重新解析', exact: true }).click()
  const sheet = page.getByRole('dialog')
  await expect(sheet.getByRole('heading', { name: '會改變什麼' })).toBeVisible()
  await expect(sheet.getByRole('button', { name: '新成為訊號 1' })).toBeVisible()
  await sheet.getByRole('button', { name: '取消' }).click()
  await expect(sheet).toHaveCount(0)
  await expect(log.locator('.deliveries-card-list > li').nth(1)).toContainText('商品不符')

  // All that a filter shows.
  await log.getByLabel('結果').selectOption('rejected')
  await log.getByRole('button', { name: '重新解析 4 則' }).click()
  await expect(sheet.getByRole('button', { name: '新成為訊號 3' })).toHaveAttribute('aria-pressed', 'true')
  await expect(sheet.locator('.replay-list li')).toHaveCount(3)
  await sheet.getByRole('button', { name: '仍不是訊號 1' }).click()
  await expect(sheet.locator('.replay-list li')).toContainText('變數未替換')
  await sheet.getByRole('button', { name: '套用 3 則' }).click()
  await expect(sheet.getByRole('heading', { name: '重新解析完成' })).toBeVisible()
  await expect(sheet).toContainText('新成為訊號 3 則')
  await sheet.getByRole('button', { name: '關閉', exact: true }).last().click()
  await expect(log.locator('.deliveries-card-list > li')).toHaveCount(1)

  // Chosen rows, of which nothing would change any more.
  await log.getByLabel('結果').selectOption('')
  await log.getByRole('button', { name: '選取', exact: true }).click()
  await expect(log.getByRole('button', { name: '重新解析全部 4 則' })).toBeVisible()
  await log.locator('.deliveries-card-list input[type=checkbox]').nth(1).check()
  await log.locator('.deliveries-card-list input[type=checkbox]').nth(2).check()
  await log.getByRole('button', { name: '重新解析 2 則' }).click()
  await expect(sheet).toContainText('什麼都沒有改變')
  await expect(sheet.getByRole('button', { name: '不變 2' })).toBeVisible()
  await page.context().close()
})

test('many, stopped between two batches: where it stood is said after a reload, and the rest is made @desktop', {
  tag: '@soak',
}, async ({ browser }) => {
  const { strategy } = await make(230)
  await takeAll(strategy)
  const page = await open(browser, strategy, '&outcome=rejected')
  const log = page.locator('section[aria-label="最近接收紀錄"]')
  // The first batch is on its way until it is let through: the press comes before its end.
  let through = () => {}
  const held = new Promise<void>((done) => {
    through = done
  })
  await page.context().route('**/replays', async (route) => {
    if ((route.request().postDataJSON() as { dry_run: boolean }).dry_run === false) await held
    await route.continue()
  })
  await log.getByRole('button', { name: '重新解析 230 則' }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('button', { name: '套用 230 則' }).click()
  await expect(sheet.getByRole('progressbar')).toBeVisible()
  await expect(sheet).toContainText('0 / 230')
  await sheet.getByRole('button', { name: '取消' }).click()
  through()
  await expect(sheet.getByRole('heading', { name: '停下來了' })).toBeVisible()
  await expect(sheet).toContainText('200 / 230')
  await expect(sheet.getByRole('button', { name: '接著做其餘 30 則' })).toBeVisible()
  await page.reload()
  await expect(log.locator('.deliveries-card-left')).toContainText('停在 200 / 230')
  await log.getByRole('button', { name: '接著做' }).click()
  await sheet.getByRole('button', { name: '套用 30 則' }).click()
  await expect(sheet.getByRole('heading', { name: '重新解析完成' })).toBeVisible()
  await sheet.getByRole('button', { name: '關閉', exact: true }).last().click()
  await expect(log.locator('.deliveries-card-left')).toHaveCount(0)
  await page.context().close()
})

test('what comes while one is open waits above it, and a replay without effect says what would have one @desktop', async ({
  browser,
}) => {
  const { strategy, webhook } = await make(2)
  const page = await open(browser, strategy)
  const log = page.locator('section[aria-label="最近接收紀錄"]')
  const rows = log.locator('.deliveries-card-list > li')
  await expect(rows).toHaveCount(2)
  await log.locator('.request-row-line').first().click()
  const opened = log.locator('.deliveries-card-list > li.request-row-open')

  await send(webhook, { price: 46_900 })
  const pill = page.getByRole('button', { name: '1 筆新訊息' })
  await expect(pill).toBeVisible()
  // the open one is still the first, whatever has come
  await expect(rows).toHaveCount(2)
  await expect(rows.first()).toHaveClass(/open/)
  await pill.click()
  await expect(rows).toHaveCount(3)
  await expect(rows.nth(1)).toHaveClass(/open/)
  await expect(pill).toHaveCount(0)

  // a try that fails is no try under way
  const context = page.context()
  await context.route('**/replays', (route) => route.fulfill({ status: 500, body: '' }))
  await opened.getByRole('button', { name: '重新解析', exact: true }).click()
  const failed = page.getByRole('dialog')
  await expect(failed.getByRole('alert')).toBeVisible()
  await expect(failed.getByRole('progressbar')).toHaveCount(0)
  await context.unroute('**/replays')
  await failed.getByRole('button', { name: '取消' }).click()

  // nothing has been taught: reading it again changes nothing, and says what would
  await opened.getByRole('button', { name: '重新解析', exact: true }).click()
  const sheet = page.getByRole('dialog')
  await expect(sheet.getByText('還是沒有收下，什麼都沒有改變')).toBeVisible()
  await expect(sheet.getByText('先確認格式', { exact: false })).toBeVisible()
  await page.context().close()
})
