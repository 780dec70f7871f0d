// The record: void and price as further records, live on another screen; checked whole in the browser, altered in the database and named, exported and checked without a server.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { BrowserContext, Page } from '@playwright/test'
import Database from 'better-sqlite3'
import { refuse } from '#contract/endpoint.ts'
import { ApiError } from '#contract/errors.ts'
import { createStrategy } from '#contract/strategy.ts'
import { expect, ownServerTest as test } from '#tests/support/app.ts'
import { type Person, signUp } from '#tests/support/people.ts'
import { everythingKept, openSignedIn, signedInContext } from '#tests/support/screen.ts'
import { freePort, type SpawnedServer, spawnServer } from '#tests/support/server.ts'
import { kept } from '#tests/support/storages.ts'

const ROOT = resolve(import.meta.dirname, '../..')
let server: SpawnedServer
let data_dir: string
let person: Person
let count = 0

test.beforeAll(async () => {
  data_dir = mkdtempSync(join(tmpdir(), 'lingbo-record-'))
  server = await spawnServer({ data_dir, port: await freePort(), env: { LOG_LEVEL: 'error' } })
  person = await signUp(server, '周曉晴')
})
test.afterAll(async () => {
  await server.stop('SIGKILL')
  rmSync(data_dir, { recursive: true, force: true })
})

/** A strategy of its own with these signals; a price of null is left out. */
async function make(prices: readonly (number | null)[]): Promise<string> {
  const strategy = await person.call(createStrategy, {
    kind: 'futures',
    name: `紀錄 ${++count}`,
    settings: { product_code: 'MXF' },
    allow_pyramiding: true,
    max_position: 50,
  })
  const hook = new URL(strategy.webhooks?.[0]?.url as string).pathname
  for (const [i, price] of prices.entries()) {
    const action = i % 2 === 0 ? 'long_entry' : 'long_exit'
    const body = { symbol: 'MXF1!', action, quantity: 1, ...(price !== null && { price }) }
    const answer = await server.request(hook, { method: 'POST', body: JSON.stringify(body) })
    expect(answer.status).toBe(200)
  }
  return strategy.id
}

/** Opens the strategy's signals; there are `count_of` of them. */
async function open(
  browser: Parameters<typeof openSignedIn>[0],
  id: string,
  context: BrowserContext,
  count_of: number,
) {
  const page = await openSignedIn(browser, server.url, person, `/strategies/${id}?tab=signals`, context)
  await expect(page.locator('main .signal-row')).toHaveCount(count_of)
  return page
}
const contextOf = (browser: Parameters<typeof openSignedIn>[0]) => {
  const { viewport = null, isMobile, hasTouch } = test.info().project.use
  return signedInContext(browser, server.url, person, {
    viewport: viewport ?? null,
    ...(isMobile && { isMobile }),
    ...(hasTouch && { hasTouch }),
    acceptDownloads: true,
  })
}
const rows = (page: Page, text: string) => page.locator('main .signal-row', { hasText: text })
const sheet = (page: Page, name: string) => page.getByRole('dialog', { name })
async function verify(page: Page): Promise<void> {
  await page.getByRole('button', { name: '驗證與匯出' }).filter({ visible: true }).click()
  await expect(sheet(page, '驗證紀錄')).toBeVisible()
}

