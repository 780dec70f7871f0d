// A stock trader and an XQ user set up alone: the form of the kind, its message, and the first signal by just that message.
import type { Locator, Page } from '@playwright/test'
import { createStrategy, getStrategy, type StrategyInput } from '#contract/strategy.ts'
import { axe, expect, test } from '#tests/support/app.ts'
import { signedIn } from '#tests/support/identities.ts'
import { signUp } from '#tests/support/people.ts'
import { everythingKept } from '#tests/support/screen.ts'
import { taipei } from '#trading/calendar.ts'
import { EXAMPLE } from '#trading/examples.ts'

const LEVEL = EXAMPLE.tsmc.toLocaleString('en-US')

/** What the connect step offers to run, as its parts: address, kind of text, body. */
async function command(page: Page): Promise<{ url: string; type: string; body: string }> {
  await page.getByRole('radio', { name: 'curl' }).check({ force: true })
  const code = page.locator('.connect-step-message pre')
  await expect(code).toContainText('curl -X POST')
  const text = (await code.textContent()) ?? ''
  const found = /'(http[^']+)' -H 'Content-Type: ([^']+)' -d ['"](.+)['"]$/s.exec(text.trim())
  if (!found) throw new Error(`no command in ${text}`)
  const [, url, type, body] = found as unknown as [string, string, string, string]
  return { url, type, body }
}

/** Looked for in every frame of the page, from before the press on: it stands for two seconds only. */
const saysCopied = (page: Page) =>
  page.waitForFunction(() =>
    [...document.querySelectorAll('button')].some(({ textContent }) => textContent === '已複製'),
  )

/** What has its default stands folded away. */
const moreSettings = (page: Page) => page.locator('summary', { hasText: '更多設定' }).click()

const chosen = (page: Page) => page.getByRole('list', { name: '已選的股票' }).getByRole('listitem')

// spec §0: The product is a web application with a Traditional Chinese interface for managing trading…
// spec §1: Its areas are: strategies (futures and stock), webhooks, signals (including manual signals),…
// spec §2: strategies/create/futures, strategies/create/stock, strategies/create/xq-stock | strategy:create
// domain §7.3: draft on the device, guard, inline errors
test('a stock strategy, from nothing to its first signal @phone', { tag: '@worker' }, async ({
  page,
  server,
}) => {
  const person = await signUp(server, '周曉晴')
  await signedIn(page, person)
  await page.goto(`${server.url}/strategies/create`)
  await page.getByRole('link', { name: /^股票策略/ }).click()
  await expect(page).toHaveURL(`${server.url}/strategies/create/stock`)
  await expect(page.getByRole('heading', { name: '新增股票策略' })).toBeVisible()
  await everythingKept(page)

  // Without a network: looked up by name and by code, and a code that is in no list.
  await page.context().setOffline(true)
  await page.getByLabel('策略名稱').fill('存股計畫')
  const box = page.getByRole('combobox', { name: '股票代號' })
  const offered = page.getByRole('listbox', { name: '符合的股票' })
  await box.fill('台積電')
  await offered.getByRole('option', { name: /^2330/ }).click()
  await box.fill('00878')
  await box.press('Enter')
  await box.fill('9876')
  await expect(offered.getByRole('option')).toContainText('請確認代號')
  await box.press('Enter')
  await box.fill('沒有這檔')
  await box.press('Enter')
  await expect(page.getByText('找不到「沒有這檔」')).toBeVisible()
  await box.fill('')
  await expect(chosen(page)).toHaveText(['2330 台積電', '00878 國泰永續高股息', '9876'])
  await page.getByRole('button', { name: '移除 9876' }).click()
  await moreSettings(page)
  await expect(page.getByText('來回成本約')).toContainText('10,784 元')
  await page.getByLabel('手續費折扣').fill('0.28')
  await expect(page.getByText('來回成本約')).toContainText('8,696 元')
  await expect(page.getByText(/^已存在這支裝置/)).toBeVisible()
  // the last thing typed is kept, too
  const draft = () => page.evaluate(() => localStorage.getItem('lingbo_strategy_draft') ?? '')
  await expect.poll(draft).toContain('"0.28"')

  // It is still there after a reload without a network, also what was typed a moment before; leaving asks.
  await page.getByLabel('零股最低手續費').fill('7')
  await page.reload()
  await expect(page.getByText('已還原上次還沒建立的內容')).toBeVisible()
  await expect(page.getByLabel('零股最低手續費')).toHaveValue('7')
  await expect(chosen(page)).toHaveText(['2330 台積電', '00878 國泰永續高股息'])
  await page.getByRole('button', { name: '取消' }).click()
  await page.getByRole('button', { name: '繼續填寫' }).click()
  await page.context().setOffline(false)
  await page.getByLabel('最大部位', { exact: true }).fill('10001')
  await page.getByRole('button', { name: '建立策略' }).click()
  await expect(page.getByText('最多 10,000 張')).toBeVisible()
  await page.getByLabel('最大部位', { exact: true }).fill('10')
  await page.getByRole('button', { name: '建立策略' }).click()

  await expect(page.getByRole('heading', { name: '接上訊號來源' })).toBeVisible()
  const { url, type, body } = await command(page)
  expect(JSON.parse(body)).toMatchObject({ symbol: '2330', price: EXAMPLE.tsmc, quantity: 1 })
  const sent = await fetch(url, { method: 'POST', headers: { 'content-type': type }, body })
  expect(sent.status).toBe(200)
  const row = page.locator('main .signal-row', { hasText: LEVEL })
  await expect(row).toContainText('台積電')
  await expect(row).toContainText('1 張')
  await axe(page)

  // Edited, only the discount is another one.
  const id = new URL(page.url()).searchParams.get('connect')
  await page.goto(`${server.url}/strategies/${id}/edit`)
  await expect(chosen(page)).toHaveText(['2330 台積電', '00878 國泰永續高股息'])
  await expect(page.getByLabel('手續費折扣')).toHaveValue('0.28')
  await expect(page.getByLabel('手續費率')).toHaveValue('0.1425')
  await axe(page)
  await page.getByLabel('手續費折扣').fill('0.5')
  await page.getByRole('button', { name: '儲存修改' }).click()
  await expect(page).toHaveURL(`${server.url}/strategies/${id}`)
  const stored = await person.call(getStrategy, { id: id ?? '' })
  expect(stored.settings).toMatchObject({
    commission_discount: 0.5,
    commission_rate: 0.001425,
    symbols: ['2330', '00878'],
  })
})

// spec §0: The product is a web application with a Traditional Chinese interface for managing trading…
// spec §1: Its areas are: strategies (futures and stock), webhooks, signals (including manual signals),…
// spec §2: strategies/create/futures, strategies/create/stock, strategies/create/xq-stock | strategy:create
// domain §7.3: notifyEnabled
test('an XQ strategy, from nothing to its first signal @desktop', async ({ page, server }) => {
  const person = await signUp(server, '林柏翰')
  await signedIn(page, person)
  await page.goto(`${server.url}/strategies/create`)
  await page.getByRole('link', { name: /^XQ 股票策略/ }).click()
  await page.getByRole('button', { name: '建立策略' }).click()
  await expect(page.getByText('請輸入策略名稱')).toBeVisible()
  await page.getByLabel('策略名稱', { exact: true }).fill('突破雷達')
  await moreSettings(page)
  await page.getByLabel('XQ 策略名稱').fill('突破季線')
  await page.getByRole('group', { name: '有訊號時' }).locator('label', { hasText: '不通知' }).click()
  await expect(page.getByRole('radio', { name: /^關/ })).toBeChecked()
  await axe(page)
  await page.getByRole('button', { name: '建立策略' }).click()

  await expect(page.getByRole('heading', { name: '接上訊號來源' })).toBeVisible()
  await expect(page.locator('.connect-step-message pre')).toContainText('Print(File(')
  const id = new URL(page.url()).searchParams.get('connect') ?? ''
  await expect.poll(async () => (await person.call(getStrategy, { id })).my_notify.enabled).toBe(false)
  const { url, type, body } = await command(page)
  expect(type).toBe('text/plain')
  const { date, time } = taipei(new Date().toISOString())
  const now = `${date.replaceAll('-', '')} ${time.replaceAll(':', '').slice(0, 6)}`
  const line = body.replace(/^\$\(TZ=Asia\/Taipei date [^)]+\)/, now)
  expect(line).toBe(`${now} 2330.TW ${EXAMPLE.tsmc} 新買`)
  const sent = await fetch(url, { method: 'POST', headers: { 'content-type': type }, body: line })
  expect(sent.status).toBe(200)
  const row = page.locator('main .signal-row', { hasText: LEVEL })
  await expect(row).toContainText('台積電')
  await expect(row).toContainText('1 張')
})

test('a strategy is copied from its card and from its page, and the copy is connected next @phone', async ({
  page,
  server,
}) => {
  const person = await signUp(server, '周曉晴')
  const settings = { symbols: ['2603'], commission_discount: 0.28 }
  const made = await person.call(createStrategy, { kind: 'stock', name: '航運', settings } as StrategyInput)
  await signedIn(page, person)
  await page.goto(`${server.url}/strategies?kind=stock`)
  await page.getByRole('button', { name: '航運：更多' }).click()
  await page.getByRole('menuitem', { name: '複製…' }).click()
  const dialog = page.getByRole('dialog', { name: '複製「航運」' })
  await expect(dialog.getByLabel('新策略的名稱')).toHaveValue('航運 複本')
  await dialog.getByLabel('新策略的名稱').fill('航運')
  await dialog.getByRole('button', { name: '複製策略' }).click()
  await expect(dialog.getByText('這個名稱已經用過，請換一個')).toBeVisible()
  await dialog.getByLabel('新策略的名稱').fill('航運二')
  await dialog.getByRole('button', { name: '複製策略' }).click()
  await expect(page).toHaveURL(new RegExp(`^${server.url}/strategies/create/stock\\?connect=`))
  await expect(page.getByText('航運二 · 2603')).toBeVisible()

  await page.goto(`${server.url}/strategies/${made.id}`)
  await page.getByRole('button', { name: '更多', exact: true }).click()
  await page.getByRole('menuitem', { name: '複製…' }).click()
  await dialog.getByRole('button', { name: '複製策略' }).click()
  await expect(page).toHaveURL(new RegExp(`^${server.url}/strategies/create/stock\\?connect=`))
  await expect(page.getByText('航運 複本 · 2603')).toBeVisible()
})

// The way from the list to the copied message is short for each kind: one press or one filled field counts as one.
for (const [kind, card, fields, opening, width] of [
  ['futures', /^期貨策略/, ['策略名稱'], '{', ''],
  ['stock', /^股票策略/, ['策略名稱'], '{', ' @desktop'],
  ['xq-stock', /^XQ 股票策略/, ['策略名稱'], 'Print', ' @phone'],
] as const)
  test(`${kind}: from the list to the copied message in at most five actions${width}`, async ({
    page,
    server,
  }) => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.url })
    await signedIn(page, await signUp(server, '周曉晴'))
    await page.goto(`${server.url}/strategies`)
    let actions = 0
    const press = async (target: Locator) => {
      actions += 1
      await target.click()
    }
    await press(page.locator('main').getByRole('link', { name: '建立策略' }))
    await press(page.getByRole('link', { name: card }))
    for (const field of fields) {
      actions += 1
      await page.getByLabel(field, { exact: true }).fill(`走勢 ${kind}`)
    }
    await press(page.getByRole('button', { name: '建立策略' }))
    let said = saysCopied(page)
    await press(page.getByRole('button', { name: '複製訊息' }))
    await said
    expect(actions).toBeLessThanOrEqual(5)
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied.trimStart().startsWith(opening), copied).toBe(true)
    // it is what this strategy's own card shows, whole
    const shown = await page.locator('.connect-step-message pre').textContent()
    expect(copied.trim()).toBe(shown?.trim())
    // another message under the same key has not been copied; its two seconds are not waited for
    const face = page.locator('.connect-step-message').getByRole('button', { name: /^(複製訊息|已複製)$/ })
    said = saysCopied(page)
    await face.click()
    await said
    await page.locator('.connect-step-message').getByText('curl', { exact: true }).click()
    await expect(page.locator('.connect-step-message pre')).toContainText('curl -X POST')
    expect(await page.getByRole('button', { name: '複製指令' }).count()).toBe(1)
  })
