// 個股訊號設定: a rule written on the screen decides what comes next; tried, put into another order, and written with no network.
import { listStrategySignals } from '#contract/signal.ts'
import { listStockSettings } from '#contract/stock-signal-setting.ts'
import { createStrategy, type StrategyInput } from '#contract/strategy.ts'
import { axe, expect, test } from '#tests/support/app.ts'
import { hookPath } from '#tests/support/desk.ts'
import { signUp } from '#tests/support/people.ts'
import { everythingKept, openAs } from '#tests/support/screen.ts'

test('a rule leaves out what it says, is tried, moved and switched; with no network it waits and goes by itself', {
  tag: '@worker',
}, async ({ page, context, server }) => {
  const person = await signUp(server, '林柏翰')
  const strategy = await person.call(createStrategy, {
    kind: 'stock',
    name: '一籃子均線',
    settings: { symbols: [], unit: 'board_lot' },
  } as unknown as StrategyInput)
  const fire = async (symbol: string) => {
    const body = JSON.stringify({
      id: `${symbol} ${Date.now()}`,
      symbol,
      action: 'buy',
      quantity: 1,
      price: 60,
    })
    const answer = await server.request(hookPath(strategy), { method: 'POST', body })
    return (await answer.json()) as { status: string; reason: string | null }
  }
  const ofServer = async () => (await person.call(listStockSettings, { id: strategy.id })).items
  await openAs(page, server.url, person, `/strategies/${strategy.id}?tab=rules`)
  // an address from when it was a tab of its own
  await expect(page).toHaveURL(/tab=settings&part=rules/)
  await expect(page.getByRole('button', { name: '訊號設定' })).toBeInViewport({ ratio: 1 })
  const whole = page.getByRole('region', { name: '整個策略' })
  await expect(whole).toContainText('沒有規則：每一筆都記錄並通知')
  const sheet = page.getByRole('dialog', { name: /規則/ })

  await whole.getByRole('button', { name: '新增規則' }).click()
  await sheet.getByRole('button', { name: '新增' }).click()
  await expect(sheet.getByText('請輸入規則名稱')).toBeVisible()
  await sheet.getByLabel('名稱').fill('不看 ETF')
  await sheet.getByRole('radio', { name: '忽略' }).check({ force: true })
  await sheet.getByLabel('種類').selectOption('只有 ETF')
  await sheet.getByLabel('最低價').fill('80')
  await sheet.getByLabel('最高價').fill('50')
  await sheet.getByRole('button', { name: '新增' }).click()
  await expect(sheet.getByText('最高價不能低於最低價')).toBeVisible()
  await sheet.getByLabel('最低價').fill('')
  await sheet.getByLabel('最高價').fill('')
  await sheet.getByRole('button', { name: '新增' }).click()
  await expect(sheet).toHaveCount(0)
  await expect(whole.getByRole('listitem')).toContainText(['只有 ETF'])
  expect(await axe(page)).toEqual([])

  expect(await fire('0050')).toMatchObject({
    status: 'ignored',
    reason: '依規則「不看 ETF」忽略，沒有成為訊號',
  })
  expect((await fire('2330')).status).toBe('accepted')
  expect((await person.call(listStrategySignals, { id: strategy.id })).items).toHaveLength(1)

  // In the log it says which rule it was, and offers nothing that would be refused.
  await page.goto(`${server.url}/strategies/${strategy.id}?tab=settings`)
  await page
    .getByRole('button', { name: /依規則忽略/ })
    .first()
    .click()
  await expect(page.getByText('依規則「不看 ETF」忽略，沒有成為訊號').first()).toBeVisible()
  await expect(page.getByRole('button', { name: '複製為 curl' })).toBeVisible()
  await expect(page.getByRole('button', { name: '重新解析', exact: true })).toHaveCount(0)
  await page.goto(`${server.url}/strategies/${strategy.id}?tab=rules`)

  const attempt = page.getByRole('region', { name: '試一筆' })
  await attempt.getByLabel('股票代號').fill('0050')
  await attempt.getByRole('button', { name: '試試看' }).click()
  await expect(attempt.getByRole('status')).toHaveText('規則「不看 ETF」 · 忽略')
  await attempt.getByLabel('股票代號').fill('2330')
  await attempt.getByRole('button', { name: '試試看' }).click()
  await expect(attempt.getByRole('status')).toHaveText('沒有一條符合 · 記錄並通知')

  await everythingKept(page)
  await context.setOffline(true)
  await whole.getByRole('button', { name: '新增規則' }).click()
  await sheet.getByLabel('名稱').fill('只記錄')
  await sheet.getByRole('radio', { name: '只記錄' }).check({ force: true })
  await sheet.getByRole('button', { name: '新增' }).click()
  await expect(whole.getByRole('listitem').filter({ hasText: '只記錄' })).toContainText('待送出')
  await page.reload()
  await expect(whole.getByRole('listitem').filter({ hasText: '只記錄' })).toContainText('待送出')
  await context.setOffline(false)
  await expect.poll(async () => (await ofServer()).map(({ name }) => name)).toEqual(['不看 ETF', '只記錄'])
  await expect(whole.getByText('待送出')).toHaveCount(0)

  await page.getByRole('button', { name: '只記錄：更多' }).click()
  await page.getByRole('menuitem', { name: '上移' }).click()
  await expect(whole.getByRole('listitem').first()).toContainText('只記錄')
  expect((await ofServer()).map(({ name }) => name)).toEqual(['只記錄', '不看 ETF'])
  await page.getByRole('switch', { name: /只記錄/ }).click()
  await expect.poll(async () => (await ofServer()).map(({ enabled }) => enabled)).toEqual([false, true])
  await page.getByRole('button', { name: '不看 ETF：更多' }).click()
  await page.getByRole('menuitem', { name: '刪除' }).click()
  await page.getByRole('button', { name: '刪除規則' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(whole.getByRole('listitem')).toHaveCount(1)
  expect(await fire('0050')).toMatchObject({ status: 'accepted' })
})
