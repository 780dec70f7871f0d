// The people of an organization on the screen: counts that agree with their rows, ends that are asked about, and figures that are kept back everywhere.
import type { Browser, Page } from '@playwright/test'
import { addGroupMembers, createGroup, setGroupStrategies, updateGroupMember } from '#contract/group.ts'
import { updateOrganization } from '#contract/organization.ts'
import { createStrategy, type StrategyInput } from '#contract/strategy.ts'
import { axe, expect, said, test } from '#tests/support/app.ts'
import { hookPath } from '#tests/support/desk.ts'
import { makeOrganization } from '#tests/support/organization.ts'
import { type Person, signUp } from '#tests/support/people.ts'
import { openSignedIn, signedInContext } from '#tests/support/screen.ts'
import type { TestServer } from '#tests/support/server.ts'
import { addDays, taipei } from '#trading/calendar.ts'

/** One day for the whole file: periods are days, and midnight may pass between two lines. */
const TODAY = taipei(new Date().toISOString()).date
const day = (n: number) => addDays(TODAY, n)
const shown = (n: number) => day(n).replaceAll('-', '/')

async function stage(browser: Browser, server: TestServer) {
  const boss = await signUp(server, '林站長')
  const [one, two] = [await signUp(server, '陳以安'), await signUp(server, '張雅筑')]
  const org = await makeOrganization(server.app, '海風投顧', [
    { uid: boss.uid, role: 'admin' },
    { uid: one.uid, role: 'member', starts_on: day(-60) },
    { uid: two.uid, role: 'member', starts_on: day(-60) },
  ])
  const inside = { 'lb-org-id': org }
  await boss.call(updateOrganization, { id: org, contact_email: 'hi@wave.example' }, inside)
  const group = await boss.call(createGroup, { name: '台指班' }, inside)
  const user_ids = [one.uid, two.uid]
  await boss.call(addGroupMembers, { id: group.id, user_ids, starts_on: day(-30) }, inside)
  const opened = async (person: Person, path: string) => {
    const { viewport = null, isMobile, hasTouch } = test.info().project.use
    const context = await signedInContext(browser, server.url, person, {
      viewport: viewport ?? null,
      ...(isMobile && { isMobile }),
      ...(hasTouch && { hasTouch }),
    })
    return openSignedIn(browser, server.url, person, path, context)
  }
  return { boss, one, two, org, inside, group, opened }
}

const tab = (page: Page, name: string) => page.getByRole('tab', { name: new RegExp(`^${name}`) })

