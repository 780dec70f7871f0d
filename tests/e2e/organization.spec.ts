// An organization from its first minute on: made, a member by mail, a group with a strategy, a signal seen live, and the end of it.
import type { Browser } from '@playwright/test'
import { refuse } from '#contract/endpoint.ts'
import { ApiError } from '#contract/errors.ts'
import { listGroups } from '#contract/group.ts'
import { cancelInvite, createInvites, listInvites } from '#contract/join.ts'
import { listMembers } from '#contract/membership.ts'
import { createOrganization, getOrganization } from '#contract/organization.ts'
import { createStrategy, type StrategyInput } from '#contract/strategy.ts'
import { axe, expect, said, test } from '#tests/support/app.ts'
import { hookPath } from '#tests/support/desk.ts'
import { PASSWORD, type Person, signUp } from '#tests/support/people.ts'
import { openAs, signedInContext } from '#tests/support/screen.ts'
import type { TestServer } from '#tests/support/server.ts'
import { kept, rows } from '#tests/support/storages.ts'
import { listen } from '#tests/support/switches.ts'

/** The smallest picture. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVQI12NoaGgAAAMEAYGa8M1PAAAAAElFTkSuQmCC',
  'base64',
)

const NAME = '浪花訊號社'

/** The link of the newest invitation mailed to the address. */
async function linkFor(server: TestServer, email: string): Promise<string> {
  for (let i = 0; i < 2_400; i++) {
    const mine = (await server.mails()).filter(({ to, text }) => to === email && text.includes('?invite='))
    const link = /https?:\/\/\S+\?invite=[\w-]+/.exec(mine.at(-1)?.text ?? '')?.[0]
    if (link) return link
    await new Promise((next) => setTimeout(next, 25))
  }
  throw new Error(`no invitation for ${email} in the mails`)
}

async function asAdmin(browser: Browser, server: TestServer, person: Person, mobile: boolean) {
  const context = await signedInContext(browser, server.url, person, {
    viewport: mobile ? { width: 390, height: 844 } : { width: 1440, height: 900 },
  })
  return context.newPage()
}

