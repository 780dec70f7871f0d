// A server without a mail server, as its people see it: mail is named with the reason, and offered nowhere.
import { CHANNELS } from '#contract/channels.ts'
import { updateNotificationSetting } from '#contract/notification.ts'
import { createOrganization } from '#contract/organization.ts'
import { createStrategy, getStrategy } from '#contract/strategy.ts'
import { axe, expect, said, test } from '#tests/support/app.ts'
import { PASSWORD, signUp } from '#tests/support/people.ts'
import { openAs, signedInContext } from '#tests/support/screen.ts'

test('mail says what is missing, stands in no choice, and is the reason where somebody asked for it', async ({
  page,
  server,
}) => {
  const config = server.app.config as { mail_pickup: boolean }
  config.mail_pickup = false
  try {
    const person = await signUp(server, '林柏翰')
    // The order that nobody chose has every channel in it; an empty one offers those of this server.
    await person.call(updateNotificationSetting, { 'kinds.signal.email': true, 'fallback.order': [] })
    const settings = { product_code: 'MXF' }
    const { id } = await person.call(createStrategy, { kind: 'futures', name: '台指突破', settings })
    await openAs(page, server.url, person, '/signal-notification?tab=setting')
    const row = page.getByRole('listitem').filter({ hasText: '電子郵件' })
    await expect(row).toContainText('這台伺服器沒有設定')
    await expect(row).toContainText('請管理這台伺服器的人設定寄信')
    await page.getByText('進階', { exact: true }).click()
    await expect(page.getByRole('checkbox', { name: '訊號送到推播' })).toBeVisible()
    await expect(page.getByRole('checkbox', { name: '訊號送到電子郵件' })).toHaveCount(0)
    const order = page.getByRole('combobox', { name: '加入通道' }).getByRole('option')
    await expect(order.filter({ hasText: '推播' })).toHaveCount(1)
    await expect(order.filter({ hasText: '電子郵件' })).toHaveCount(0)
    const wider = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    await expect.poll(wider).toBeLessThanOrEqual(0)
    await axe(page)
    // nor in the sheet of a strategy's bell, from here and from its own page
    await page.goto(`${server.url}/strategies/${id}`)
    await page.getByRole('button', { name: '通知設定，現在響' }).click()
    const bell = page.getByRole('dialog')
    await bell.getByText('進階', { exact: true }).click()
    await expect(bell.getByRole('checkbox', { name: '推播' })).toBeVisible()
    await expect(bell.getByRole('checkbox', { name: '電子郵件' })).toHaveCount(0)
    await bell.getByRole('checkbox', { name: '推播' }).click()
    await expect
      .poll(async () => (await person.call(getStrategy, { id })).my_notify.channels)
      .toEqual(CHANNELS.filter((channel) => channel !== 'push'))
    await page.goto(`${server.url}/signal-notification?tab=why`)
    await expect(page.getByText('電子郵件的連線')).toBeVisible()
    await expect(page.getByText('這台伺服器沒有郵件伺服器')).toBeVisible()
  } finally {
    config.mail_pickup = true
  }
})

test('whoever proves an address is told where the code lies, and is not sent to a mailbox', {
  tag: ['@phone', '@soak'],
}, async ({ page, server }) => {
  const config = server.app.config as { mail_pickup: boolean }
  config.mail_pickup = false
  try {
    const person = await signUp(server, '林站長', { verify: false })
    await openAs(page, server.url, person, '/profile')
    await expect(page.getByText(`給 ${person.email} 的驗證碼`)).toContainText(
      '請向管理這台伺服器的人要驗證碼',
    )
    await expect(page.getByText('垃圾郵件')).toHaveCount(0)
  } finally {
    config.mail_pickup = true
  }
})

test('who registers or has forgotten the password is promised no mail, but told where it lies', {
  tag: '@phone',
}, async ({ page, server }) => {
  const config = server.app.config as { mail_pickup: boolean }
  config.mail_pickup = false
  try {
    await page.goto(`${server.url}/login?tab=register`)
    await expect(page.getByText('註冊後還要驗證電子郵件')).toBeVisible()
    await expect(page.getByText('寄出')).toHaveCount(0)
    const email = `own-${test.info().project.name}-${Date.now()}@example.com`
    await page.getByLabel('姓名').fill('林站長')
    await page.getByLabel('電子郵件').fill(email)
    await page.getByLabel('密碼', { exact: true }).fill(PASSWORD)
    await page.getByLabel('確認密碼').fill(PASSWORD)
    await page.getByRole('button', { name: '建立帳號' }).click()
    await said(page, '請向管理這台伺服器的人要驗證碼')
    await page.getByRole('link', { name: '忘記密碼' }).click()
    await page.getByRole('button', { name: '寄出重設連結' }).click()
    await expect(page.getByRole('heading', { name: '這裡還不能寄信' })).toBeVisible()
    await expect(page.getByRole('status').filter({ hasText: email })).toContainText(
      '請向管理這台伺服器的人要連結',
    )
    await expect(page.locator('body')).not.toContainText('資料夾')
    await expect(page.getByText('已經寄出')).toHaveCount(0)
    await expect(page.getByText('垃圾郵件')).toHaveCount(0)
    expect(await axe(page)).toEqual([])
  } finally {
    config.mail_pickup = true
  }
})

test('who invites gets each link to copy, and is told of no folder; whoever has it comes in', {
  tag: '@phone',
}, async ({ page, server, context, browser }) => {
  const config = server.app.config as { mail_pickup: boolean }
  config.mail_pickup = false
  try {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const person = await signUp(server, '林站長')
    const guest = await signUp(server, '陳以安', { verify: false })
    const { id } = await person.call(createOrganization, { name: '浪花訊號社' })
    await openAs(page, server.url, person, `/organizations/manage?org=${id}&tab=invites`)
    await page.getByRole('button', { name: '邀請成員' }).first().click()
    const sheet = page.getByRole('dialog')
    await sheet.getByLabel('電子郵件').fill(guest.email)
    await sheet.getByRole('button', { name: '建立邀請' }).click()
    const made = page.getByRole('dialog', { name: '已建立 1 份邀請' })
    await expect(made).toContainText('這裡還不能寄信，請複製連結傳給對方。')
    await made.getByRole('button', { name: `複製給 ${guest.email} 的連結` }).click()
    await expect(made.getByRole('button', { name: '已複製' })).toBeVisible()
    const link = await page.evaluate(() => navigator.clipboard.readText())
    expect(link).toContain(`${server.url}/my-organizations?invite=`)
    expect(await axe(page)).toEqual([])
    await made.getByRole('button', { name: '完成' }).click()
    // the same link stands in the list, for whoever asks for it tomorrow
    await page.getByRole('button', { name: `複製給 ${guest.email} 的連結` }).click()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link)
    await expect(page.locator('main')).not.toContainText('寄')
    await expect(page.locator('body')).not.toContainText('資料夾')

    const theirs = await signedInContext(browser, server.url, guest)
    const own = await theirs.newPage()
    await own.goto(link)
    await own.getByRole('button', { name: '接受邀請' }).click()
    await expect(own).toHaveURL(`${server.url}/dashboard`)
    await expect(own.getByText('組織成員').first()).toBeVisible()
    expect(await own.evaluate(() => localStorage.getItem('currentOrganizationId'))).toBe(id)
    await theirs.close()
  } finally {
    config.mail_pickup = true
  }
})