test('a day that is over is asked about; afterwards every number agrees with the rows under it @phone', async ({
  browser,
  server,
}) => {
  const { boss, one, two, org, inside, group, opened } = await stage(browser, server)
  const admin = await opened(boss, `/organizations/manage?tab=members&org=${org}`)
  await expect(tab(admin, '名單')).toHaveText('名單3')
  // a thumb goes to the name; 更多 leads to the same
  await admin.getByRole('button', { name: /^(?!.*：更多).*張雅筑/ }).click()
  await admin.getByLabel('到期日', { exact: true }).fill(day(-2))
  await admin.getByRole('button', { name: '儲存' }).click()
  const question = admin.getByRole('dialog', { name: '立刻結束「張雅筑」的成員資格？' })
  await expect(question).toContainText(`到期日 ${shown(-2)} 已經過去：儲存後立刻看不到組織的策略、訊號與通知`)
  expect(await axe(admin)).toEqual([])
  await question.getByRole('button', { name: '取消' }).click()
  await expect(question).toBeHidden()
  await expect(admin.getByLabel('到期日', { exact: true })).toHaveValue(
    new RegExp(`^${day(-2).replaceAll('-', '[-/]')}$`),
  )
  await admin.getByRole('button', { name: '儲存' }).click()
  await question.getByRole('button', { name: '立刻結束' }).click()
  await said(admin, '張雅筑 的成員資格已結束')
  await expect(tab(admin, '名單')).toHaveText('名單2')
  await expect(
    admin.locator('main').getByText('已到期：看不到策略與訊號，不計入成員數，可以續期'),
  ).toBeVisible()

  await boss.call(updateGroupMember, { id: group.id, user_id: one.uid, ends_on: day(3) }, inside)
  await admin.goto(`${server.url}/organizations/manage?tab=groups`)
  await expect(admin.locator('main').getByText('1 位成員 · 0 個策略')).toBeVisible()
  await expect(admin.locator('main').getByText('1 位 7 天內到期')).toBeVisible()
  await admin.getByRole('link', { name: /台指班/ }).click()
  const people = admin.getByRole('region', { name: '成員' })
  await expect(people.locator('header')).toContainText(/^成員1加入成員$/)
  await expect(people.locator('ul').first().locator('li')).toHaveCount(1)
  await expect(people.getByText('已到期：不計入成員數')).toBeVisible()
  // what the overview calls 7 天內到期 names the group, too
  await admin.goto(`${server.url}/organizations/manage`)
  const soon = admin.getByRole('region', { name: '7 天內到期' })
  await expect(soon).toContainText('台指班')
  await expect(soon).toContainText('1 位在這個群組的期間 7 天內到期')

  // the only admin is told before a promise that would be refused
  await admin.goto(`${server.url}/organizations/manage?tab=settings`)
  await admin.getByRole('button', { name: '離開組織' }).click()
  const stay = admin.getByRole('dialog', { name: '現在還不能離開「海風投顧」' })
  await expect(stay).toContainText('你是唯一沒有到期日的管理者')
  await stay.getByRole('button', { name: '選下一位管理者' }).click()
  await expect(admin).toHaveURL(/tab=members/)
  await admin.context().close()

  // whose time is over is told no counts, and whom to write to
  const outside = await opened(two, '/my-organizations')
  const card = outside.locator('main li.card')
  await expect(card).toContainText('成員資格已到期')
  await expect(card).not.toContainText('0 位成員')
  await expect(card.getByRole('link', { name: '寫信請管理者續期' })).toHaveAttribute(
    'href',
    /^mailto:hi@wave\.example\?subject=/,
  )
  expect(await axe(outside)).toEqual([])
  await card.getByRole('button', { name: '從清單移除' }).click()
  await outside.getByRole('dialog').getByRole('button', { name: '從清單移除' }).click()
  await expect(outside.getByText('還沒有組織')).toBeVisible()
  await outside.context().close()
})

test('figures that an organization keeps to itself stand nowhere on the first page @desktop', async ({
  browser,
  server,
}) => {
  const { boss, one, org, inside, group, opened } = await stage(browser, server)
  const draft = { kind: 'futures', name: '海風乙', settings: { product_code: 'MXF' } } as StrategyInput
  const strategy = await boss.call(createStrategy, draft, inside)
  const strategies = [{ strategy_id: strategy.id, starts_on: day(-30) }]
  await boss.call(setGroupStrategies, { id: group.id, strategies }, inside)
  for (const [action, price] of [
    ['buy', 23_100],
    ['sell', 23_150],
  ] as const) {
    const body = JSON.stringify({ symbol: 'MXF1!', action, quantity: 1, price })
    expect((await server.request(hookPath(strategy), { method: 'POST', body })).status).toBe(200)
  }
  const page = await opened(one, `/dashboard?org=${org}`)
  const main = page.locator('main')
  await expect(main.locator('.signal-row')).toHaveCount(2)
  await expect(main.locator('.signal-row .delta-sign')).toHaveCount(1)
  await boss.call(updateOrganization, { id: org, share_statistics: false }, inside)
  await page.goto(`${server.url}/dashboard`)
  await expect(main.locator('.signal-row')).toHaveCount(2)
  await expect(main.getByText('今日已實現')).toHaveCount(0)
  await expect(main.locator('.dashboard-page-mine')).toContainText('空手')
  await expect(main.locator('.delta-sign, .dashboard-page-mine .mini-curve')).toHaveCount(0)
  await page.context().close()
})
