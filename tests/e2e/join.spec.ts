// Ways in besides mail, as people use them: a link that asks first, a code that is typed, requests that are refused or taken back.

import { createGroup } from '#contract/group.ts'
import { acceptLink, cancelInvite, createInvites, createLink, listJoinRequests } from '#contract/join.ts'
import { listMembers } from '#contract/membership.ts'
import { createOrganization, updateOrganization } from '#contract/organization.ts'
import { axe, expect, said, test } from '../support/app.ts'
import { codeFor, PASSWORD, type Person, signUp } from '../support/people.ts'
import { openAs, signedInContext } from '../support/screen.ts'
import type { TestServer } from '../support/server.ts'
import { listen, stayed } from '../support/switches.ts'

const NAME = '浪花訊號社'

async function opened(server: TestServer) {
  const boss = await signUp(server, '林站長')
  const { id } = await boss.call(createOrganization, { name: NAME, introduction: '期貨當沖訊號' })
  return { boss, id, inside: { 'lb-org-id': id } }
}
const at = (id: string, tab: string) => `/organizations/manage?org=${id}&tab=${tab}`

// spec §1: Its areas are: strategies (futures and stock), webhooks, signals (including manual signals),…
// spec §3: Other entity kinds known by name only, with fields not shown: Identity, JoinOrganizationList,…
// spec §7: Named operations whose methods, paths, payloads and responses are not shown: invites by email…
test('a link made on the screen, asked by somebody signed out, passed live: inside, with group and last day @phone', async ({
  page,
  browser,
  server,
}) => {
  const { boss, id, inside } = await opened(server)
  const guest = await signUp(server, '陳以安')
  await boss.call(createGroup, { name: '台指班' }, inside)
  const desk = await signedInContext(browser, server.url, boss)
  const admin = await desk.newPage()
  await admin.goto(server.url + at(id, 'invites'))
  await expect(admin.getByText('還沒有邀請連結')).toBeVisible()
  await admin.getByRole('button', { name: '建立連結' }).click()
  const sheet = admin.getByRole('dialog')
  await sheet.getByLabel('可以用幾次').fill('20')
  await sheet.getByText('台指班').click()
  await sheet.getByRole('button', { name: '建立連結' }).click()
  await expect(admin.getByRole('img', { name: '用手機掃描，開啟邀請' })).toBeVisible()
  expect(await axe(admin)).toEqual([])
  const url = await admin
    .getByRole('dialog')
    .getByText(/^https?:\S+\?invite=/)
    .innerText()
  const saved = admin.waitForEvent('download')
  await admin.getByRole('button', { name: '存成圖片' }).click()
  expect((await saved).suggestedFilename()).toBe(`${NAME}.png`)
  await admin.getByRole('button', { name: '關閉' }).last().click()
  await expect(admin.locator('main')).toContainText('用了 0 / 20 次')

  await page.goto(url)
  await expect(page.getByText('登入後送出申請')).toBeVisible()
  await page.getByLabel('帳號').fill(guest.email)
  await page.getByLabel('密碼', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: '登入', exact: true }).click()
  await expect(page.getByRole('heading', { name: NAME })).toBeVisible()
  await page.getByLabel('給管理者的話').fill('7 月班學員')
  expect(await axe(page)).toEqual([])
  await page.getByRole('button', { name: '送出申請' }).click()
  await said(page, `已送出加入「${NAME}」的申請`)
  await expect(page.getByRole('button', { name: `取消申請：${NAME}` })).toBeVisible()

  // the tab's number moves by itself, and that of the place in it
  await admin.getByRole('tab', { name: /^成員.*1/ }).click()
  await admin.getByRole('tab', { name: /^加入申請.*1/ }).click()
  await expect(admin.locator('main')).toContainText('7 月班學員')
  expect(await axe(admin)).toEqual([])
  await admin.getByRole('button', { name: '通過 陳以安 的申請' }).click()
  await expect(admin.getByRole('dialog').getByLabel('台指班')).toBeChecked()
  await admin.getByRole('dialog').getByRole('button', { name: '＋1 個月' }).click()
  await admin.getByRole('dialog').getByRole('button', { name: '通過，成為成員' }).click()
  await said(admin, '已通過 1 份申請')
  await expect(admin.locator('main').getByText('已通過').last()).toBeVisible()

  // and the person's page, too
  await expect(page.getByRole('button', { name: '切換身份' })).toBeVisible()
  await expect(page.getByText('我的申請')).toHaveCount(0)
  const members = await boss.call(listMembers, { id }, inside)
  const mine = members.items.find(({ user_id }) => user_id === guest.uid)
  expect(mine?.groups.map(({ name }) => name)).toEqual(['台指班'])
  expect(mine?.expires_on).not.toBeNull()
  await desk.close()
})

