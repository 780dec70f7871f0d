// A signal by thumb with no network: it stands there at once, outlives the killed browser, goes out once and in order, or asks.
import type { BrowserContext, Page } from '@playwright/test'
import { listStrategySignals } from '#contract/signal.ts'
import { createStrategy, listStrategies, type Strategy } from '#contract/strategy.ts'
import { expect, signInByForm, test } from '#tests/support/app.ts'
import { afterAnEvening } from '#tests/support/own-browser.ts'
import { type Person, signUp } from '#tests/support/people.ts'
import { everythingKept, openAs } from '#tests/support/screen.ts'

/** The machine may take minutes between pressing and the network's return: what waits goes out by itself for a day. */
const PATIENT = () => localStorage.setItem('lingbo_signal_lasts', String(24 * 3_600_000))
/** As on iOS: only a page that is open sends, not the browser's start before the network is taken away. */
const WITHOUT_SYNC = () => {
  Reflect.deleteProperty(window, 'SyncManager')
}

const sheet = (page: Page) => page.getByRole('dialog', { name: '手動訊號' })
const waiting = (page: Page) => page.getByRole('list', { name: '待送出的訊號' }).getByRole('listitem')
const held = (page: Page) => page.locator('.standing').and(page.locator(':visible'))
const records = async (person: Person, { id }: Strategy) =>
  (await person.call(listStrategySignals, { id })).items.toReversed()

async function enter(page: Page, strategy: Strategy, key: string, price: string): Promise<void> {
  await page.getByRole('link', { name: '手動訊號' }).and(page.locator(':visible')).click()
  const keys = sheet(page).getByRole('group', { name: '動作' })
  await keys.getByRole('button', { name: new RegExp(`^${key}`) }).click()
  await sheet(page).getByRole('textbox', { name: '價格' }).fill(price)
  await sheet(page)
    .getByRole('button', { name: `送出${key}` })
    .click()
  await expect(sheet(page)).toHaveCount(0)
  await expect(page).toHaveURL(new RegExp(`/strategies/${strategy.id}`))
}

// spec §1: Its areas are: strategies (futures and stock), webhooks, signals (including manual signals),…
// spec §7: Named operations whose methods, paths, payloads and responses are not shown: invites by email…
// domain §7.6: offline, once, in order
test('sent with no network, the browser killed: still waiting, the position laid over, then one record @phone', {
  tag: '@worker',
}, async ({ server, own }) => {
  const person = await signUp(server, '林柏翰')
  const strategy = await person.call(createStrategy, {
    kind: 'futures',
    name: '小台順勢',
    settings: { product_code: 'MXF' },
  })
  const prepare = async (one: BrowserContext) => {
    await one.addInitScript(PATIENT)
    await one.addInitScript(WITHOUT_SYNC)
  }
  const spend = async (evening: Page) => {
    await signInByForm(evening, server.url, person.email)
    await everythingKept(evening)
  }
  let context = await afterAnEvening(own, server.url, spend, prepare)
  let page = await context.newPage()
  await page.goto(`${server.url}/strategies/${strategy.id}?tab=signals`)
  await expect(held(page)).toContainText('空手')
  await context.setOffline(true)
  await enter(page, strategy, '多單進場', '22800')
  await expect(waiting(page)).toHaveCount(1)
  await expect(waiting(page)).toContainText('待送出')
  await expect(waiting(page)).toContainText('0 → +1')
  // of what nobody has confirmed there is no value, and it does not say that a price was missing
  await expect(held(page)).toContainText('含待送出的訊號')
  await expect(held(page)).toContainText('1 口')
  await own.kill()

  context = await own.start(prepare)
  await context.setOffline(true)
  page = await context.newPage()
  await page.goto(`${server.url}/strategies/${strategy.id}?tab=signals`)
  await expect(waiting(page)).toHaveCount(1)
  await expect(held(page)).toContainText('1 口')
  // the next one of the same strategy meets the first one's position
  await enter(page, strategy, '平倉', '22850')
  await expect(waiting(page)).toHaveCount(2)
  await expect(held(page)).toContainText('空手')
  expect(await records(person, strategy)).toEqual([])
  const home = await context.newPage()
  await home.goto(`${server.url}/dashboard`)
  await expect(waiting(home)).toHaveCount(2)
  await home.close()
  const second = await context.newPage()
  await second.goto(`${server.url}/strategies/${strategy.id}?tab=signals`)

  await context.setOffline(false)
  await expect.poll(async () => (await records(person, strategy)).length).toBe(2)
  await expect(waiting(page)).toHaveCount(0)
  const all = await records(person, strategy)
  expect(all.map(({ source, chain_seq, action }) => [source, chain_seq, action])).toEqual([
    ['manual', 1, 'long_entry'],
    ['manual', 2, 'close_all'],
  ])
  await expect(held(page)).toContainText('空手')
  await expect(waiting(second)).toHaveCount(0)
  expect(await records(person, strategy)).toHaveLength(2)
})