// domain §7.5: 補價, 作廢 with its reason; all is folded again
test('a price given and a signal voided on one screen stand on the other, struck through, with the record that says why @phone', async ({
  browser,
}) => {
  const id = await make([null, 23_200])
  const context = await contextOf(browser)
  const here = await open(browser, id, context, 2)
  const there = await open(browser, id, context, 2)
  await expect(rows(there, '待補價')).toHaveCount(1)

  // One tap from the list.
  await rows(here, '待補價').getByRole('button', { name: '補價' }).click()
  const price = here.getByRole('dialog', { name: /補價/ })
  await price.getByRole('button', { name: '補價', exact: true }).click()
  await expect(price).toContainText('請輸入訊號價')
  await price.getByLabel('訊號價').fill('23000')
  await price.getByRole('button', { name: '補價', exact: true }).click()
  await expect(price).toBeHidden()
  for (const page of [here, there]) {
    await expect(rows(page, '待補價')).toHaveCount(0)
    await expect(rows(page, '已更正')).toHaveCount(1)
    await expect(rows(page, '23,000')).toHaveCount(2)
    // 200 points of 50 less the costs: the exit now has its result.
    await expect(rows(page, '23,200')).toContainText('+9,')
  }

  await rows(here, '23,200').locator('.signal-row-open').click()
  const record = sheet(here, '訊號紀錄')
  await record.getByRole('button', { name: '作廢' }).click()
  const dialog = here.getByRole('dialog', { name: /作廢第 2 筆/ })
  await expect(dialog).toContainText('另記一筆')
  await dialog.getByRole('button', { name: '作廢這筆訊號' }).click()
  await expect(dialog).toContainText('請寫下作廢的原因')
  await dialog.getByLabel('原因').fill('腳本重複觸發')
  // what no field is to blame for stands above the keys
  const busy = JSON.stringify(refuse(new ApiError(4092)))
  const once = { status: 409, contentType: 'application/json', body: busy }
  await here.route('**/void', (route) => route.fulfill(once), { times: 1 })
  await dialog.getByRole('button', { name: '作廢這筆訊號' }).click()
  await expect(dialog.getByRole('alert')).toContainText('同一個操作還在處理')
  await expect(dialog.getByLabel('原因')).not.toHaveAttribute('aria-invalid')
  await dialog.getByRole('button', { name: '作廢這筆訊號' }).click()
  await expect(dialog).toBeHidden()
  // The opened record says so, and by which record; it can neither be voided nor corrected again.
  await expect(record).toContainText('已作廢')
  await expect(record.getByRole('button', { name: /作廢 · 第 4 筆/ })).toContainText('腳本重複觸發')
  await expect(record.getByRole('button', { name: '更正價格' })).toHaveCount(0)
  for (const page of [here, there]) {
    await expect(page.locator('main .signal-row.signal-row-voided')).toHaveCount(1)
    await expect(page.locator('main .signal-row.signal-row-voided')).toContainText('23,200')
    await expect(rows(page, '腳本重複觸發')).toHaveCount(1)
  }
  await expect(there.locator('main .signal-row.signal-row-voided .signal-row-price')).toHaveCSS(
    'text-decoration-line',
    'line-through',
  )
  // After a fresh start it is the same: nothing of it lived on the screen only.
  await there.reload()
  await expect(there.locator('main .signal-row.signal-row-voided')).toHaveCount(1)
  await expect(there.locator('main .signal-row')).toHaveCount(4)
  await context.close()
})

// domain §5.3: a correction with the same price confirms, with another corrects
test('an exit with a digit too many is asked about on the first screen, and counts once its price is confirmed or corrected @phone', async ({
  browser,
}) => {
  const id = await make([46_500, 465_000])
  const context = await contextOf(browser)
  const first = await openSignedIn(browser, server.url, person, '/dashboard', context)
  await first.getByRole('button', { name: '1 筆訊號價格可疑' }).click()
  await expect(rows(first, '價格可疑')).toHaveCount(1)
  await expect(first).toHaveURL(/state=price_suspect/)
  await expect(rows(first, '價格可疑')).toContainText('465,000')
  const there = await open(browser, id, context, 2)
  await rows(first, '價格可疑').locator('.signal-row-open').click()
  const record = sheet(first, '訊號紀錄')
  await expect(record).toContainText('價格沒錯就確認，有錯就更正')
  await expect(record).toContainText('空手')
  await record.getByRole('button', { name: '確認價格', exact: true }).click()
  await expect(first.getByText('價格已確認')).toBeVisible()
  await expect(record.getByRole('button', { name: '確認價格', exact: true })).toHaveCount(0)
  await expect(record).toContainText('確認價格 465,000')
  await expect(rows(there, '價格可疑')).toHaveCount(0)
  await expect(rows(there, '465,000').last()).toContainText('+20,924,438')
  await record.getByRole('button', { name: '更正價格' }).click()
  const dialog = first.getByRole('dialog', { name: /更正價格/ })
  await dialog.getByRole('textbox', { name: '訊號價' }).fill('46550')
  await dialog.getByRole('button', { name: '更正價格' }).click()
  await expect(dialog).toBeHidden()
  await expect(rows(there, '已更正')).toHaveCount(1)
  await context.close()
})

