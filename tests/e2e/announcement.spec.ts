// Announcements from their writing to their reading: live on an open page, without a network, and gone with the access.
import type { Browser, Page } from '@playwright/test'
import { createAnnouncement, listAnnouncements } from '#contract/announcement.ts'
import { removeMember } from '#contract/membership.ts'
import { newId } from '#server/ids.ts'
import { expect, said, test } from '#tests/support/app.ts'
import { signedIn, switchTo } from '#tests/support/identities.ts'
import { makeOrganization } from '#tests/support/organization.ts'
import { insertGroup } from '#tests/support/organizations.ts'
import { type Person, signUp } from '#tests/support/people.ts'
import { everythingKept } from '#tests/support/screen.ts'
import type { TestServer } from '#tests/support/server.ts'
import { kept, standing } from '#tests/support/storages.ts'

const NAME = '海風投顧'

async function club(server: TestServer) {
  const boss = await signUp(server, '管理者')
  const member = await signUp(server, '林柏翰')
  const org = await makeOrganization(server.app, NAME, [
    { uid: boss.uid, role: 'admin' },
    { uid: member.uid, role: 'member' },
  ])
  const say = (title: string, body = title) =>
    boss.call(createAnnouncement, { id: org, title, body }, { 'lb-org-id': org })
  return { boss, member, org, say }
}

const row = (page: Page, title: string) => page.getByRole('listitem').filter({ hasText: title })
const sheet = (page: Page) => page.getByRole('dialog')

async function at(browser: Browser, server: TestServer, person: Person, path: string): Promise<Page> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await signedIn(page, person)
  await page.goto(server.url + path)
  return page
}

// spec §2: my-announcements | login only
// spec §2: organizations/{organizationId}/announcements | login only
test('an admin publishes: the open phone of a member shows it, reading clears the mark, deleting takes it away @phone', async ({
  page,
  browser,
  server,
}) => {
  const { boss, member, org } = await club(server)
  await signedIn(page, member)
  await page.goto(`${server.url}/my-announcements`)
  await expect(page.getByText('還沒有公告')).toBeVisible()

  const desk = await at(browser, server, boss, '/dashboard')
  await switchTo(desk, org)
  await desk.goto(`${server.url}/organizations/manage?tab=announcements`)
  await desk.getByRole('button', { name: '寫公告' }).click()
  const publish = sheet(desk).getByRole('button', { name: '發布', exact: true })
  await publish.click()
  await expect(desk.getByText('請輸入標題')).toBeVisible()
  await desk.getByRole('textbox', { name: '標題' }).fill('下週一休市')
  await desk.getByRole('textbox', { name: '內容' }).fill('## 補班\n\n**週六** 照常 <b>不是粗體</b>')
  await sheet(desk).getByText('預覽', { exact: true }).click()
  await expect(desk.getByRole('heading', { name: '補班' })).toBeVisible()
  await publish.click()
  await said(desk, '已發布')
  await expect(row(desk, '下週一休市')).toContainText('1 / 2 人已讀')

  const mine = row(page, '下週一休市')
  await expect(mine).toHaveAttribute('data-unread', 'true')
  await expect(mine).toContainText(NAME)
  await mine.getByRole('link').click()
  await expect(sheet(page).getByRole('heading', { name: '補班' })).toBeVisible()
  await expect(sheet(page)).toContainText('<b>不是粗體</b>')
  await page.goBack()
  await expect(sheet(page)).toHaveCount(0)
  await expect(mine).not.toHaveAttribute('data-unread', 'true')
  // it was told, too: that is read with it
  await expect(page.locator('[data-count]')).toHaveCount(0)
  // how many have read it is asked for, not told; and here it is read before the server knows
  await expect.poll(async () => (await member.call(listAnnouncements, {})).unread_count).toBe(0)
  await desk.reload()
  await expect(row(desk, '下週一休市')).toContainText('2 / 2 人已讀')

  await desk.getByRole('button', { name: '下週一休市：更多' }).click()
  await desk
    .getByRole('menuitem', { name: '刪除公告' })
    .or(desk.getByRole('button', { name: '刪除公告' }))
    .click()
  await desk.getByRole('dialog').getByRole('button', { name: '刪除公告' }).click()
  await said(desk, '公告已刪除')
  await expect(mine).toHaveCount(0)
  await expect(page.getByText('還沒有公告')).toBeVisible()
  await desk.context().close()
})