test('made, invited by mail, a signal live, removed: the open screen leaves and nothing stays', async ({
  page,
  browser,
  server,
}) => {
  const boss = await signUp(server, '林站長')
  const guest = await signUp(server, '陳以安')
  const admin = await asAdmin(browser, server, boss, test.info().project.name === 'phone')
  const heard = await listen(admin)

  await admin.goto(`${server.url}/organizations/create`)
  await admin.getByRole('button', { name: '建立組織' }).last().click()
  await expect(admin.getByText('請輸入組織名稱')).toBeVisible()
  await admin.getByLabel('組織名稱').fill(NAME)
  await admin
    .getByTestId('new-logo-file')
    .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: PIXEL })
  await expect(admin.getByRole('button', { name: '更換標誌' })).toBeVisible()
  await admin.getByRole('button', { name: '建立組織' }).last().click()
  await expect(admin).toHaveURL(`${server.url}/organizations/manage`)
  await expect(admin.getByRole('heading', { level: 1 })).toBeVisible()
  const current = () => admin.evaluate(() => localStorage.getItem('currentOrganizationId'))
  await expect.poll(current).not.toBeNull()
  const org = (await current()) as string
  await expect.poll(() => heard.map(({ from, to }) => [from, to])).toEqual([[null, org]])
  const inside = { 'lb-org-id': org }
  expect((await boss.call(getOrganization, { id: org }, inside)).logo).toMatch(/^\/files\/.*\.webp$/)
  expect(await axe(admin)).toEqual([])

  const draft = { kind: 'futures', name: '海風乙', settings: { product_code: 'MXF' } } as StrategyInput
  const strategy = await boss.call(createStrategy, draft, inside)
  await admin.goto(`${server.url}/organizations/manage?tab=groups`)
  await admin.getByRole('button', { name: '建立群組' }).click()
  await admin.getByLabel('群組名稱').fill('台指班')
  await admin.getByRole('dialog').getByRole('button', { name: '建立群組' }).click()
  await expect(admin.getByRole('heading', { name: '台指班' })).toBeVisible()
  await admin.getByRole('button', { name: '加入策略' }).click()
  await admin.getByRole('dialog').getByText('海風乙').click()
  await admin.getByRole('button', { name: '加入 1 個' }).click()
  // the sheet stands in main too, and it names the strategy before it is in the group
  await expect(admin.getByRole('dialog')).toHaveCount(0)
  await expect(admin.locator('main').getByText('海風乙')).toBeVisible()
  expect((await boss.call(listGroups, {}, inside)).items[0]?.strategy_count).toBe(1)

  // nobody is there to be added: the sheet says so, and leads to where they are invited
  await admin.getByRole('button', { name: '加入成員' }).click()
  const adding = admin.getByRole('dialog', { name: '加入成員' })
  await expect(adding).toContainText('還沒有管理者以外的成員')
  await adding.getByRole('link', { name: '邀請成員' }).click()
  await expect(admin.getByRole('dialog')).toHaveCount(0)
  await expect(admin).toHaveURL(/tab=invites/)
  await admin.getByRole('button', { name: '寄出邀請' }).first().click()
  await admin.getByLabel('電子郵件').fill(`${guest.email}\n${boss.email}\n不是信箱`)
  await admin.getByRole('dialog').getByText('台指班').click()
  await admin.getByRole('dialog').getByRole('button', { name: '寄出 3 份邀請' }).click()
  const sent = admin.getByRole('dialog', { name: '已寄出 1 份邀請' })
  await expect(sent).toContainText('已是成員')
  await expect(sent).toContainText('格式不正確')
  await admin.getByRole('button', { name: '完成' }).click()
  await expect(admin.locator('main li').getByText('待接受')).toBeVisible()
  await admin.getByRole('tab', { name: /^成員/ }).click()
  await expect(admin.locator('main').getByText('林站長')).toBeVisible()

  // The mail's link, by somebody who is not signed in.
  await page.goto(await linkFor(server, guest.email))
  // the invitation brings the address: typed in the moment in which it comes, it would stand there twice
  await expect(page.getByLabel('帳號')).toHaveValue(guest.email)
  await page.getByLabel('密碼', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: '登入', exact: true }).click()
  await expect(page.getByRole('heading', { name: NAME })).toBeVisible()
  expect(await axe(page)).toEqual([])
  await page.getByRole('button', { name: '接受邀請' }).click()
  await said(page, `已加入「${NAME}」`)
  await expect(page).toHaveURL(`${server.url}/dashboard`)
  await expect(admin.locator('main').getByText('陳以安')).toBeVisible()
  await page.goto(`${server.url}/organizations/info`)
  await expect(page.getByText('為什麼不能新增或修改？')).toBeVisible()
  await expect(page.locator('main').getByText('林站長')).toBeVisible()
  await expect(page.locator('main').getByText('台指班').first()).toBeVisible()
  expect(await axe(page)).toEqual([])
  await page.locator('main').getByText('海風乙').click()
  await expect(page).toHaveURL(new RegExp(`/strategies/${strategy.id}`))
  await expect(page.getByRole('heading', { name: '海風乙' })).toBeVisible()
  const answer = await server.request(hookPath(strategy), {
    method: 'POST',
    body: JSON.stringify({ action: 'buy', quantity: 1, price: 23_456, symbol: 'MXF' }),
  })
  expect(answer.status).toBe(200)
  await expect(page.locator('main').getByText('23,456').first()).toBeVisible()
  await kept(page, ['signals', `org:${org}`, '23456'], ['answers', `["org:${org}","strategy"`, '海風乙'])

  await admin.getByRole('button', { name: '陳以安：更多' }).click()
  await admin.getByRole('menuitem', { name: '移除成員' }).click()
  await admin.getByRole('dialog').getByRole('button', { name: '移除成員' }).click()
  await said(admin, '已移除 陳以安')
  await said(page, `你在「${NAME}」的權限已結束`)
  await expect(page).toHaveURL(`${server.url}/dashboard`)
  await expect.poll(() => page.evaluate(() => localStorage.getItem('currentOrganizationId'))).toBeNull()
  await expect
    .poll(async () => (await rows(page)).filter((row) => row.includes('org:') || row.includes('海風乙')))
    .toEqual([])
  await expect(admin.getByRole('button', { name: '陳以安：更多' })).toHaveCount(0)
  await admin.context().close()
})

