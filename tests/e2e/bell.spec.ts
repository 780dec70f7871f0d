// The bell of a strategy, set on two devices: what the later edit covered is told, and comes back.
import { createStrategy, getStrategy, updateStrategyNotify } from '#contract/strategy.ts'
import { axe, expect, said, test } from '#tests/support/app.ts'
import { signIn, signUp } from '#tests/support/people.ts'
import { everythingKept, openAs } from '#tests/support/screen.ts'

test('a bell that is touched on a card says what became of it, and 復原 turns it back @phone', async ({
  page,
  server,
}) => {
  const person = await signUp(server, '手滑')
  const settings = { product_code: 'MXF' }
  const { id } = await person.call(createStrategy, { kind: 'futures', name: '台指突破', settings })
  const stands = async () => (await person.call(getStrategy, { id })).my_notify.enabled
  await openAs(page, server.url, person, '/strategies')
  await page
    .getByRole('button', { name: /通知.*台指突破|台指突破.*通知/ })
    .first()
    .click()
  await said(page, '「台指突破」的訊號不再通知你', '復原')
  await expect.poll(stands).toBe(false)
  await page.getByRole('button', { name: '復原' }).click()
  await expect.poll(stands).toBe(true)
})

test('a bell set offline that another device set later: the note names the strategy, and 還原 puts it back, with no network too', {
  tag: ['@phone', '@worker'],
}, async ({ page, context, server }) => {
  const person = await signUp(server, '林柏翰')
  const settings = { product_code: 'MXF' }
  const { id } = await person.call(createStrategy, { kind: 'futures', name: '台指突破', settings })
  const stands = async () => (await person.call(getStrategy, { id })).my_notify.enabled
  await openAs(page, server.url, person, '/dashboard')
  await everythingKept(page)
  const tab = `${server.url}/signal-notification?tab=setting`
  await page.goto(tab)
  const row = page.getByRole('radiogroup', { name: '「台指突破」有訊號時' })
  const rings = row.getByRole('radio', { name: '響', exact: true })
  const off = row.getByRole('radio', { name: '關', exact: true })
  const note = page.getByText('「台指突破」的通知在兩支裝置上都改過', { exact: false })
  await expect(rings).toBeChecked()
  await context.setOffline(true)
  await off.click({ force: true })
  await said(page, '「台指突破」的訊號不再通知你', '已排入待送，恢復連線後自動送出')
  const clicked = Date.now()
  await expect.poll(() => Date.now() - clicked).toBeGreaterThan(2_500)
  const elsewhere = await signIn(server, person.email)
  await elsewhere.call(updateStrategyNotify, { id, enabled: true })
  await context.setOffline(false)
  await expect(note).toBeVisible()
  await expect(note).toContainText('改的是：關')
  await expect(rings).toBeChecked()
  // where the bell of the strategy's own page opens, too
  await page.goto(`${server.url}/strategies/${id}`)
  await page.getByRole('button', { name: '通知設定，現在響' }).click()
  await expect(page.getByRole('dialog').getByText('「台指突破」的通知在兩支裝置上都改過')).toBeVisible()
  await page.goto(tab)

  await context.setOffline(true)
  await page.getByRole('button', { name: '還原' }).click()
  await expect(rings).not.toBeChecked()
  await expect(note).toBeHidden()
  await page.goto(tab)
  await expect(rings).not.toBeChecked()
  await expect(note).toBeHidden()
  expect(await stands()).toBe(true)
  await context.setOffline(false)
  await expect.poll(stands).toBe(false)
  await expect(rings).not.toBeChecked()
  await expect(note).toBeHidden()
})

test('響, 安靜收下, 關 in one press a row, each said with 復原; what none of them says is 自訂 and stays until one is chosen', {
  tag: '@phone',
}, async ({ page, server }) => {
  const person = await signUp(server, '林安靜')
  const settings = { product_code: 'MXF' }
  const { id } = await person.call(createStrategy, { kind: 'futures', name: '台指突破', settings })
  await person.call(updateStrategyNotify, { id, channels: ['telegram'], actions: 'turns' })
  const stands = async () => (await person.call(getStrategy, { id })).my_notify
  await openAs(page, server.url, person, '/signal-notification?tab=setting')
  const row = page.getByRole('radiogroup', { name: '「台指突破」有訊號時' })
  await expect(page.getByText('自訂：只走 Telegram · 只要進出場')).toBeVisible()
  await expect(row.getByRole('radio', { checked: true })).toHaveCount(0)
  await row.getByText('安靜收下', { exact: true }).click()
  await said(page, '「台指突破」的訊號安靜收下，不響', '復原')
  await expect.poll(async () => (await stands()).channels).toEqual(['in_app', 'webhook'])
  await page.getByRole('button', { name: '復原' }).click()
  await expect.poll(async () => (await stands()).channels).toEqual(['telegram'])
  // the line under the row is back: nothing moves under the next press
  await expect(page.getByText('自訂：只走 Telegram · 只要進出場')).toBeVisible()
  await row.getByText('響', { exact: true }).click()
  await expect.poll(stands).toMatchObject({ enabled: true, channels: null, actions: 'turns' })
  await axe(page)

  // an address of before leads to where the log stands now, under the four layers
  await page.goto(`${server.url}/signal-notification?tab=deliveries`)
  await expect(page.getByRole('heading', { name: '為什麼沒收到' })).toBeVisible()
  for (const layer of ['策略', '勿擾時段', '通道', '這支裝置', '發送紀錄'])
    await expect(page.getByRole('heading', { name: layer })).toBeVisible()
  await axe(page)
})
