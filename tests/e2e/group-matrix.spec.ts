// 複製群組 and 總表: an admin copies a group and finds the copy in the whole table with its days; on the phone each member says theirs.
import type { Browser } from '@playwright/test'
import { addGroupMembers, createGroup, listGroups, setGroupStrategies } from '#contract/group.ts'
import { listMembers } from '#contract/membership.ts'
import { createOrganization } from '#contract/organization.ts'
import { createStrategy, type StrategyInput } from '#contract/strategy.ts'
import { newId } from '#server/ids.ts'
import { axe, expect, test } from '#tests/support/app.ts'
import { insertMember } from '#tests/support/organizations.ts'
import { signUp } from '#tests/support/people.ts'
import { signedInContext } from '#tests/support/screen.ts'
import type { TestServer } from '#tests/support/server.ts'
import { addDays, taipei } from '#trading/calendar.ts'

/** Days from today, and how a cell writes them. */
const day = (n: number) => addDays(taipei(new Date().toISOString()).date, n)
const short = (one: string) =>
  (one.slice(0, 4) === day(0).slice(0, 4) ? one.slice(5) : one).replaceAll('-', '/')
const whole = (one: string) => one.replaceAll('-', '/')

/** An organization with a group of two members and a strategy, and a member in none; its admin's browser. */
async function office(browser: Browser, server: TestServer) {
  const boss = await signUp(server, '林站長')
  const { id } = await boss.call(createOrganization, { name: '浪花訊號社' })
  const inside = { 'lb-org-id': id }
  const [one, two, alone] = [
    await signUp(server, '陳以安'),
    await signUp(server, '黃子晴'),
    await signUp(server, '沒有群組的人'),
  ]
  for (const { uid } of [one, two, alone]) await insertMember(server.app.db, id, uid)
  const draft = { kind: 'futures', name: '海風乙', settings: { product_code: 'MXF' } } as StrategyInput
  const strategy = await boss.call(createStrategy, draft, inside)
  const group = await boss.call(createGroup, { name: '台指班', description: '每天的台指' }, inside)
  const add = (uid: string, span: object) =>
    boss.call(addGroupMembers, { id: group.id, user_ids: [uid], ...span }, inside)
  await add(one.uid, { starts_on: day(-30), ends_on: day(3) })
  await add(two.uid, { starts_on: day(5) })
  await boss.call(
    setGroupStrategies,
    { id: group.id, strategies: [{ strategy_id: strategy.id, ends_on: day(60) }] },
    inside,
  )
  const phone = test.info().project.name === 'phone'
  const context = await signedInContext(browser, server.url, boss, {
    ...(phone
      ? { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }
      : { viewport: { width: 1440, height: 900 } }),
  })
  const admin = await context.newPage()
  const at = (query: string) => `${server.url}/organizations/manage?org=${id}&tab=groups${query}`
  return { boss, inside, group, context, admin, at }
}

