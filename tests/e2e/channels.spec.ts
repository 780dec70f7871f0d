// Connecting channels on the screen: Telegram from its link to the yes, silent and told again; a program's address, its secret, and 重送.
import { fileURLToPath } from 'node:url'
import { bindTelegram, getTelegramBinding } from '#contract/binding.ts'
import { listNotificationDeliveries, updateChannel } from '#contract/notification.ts'
import { logout } from '#contract/session.ts'
import { createStrategy } from '#contract/strategy.ts'
import { axe, expect, said, test } from '#tests/support/app.ts'
import { type BotServer, codeOf, startBotServer } from '#tests/support/bots.ts'
import { hookPath } from '#tests/support/desk.ts'
import { signIn, signUp } from '#tests/support/people.ts'
import { openAs } from '#tests/support/screen.ts'
import { startWebhookReceiver, type WebhookReceiver } from '#tests/support/webhook-receiver.ts'

const DIST = process.env['DIST_DIR'] ?? fileURLToPath(new URL('../../dist', import.meta.url))
let bots: BotServer
let robot: WebhookReceiver
test.beforeAll(async () => {
  bots = await startBotServer({ env: { DIST_DIR: DIST } })
  robot = await startWebhookReceiver()
})
test.afterAll(async () => {
  await bots.close()
  await robot.close()
})

test('Telegram: a chat that came with the link is bound by one press here; a silent chat says until when, and is told again by a key', {
  tag: '@desktop',
}, async ({ page }) => {
  const { server, telegram } = bots
  const person = await signUp(server, '林柏翰')
  await openAs(page, server.url, person, '/signal-notification?tab=setting&channel=telegram')
  const sheet = page.getByRole('dialog', { name: 'Telegram' })
  await sheet.getByRole('button', { name: '綁定 Telegram' }).click()
  await expect(sheet).toContainText('等待 Telegram 那邊的訊息')
  await expect(sheet.getByRole('img', { name: '用手機掃描，開啟 Telegram' })).toBeVisible()
  await axe(page)
  const link = await sheet.getByRole('link', { name: '開啟 Telegram' }).getAttribute('href')
  const me = telegram.person('lin')
  me.says(`/start ${codeOf(link)}`)
  await expect(sheet.getByText('@lin 要連結你的凌波帳號，是你嗎？')).toBeVisible()
  await axe(page)
  // Who comes back from the other app may find the page loaded anew.
  await page.reload()
  await sheet.getByRole('button', { name: '是我，連結' }).click()
  await expect(sheet.getByRole('button', { name: '解除綁定' })).toBeVisible()
  await expect(sheet).toContainText('@lin')

  me.says('/mute 2h')
  await expect(sheet).toContainText('靜音到')
  await sheet.getByRole('button', { name: '解除靜音' }).click()
  await said(page, '已解除靜音')
  await expect(sheet).not.toContainText('靜音到')
  await sheet.getByRole('button', { name: '傳送測試' }).click()
  await expect(sheet.getByText('@lin：已送達')).toBeVisible()
})

test('a chat of a session that was ended is named, and one press says that it is mine', {
  tag: '@desktop',
}, async ({ page }) => {
  const { server, telegram } = bots
  const owner = await signUp(server, '林柏翰')
  const elsewhere = await signIn(server, owner.email)
  const chat = telegram.person('somebody')
  chat.says(`/start ${codeOf((await elsewhere.call(bindTelegram, {})).deep_link)}`)
  const waiting = async () => (await elsewhere.call(getTelegramBinding, {})).waiting?.id
  await expect.poll(waiting).toBeTruthy()
  await elsewhere.call(bindTelegram, { confirm: await waiting() })
  await elsewhere.call(logout, {})
  await openAs(page, server.url, owner, '/signal-notification?tab=setting&channel=telegram')
  const sheet = page.getByRole('dialog', { name: 'Telegram' })
  await expect(sheet).toContainText('@somebody 的登入連結先關著')
  await axe(page)
  await sheet.getByRole('button', { name: '是我，恢復' }).click()
  await said(page, '已恢復登入連結')
  await expect(sheet).not.toContainText('的登入連結先關著')
  chat.says('/app')
  await expect.poll(() => bots.told(chat).at(-1)).toContain('ticket=')
})

