// Connecting a channel on the screen: Telegram from its link to the yes, silent and told again.
import { fileURLToPath } from 'node:url'
import { axe, expect, said, signInByForm, test } from '#tests/support/app.ts'
import { type BotServer, codeOf, startBotServer } from '#tests/support/bots.ts'
import { signUp } from '#tests/support/people.ts'

test.use({ serviceWorkers: 'block' })
const DIST = process.env['DIST_DIR'] ?? fileURLToPath(new URL('../../dist', import.meta.url))
let bots: BotServer
test.beforeAll(async () => {
  bots = await startBotServer({ env: { DIST_DIR: DIST } })
})
test.afterAll(async () => {
  await bots.close()
})

test('Telegram: a chat that came with the link is bound by one press here; a silent chat says until when, and is told again by a key', {
  tag: '@desktop',
}, async ({ page }) => {
  const { server, telegram } = bots
  const person = await signUp(server, '林柏翰')
  await signInByForm(page, server.url, person.email)
  await page.goto(`${server.url}/signal-notification?tab=setting&channel=telegram`)
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