test('invited and not registered yet: name and one password, one press to sign in, one to be inside @phone', async ({
  page,
  server,
}) => {
  const boss = await signUp(server, '林站長')
  const { id } = await boss.call(createOrganization, { name: NAME })
  const email = `new-${test.info().project.name}-${test.info().workerIndex}-${Date.now()}@example.com`
  await boss.call(createInvites, { id, emails: [email] }, { 'lb-org-id': id })
  await page.goto(await linkFor(server, email))
  await expect(page.getByLabel('帳號')).toHaveValue(email)
  await page.getByRole('tab', { name: '註冊' }).click()
  await expect(page).toHaveTitle(/註冊/)
  await expect(page.getByLabel('電子郵件')).toHaveValue(email)
  await expect(page.getByLabel('確認密碼')).toHaveCount(0)
  expect(await axe(page)).toEqual([])
  await page.getByLabel('姓名').fill('陳以安')
  await page.getByLabel('密碼', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: '建立帳號' }).click()
  await said(page, '註冊成功，請登入')
  await expect(page.getByLabel('密碼', { exact: true })).toHaveValue(PASSWORD)
  await expect(page.getByRole('button', { name: '登入', exact: true })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: `${NAME}的邀請` })).toBeVisible()
  await expect(page.getByText('註冊成功，請登入')).toHaveCount(0)
  await expect(page.getByText('先驗證你的電子郵件')).toHaveCount(0)
  // the answer hangs: what was pressed stays where it is
  let go = () => {}
  const hanging = new Promise<void>((next) => {
    go = next
  })
  await page.route('**/api/v1/user/profile', async (route) => {
    await hanging
    await route.continue()
  })
  await page.getByRole('button', { name: '接受邀請' }).click()
  await expect
    .poll(async () => (await boss.call(listMembers, { id }, { 'lb-org-id': id })).items.length)
    .toBe(2)
  await expect(page.getByRole('button', { name: '婉拒' })).toBeVisible()
  go()
  await expect(page).toHaveURL(`${server.url}/dashboard`)
  await said(page, `已加入「${NAME}」`)
  await expect.poll(() => page.evaluate(() => localStorage.getItem('currentOrganizationId'))).toBe(id)
})

test('somebody with an unproven account comes by the link: one press, no code on top, and nothing below that says they were sent nothing @desktop', async ({
  page,
  server,
}) => {
  const boss = await signUp(server, '林站長')
  const early = await signUp(server, '早就註冊', { verify: false })
  const { id } = await boss.call(createOrganization, { name: NAME })
  await boss.call(createInvites, { id, emails: [early.email] }, { 'lb-org-id': id })
  await page.goto(await linkFor(server, early.email))
  await expect(page.getByLabel('帳號')).toHaveValue(early.email)
  await page.getByLabel('密碼', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: '登入', exact: true }).click()
  await expect(page.getByRole('button', { name: '接受邀請' })).toBeVisible()
  await expect(page.getByRole('link', { name: '建立組織' })).toBeVisible()
  await expect(page.getByText('還沒有組織')).toHaveCount(0)
  await expect(page.getByText('驗證')).toHaveCount(0)
  await page.getByRole('button', { name: '接受邀請' }).click()
  await expect(page).toHaveURL(`${server.url}/dashboard`)
  // a member is told whose signals are to come, and taught no webhook
  await page.goto(`${server.url}/signals`)
  await expect(page.getByText('分享給你的策略送出第一筆')).toBeVisible()
  await expect(page.locator('main')).not.toContainText('Webhook')
  await page.goto(`${server.url}/profile`)
  await expect(page.getByText('已驗證', { exact: true })).toBeVisible()
})

test('an invitation that is no good any more says so before anybody signs in for it @phone', async ({
  page,
  server,
}) => {
  const boss = await signUp(server, '林站長')
  const { id } = await boss.call(createOrganization, { name: NAME })
  const inside = { 'lb-org-id': id }
  const email = `gone-${test.info().project.name}-${test.info().workerIndex}-${Date.now()}@example.com`
  await boss.call(createInvites, { id, emails: [email] }, inside)
  const link = await linkFor(server, email)
  const [sent] = (await boss.call(listInvites, { id }, inside)).items
  await boss.call(cancelInvite, { id, invite_id: sent?.id as string }, inside)
  const note = page.getByRole('region', { name: '邀請' })
  await page.goto(link)
  await expect(note).toContainText(NAME)
  await expect(note).toContainText('這份邀請已撤回')
  expect(await axe(page)).toEqual([])
  await page.getByRole('tab', { name: '註冊' }).click()
  await expect(page.getByLabel('確認密碼')).toBeVisible()
  await expect(note).toContainText('這份邀請已撤回')
  await page.goto(`${server.url}/my-organizations?invite=not-a-code-that-exists-anywhere`)
  await expect(note).toContainText('找不到這份邀請')
})

