// Invited by mail with an account from long ago, and its password forgotten: told so, and inside the organization all the same.
import { createInvites } from '#contract/join.ts'
import { createOrganization } from '#contract/organization.ts'
import { axe, expect, said, test } from '#tests/support/app.ts'
import { type Reachable, signUp } from '#tests/support/people.ts'

const NAME = '浪花訊號社'
const NEW = 'walking on water 77'

/** The newest link mailed to the address that has `part` in it. */
async function linkWith(server: Reachable, email: string, part: string): Promise<string> {
  const links = async () =>
    (await server.mails())
      .filter(({ to }) => to === email)
      .flatMap(({ text }) => text.match(/https?:\/\/\S+/g) ?? [])
      .filter((link) => link.includes(part))
  await expect.poll(async () => (await links()).length).toBeGreaterThan(0)
  return (await links()).at(-1) as string
}

test('registered long ago: the link says so, the forgotten password is set anew, and it ends inside', {
  tag: '@phone',
}, async ({ page, context, server }) => {
  const boss = await signUp(server, '林站長')
  const guest = await signUp(server, '陳以安')
  const { id } = await boss.call(createOrganization, { name: NAME })
  await boss.call(createInvites, { id, emails: [guest.email] }, { 'lb-org-id': id })
  await page.goto(await linkWith(server, guest.email, '?invite='))
  const wanted = new URL(page.url()).searchParams.get('returnTo')
  // the form knows whom the mail was for once the invitation stands there
  await expect(page.getByRole('region', { name: '邀請' })).toContainText(NAME)
  await page.getByRole('tab', { name: '註冊' }).click()
  await page.getByLabel('姓名').fill('陳以安')
  await page.getByLabel('密碼', { exact: true }).fill(NEW)
  await page.getByRole('button', { name: '建立帳號' }).click()
  await said(page, '你已有帳號，請登入')
  await expect(page.getByText('註冊成功')).toHaveCount(0)
  await expect(page.getByRole('tab', { name: '登入' })).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByLabel('帳號')).toHaveValue(guest.email)
  await expect(page.getByText('你已有帳號，請用它的密碼登入')).toBeVisible()
  // what was typed is no password of this account, and is not offered as one
  await expect(page.getByLabel('密碼', { exact: true })).toHaveValue('')
  await expect(page.getByLabel('密碼', { exact: true })).toBeFocused()
  await expect(page.getByRole('region', { name: '邀請' })).toContainText(NAME)
  expect(await axe(page)).toEqual([])

  await page.getByRole('link', { name: '忘記密碼' }).click()
  await page.getByRole('link', { name: '回到登入' }).click()
  await expect(page.getByRole('region', { name: '邀請' })).toContainText(NAME)
  await page.getByRole('link', { name: '忘記密碼' }).click()
  await expect(page.getByLabel('電子郵件')).toHaveValue(guest.email)
  await page.getByRole('button', { name: '寄出重設連結' }).click()
  await expect(page.getByRole('heading', { name: '請看信箱' })).toBeVisible()
  // as the mail opens it: elsewhere, where nothing is remembered
  const link = await linkWith(server, guest.email, '/reset-password?')
  await page.close()
  const mailed = await context.newPage()
  await mailed.goto(link)
  await mailed.getByLabel('新密碼', { exact: true }).fill(NEW)
  await expect(mailed).not.toHaveURL(/token/)
  await mailed.getByLabel('確認新密碼').fill(NEW)
  await mailed.getByRole('button', { name: '設定新密碼' }).click()
  await expect(mailed.getByRole('region', { name: '邀請' })).toContainText(NAME)
  expect(new URL(mailed.url()).searchParams.get('returnTo')).toBe(wanted)
  await expect(mailed.getByLabel('帳號')).toHaveValue(guest.email)
  await mailed.getByLabel('密碼', { exact: true }).fill(NEW)
  await mailed.getByRole('button', { name: '登入', exact: true }).click()
  await mailed.getByRole('button', { name: '接受邀請' }).click()
  await expect(mailed).toHaveURL(`${server.url}/dashboard`)
  await expect(mailed.getByText('組織成員').first()).toBeVisible()
  expect(await mailed.evaluate(() => localStorage.getItem('currentOrganizationId'))).toBe(id)
})

test('an invitation that answers after its form was sent fills in the address, and nobody is asked for it any more', {
  tag: '@phone',
}, async ({ page, server }) => {
  const boss = await signUp(server, '林站長')
  const { id } = await boss.call(createOrganization, { name: NAME })
  const email = `late-${test.info().project.name}-${Date.now()}@example.com`
  await boss.call(createInvites, { id, emails: [email] }, { 'lb-org-id': id })
  const link = await linkWith(server, email, '?invite=')
  let let_go = () => {}
  const held = new Promise<void>((done) => {
    let_go = done
  })
  await page.route('**/api/v1/invites/*', async (route) => {
    await held
    await route.continue()
  })
  await page.goto(link)
  await page.getByRole('tab', { name: '註冊' }).click()
  await page.getByRole('button', { name: '建立帳號' }).click()
  await expect(page.getByText('請輸入電子郵件')).toBeVisible()
  let_go()
  await expect(page.getByLabel('電子郵件')).toHaveValue(email)
  await expect(page.getByText('請輸入電子郵件')).toHaveCount(0)
  // what is still missing stays said
  await expect(page.getByText('請輸入姓名')).toBeVisible()
})
