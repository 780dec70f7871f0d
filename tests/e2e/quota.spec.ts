// 伺服器上的空間: what one's own strategies, notes and refused messages take is said where it is looked for.

import { readUsage } from '#contract/profile.ts'
import { createStrategy, type StrategyInput } from '#contract/strategy.ts'
import { axe, expect, test } from '#tests/support/app.ts'
import { hookPath } from '#tests/support/desk.ts'
import { signUp } from '#tests/support/people.ts'
import { openAs } from '#tests/support/screen.ts'

test('the card says what is taken and how much there is, also of messages that became no signal @phone', async ({
  page,
  server,
}) => {
  const person = await signUp(server, '林柏翰')
  const strategy = await person.call(createStrategy, {
    kind: 'futures',
    name: '台指突破',
    note: '突破前高才做。',
    settings: { product_code: 'TXF' },
  } as unknown as StrategyInput)
  const refused = async (body: string) =>
    expect((await server.request(hookPath(strategy), { method: 'POST', body })).status).toBe(422)
  await refused('不是訊號 '.repeat(700))
  await refused('{"symbol": "TXF1!", "action": "buy", "quantity": 1.5}')
  const { refused_bytes } = await person.call(readUsage, {})
  expect(refused_bytes.used).toBeGreaterThan(2_000)
  expect(refused_bytes.used).toBeLessThan(4_000)
  await openAs(page, server.url, person, '/profile')
  await page.getByText('應用程式、空間、匯出、刪除帳號').click()
  const card = page.getByRole('region', { name: '伺服器上的空間' })
  await card.scrollIntoViewIfNeeded()
  await expect(card).toContainText('策略1 個 / 2,000 個')
  await expect(card).toContainText('說明7 字 / 5,000,000 字')
  await expect(card).toContainText('圖片0 位元組 / 500 MB')
  await expect(card).toContainText(/沒收下、重複、忽略的訊息[23](\.\d)? KB \/ 200 MB/)
  await expect(card).toContainText('接收紀錄2 筆 / 300,000 筆')
  await expect(card).toContainText('訊號紀錄0 筆，永久保留')
  expect(await axe(page)).toEqual([])
})