test('the code: turned on beside the links, typed, without review inside at once @phone', async ({
  page,
  browser,
  server,
}) => {
  const { boss, id, inside } = await opened(server)
  const desk = await signedInContext(browser, server.url, boss)
  const admin = await desk.newPage()
  await admin.goto(server.url + at(id, 'invites'))
  await admin.getByRole('switch', { name: '用加入碼加入' }).click()
  const shown = admin.locator('main').getByText(/^[A-Z2-9]{4}-[A-Z2-9]{4}$/)
  await expect(shown).toBeVisible()
  const code = await shown.innerText()
  await admin.getByRole('switch', { name: '加入碼需要審核' }).click()
  await said(admin, '改成直接加入，不需審核')
  expect(await axe(admin)).toEqual([])

  const guest = await signUp(server, '陳以安')
  await openAs(page, server.url, guest, '/my-organizations')
  await page.getByRole('button', { name: '以加入碼加入' }).click()
  await page.getByRole('textbox', { name: '加入碼' }).fill('ABCD')
  await page.getByRole('button', { name: '下一步' }).click()
  await expect(page.getByText('加入碼是 8 個字母與數字')).toBeVisible()
  await page.getByRole('textbox', { name: '加入碼' }).fill(code.toLowerCase().replace('-', ''))
  await page.getByRole('button', { name: '下一步' }).click()
  await expect(page.getByRole('heading', { name: NAME })).toBeVisible()
  await page.getByRole('button', { name: `加入「${NAME}」` }).click()
  await said(page, `已加入「${NAME}」`)
  await expect(page).toHaveURL(`${server.url}/dashboard`)

  // Another code: the old one leads nowhere, and the screen says what to do.
  await admin.getByRole('button', { name: '重新產生' }).click()
  await admin.getByRole('dialog').getByRole('button', { name: '重新產生' }).click()
  // The question shows the code too: only once it is gone does the code stand there once.
  await expect(admin.getByRole('dialog')).toHaveCount(0)
  await expect(shown).not.toHaveText(code)
  await page.goto(`${server.url}/my-organizations?invite=${code}`)
  await expect(page.getByText(`沒有加入碼「${code}」`)).toBeVisible()
  const again = await shown.innerText()
  await boss.call(updateOrganization, { id, join_code_enabled: false }, inside)
  const late = await signUp(server, '晚到')
  const visitor = await signedInContext(browser, server.url, late)
  const closed = await visitor.newPage()
  await closed.goto(`${server.url}/my-organizations?invite=${again}`)
  await expect(closed.getByText('這個邀請已停用，請向組織的管理者確認')).toBeVisible()
  await visitor.close()
  await desk.close()
})

test('somebody whose address is not proven yet proves it, and comes back to the link @phone', async ({
  page,
  server,
}) => {
  const { boss, id, inside } = await opened(server)
  const { code } = await boss.call(createLink, { id, requires_review: false }, inside)
  const guest = await signUp(server, '新同學', { verify: false })
  const heard = await listen(page)
  await openAs(page, server.url, guest, `/my-organizations?invite=${code}`)
  await expect(page.getByText('驗證後會回到這個邀請')).toBeVisible()
  await page.getByRole('link', { name: '去驗證' }).click()
  await page.getByLabel('驗證碼').fill(await codeFor(server, guest.email))
  await expect(page).toHaveURL(`${server.url}/my-organizations?invite=${code}`)
  await page.getByRole('button', { name: `加入「${NAME}」` }).click()
  await said(page, `已加入「${NAME}」`)
  await expect(page).toHaveURL(`${server.url}/dashboard`)
  await expect.poll(() => heard.at(-1)).toEqual(stayed(null, id))
})

