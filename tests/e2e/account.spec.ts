// The account on the screen, against the real server: the forgotten password, a changed one, another e-mail, the picture, the end.
import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { getProfile } from '#contract/profile.ts'
import { login } from '#contract/session.ts'
import { axe, expect, messages, said, signInByForm, test } from '#tests/support/app.ts'
import { call, codeFor, PASSWORD, type Reachable, signUp } from '#tests/support/people.ts'
import { openAs } from '#tests/support/screen.ts'

const NEW = 'walking on water 77'

async function linkFor(server: Reachable, email: string): Promise<string> {
  const links = async () =>
    (await server.mails())
      .filter((mail) => mail.to === email)
      .flatMap(({ text }) => /https?:\/\/\S+\/reset-password\?token=[\w-]+/.exec(text)?.[0] ?? [])
  await expect.poll(async () => (await links()).length).toBeGreaterThan(0)
  return (await links()).at(-1) as string
}

test('forgotten: the mail, the new password, signing in; the link is out of the address and works once @phone', async ({
  page,
  server,
}) => {
  const person = await signUp(server, '忘了密碼')
  await page.goto(`${server.url}/login`)
  await page.getByLabel('帳號').fill(person.email)
  await page.getByRole('link', { name: '忘記密碼' }).click()
  await expect(page.getByLabel('電子郵件')).toHaveValue(person.email)
  expect(await axe(page)).toEqual([])
  await page.getByRole('button', { name: '寄出重設連結' }).click()
  await expect(page.getByRole('heading', { name: '請看信箱' })).toBeVisible()
  const link = await linkFor(server, person.email)

  await page.goto(link)
  await expect(page.getByText('pe***@example.com')).toBeVisible()
  await expect(page).toHaveURL(`${server.url}/reset-password`)
  expect(await axe(page)).toEqual([])
  await page.getByLabel('新密碼', { exact: true }).fill('password123')
  await page.getByLabel('確認新密碼').fill('other')
  await page.getByRole('button', { name: '設定新密碼' }).click()
  await expect(page.getByText('這個密碼太常見，很容易被猜到，請換一個')).toBeVisible()
  await expect(page.getByText('兩次輸入的密碼不一樣')).toBeVisible()
  await page.getByLabel('新密碼', { exact: true }).fill(NEW)
  await page.getByLabel('確認新密碼').fill(NEW)
  await page.getByRole('button', { name: '設定新密碼' }).click()
  await said(page, '密碼已更新，請用新密碼登入')
  await expect(page).toHaveURL(`${server.url}/login`)
  await signInByForm(page, server.url, person.email, NEW)

  await page.goto(link)
  await expect(page.getByText('這個連結已經用過，請重新申請')).toBeVisible()
  await page.getByRole('button', { name: '重新寄一封' }).click()
  await expect(page.getByRole('button', { name: '寄出重設連結' })).toBeVisible()
})

test('an address without an account hears the same words', { tag: '@phone' }, async ({ page, server }) => {
  await page.goto(`${server.url}/reset-password`)
  await page.getByRole('button', { name: '寄出重設連結' }).click()
  await expect(page.getByText('請輸入電子郵件')).toBeVisible()
  await page.getByLabel('電子郵件').fill('nobody')
  await page.getByRole('button', { name: '寄出重設連結' }).click()
  await expect(page.getByText('電子郵件格式不正確，例如 name@example.com')).toBeVisible()
  await page.getByLabel('電子郵件').fill('nobody@example.com')
  await page.getByRole('button', { name: '寄出重設連結' }).click()
  await expect(page.getByRole('heading', { name: '請看信箱' })).toBeVisible()
})

// spec §8: Forgot password failure: 發送驗證信失敗 / 發送驗證信失敗，請稍後再試.
test('without a network the forgotten password says so and keeps what was typed', {
  tag: '@phone',
}, async ({ page, context, server }) => {
  await page.goto(`${server.url}/reset-password`)
  // what the page needs is here by then, so that going offline is only that
  await page.waitForLoadState('networkidle')
  await page.getByLabel('電子郵件').fill('a@example.com')
  await context.setOffline(true)
  await page.getByRole('button', { name: '寄出重設連結' }).click()
  await said(page, '發送驗證信失敗')
  await expect(page.getByLabel('電子郵件')).toHaveValue('a@example.com')
  await context.setOffline(false)
  await page.getByRole('button', { name: '寄出重設連結' }).click()
  await expect(page.getByRole('heading', { name: '請看信箱' })).toBeVisible()
})

