// What was typed into a sheet and not sent is not lost by a slip: ×, Esc, Back and the identity beside it ask first.
import { addGroupMembers, createGroup } from '#contract/group.ts'
import { createOrganization, updateOrganization } from '#contract/organization.ts'
import { expect, test } from '#tests/support/app.ts'
import { insertMember, insertRequest } from '#tests/support/organizations.ts'
import { type Person, signUp } from '#tests/support/people.ts'
import { openAs } from '#tests/support/screen.ts'
import type { TestServer } from '#tests/support/server.ts'

async function opened(server: TestServer): Promise<{ boss: Person; id: string }> {
  const boss = await signUp(server, '林站長')
  const { id } = await boss.call(createOrganization, { name: '浪花訊號社' })
  return { boss, id }
}
const at = (id: string, tab: string) => `/organizations/manage?org=${id}&tab=${tab}`

test('an announcement that is half written asks before it is closed or left; what was not begun closes at once', async ({
  page,
  server,
}) => {
  const { boss, id } = await opened(server)
  await openAs(page, server.url, boss, `/dashboard?org=${id}`)
  await page.locator('a[href="/organizations/manage"]').filter({ visible: true }).first().click()
  await page.getByRole('tab', { name: '公告' }).click()
  const write = page.getByRole('button', { name: '寫公告' }).first()
  const sheet = page.getByRole('dialog', { name: '寫公告' })
  const title = sheet.getByRole('textbox', { name: '標題' })
  const question = page.getByRole('dialog', { name: '放棄還沒送出的內容？' })
  await write.click()
  await page.keyboard.press('Escape')
  await expect(sheet).toHaveCount(0)

  await write.click()
  await title.fill('下週一休市')
  await sheet.getByRole('button', { name: '關閉' }).click()
  await expect(question).toBeVisible()
  await expect(question.getByRole('button', { name: '繼續填寫' })).toBeFocused()
  await question.getByRole('button', { name: '繼續填寫' }).click()
  await expect(title).toHaveValue('下週一休市')
  await sheet.getByRole('button', { name: '取消' }).click()
  await question.getByRole('button', { name: '放棄內容' }).click()
  await expect(sheet).toHaveCount(0)
  await expect(write).toBeFocused()

  await write.click()
  await title.fill('下週一休市')
  // pressed twice the browser closes without having asked: the sheet is there again, and can be used
  await page.keyboard.press('Escape')
  await expect(question).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(sheet).toBeVisible()
  if (await question.isVisible()) await question.getByRole('button', { name: '繼續填寫' }).click()
  await expect(title).toHaveValue('下週一休市')
  // the browser's own closing has not lost where the sheet was opened from
  await sheet.getByRole('button', { name: '取消' }).click()
  await question.getByRole('button', { name: '放棄內容' }).click()
  await expect(sheet).toHaveCount(0)
  await expect(write).toBeFocused()
  await write.click()
  await title.fill('下週二休市')
  await page.goBack()
  await question.getByRole('button', { name: '繼續填寫' }).click()
  await expect(title).toHaveValue('下週二休市')
  await page.goBack()
  await question.getByRole('button', { name: '放棄內容' }).click()
  await expect(page).toHaveURL(/\/dashboard/)
})

test('a list of addresses and the terms of a link ask, too; a link says what no last day means here', {
  tag: '@phone',
}, async ({ page, server }) => {
  const { boss, id } = await opened(server)
  await boss.call(updateOrganization, { id, default_member_days: 30 }, { 'lb-org-id': id })
  await openAs(page, server.url, boss, at(id, 'invites'))
  const question = page.getByRole('dialog', { name: '放棄還沒送出的內容？' })
  await page.getByRole('button', { name: '寄出邀請' }).first().click()
  const invite = page.getByRole('dialog', { name: '邀請成員' })
  await invite.getByRole('textbox', { name: '電子郵件' }).fill('a@example.com b@example.com')
  await page.keyboard.press('Escape')
  await question.getByRole('button', { name: '繼續填寫' }).click()
  await invite.getByRole('button', { name: '寄出 2 份邀請' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '完成' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await page.getByRole('button', { name: '建立連結' }).click()
  const link = page.getByRole('dialog', { name: '建立邀請連結' })
  await expect(link.getByText('留空就從加入那天起 30 天（加入碼下面的「預設成員天數」）')).toBeVisible()
  await expect(link.getByText(/沒有期限|無期限/)).toHaveCount(0)
  await link.getByRole('button', { name: '＋1 個月' }).click()
  await link.getByRole('button', { name: '關閉' }).click()
  await question.getByRole('button', { name: '放棄內容' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('days and groups that were chosen stay at a press beside the sheet; untouched it closes @desktop', {
  tag: '@soak',
}, async ({ page, server }) => {
  const { boss, id } = await opened(server)
  const inside = { 'lb-org-id': id }
  const [member, asker] = [await signUp(server, '陳以安'), await signUp(server, '許想加入')]
  await insertMember(server.app.db, id, member.uid)
  await insertRequest(server.app.db, id, asker.uid, '波段班學員')
  const group = await boss.call(createGroup, { name: '台指班' }, inside)
  await boss.call(addGroupMembers, { id: group.id, user_ids: [member.uid] }, inside)
  const beside = () => page.mouse.click(100, 500)
  const chooseLonger = (name: string) =>
    page.getByRole('dialog', { name }).getByRole('button', { name: '＋1 個月' }).click()

  await openAs(page, server.url, boss, `${at(id, 'groups')}&id=${group.id}`)
  const days = page.getByRole('dialog', { name: '群組裡的期間' })
  const change = async () => {
    await page.getByRole('button', { name: '陳以安：更多' }).click()
    await page.getByRole('menuitem', { name: '更改期間' }).click()
    await expect(days).toBeVisible()
  }
  await change()
  await beside()
  await expect(days).toHaveCount(0)
  await change()
  await chooseLonger('群組裡的期間')
  await beside()
  await days.getByRole('button', { name: '儲存' }).click()
  await expect(days).toHaveCount(0)

  await page.goto(server.url + at(id, 'requests'))
  const pass = page.getByRole('dialog', { name: '通過申請' })
  const open = page.getByRole('button', { name: '通過 許想加入 的申請' })
  await open.click()
  await beside()
  await expect(pass).toHaveCount(0)
  await open.click()
  await chooseLonger('通過申請')
  await beside()
  await pass.getByText('台指班').click()
  await pass.getByRole('button', { name: '無期限' }).click()
  // the groups alone count, too
  await beside()
  await pass.getByRole('button', { name: '通過，成為成員' }).click()
  await expect(pass).toHaveCount(0)
})
