// A signal by thumb that was refused: it says why where it stood, and goes out corrected, in its place.

import { listStrategySignals, sendManualFutures } from '#contract/signal.ts'
import { createStrategy, updateStrategy } from '#contract/strategy.ts'
import { newId } from '#server/ids.ts'
import { isOver, taipeiDay } from '#trading/calendar.ts'
import { contractMonths } from '#trading/products.ts'
import { expect, test } from '../support/app.ts'
import { signUp } from '../support/people.ts'
import { everythingKept, openAs } from '../support/screen.ts'

// domain §7.6: refused: the reason on its row, corrected in its place
test('refused when it arrives: the reason stands on its row, and corrected it goes before what waits behind it @phone', {
  tag: '@worker',
}, async ({ page, context, server }) => {
  await context.addInitScript(() => {
    Reflect.deleteProperty(window, 'SyncManager')
    // the machine may take minutes until the network is back
    localStorage.setItem('lingbo_signal_lasts', String(24 * 3_600_000))
  })
  const person = await signUp(server, '林柏翰')
  const { id } = await person.call(createStrategy, {
    kind: 'futures',
    name: '小台順勢',
    settings: { product_code: 'MXF' },
    max_position: 9,
  })
  await openAs(page, server.url, person, '/dashboard')
  await everythingKept(page)
  await page.goto(`${server.url}/strategies/${id}?tab=signals`)
  const held = page.locator('.standing').and(page.locator(':visible'))
  await expect(held).toContainText('空手')
  const sheet = page.getByRole('dialog', { name: '手動訊號' })
  const key = (name: RegExp) => sheet.getByRole('group', { name: '動作' }).getByRole('button', { name })
  const quantity = sheet.getByRole('textbox', { name: '數量' })
  const open = () => page.getByRole('link', { name: '手動訊號' }).and(page.locator(':visible')).tap()
  await context.setOffline(true)
  await open()
  await key(/^空單進場/).tap()
  await quantity.fill('5')
  await sheet.getByRole('textbox', { name: '價格' }).fill('22800')
  await sheet.getByRole('button', { name: '送出空單進場 5 口' }).tap()
  await expect(sheet).toHaveCount(0)
  await open()
  await key(/^平倉/).tap()
  await sheet.getByRole('textbox', { name: '價格' }).fill('22750')
  await sheet.getByRole('button', { name: '送出平倉' }).tap()
  await expect(sheet).toHaveCount(0)
  // meanwhile somebody made the strategy smaller
  await person.call(updateStrategy, { id, max_position: 3 })
  await context.setOffline(false)

  const rows = page.getByRole('list', { name: '待送出的訊號' }).getByRole('listitem')
  const refused = rows.filter({ hasText: '沒有送出' })
  await expect(refused).toContainText('最多 3 口')
  await expect(rows).toHaveCount(2)
  await expect(held).toContainText('空手')
  // one sheet, filled from its first frame on: not an empty one that gives way
  await page.evaluate(() => {
    const made = Object.assign(window, { sheets: 0 })
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes)
        for (const node of addedNodes)
          if (node instanceof Element)
            made.sheets += node.matches('dialog') ? 1 : node.querySelectorAll('dialog').length
    }).observe(document.body, { childList: true, subtree: true })
  })
  await refused.getByRole('button', { name: '修改後重送' }).tap()
  // as it was entered: what, how many, at what price and when
  await expect(sheet.getByRole('button', { name: '送出空單進場 5 口' })).toBeVisible()
  await expect(sheet.getByRole('textbox', { name: '價格' })).toHaveValue('22,800')
  await expect(sheet.getByLabel('訊號時間（台北）')).not.toHaveValue('')
  expect(await page.evaluate(() => (window as unknown as { sheets: number }).sheets)).toBe(1)
  await quantity.fill('2')
  await sheet.getByRole('button', { name: '送出空單進場 2 口' }).tap()
  await expect(sheet).toHaveCount(0)
  await expect(rows).toHaveCount(0)
  const { items } = await person.call(listStrategySignals, { id })
  expect(items.toReversed().map(({ action, derived }) => [action, derived.position_after])).toEqual([
    ['short_entry', -2],
    ['close_all', 0],
  ])
})

// domain §7.6: contract chosen in the sheet
test('another month is chosen in the sheet, and what is held is that of the month @phone', async ({
  page,
  server,
}) => {
  const person = await signUp(server, '林柏翰')
  const now = new Date().toISOString()
  // on its last trading day a month is listed until midnight, and over since half past one: none that ends while this runs
  const soon = new Date(Date.parse(now) + 600_000).toISOString()
  const [own = '', later = ''] = contractMonths('MXF', taipeiDay(now)).filter(
    (one) => /^\d{6}$/.test(one) && !isOver(one, soon),
  )
  const { id } = await person.call(createStrategy, {
    kind: 'futures',
    name: '小台換月',
    settings: { product_code: 'MXF', contract_rule: 'month', contract_month: later },
    on_symbol_mismatch: 'accept',
  })
  await person.call(sendManualFutures, {
    strategy_id: id,
    id: newId(),
    action: 'long_entry',
    product_code: 'MXF',
    contract: own,
    price: 22_800,
    quantity: 2,
    occurred_at: new Date(Date.now() - 60_000).toISOString(),
  })
  await openAs(page, server.url, person, `/strategies/${id}?manual=${id}`)
  const sheet = page.getByRole('dialog', { name: '手動訊號' })
  // nothing is held of its own month
  await expect(sheet.getByRole('button', { name: /^多單進場/ })).toBeVisible()
  await sheet.getByRole('button', { name: '換合約' }).tap()
  await sheet.getByLabel('合約').selectOption(own)
  await sheet.getByRole('group', { name: '動作' }).getByRole('button', { name: /^平倉/ }).tap()
  await expect(sheet).toContainText(/送出後部位\s*多 2 口\s*→\s*空手/)
  await sheet.getByRole('textbox', { name: '價格' }).fill('22850')
  await sheet.getByRole('button', { name: '送出平倉' }).tap()
  await expect(sheet).toHaveCount(0)
  const { items } = await person.call(listStrategySignals, { id })
  expect(items[0]).toMatchObject({
    action: 'close_all',
    contract: own,
    derived: { position_before: 2, position_after: 0 },
  })
})

test('the first trade that closes leaves the page where it is: the signal that was just sent stands there', {
  tag: '@phone',
}, async ({ page, server }) => {
  const person = await signUp(server, '林柏翰')
  const { id } = await person.call(createStrategy, {
    kind: 'futures',
    name: '第一筆',
    settings: { product_code: 'MXF' },
  })
  await openAs(page, server.url, person, `/strategies/${id}`)
  const rows = page.locator('main .signal-row')
  for (const [n, key] of ['多單進場', '平倉'].entries()) {
    await page.getByRole('link', { name: '手動訊號' }).and(page.locator(':visible')).click()
    const sheet = page.getByRole('dialog', { name: '手動訊號' })
    await sheet.getByRole('button', { name: new RegExp(`^${key}`) }).click()
    await sheet.getByRole('textbox', { name: '價格' }).fill('22800')
    await sheet.getByRole('button', { name: `送出${key}` }).click()
    await expect(sheet).toHaveCount(0)
    await expect(page.getByRole('tab', { name: /^交易/ })).toContainText(String(n))
    await expect(rows).toHaveCount(n + 1)
  }
})