test('past its time it is not sent by itself: it asks, and 仍要送出 sends it once, marked late @desktop', {
  tag: '@worker',
}, async ({ page, context, server }) => {
  await context.addInitScript(WITHOUT_SYNC)
  const person = await signUp(server, '林柏翰')
  const strategy = await person.call(createStrategy, {
    kind: 'futures',
    name: '小台順勢',
    settings: { product_code: 'MXF' },
  })
  await openAs(page, server.url, person, '/dashboard')
  await everythingKept(page)
  await page.goto(`${server.url}/strategies/${strategy.id}?tab=signals`)
  await expect(held(page)).toContainText('空手')
  await context.setOffline(true)
  await enter(page, strategy, '空單進場', '22800')
  await expect(waiting(page)).toHaveCount(1)
  // as if it had lain there for an hour, found by the next page that opens
  await age(page)
  await page.goto('about:blank')
  await context.setOffline(false)
  await page.goto(`${server.url}/strategies/${strategy.id}?tab=signals`)
  await expect(waiting(page)).toContainText('沒有自動送出')
  expect(await records(person, strategy)).toEqual([])
  await waiting(page).getByRole('button', { name: '仍要送出' }).click()
  await expect.poll(async () => (await records(person, strategy)).length).toBe(1)
  await expect(waiting(page)).toHaveCount(0)
  const [record] = await records(person, strategy)
  expect(record).toMatchObject({ source: 'manual', action: 'short_entry' })
  expect(record?.flags).toContain('late')
})

/** Makes every waiting call an hour older. */
async function age(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const open = (name: string) =>
      new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open(name)
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
    for (const { name = '' } of await indexedDB.databases()) {
      const db = await open(name)
      if (db.objectStoreNames.contains('outbox'))
        await new Promise<void>((resolve, reject) => {
          const change = db.transaction('outbox', 'readwrite')
          change.oncomplete = () => resolve()
          change.onerror = () => reject(change.error)
          const store = change.objectStore('outbox')
          const all = store.getAll()
          all.onsuccess = () => {
            for (const row of all.result as { created_at: string; expires_at: string }[]) {
              const back = (at: string) => new Date(Date.parse(at) - 3_600_000).toISOString()
              store.put({ ...row, created_at: back(row.created_at), expires_at: back(row.expires_at) })
            }
          }
        })
      db.close()
    }
  })
}

test('what waits says what it will do, as the key that was pressed did @phone', {
  tag: ['@worker', '@soak'],
}, async ({ page, context, server }) => {
  await context.addInitScript(WITHOUT_SYNC)
  const person = await signUp(server, '林柏翰')
  const strategy = await person.call(createStrategy, {
    kind: 'futures',
    name: '小台順勢',
    settings: { product_code: 'MXF' },
    allow_pyramiding: true,
    max_position: 9,
  })
  await openAs(page, server.url, person, '/dashboard')
  await everythingKept(page)
  await page.goto(`${server.url}/strategies/${strategy.id}?tab=signals`)
  await expect(held(page)).toContainText('空手')
  await context.setOffline(true)
  await enter(page, strategy, '多單進場', '22800')
  await expect(waiting(page)).toContainText('進場')
  await enter(page, strategy, '加碼', '22850')
  await expect(waiting(page).first()).toContainText('加碼')
  await expect(waiting(page).first()).toContainText('+1 → +2')
  await page.goto(`${server.url}/dashboard?panel=outbox`)
  await expect(page.getByRole('dialog', { name: '待送匣' })).toContainText('加碼 1 口 @22,850')
})

