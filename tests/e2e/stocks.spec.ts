// 個股統計: each stock with what it made, live with the next signal, in another order, opened, and the same with no network.
import { createStrategy, type StrategyInput } from '#contract/strategy.ts'
import { axe, expect, test } from '#tests/support/app.ts'
import { hookPath } from '#tests/support/desk.ts'
import { signUp } from '#tests/support/people.ts'
import { everythingKept, openAs } from '#tests/support/screen.ts'

const DAY = 86_400_000

test('the stocks of a strategy stand in a row each; a signal changes its row, and offline they stand as well', {
  tag: '@worker',
}, async ({ page, context, server, isMobile }) => {
  const person = await signUp(server, '林柏翰')
  const input = { kind: 'stock', name: '一籃子均線', max_position: 10_000 }
  const settings = { symbols: [], unit: 'share' }
  const strategy = await person.call(createStrategy, { ...input, settings } as unknown as StrategyInput)
  const fire = async (symbol: string, action: string, price: number, days_ago: number) => {
    const time = new Date(Date.now() - days_ago * DAY).toISOString()
    const body = JSON.stringify({ symbol, action, quantity: 100, price, time })
    const answer = await server.request(hookPath(strategy), { method: 'POST', body })
    expect(answer.status, await answer.text()).toBe(200)
  }
  await fire('2330', 'buy', 1_000, 20)
  await fire('2330', 'sell', 1_050, 15)
  await fire('2884', 'buy', 28.35, 9)
  await openAs(page, server.url, person, `/strategies/${strategy.id}`)
  await page.getByRole('tab', { name: '總覽' }).click()
  await expect(page.getByRole('heading', { name: '個股統計' })).toBeVisible()
  const rows = page.getByRole(isMobile ? 'listitem' : 'row')
  const row = (name: RegExp) => rows.filter({ has: page.getByRole('button', { name }) })
  await expect(row(/2330 台積電/)).toContainText('100.0%')
  await expect(row(/2884 玉山金/)).toContainText('100 股')
  await expect(row(/合計/)).toContainText('100.0%')
  const names = () => page.getByRole('button', { name: /^(2330|2884)/ }).allTextContents()
  expect((await names()).map((name) => name.slice(0, 4))).toEqual(['2330', '2884'])
  expect(await axe(page)).toEqual([])

  // its stock is sold at a loss: the row follows by itself
  await fire('2884', 'sell', 27, 0)
  await expect(row(/2884 玉山金/)).toContainText('−')
  await expect(row(/合計/)).toContainText('50.0%')

  if (isMobile) await page.getByRole('combobox', { name: '排序' }).selectOption('last_signal_at')
  else await page.getByRole('columnheader', { name: '最近訊號' }).getByRole('button').click()
  await expect.poll(async () => (await names())[0]?.slice(0, 4)).toBe('2884')

  await everythingKept(page)
  await context.setOffline(true)
  await page.reload()
  await expect(row(/2330 台積電/)).toContainText('100.0%')
  await page.getByRole('button', { name: /2330 台積電/ }).click()
  const sheet = page.getByRole('dialog')
  await expect(sheet).toContainText('訊號（其中進場）')
  await expect(sheet).toContainText('2（1）筆')
  await sheet
    .getByRole('link', { name: '看這一檔的訊號' })
    .or(sheet.getByRole('button', { name: '看這一檔的訊號' }))
    .click()
  await expect(page).toHaveURL(/tab=signals&text=2330/)
  await expect(page.locator('main .signal-row')).toHaveCount(2)
})