test('a group is copied, and the whole table has the copy with the same days @desktop', async ({
  browser,
  server,
}) => {
  const { boss, inside, group, context, admin, at } = await office(browser, server)
  await admin.goto(at(''))
  await admin.getByRole('button', { name: '台指班：更多' }).click()
  await admin.getByRole('menuitem', { name: '複製群組' }).click()
  const dialog = admin.getByRole('dialog', { name: '複製「台指班」' })
  await expect(dialog).toContainText('2 位成員、1 個策略與各自的期間一起複製，已結束的不帶')
  const name = dialog.getByLabel('新群組的名稱')
  await expect(name).toHaveValue('台指班 複本')
  // a name that is taken is said at the field, and nothing was made
  await name.fill('台指班')
  await dialog.getByRole('button', { name: '複製群組' }).click()
  await expect(dialog.getByText('這個名稱已經用過，請換一個')).toBeVisible()
  await name.fill('台指班 第二期')
  await dialog.getByRole('button', { name: '複製群組' }).click()
  await expect(admin.getByRole('heading', { name: '台指班 第二期' })).toBeVisible()
  await expect(admin.getByText('每天的台指')).toBeVisible()
  const { items } = await boss.call(listGroups, {}, inside)
  const made = items.find(({ id }) => id !== group.id)
  expect(items).toHaveLength(2)
  await expect(admin).toHaveURL(new RegExp(`id=${made?.id}`))

  // the whole table, from the list: the address says so, and stays through a reload
  await admin.getByRole('link', { name: '策略群組', exact: true }).click()
  await admin.getByText('總表').click()
  await expect(admin).toHaveURL(/view=matrix/)
  const members = admin.getByRole('region', { name: '成員與群組' })
  const cells = (row: string) => members.getByRole('row').filter({ hasText: row }).getByRole('cell')
  await expect(members.getByRole('columnheader')).toHaveText(['姓名', '台指班', '台指班 第二期'])
  const soon = `→ ${short(day(3))}，剩 3 天`
  await expect(cells('陳以安')).toHaveText([soon, soon])
  await expect(cells('黃子晴')).toHaveText([`${short(day(5))} 起`, `${short(day(5))} 起`])
  await expect(cells('沒有群組的人')).toHaveText(['—', '—'])
  await expect(members.getByText('沒有群組，看不到策略')).toBeVisible()
  const strategies = admin.getByRole('region', { name: '策略與群組' })
  await expect(strategies.getByRole('row').filter({ hasText: '海風乙' }).getByRole('cell')).toHaveText([
    `→ ${short(day(60))}`,
    `→ ${short(day(60))}`,
  ])
  expect(await axe(admin)).toEqual([])

  // what ends within seven days alone, and by name
  await admin.getByRole('button', { name: '7 天內到期' }).click()
  await expect(members.getByRole('row')).toHaveCount(2)
  await expect(admin.getByText('沒有符合條件的策略')).toBeVisible()
  await admin.getByRole('button', { name: '清除條件' }).click()
  await admin.getByLabel('搜尋總表').fill('沒有群組')
  await expect(members.getByRole('row')).toHaveCount(2)
  await expect(admin).toHaveURL(/search=/)
  await admin.reload()
  await expect(cells('沒有群組的人')).toHaveCount(2)
  await expect(members.getByRole('row')).toHaveCount(2)

  // a change that another device makes is there by itself
  await admin.getByLabel('搜尋總表').fill('')
  await expect(cells('黃子晴')).toHaveCount(2)
  await boss.call(createGroup, { name: '第三組' }, inside)
  await expect(members.getByRole('columnheader', { name: '第三組' })).toBeVisible()

  // a cell leads to its group, and the way back to the table
  await cells('陳以安').first().getByRole('link').click()
  await expect(admin.getByRole('heading', { name: '台指班', exact: true })).toBeVisible()
  await expect(admin).toHaveURL(new RegExp(`id=${group.id}`))
  await admin.getByRole('link', { name: '策略群組', exact: true }).click()
  await expect(members).toBeVisible()
  await context.close()
})

test('on a phone the whole table says of each member the groups and the days @phone', async ({
  browser,
  server,
}) => {
  const { group, context, admin, at } = await office(browser, server)
  await admin.goto(at('&view=matrix'))
  const list = admin.getByRole('list', { name: '成員與群組' })
  const card = (name: string) => list.locator(':scope > li').filter({ hasText: name })
  await expect(card('陳以安').getByRole('link')).toHaveText([`台指班→ ${short(day(3))}，剩 3 天`])
  await expect(card('陳以安').getByRole('link')).toHaveAttribute(
    'title',
    `${whole(day(-30))} – ${whole(day(3))}，剩 3 天`,
  )
  await expect(card('黃子晴').getByRole('link')).toHaveText([`台指班${short(day(5))} 起`])
  await expect(card('沒有群組的人')).toContainText('沒有群組，看不到策略')
  await expect(card('林站長')).toContainText('管理者，看得到全部策略')
  await expect(admin.getByRole('table')).toHaveCount(0)
  expect(await axe(admin)).toEqual([])
  // nothing of it is wider than the phone
  expect(await admin.evaluate(() => document.documentElement.scrollWidth)).toBe(390)

  await admin.getByRole('button', { name: '7 天內到期' }).tap()
  await expect(list.locator(':scope > li')).toHaveCount(1)
  await admin.getByRole('button', { name: '7 天內到期' }).tap()
  await admin.getByRole('radiogroup', { name: '總表的列' }).getByText('策略').tap()
  const strategies = admin.getByRole('list', { name: '策略與群組' })
  await expect(strategies.getByRole('link')).toHaveText([`台指班→ ${short(day(60))}`])
  await expect(admin).toHaveURL(/rows=strategies/)
  await strategies.getByRole('link').tap()
  await expect(admin).toHaveURL(new RegExp(`id=${group.id}`))
  // the way back leads to what was looked at
  await admin.getByRole('link', { name: '策略群組', exact: true }).tap()
  await expect(strategies.getByRole('link')).toBeVisible()
  await expect(admin).not.toHaveURL(/id=/)
  await context.close()
})