test('a changed password signs the other browser out and leaves this one @desktop', async ({
  page,
  browser,
  server,
}) => {
  const person = await signUp(server, '換密碼')
  const other = await (await browser.newContext()).newPage()
  await signInByForm(other, server.url, person.email)
  await signInByForm(page, server.url, person.email)
  await page.goto(`${server.url}/profile`)
  await page.getByRole('button', { name: '變更密碼' }).click()
  const dialog = page.getByRole('dialog', { name: '變更密碼' })
  await dialog.getByLabel('目前的密碼').fill('wrong password')
  await dialog.getByLabel('新密碼', { exact: true }).fill(NEW)
  await dialog.getByLabel('確認新密碼').fill(NEW)
  await dialog.getByRole('button', { name: '變更密碼' }).click()
  await expect(dialog.getByText('當前密碼不正確，請再試一次').first()).toBeVisible()
  expect(await axe(page)).toEqual([])
  await dialog.getByLabel('目前的密碼').fill(PASSWORD)
  await dialog.getByRole('button', { name: '變更密碼' }).click()
  await said(page, '密碼已更新')
  await expect(dialog).toBeHidden()
  await expect(other).toHaveURL(`${server.url}/`, { timeout: 60_000 })
  await expect(page.getByText('這支裝置', { exact: true })).toBeVisible()
  await other.context().close()
})

// spec §8: Email update code 6003: 當前密碼不正確，請再試一次; other failure: 電子郵件更新失敗，此電子郵件已被註冊; success: 電子郵件已更新，請至信箱查看驗證碼並進行驗證.
test('another e-mail: the words of the specification, then the code from the new mailbox', {
  tag: '@desktop',
}, async ({ page, server }) => {
  const person = await signUp(server, '換信箱')
  const taken = await signUp(server, '別人', { verify: false })
  const email = `moved-${Date.now()}@example.com`
  await openAs(page, server.url, person, '/profile')
  await page.getByRole('region', { name: '電子郵件' }).getByRole('button', { name: '變更' }).click()
  const dialog = page.getByRole('dialog', { name: '變更電子郵件' })
  const submit = dialog.getByRole('button', { name: '變更電子郵件' })
  await dialog.getByLabel('新的電子郵件').fill(taken.email)
  await dialog.getByLabel('目前的密碼').fill('wrong')
  await submit.click()
  await expect(dialog.getByText('當前密碼不正確，請再試一次').first()).toBeVisible()
  await dialog.getByLabel('目前的密碼').fill(PASSWORD)
  await submit.click()
  await expect(dialog.getByText('電子郵件更新失敗，此電子郵件已被註冊').first()).toBeVisible()
  await dialog.getByLabel('新的電子郵件').fill(email)
  await submit.click()
  await said(page, '電子郵件已更新，請至信箱查看驗證碼並進行驗證')
  await expect(page.getByText('還沒驗證', { exact: true })).toBeVisible()
  await page.getByLabel('驗證碼').fill(await codeFor(server, email))
  await expect(page.getByText('已驗證', { exact: true })).toBeVisible()
  await expect(page.getByRole('region', { name: '電子郵件' }).getByText(email)).toBeVisible()
})

// spec §1: Its areas are: strategies (futures and stock), webhooks, signals (including manual signals),…
test('the picture: chosen, shown in the bar, taken away; everything as a file @desktop', async ({
  page,
  server,
}) => {
  const person = await signUp(server, '有頭像')
  await openAs(page, server.url, person, '/profile')
  const card = page.getByRole('region', { name: '基本資料' })
  const photo = await sharp({ create: { width: 1_400, height: 900, channels: 3, background: '#2d69de' } })
    .jpeg()
    .toBuffer()
  const input = page.getByTestId('avatar-file')
  await input.setInputFiles({ name: 'x.png', mimeType: 'image/png', buffer: Buffer.from('no picture') })
  await said(page, '不接受這種檔案，請改用 PNG、JPEG 或 WebP 圖片')
  await input.setInputFiles({ name: 'photo.jpg', mimeType: 'image/jpeg', buffer: photo })
  await expect(card.locator('img.avatar')).toHaveAttribute('src', /^\/files\/[0-9a-f]{40}\.webp$/)
  // phones have no face in a bar
  await expect(page.locator('header img.avatar').first()).toBeVisible()
  // zero until the file is here
  await expect
    .poll(() => card.locator('img.avatar').evaluate((img: HTMLImageElement) => img.naturalWidth))
    .toBe(512)
  await card.getByRole('button', { name: '移除頭像' }).click()
  await expect(card.locator('img.avatar')).toHaveCount(0)

  const saving = page.waitForEvent('download')
  await page.getByText('應用程式、空間、匯出、刪除帳號').click()
  await page.getByRole('button', { name: '匯出', exact: true }).click()
  const file = await saving
  expect(file.suggestedFilename()).toMatch(/^lingbo-my-data-\d{4}-\d\d-\d\d\.json$/)
  const text = await readFile(await file.path(), 'utf8')
  expect(JSON.parse(text)).toMatchObject({ profile: { email: person.email } })
})