test('what is missing is said once, where it is typed @phone', async ({ page, server }) => {
  const person = await signUp(server, '周曉晴')
  const settings = { symbols: [] }
  const { id } = await person.call(createStrategy, { kind: 'stock', name: '存股計畫', settings })
  await openAs(page, server.url, person, `/strategies/${id}?tab=signals&manual=${id}`)
  await sheet(page).getByRole('textbox', { name: '數量' }).fill('')
  await sheet(page).getByRole('button', { name: '送出買進', exact: true }).tap()
  await expect(sheet(page).getByText('股票代號不正確')).toHaveCount(1)
  await expect(sheet(page)).toContainText('請輸入價格')
  await expect(sheet(page)).toContainText(/送出後部位\s*空手\s*→\s*—/)
})

// domain §7.6: 發送通知
// domain §7.6: stock: 張 and 零股, fee, time outside the session
test('a stock strategy by thumb: made on the phone, and its first signal entered there @phone', async ({
  page,
  server,
}) => {
  const person = await signUp(server, '周曉晴')
  await openAs(page, server.url, person, '/strategies')
  await page.getByRole('link', { name: '建立策略' }).tap()
  await page.getByRole('link', { name: /^股票策略/ }).tap()
  await page.getByLabel('策略名稱').fill('存股計畫')
  await page.getByRole('combobox', { name: '股票代號' }).fill('台積電')
  await page.getByRole('listbox', { name: '符合的股票' }).getByRole('option', { name: /^2330/ }).tap()
  await page.getByRole('button', { name: '建立策略' }).tap()
  await expect(page.getByRole('heading', { name: '接上訊號來源' })).toBeVisible()
  const [strategy] = (await person.call(listStrategies, {})).items as [Strategy]

  await page.goto(`${server.url}/strategies/${strategy.id}?tab=signals`)
  await expect(held(page)).toContainText('空手')
  await page.getByRole('link', { name: '手動訊號' }).and(page.locator(':visible')).tap()
  const keys = sheet(page).getByRole('group', { name: '動作' })
  await keys.getByRole('button', { name: /^買進/ }).tap()
  const price = sheet(page).getByRole('textbox', { name: '價格' })
  await expect(price).toBeVisible()
  // empty it is as wide as what will stand there, and a thumb's height
  const room = await price.boundingBox()
  expect([room?.width, room?.height]).toEqual([104, 44])
  // the step depends on the price
  await expect(sheet(page)).not.toContainText('一檔')
  await price.fill('52.3')
  await expect(sheet(page)).toContainText('一檔 0.1 元')
  await price.fill('1085')
  await expect(sheet(page)).toContainText('一檔 5 元')
  // what the order itself costs: 1,085 × 1,000 × 0.1425 % × 0.6, floored
  await expect(sheet(page)).toContainText('手續費 927 元')
  const sunday = new Date(Date.now() - 7 * 86_400_000)
  sunday.setUTCDate(sunday.getUTCDate() - sunday.getUTCDay())
  await sheet(page).getByRole('button', { name: '現在', exact: true }).tap()
  await sheet(page)
    .getByLabel('訊號時間（台北）')
    .fill(`${sunday.toISOString().slice(0, 10)}T10:00`)
  await expect(sheet(page)).toContainText('不在股票的交易時段內')
  const told = sheet(page).getByRole('button', { name: '發送通知' })
  await expect(told).toHaveAttribute('aria-pressed', 'false')
  await sheet(page).getByRole('button', { name: '改回現在' }).tap()
  await expect(told).toHaveAttribute('aria-pressed', 'true')
  await told.tap()
  await sheet(page).getByRole('button', { name: '送出買進 1 張' }).tap()
  await expect(sheet(page)).toHaveCount(0)
  await expect(held(page)).toContainText('1 張')
  const [record] = await records(person, strategy)
  expect(record).toMatchObject({
    source: 'manual',
    asset: 'stock',
    symbol: '2330',
    quantity: 1_000,
    chain_seq: 1,
    quiet: true,
  })
  const row = page.getByRole('list', { name: '訊號' }).getByRole('listitem').filter({ hasText: '1,085' })
  await expect(row).toContainText('台積電')
  await expect(row).toContainText('手動')
})