test('a program: the secret is shown once and changed; what it did not take says why, and goes again', {
  tag: '@desktop',
}, async ({ page }) => {
  const { server } = bots
  const person = await signUp(server, '林柏翰')
  await openAs(page, server.url, person, '/signal-notification?tab=setting&channel=webhook')
  const sheet = page.getByRole('dialog', { name: '外送 Webhook' })
  await sheet.getByRole('textbox', { name: '你的程式的網址' }).fill('not an address')
  await sheet.getByRole('button', { name: '存網址' }).click()
  await expect(sheet.getByText('要是完整的網址', { exact: false })).toBeVisible()
  await sheet.getByRole('textbox', { name: '你的程式的網址' }).fill(robot.url)
  await sheet.getByRole('button', { name: '存網址' }).click()
  const secret = sheet.getByRole('region', { name: '簽章密鑰' })
  await expect(secret).toContainText('whsec_')
  const first = (await secret.innerText()).trim()
  await sheet.getByRole('button', { name: '換新的密鑰' }).click()
  await expect(secret).not.toContainText(first)
  robot.expects((await secret.innerText()).trim())
  await sheet.getByRole('button', { name: '傳送測試' }).click()
  await expect(sheet.getByText('已送達', { exact: false })).toBeVisible()
  await sheet.getByRole('button', { name: '關閉' }).first().click()

  // boxes that nothing would ever follow are not there
  await page.getByText('進階', { exact: true }).click()
  await expect(page.getByRole('checkbox', { name: '訊號送到外送 Webhook' })).toBeChecked()
  await expect(page.getByRole('checkbox', { name: '公告送到外送 Webhook' })).toHaveCount(0)

  robot.faults.next({ status: 302 })
  const settings = { product_code: 'MXF' }
  const strategy = await person.call(createStrategy, { kind: 'futures', name: '台指突破', settings })
  const body = JSON.stringify({ symbol: 'MXF1!', action: 'buy', quantity: 1, price: 46_512 })
  expect((await server.request(hookPath(strategy), { method: 'POST', body })).status).toBe(200)
  const states = async () =>
    (await person.call(listNotificationDeliveries, { channel: 'webhook' })).items.map(({ state }) => state)
  await expect.poll(states).toEqual(['dead'])
  await page.goto(`${server.url}/signals`)
  await page.locator('.signal-row').filter({ hasText: '46,512' }).locator('.signal-row-open').click()
  const record = page.getByRole('dialog')
  await expect(record).toContainText('外送 Webhook')
  await expect(record).toContainText('沒有送到')
  await record.getByRole('link', { name: '到發送紀錄重送' }).click()
  await expect(page.locator('.why-tab-why')).toContainText('對方要轉到別的網址（302）')
  await axe(page)
  await page.getByRole('button', { name: /^重送：/ }).click()
  await said(page, '已重新排入發送')
  await expect.poll(states).toEqual(['confirmed'])
  expect(robot.messages.filter(({ type }) => type === 'signal.created')).toHaveLength(1)
  await page.goto(`${server.url}/signal-notification?tab=deliveries&channel=webhook`)
  await expect(page.locator('.why-tab-state')).toHaveText('已送達')
  expect(robot.wrong).toEqual([])
})

test('a program that said it takes no more is tried again by one key, its address and secret as they were', {
  tag: '@phone',
}, async ({ page }) => {
  const { server } = bots
  const person = await signUp(server, '程式停過')
  const program = await startWebhookReceiver()
  const { secret } = await person.call(updateChannel, { channel: 'webhook', address: program.url })
  program.expects(secret ?? '')
  program.faults.next({ status: 410 })
  await openAs(page, server.url, person, '/signal-notification?tab=setting&channel=webhook')
  const sheet = page.getByRole('dialog', { name: '外送 Webhook' })
  await expect(sheet.getByRole('button', { name: '重新啟用' })).toHaveCount(0)
  await sheet.getByRole('button', { name: '傳送測試' }).click()
  await expect(sheet.getByText('已停送')).toBeVisible()
  await sheet.getByRole('button', { name: '重新啟用' }).click()
  await said(page, '已重新啟用外送 Webhook')
  await expect(sheet.getByText('已連結', { exact: true })).toBeVisible()
  await expect(sheet.getByRole('button', { name: '重新啟用' })).toHaveCount(0)
  const settings = { product_code: 'MXF' }
  const strategy = await person.call(createStrategy, { kind: 'futures', name: '又送', settings })
  const body = JSON.stringify({ symbol: 'MXF1!', action: 'buy', quantity: 1, price: 46_512 })
  expect((await server.request(hookPath(strategy), { method: 'POST', body })).status).toBe(200)
  await expect.poll(() => program.messages.length).toBe(1)
  expect(program.wrong).toEqual([])
  await program.close()
})

test('a program follows the strategies that are chosen for it, and hears of no other', {
  tag: '@desktop',
}, async ({ page }) => {
  const { server } = bots
  const person = await signUp(server, '只跟一個')
  const follower = await startWebhookReceiver()
  const settings = { product_code: 'MXF' }
  const make = (name: string) => person.call(createStrategy, { kind: 'futures', name, settings })
  const followed = await make('要跟的')
  const other = await make('不跟的')
  const { secret } = await person.call(updateChannel, { channel: 'webhook', address: follower.url })
  follower.expects(secret ?? '')
  await openAs(page, server.url, person, '/signal-notification?tab=setting&channel=webhook')
  const sheet = page.getByRole('dialog', { name: '外送 Webhook' })
  const which = sheet.getByRole('group', { name: '哪些策略送到這裡' })
  await expect(which.getByRole('radio', { name: '全部策略' })).toBeChecked()
  await which.getByText('只送選的').click()
  await expect(which.getByRole('button', { name: '存這些策略' })).toBeDisabled()
  await which.getByRole('checkbox', { name: '要跟的', exact: true }).click()
  await axe(page)
  await which.getByRole('button', { name: '存這些策略' }).click()
  await said(page, '已改外送 Webhook 送哪些策略')
  await expect(page.getByText('只送 1 個策略')).toBeVisible()

  const fire = async (strategy: typeof other) => {
    const body = JSON.stringify({ symbol: 'MXF1!', action: 'buy', quantity: 1, price: 46_512 })
    expect((await server.request(hookPath(strategy), { method: 'POST', body })).status).toBe(200)
  }
  await fire(other)
  await fire(followed)
  const heard = () => follower.messages.map(({ data }) => (data as { strategy_id: string }).strategy_id)
  await expect.poll(heard).toEqual([followed.id])

  await which.getByText('全部策略').click()
  await expect(page.getByText('只送 1 個策略')).toHaveCount(0)
  await fire(other)
  await expect.poll(heard).toEqual([followed.id, other.id])
  expect(follower.wrong).toEqual([])
  await follower.close()
})
