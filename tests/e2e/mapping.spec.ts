// From a refused message to a mapping: proposed, tried while typing, weighed, saved; a pasted line too; and what was read before still is.
import type { Page } from '@playwright/test'
import { listStrategySignals } from '#contract/signal.ts'
import { createStrategy, type Strategy, type StrategyInput } from '#contract/strategy.ts'
import { axe, expect, test } from '#tests/support/app.ts'
import { hookPath } from '#tests/support/desk.ts'
import { signedIn } from '#tests/support/identities.ts'
import { type Person, signUp } from '#tests/support/people.ts'
import type { TestServer } from '#tests/support/server.ts'

const BOT = '{"bot":{"tkr":"MXF1!","dir":"看多","lots":"2手","px":46500,"mood":7}}'
const tradingview = () =>
  JSON.stringify({
    symbol: 'TAIFEX:MXF1!',
    action: 'buy',
    contracts: '1',
    price: '46520',
    timenow: `${new Date().toISOString().slice(0, 19)}Z`,
  })

async function make(server: TestServer): Promise<{ person: Person; strategy: Strategy }> {
  const person = await signUp(server, '周曉晴')
  const strategy = await person.call(createStrategy, {
    kind: 'futures',
    name: '外部機器人',
    settings: { product_code: 'MXF' },
  } as StrategyInput)
  return { person, strategy }
}
const post = async (server: TestServer, strategy: Strategy, body: string) =>
  (await server.request(hookPath(strategy), { method: 'POST', body })).status

async function settings(page: Page, server: TestServer, person: Person, strategy: Strategy): Promise<void> {
  await signedIn(page, person)
  await page.goto(`${server.url}/strategies/${strategy.id}?tab=settings`)
}
const sheet = (page: Page) => page.getByRole('dialog')
const verdict = (page: Page) => sheet(page).locator('.tried')

test('a refused message becomes a mapping: reasons, live preview, impact, saved, replayed @phone', async ({
  page,
  server,
}) => {
  const { person, strategy } = await make(server)
  expect(await post(server, strategy, BOT)).toBe(422)
  await settings(page, server, person, strategy)
  await page.locator('.request-row-line').first().click()
  await page.getByRole('button', { name: '用這則建立對應' }).click()

  // proposed, with the words that spoke for it
  await expect(sheet(page).getByLabel('商品', { exact: true })).toHaveValue('bot.tkr')
  await expect(sheet(page).locator('.field-row', { hasText: '數量' })).toContainText('名稱「lots」')
  await expect(sheet(page).locator('.field-row', { hasText: '商品' })).toContainText('MXF1!')
  await expect(verdict(page)).toContainText('「2手」')
  expect(await axe(page)).toEqual([])

  // own words are the person's to choose; the very message says at once what that does
  await sheet(page).getByLabel('「看多」的意思').selectOption('多單進場')
  await sheet(page).getByLabel('「手」的意思').selectOption('口')
  const mood = sheet(page).getByRole('button', { name: '忽略這個欄位：bot.mood' })
  await mood.click()
  await expect(verdict(page)).toContainText('已收下')
  await expect(verdict(page)).toContainText('多單進場 2 口 小台 近月 @46,500')
  await sheet(page).getByLabel('價格', { exact: true }).fill('bot.nowhere')
  await expect(sheet(page)).toContainText('這則訊息沒有這個欄位')
  await sheet(page).getByLabel('價格', { exact: true }).fill('bot.px')
  await expect(verdict(page)).toContainText('@46,500')

  await sheet(page).getByRole('button', { name: '看影響' }).click()
  await expect(sheet(page)).toContainText('1 則會改變，0 則變成看不懂')
  await expect(sheet(page).locator('.impact-step-rows > li')).toHaveCount(1)
  await expect(sheet(page).locator('.impact-step-rows')).toContainText('多單進場 2 口 小台 近月 @46,500')
  expect(await axe(page)).toEqual([])
  await sheet(page).getByRole('button', { name: '返回修改' }).click()
  await expect(sheet(page).getByLabel('「看多」的意思')).toHaveValue('long_entry')
  await sheet(page).getByRole('button', { name: '看影響' }).click()
  await sheet(page).getByRole('button', { name: '儲存對應' }).click()
  await expect(sheet(page)).toContainText('對應已儲存')

  // what was refused is read again: first what that would change, then exactly that
  await sheet(page).getByRole('button', { name: '重新解析這些' }).click()
  await expect(sheet(page).getByRole('button', { name: '新成為訊號 1' })).toBeVisible()
  expect((await person.call(listStrategySignals, { id: strategy.id })).items).toHaveLength(0)
  await sheet(page).getByRole('button', { name: '照做 1 則' }).click()
  await expect(sheet(page)).toContainText('重新解析完成')
  await sheet(page).getByRole('button', { name: '關閉', exact: true }).last().click()
  await expect(page.locator('.request-row-line').first()).toContainText('已收下')
  const replayed = (await person.call(listStrategySignals, { id: strategy.id })).items
  expect(replayed).toMatchObject([{ action: 'long_entry', quantity: 2, price: 46_500, symbol: 'MXF' }])

  // it counts from the next message on
  expect(await post(server, strategy, BOT.replace('46500', '46510'))).toBe(200)
  expect(await post(server, strategy, tradingview())).toBe(200)
  expect((await person.call(listStrategySignals, { id: strategy.id })).items).toHaveLength(3)
})

test('a pasted line is told apart by its cells; strict loses the rest, and says so before it is saved @desktop', async ({
  page,
  server,
}) => {
  const { person, strategy } = await make(server)
  expect(await post(server, strategy, '{"symbol":"MXF1!","action":"buy","price":46500}')).toBe(200)
  await settings(page, server, person, strategy)
  await page.getByText('欄位對應', { exact: true }).click()
  await page.getByRole('button', { name: '貼一則訊息' }).click()
  await expect(sheet(page).getByRole('button', { name: '建議對應' })).toBeDisabled()
  await sheet(page).getByLabel('一則實際的訊息').fill('{"cmd":"buy","symbol":"MXF1!","price":46500}')
  await sheet(page).getByRole('button', { name: '建議對應' }).click()
  await expect(verdict(page)).toContainText('已收下')
  expect(await axe(page)).toEqual([])
  await sheet(page).getByLabel('動作', { exact: true }).fill('cmd')
  await sheet(page).getByLabel('只收這種格式').check()
  await sheet(page).getByRole('button', { name: '看影響' }).click()
  await expect(sheet(page)).toContainText('0 則會改變，1 則變成看不懂')
  await expect(sheet(page)).toContainText('儲存後，這樣的訊息會被拒收')
  await sheet(page).getByRole('button', { name: '返回修改' }).click()
  await sheet(page).getByLabel('只收這種格式').uncheck()
  await sheet(page).getByRole('button', { name: '關閉' }).click()
  // it was not saved, and asks (decision 110)
  const question = page.getByRole('dialog', { name: '放棄還沒送出的內容？' })
  await question.getByRole('button', { name: '放棄內容' }).click()
  await expect(sheet(page)).toHaveCount(0)
})
