// How somebody is reached: an organization's contacts as its admin writes and its members open them, the platform's on the landing page.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createOrganization, getOrganization, updateOrganization } from '#contract/organization.ts'
import { axe, expect, said, test } from '#tests/support/app.ts'
import { insertMember } from '#tests/support/organizations.ts'
import { signUp } from '#tests/support/people.ts'
import { openAs, signedInContext } from '#tests/support/screen.ts'
import { startServer } from '#tests/support/server.ts'

// spec §3: Other entity kinds known by name only, with fields not shown: Identity, JoinOrganizationList,…
// spec §7: Named operations whose methods, paths, payloads and responses are not shown: invites by email…
test('an admin writes contacts in levels; a member opens them from the organization @phone', async ({
  page,
  browser,
  server,
}) => {
  const boss = await signUp(server, '林站長')
  const { id } = await boss.call(createOrganization, { name: '浪花訊號社' })
  const member = await signUp(server, '陳以安')
  await insertMember(server.app.db, id, member.uid)
  await openAs(page, server.url, boss, `/organizations/manage?org=${id}&tab=settings`)
  const card = page.getByRole('region', { name: '聯絡方式' })
  const dialog = page.getByRole('dialog')
  const menu = async (of: string, verb: string) => {
    await card.getByRole('button', { name: `${of}：更多` }).click()
    await page.getByRole('menuitem', { name: verb, exact: true }).click()
  }

  await card.getByRole('button', { name: '新增', exact: true }).click()
  await dialog.getByLabel('名稱').fill('客服')
  await dialog.getByRole('button', { name: '新增', exact: true }).click()
  await said(page, '已新增「客服」')

  await menu('客服', '在它下面新增')
  await dialog.getByLabel('名稱').fill('課程頁')
  await dialog.getByLabel('種類').selectOption('網址')
  await dialog.getByLabel('內容').fill('http://example.com')
  await dialog.getByRole('button', { name: '新增', exact: true }).click()
  await expect(dialog.getByText('請輸入 https:// 開頭的完整網址')).toBeVisible()
  await expect(dialog.getByLabel('內容')).toBeFocused()
  await dialog.getByLabel('內容').fill('https://example.com/course')
  await dialog.getByRole('button', { name: '新增', exact: true }).click()
  await said(page, '已新增「課程頁」')
  await menu('客服', '在它下面新增')
  await dialog.getByLabel('名稱').fill('官方帳號')
  await dialog.getByLabel('內容').fill('@lingbo')
  await dialog.getByRole('button', { name: '新增', exact: true }).click()
  await said(page, '已新增「官方帳號」')
  await menu('官方帳號', '上移')
  await expect(card.getByRole('listitem').filter({ hasText: '官方帳號' }).last()).toBeVisible()
  await expect(card.locator('b')).toHaveText(['客服', '官方帳號', '課程頁'])
  // who moves by keys goes on with the same entry
  await expect(card.getByRole('button', { name: '官方帳號：更多' })).toBeFocused()
  expect(await axe(page)).toEqual([])

  const context = await signedInContext(browser, server.url, member)
  const info = await context.newPage()
  await info.goto(`${server.url}/organizations/info?org=${id}`)
  await expect(info.getByRole('link', { name: '官方帳號' })).toHaveAttribute(
    'href',
    'https://line.me/R/ti/p/%40lingbo',
  )
  const course = info.getByRole('link', { name: '課程頁' })
  await expect(course).toHaveAttribute('href', 'https://example.com/course')
  await expect(course).toHaveAttribute('rel', 'noopener noreferrer')
  expect(await axe(info)).toEqual([])

  // another admin is quicker: what is asked about may stand elsewhere by now, and nothing is overwritten
  await menu('客服', '修改')
  const { contact_links } = await boss.call(getOrganization, { id }, { 'lb-org-id': id })
  const hours = { label: '時間', type: 'text' as const, value: '週一到週五' }
  await boss.call(updateOrganization, { id, contact_links: [hours, ...contact_links] }, { 'lb-org-id': id })
  await expect(card.locator('b').first()).toHaveText('時間')
  await dialog.getByLabel('名稱').fill('服務')
  await dialog.getByRole('button', { name: '儲存' }).click()
  await expect(dialog.getByText('聯絡方式剛才有變動')).toBeVisible()
  await dialog.getByRole('button', { name: '取消' }).click()
  await expect(dialog).toBeHidden()

  await menu('客服', '移除')
  await expect(dialog.getByText('它下面的 2 個也一起移除')).toBeVisible()
  await dialog.getByRole('button', { name: '移除', exact: true }).click()
  await said(page, '已移除「客服」')
  // what it was opened from is gone: the focus stays beside it
  await expect(card.getByRole('button', { name: '時間：更多' })).toBeFocused()
  // the open page of a member hears of it
  await expect(course).toBeHidden()
  await context.close()
})

test('the platform is reached from the landing page, by whoever comes @desktop', async ({ page }) => {
  const path = join(mkdtempSync(join(tmpdir(), 'lingbo-contact-')), 'contact.json')
  writeFileSync(
    path,
    JSON.stringify([
      { label: '客服信箱', type: 'email', value: 'service@example.com' },
      { label: '電話', type: 'phone', value: '02-2345-6789' },
    ]),
  )
  const dist = process.env['DIST_DIR']
  const server = await startServer({ env: { CONTACT_LINKS: path, ...(dist && { DIST_DIR: dist }) } })
  await page.goto(server.url)
  await expect(page.getByRole('heading', { name: '聯絡我們' })).toBeVisible()
  await expect(page.getByRole('link', { name: '客服信箱' })).toHaveAttribute(
    'href',
    'mailto:service@example.com',
  )
  await expect(page.getByRole('link', { name: '電話' })).toHaveAttribute('href', 'tel:0223456789')
  await page.route('**/api/v1/contact-links', (route) => route.abort())
  await page.reload()
  await expect(page.getByText('讀不到聯絡方式')).toBeVisible()
  await page.unroute('**/api/v1/contact-links')
  await page.getByRole('button', { name: '重試' }).click()
  await expect(page.getByRole('heading', { name: '聯絡我們' })).toBeVisible()
  await server.close()
})