test('with many groups the table is wide, not the page; how many more groups a member has stays a number @desktop', {
  tag: '@soak',
}, async ({ browser, server }) => {
  const { boss, inside, context, admin, at } = await office(browser, server)
  const uid = (await boss.call(listMembers, { id: inside['lb-org-id'] }, inside)).items.find(
    ({ name }) => name === '陳以安',
  )?.user_id as string
  for (let n = 1; n <= 12; n++) {
    const group = await boss.call(createGroup, { name: `台指期當沖與波段綜合班 ${n}` }, inside)
    await boss.call(addGroupMembers, { id: group.id, user_ids: [uid], ends_on: day(3) }, inside)
  }
  await admin.goto(at('&view=matrix'))
  await expect(admin.getByRole('columnheader', { name: '台指期當沖與波段綜合班 12' }).first()).toBeAttached()
  expect(await admin.evaluate(() => document.documentElement.scrollWidth)).toBe(1440)
  await admin.goto(at('').replace('tab=groups', 'tab=members'))
  const more = admin.getByRole('row').filter({ hasText: '陳以安' }).getByText('+11', { exact: true })
  await expect(more).toBeVisible()
  expect(await more.evaluate((node) => node.scrollWidth - node.clientWidth)).toBe(0)
  await context.close()
})

test('of many members only those in sight are drawn, and the last one is reached', { tag: '@soak' }, async ({
  browser,
  server,
}) => {
  const { boss, group, context, admin, at, inside } = await office(browser, server)
  const { db } = server.app
  const cols = await db.selectFrom('users').selectAll().where('id', '=', boss.uid).executeTakeFirstOrThrow()
  for (let n = 1; n <= 120; n++) {
    const name = `組員${String(n).padStart(3, '0')}`
    const email = `${name}-${boss.uid}@example.com`
    const id = newId()
    await db
      .insertInto('users')
      .values({ ...cols, id, name, email })
      .execute()
    await insertMember(db, inside['lb-org-id'], id)
    if (n === 120) await boss.call(addGroupMembers, { id: group.id, user_ids: [id] }, inside)
  }
  await admin.goto(at('&view=matrix&search=組員'))
  const phone = test.info().project.name === 'phone'
  const rows = phone
    ? admin.getByRole('list', { name: '成員與群組' }).locator(':scope > li')
    : admin.getByRole('region', { name: '成員與群組' }).locator('tbody > tr')
  await expect(rows.first()).toContainText('組員001')
  expect(await rows.count()).toBeLessThan(60)
  const last = rows.filter({ hasText: '組員120' })
  await expect(last).toHaveCount(0)
  // again until what was estimated has been measured
  await expect(async () => {
    if (phone) await admin.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    else
      await rows.first().evaluate((row) => {
        const box = row.closest('section')
        box?.scrollTo(0, box.scrollHeight)
        box?.scrollIntoView({ block: 'end' })
      })
    await expect(last).toBeInViewport({ timeout: 1_000 })
  }).toPass({ timeout: 30_000 })
  await expect(last).toContainText('無期限')
  expect(await rows.count()).toBeLessThan(60)
  await context.close()
})

test('the call fails: a sentence and a key, and by the key the table @desktop', async ({
  browser,
  server,
}) => {
  const { context, admin, at } = await office(browser, server)
  await context.route('**/api/v1/groups/matrix', (route) => route.abort())
  await admin.goto(at('&view=matrix'))
  await expect(admin.getByText('讀不到總表')).toBeVisible({ timeout: 60_000 })
  await context.unroute('**/api/v1/groups/matrix')
  await admin.getByRole('button', { name: '重試' }).click()
  const members = admin.getByRole('region', { name: '成員與群組' })
  await expect(members.getByRole('row')).toHaveCount(5)

  // without a network what was seen stands there still
  await context.setOffline(true)
  await admin.getByText('清單').click()
  await expect(members).toHaveCount(0)
  await admin.getByText('總表').click()
  await expect(members.getByRole('row')).toHaveCount(5)
  await context.close()
})

test('a further page that fails leads back to the first, of the members and of a group @phone', {
  tag: '@soak',
}, async ({ browser, server }) => {
  const { boss, inside, group, admin, at } = await office(browser, server)
  const many = await Promise.all(Array.from({ length: 24 }, (_none, i) => signUp(server, `第 ${i + 1} 位`)))
  for (const { uid } of many) await insertMember(server.app.db, inside['lb-org-id'], uid)
  await boss.call(addGroupMembers, { id: group.id, user_ids: many.map(({ uid }) => uid) }, inside)
  await admin.route(/\/members\?.*\bpage=2\b/, (route) => route.fulfill({ status: 500, body: 'no' }))
  for (const place of [at('').replace('tab=groups', 'tab=members'), at(`&id=${group.id}`)]) {
    await admin.goto(place)
    await admin.getByRole('button', { name: '下一頁' }).click()
    await expect(admin.getByRole('alert').getByRole('button', { name: '重試' })).toBeVisible()
    await admin.getByRole('button', { name: '回第 1 頁' }).click()
    await expect(admin.getByText('第 1–20 位', { exact: false }).first()).toBeVisible()
  }
})