test('kept on the device it is read without a network, found by its words, and the mark arrives later @desktop', {
  tag: '@worker',
}, async ({ page, server }) => {
  const { member, org, say } = await club(server)
  await say('結算提醒', '週三 **結算**')
  await say('說明會', '週五晚上')
  await signedIn(page, member)
  await page.goto(`${server.url}/my-announcements`)
  await expect(row(page, '結算提醒')).toBeVisible()
  await kept(page, ['answers', `["org:${org}","announcement","list"`, '結算提醒'])
  await everythingKept(page)
  await page.context().setOffline(true)
  await page.reload()
  await expect(row(page, '說明會')).toHaveAttribute('data-unread', 'true')
  await page.getByRole('searchbox', { name: '搜尋公告' }).fill('結算')
  await expect(row(page, '說明會')).toHaveCount(0)
  await row(page, '結算提醒').getByRole('link').click()
  await expect(sheet(page).getByText('結算', { exact: true })).toBeVisible()
  await page.goBack()
  await expect(row(page, '結算提醒')).not.toHaveAttribute('data-unread', 'true')
  expect((await member.call(listAnnouncements, {})).unread_count).toBe(2)
  await page.context().setOffline(false)
  await expect.poll(async () => (await member.call(listAnnouncements, {})).unread_count).toBe(1)
})

test('a membership that ends takes its announcements from the screen and the device, whoever one acts as @phone', async ({
  page,
  server,
}) => {
  const { boss, member, org, say } = await club(server)
  await say('只給成員')
  await signedIn(page, member)
  await page.goto(`${server.url}/my-announcements`)
  await expect(row(page, '只給成員')).toBeVisible()
  await kept(page, ['answers', `["org:${org}","announcement","list"`, '只給成員'])
  await boss.call(removeMember, { id: org, user_id: member.uid }, { 'lb-org-id': org })
  await expect(row(page, '只給成員')).toHaveCount(0)
  await expect.poll(() => standing(page, ['只給成員'])).toEqual([])
})

test('among more groups than a page of them has, one is found by its name and the announcement is for it @phone', async ({
  page,
  server,
}) => {
  const { boss, member, org } = await club(server)
  const at = '2026-11-27T00:00:00.000Z'
  await server.app.db
    .insertInto('strategy_groups')
    .values(
      Array.from({ length: 130 }, (_none, i) => ({
        id: newId(),
        organization_id: org,
        name: `第 ${1_000 + i} 期`,
        name_key: `第 ${1_000 + i} 期`,
        description: '',
        created_at: at,
        updated_at: at,
      })),
    )
    .execute()
  await insertGroup(server.app.db, org, '盤後研究班', member.uid)
  await signedIn(page, boss)
  await page.goto(`${server.url}/organizations/manage?tab=announcements&org=${org}`)
  await page.getByRole('button', { name: '寫公告' }).first().click()
  await page.getByRole('textbox', { name: '標題' }).fill('今晚八點開課')
  await page.getByRole('textbox', { name: '內容' }).fill('第一課')
  await sheet(page).getByText('選定的群組', { exact: true }).click()
  await expect(sheet(page).getByRole('checkbox', { name: /^第 \d+ 期$/ })).toHaveCount(130)
  const search = sheet(page).getByRole('searchbox', { name: '搜尋群組' })
  await search.fill('沒有這一班')
  await expect(sheet(page).getByText('沒有符合的群組，換個字再找一次。')).toBeVisible()
  await search.fill('研究')
  await sheet(page).getByRole('checkbox', { name: '盤後研究班' }).check()
  // the key that ends a search publishes nothing
  await search.press('Enter')
  await search.fill('')
  // what was ticked stays so while another word is looked for
  await expect(sheet(page).getByText('已選 1 個')).toBeVisible()
  await sheet(page).getByRole('button', { name: '發布', exact: true }).click()
  await said(page, '已發布')
  await expect(row(page, '今晚八點開課')).toContainText('1 個群組')
  const { items } = await member.call(listAnnouncements, { organization_id: org }, { 'lb-org-id': org })
  expect(items).toMatchObject([{ title: '今晚八點開課' }])
})