test('deleting the account: the password, then the landing page and nothing left on the device @phone', async ({
  page,
  server,
}) => {
  const person = await signUp(server, '要離開')
  await signInByForm(page, server.url, person.email)
  await page.goto(`${server.url}/profile`)
  await page.getByText('應用程式、空間、匯出、刪除帳號').click()
  await page.getByRole('region', { name: '刪除帳號' }).getByRole('button').click()
  const dialog = page.getByRole('dialog', { name: '刪除帳號' })
  const submit = dialog.getByRole('button', { name: '刪除帳號' })
  await dialog.getByLabel('輸入密碼以確認').fill('wrong')
  await submit.click()
  await expect(dialog.getByText('當前密碼不正確，請再試一次').first()).toBeVisible()
  expect(await axe(page)).toEqual([])
  await dialog.getByLabel('輸入密碼以確認').fill(PASSWORD)
  await submit.click()
  await said(page, '帳號已刪除')
  await expect(page).toHaveURL(`${server.url}/`)
  await expect.poll(() => page.evaluate(() => localStorage.getItem('token'))).toBeNull()
  await expect(call(server, login, { account: person.email, password: PASSWORD })).rejects.toMatchObject({
    code: 6002,
  })
})

test('the stream may hear of the end before the answer is here: the account is deleted all the same, and nothing else is said', {
  tag: ['@desktop', '@soak'],
}, async ({ page, server }) => {
  const person = await signUp(server, '要離開')
  await signInByForm(page, server.url, person.email)
  const stream = page.waitForResponse('**/api/v1/events')
  await page.goto(`${server.url}/profile`)
  await page.getByText('應用程式、空間、匯出、刪除帳號').click()
  await page.getByRole('region', { name: '刪除帳號' }).getByRole('button').click()
  const dialog = page.getByRole('dialog', { name: '刪除帳號' })
  await stream
  const heard = page.waitForResponse((answer) => answer.url().endsWith('/events') && answer.status() === 401)
  await page.route('**/api/v1/user', async (route) => {
    const answer = await route.fetch()
    await heard
    // what follows from it on the page has had its turn
    await page.evaluate(() => new Promise((next) => requestAnimationFrame(() => setTimeout(next, 500))))
    await route.fulfill({ response: answer })
  })
  await dialog.getByLabel('輸入密碼以確認').fill(PASSWORD)
  await dialog.getByRole('button', { name: '刪除帳號' }).click()
  await said(page, '帳號已刪除')
  await expect(page).toHaveURL(`${server.url}/`)
  expect(messages(page)).toEqual([expect.stringContaining('帳號已刪除')])
})

test('whoever has to set a new password sees nothing else before @phone', async ({ page, server }) => {
  const person = await signUp(server, '暫時密碼')
  await server.app.db
    .updateTable('users')
    .set({ need_force_update_password: 1 })
    .where('id', '=', person.uid)
    .execute()
  await page.goto(`${server.url}/login`)
  await page.getByLabel('帳號').fill(person.email)
  await page.getByLabel('密碼', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: '登入', exact: true }).click()
  await expect(page.getByRole('heading', { name: '請先設定新密碼' })).toBeVisible()
  for (const path of ['/strategies', '/profile', '/signals']) {
    await page.goto(server.url + path)
    await expect(page.getByRole('heading', { name: '請先設定新密碼' })).toBeVisible()
    await expect(page.getByRole('navigation')).toHaveCount(0)
  }
  expect(await axe(page)).toEqual([])
  await page.getByLabel('目前的密碼').fill(PASSWORD)
  await page.getByLabel('新密碼', { exact: true }).fill(NEW)
  await page.getByLabel('確認新密碼').fill(NEW)
  await page.getByRole('button', { name: '更新密碼' }).click()
  await expect(page.getByRole('navigation', { name: '主要' }).first()).toBeVisible()
  expect(await person.call(getProfile, {}).catch((error: { code: number }) => error.code)).toBe(4012)
})