test('an invitation for another address says which account helps; the last admin stays @desktop', async ({
  page,
  browser,
  server,
}) => {
  const boss = await signUp(server, '林站長')
  const guest = await signUp(server, '陳以安')
  const stranger = await signUp(server, '王路人')
  const admin = await asAdmin(browser, server, boss, test.info().project.name === 'phone')
  await admin.goto(`${server.url}/organizations/create`)
  await admin.getByLabel('組織名稱').fill(NAME)
  await admin.getByRole('button', { name: '建立組織' }).last().click()
  await expect(admin).toHaveURL(`${server.url}/organizations/manage`)
  await admin.goto(`${server.url}/organizations/manage?tab=members`)
  await admin.getByRole('button', { name: '邀請成員' }).click()
  await admin.getByLabel('電子郵件').fill(guest.email)
  await admin.getByRole('dialog').getByRole('button', { name: '寄出邀請' }).click()
  await expect(admin.getByRole('dialog', { name: '已寄出 1 份邀請' })).toBeVisible()
  await admin.getByRole('button', { name: '完成' }).click()

  const link = await linkFor(server, guest.email)
  await page.goto(link)
  await expect(page.getByLabel('帳號')).toHaveValue(guest.email)
  await page.getByLabel('帳號').fill(stranger.email)
  await page.getByLabel('密碼', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: '登入', exact: true }).click()
  // whose it is stands there before anything is pressed, and nothing that would be refused
  await expect(page.getByText(`這份邀請寄給 ${guest.email}，你現在登入的是 ${stranger.email}`)).toBeVisible()
  await expect(page.getByRole('button', { name: '接受邀請' })).toHaveCount(0)
  await page.getByRole('button', { name: '換成受邀的帳號' }).click()
  await expect(page).toHaveURL(/\/login\?returnTo=/)
  await expect(page.getByRole('region', { name: '邀請' })).toContainText(NAME)
  await expect(page.getByLabel('帳號')).toHaveValue(guest.email)
  await page.getByLabel('密碼', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: '登入', exact: true }).click()
  await expect(page.getByRole('button', { name: '接受邀請' })).toBeVisible()
  await page.goto(`${server.url}/my-organizations?invite=not-a-code-that-exists-anywhere`)
  await expect(page.getByText('找不到這份邀請')).toBeVisible()

  await admin.getByRole('button', { name: '林站長：更多' }).click()
  await admin.getByRole('menuitem', { name: '編輯角色與期間' }).click()
  await admin.getByRole('dialog').getByText('成員', { exact: true }).click()
  await admin.getByRole('dialog').getByRole('button', { name: '儲存' }).click()
  await expect(admin.getByRole('alert').filter({ hasText: '組織至少要有一位' })).toBeVisible()
  await admin.context().close()
})

test('the page of the organization stands although the list of mine is refused, says what is missing, and has it by 重試 @phone', async ({
  page,
  server,
}) => {
  const boss = await signUp(server, '林站長')
  const { id } = await boss.call(createOrganization, { name: NAME })
  const mine = `${server.url}/api/v1/user/organizations`
  const body = JSON.stringify(refuse(new ApiError(4290)))
  await page.route(mine, (route) => route.fulfill({ status: 429, contentType: 'application/json', body }))
  await openAs(page, server.url, boss, `/organizations/info?org=${id}`)
  const failed = page.getByRole('alert').filter({ hasText: '讀不到你的期間' })
  await expect(failed).toBeVisible()
  await expect(page.getByRole('heading', { name: '管理者' })).toBeVisible()
  // asked again and refused again, it stays what it is
  await failed.getByRole('button', { name: '重試' }).click()
  await expect(failed).toBeVisible()
  await page.unroute(mine)
  await failed.getByRole('button', { name: '重試' }).click()
  await expect(failed).toHaveCount(0)
  await expect(page.getByText(/^\d{4}\/\d\d\/\d\d 加入$/)).toBeVisible()
})