test('the record is whole, the export proves it without a server, and what is altered in the database is named @desktop', async ({
  browser,
}) => {
  const id = await make([23_000, 23_100, 23_050, 23_150, 23_120])
  const context = await contextOf(browser)
  const page = await open(browser, id, context, 5)
  await verify(page)
  await expect(sheet(page, '驗證紀錄')).toContainText('紀錄完整')
  await expect(sheet(page, '驗證紀錄')).toContainText('5 筆都接得上前一筆')
  await expect(sheet(page, '驗證紀錄')).toContainText('5 筆相同')

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: '匯出 JSON' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^lingbo-.+\.json$/)
  const file = join(data_dir, 'export.json')
  await download.saveAs(file)
  const check = (path: string) => {
    const script = ['server/cli/run.mjs', 'server/cli/verify.ts', path]
    const { status, stdout, stderr } = spawnSync(process.execPath, script, { cwd: ROOT, encoding: 'utf8' })
    return { status, said: stdout + stderr }
  }
  const whole = check(file)
  expect([whole.status, whole.said]).toEqual([0, expect.stringContaining('共 5 筆')])
  const { readFileSync } = await import('node:fs')
  writeFileSync(file, readFileSync(file, 'utf8').replace('"price":23050', '"price":23059'))
  expect(check(file)).toEqual({ status: 1, said: expect.stringContaining('第 3 筆不符') })
  const [csv] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: '匯出 CSV' }).click(),
  ])
  expect(csv.suggestedFilename()).toMatch(/\.csv$/)

  // Somebody with the database in hand.
  const db = new Database(join(data_dir, 'lingbo.db'), { timeout: 60_000 })
  const altered = db
    .prepare(
      `update signals set facts = replace(facts, '"price":23150', '"price":23950') where strategy_id = ? and chain_seq = 4`,
    )
    .run(id)
  db.close()
  expect(altered.changes).toBe(1)
  await page.getByRole('button', { name: '再驗證一次' }).click()
  await expect(sheet(page, '驗證紀錄')).toContainText('第 4 筆不符')
  await expect(sheet(page, '驗證紀錄')).toContainText('內容被更動過')
  await expect(sheet(page, '驗證紀錄')).toContainText('3 筆相符')
  await page.getByRole('button', { name: /看這支裝置存的第 4 筆/ }).click()
  await expect(sheet(page, '訊號紀錄')).toContainText('23,150')
  await context.close()
})

test('without a network the device checks what it holds, and says that it is not everything @phone', {
  tag: '@worker',
}, async ({ browser }) => {
  const id = await make([23_000, 23_100, 23_050])
  const context = await contextOf(browser)
  const page = await open(browser, id, context, 3)
  await everythingKept(page)
  await kept(page, ...[1, 2, 3].map((n) => ['signals', id, `"chain_seq":${n},`]))
  await context.setOffline(true)
  await rows(page, '23,100').locator('.signal-row-open').click()
  await sheet(page, '訊號紀錄').getByRole('button', { name: '驗證紀錄' }).click()
  await expect(sheet(page, '驗證紀錄')).toContainText('裝置上的紀錄完整')
  await expect(sheet(page, '驗證紀錄')).toContainText('離線：只檢查了這支裝置存下的 3 筆')
  await context.close()
})