test('several passed at once; one refused with a reason that the person reads live, one taken back @desktop', async ({
  page,
  browser,
  server,
}) => {
  const { boss, id, inside } = await opened(server)
  const { code, url } = await boss.call(createLink, { id }, inside)
  const ask = async (name: string): Promise<Person> => {
    const who = await signUp(server, name)
    await who.call(acceptLink, { code, message: `我是${name}` })
    return who
  }
  const [back, no] = [await ask('反悔'), await ask('未報名')]
  await ask('甲同學')
  await ask('乙同學')
  await openAs(page, server.url, no, '/my-organizations')
  await expect(page.getByText('待審核')).toBeVisible()

  const other = await signedInContext(browser, server.url, back)
  const taking = await other.newPage()
  await taking.goto(url)
  await expect(taking.getByText('你的申請已送出')).toBeVisible()
  await taking.getByRole('button', { name: `取消申請：${NAME}` }).click()
  await taking.getByRole('dialog').getByRole('button', { name: '取消申請' }).click()
  await said(taking, '已取消申請')
  await expect(taking.getByRole('button', { name: '送出申請' })).toBeVisible()

  const desk = await signedInContext(browser, server.url, boss)
  const admin = await desk.newPage()
  await admin.goto(server.url + at(id, 'overview'))
  await admin.getByRole('link', { name: '待審核的申請 3' }).click()
  await admin.getByRole('button', { name: '拒絕 未報名 的申請' }).click()
  await admin.getByLabel('原因').fill('請先完成報名')
  await admin.getByRole('dialog').getByRole('button', { name: '拒絕申請' }).click()
  await said(admin, '已拒絕申請')
  await expect(page.getByText('管理者說：請先完成報名')).toBeVisible()
  await admin.getByLabel('選這一頁待審核的 2 份').check()
  await admin.getByRole('button', { name: '通過 2 份' }).click()
  await admin.getByRole('dialog').getByRole('button', { name: '通過 2 份' }).click()
  await said(admin, '已通過 2 份申請')
  expect((await boss.call(listMembers, { id }, inside)).total).toBe(3)
  expect((await boss.call(listJoinRequests, { id, status: 'pending' }, inside)).total).toBe(0)
  await other.close()
  await desk.close()
})

test('an invitation in the inbox opens first among several; one that was taken back says so and leads on', {
  tag: ['@phone', '@soak'],
}, async ({ page, server }) => {
  const { boss, id, inside } = await opened(server)
  const guest = await signUp(server, '陳以安')
  await boss.call(createInvites, { id, emails: [guest.email] }, inside)
  const second = await signUp(server, '周站長')
  const made = await second.call(createOrganization, { name: '夜盤研究室' })
  const of = { 'lb-org-id': made.id }
  const [other] = await second.call(createInvites, { id: made.id, emails: [guest.email] }, of)
  await server.app.notifier.catchUp()
  await openAs(page, server.url, guest, '/signal-notification')
  await page.getByRole('link', { name: `「${NAME}」邀請你加入` }).click()
  await expect(page).toHaveURL(/\/my-organizations\?invitation=/)
  const cards = page.getByRole('region', { name: /的邀請$/ })
  await expect(cards).toHaveCount(2)
  await expect(cards.first()).toContainText(NAME)
  await expect(cards.first()).toContainText('林站長 邀請你成為成員')
  expect(await axe(page)).toEqual([])
  await cards.first().getByRole('button', { name: '婉拒' }).click()
  await said(page, `已婉拒「${NAME}」的邀請`)
  await expect(cards).toHaveCount(1)
  await expect(page).toHaveURL(`${server.url}/my-organizations`)
  await expect(page.getByText('這份邀請已經撤回')).toHaveCount(0)

  await second.call(cancelInvite, { id: made.id, invite_id: other?.invite?.id as string }, of)
  await page.goto(`${server.url}/signal-notification`)
  await page.getByRole('link', { name: '「夜盤研究室」邀請你加入' }).click()
  await expect(page.getByText('這份邀請已經撤回、過期或回覆過了')).toBeVisible()
  expect(await axe(page)).toEqual([])
  await page.locator('main').getByRole('button', { name: '關閉' }).click()
  await expect(page.getByText('這份邀請已經撤回')).toHaveCount(0)
  await expect(page).toHaveURL(`${server.url}/my-organizations`)
})
