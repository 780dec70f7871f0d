// Links that belong to another identity of the same person: each offers that identity, and it opens what was wanted.

import { createGroup } from '#contract/group.ts'
import { createOrganization } from '#contract/organization.ts'
import { axe, expect, test } from '#tests/support/app.ts'
import { OWN, signedIn, strategy, THEIRS, world } from '#tests/support/identities.ts'
import { makeOrganization } from '#tests/support/organization.ts'
import { PASSWORD, signUp } from '#tests/support/people.ts'

test('a strategy and a record of the organization, opened as oneself, are one press away @phone', async ({
  page,
  server,
}) => {
  const { person, org, own } = await world(server)
  const theirs = await strategy(server, person, THEIRS, org)
  await signedIn(page, person)
  await page.goto(`${server.url}/strategies/${theirs}?tab=signals`)
  await expect(page.getByText('這屬於海風投顧')).toBeVisible()
  await expect(page.getByRole('button', { name: '重試' })).toHaveCount(0)
  expect(await axe(page)).toEqual([])
  await page.getByRole('alert').getByRole('button', { name: '切換身份' }).click()
  await expect(page.getByRole('heading', { name: THEIRS })).toBeVisible()
  await expect(page).toHaveURL(`${server.url}/strategies/${theirs}?tab=signals`)
  await expect.poll(() => page.evaluate(() => localStorage.getItem('currentOrganizationId'))).toBe(org)
  await page.locator('main .signal-row').first().click()
  await expect(page).toHaveURL(/signal=/)
  const signal = new URL(page.url()).searchParams.get('signal')

  await page.goto(`${server.url}/strategies/${own}`)
  await expect(page.getByText('這屬於你的個人身份')).toBeVisible()
  await page.getByRole('alert').getByRole('button', { name: '切換身份' }).click()
  await expect(page.getByRole('heading', { name: OWN })).toBeVisible()

  await page.goto(`${server.url}/signals?signal=${signal}`)
  await expect(page.getByRole('dialog').getByText('這屬於海風投顧')).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: '切換身份' }).click()
  await expect(page.getByRole('dialog').getByText('看這個策略')).toBeVisible()
  await expect(page).toHaveURL(`${server.url}/signals?signal=${signal}`)
})

test('what nobody has is not found, without a retry that cannot help @phone', { tag: '@soak' }, async ({
  page,
  server,
}) => {
  await signedIn(page, await signUp(server, '林柏翰'))
  await page.goto(`${server.url}/strategies/0190a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b`)
  await expect(page.getByText('找不到這個策略')).toBeVisible()
  await expect(page.getByRole('button', { name: '重試' })).toHaveCount(0)
})

test('how I am told of a strategy, and why I was not: of another identity one press away, of none without a retry @phone', {
  tag: '@soak',
}, async ({ page, server }) => {
  const { person, org } = await world(server)
  const theirs = await strategy(server, person, THEIRS, org)
  await signedIn(page, person)
  const at = (tab: string, id: string) => page.goto(`${server.url}/signal-notification?tab=${tab}&id=${id}`)
  const enter = page.getByRole('alert').getByRole('button', { name: '切換身份' })
  for (const tab of ['why', 'setting']) {
    await at(tab, '0190a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b')
    await expect(page.getByText('找不到這個策略')).toBeVisible()
    await expect(page.getByRole('button', { name: /^(重試|再看一次)$/ })).toHaveCount(0)
  }
  await at('why', theirs)
  await expect(page.getByText('這屬於海風投顧')).toBeVisible()
  await expect(page.getByText('訊號送到哪裡')).toHaveCount(0)
  await expect(enter).toBeVisible()
  await at('setting', theirs)
  await expect(page.getByRole('dialog').getByText('這屬於海風投顧')).toBeVisible()
  await enter.click()
  await expect(page.getByRole('dialog').getByRole('radio', { name: /^安靜收下/ })).toBeVisible()
})

test('403 and 404 keep the frame', async ({ page, server }) => {
  await page.goto(`${server.url}/no-such-page`)
  await expect(page.getByRole('heading', { name: '找不到這個頁面' })).toBeVisible()
  await expect(page.locator('header').getByRole('link', { name: '登入' })).toBeVisible()
  await signedIn(page, await signUp(server, '林柏翰'))
  for (const path of ['/no-such-page', '/organizations/manage']) {
    await page.goto(server.url + path)
    await expect(page.getByRole('heading', { name: /找不到這個頁面|目前的身份不能開這一頁/ })).toBeVisible()
    await expect(
      page
        .getByRole('link', { name: '策略列表' })
        .or(page.getByRole('link', { name: '策略' }))
        .first(),
    ).toBeVisible()
    expect(await axe(page)).toEqual([])
  }
})

test('a member at home is told where the strategies are, and is taught nothing @desktop', async ({
  page,
  server,
}) => {
  const person = await signUp(server, '陳以安')
  const boss = await signUp(server, '管理者')
  const org = await makeOrganization(server.app, '海風投顧', [
    { uid: person.uid, role: 'member' },
    { uid: boss.uid, role: 'admin' },
  ])
  await signedIn(page, person)
  await page.goto(`${server.url}/dashboard`)
  await expect(page.getByText('你的策略在組織裡')).toBeVisible()
  // zeros of strategies that nobody has here would say nothing
  await expect(page.locator('main').getByText(/今日訊號|今日已實現|持倉中策略|最新訊號/)).toHaveCount(0)
  await expect(page.getByText('接上 TradingView')).toHaveCount(0)
  expect(await axe(page)).toEqual([])
  await page.goto(`${server.url}/signals`)
  await expect(page.getByText('切換到那個組織就看得到', { exact: false })).toBeVisible()
  await page.goto(`${server.url}/dashboard`)
  await page.getByRole('button', { name: '切換身份：海風投顧' }).click()
  await expect.poll(() => page.evaluate(() => localStorage.getItem('currentOrganizationId'))).toBe(org)
  // nothing is shared yet: whose turn it is, and again nothing that only an author can do
  await expect(page.getByRole('heading', { name: '還沒有分享給你的策略' })).toBeVisible()
  await expect(page.getByText('接上 TradingView')).toHaveCount(0)
  expect(await axe(page)).toEqual([])
  await page.getByRole('link', { name: '看組織詳情' }).click()
  await expect(page).toHaveURL(`${server.url}/organizations/info`)
})

test('where one connects, and a group: of another identity one press away, of none with a way back @phone', {
  tag: '@soak',
}, async ({ page, server }) => {
  const { person, org } = await world(server)
  const theirs = await strategy(server, person, THEIRS, org)
  const { id: group } = await person.call(createGroup, { name: '晨會組' }, { 'lb-org-id': org })
  const { id: other } = await person.call(createOrganization, { name: '浪花訊號社' })
  await signedIn(page, person)
  const enter = page.getByRole('alert').getByRole('button', { name: '切換身份' })
  await page.goto(`${server.url}/strategies/create/futures?connect=${theirs}`)
  await expect(page.getByText('這屬於海風投顧')).toBeVisible()
  await expect(page.getByRole('button', { name: '重試' })).toHaveCount(0)
  await enter.click()
  await expect(page.getByRole('heading', { name: '接上訊號來源' })).toBeVisible()
  await expect(page.getByText('策略已建立')).toBeVisible()

  await page.goto(`${server.url}/organizations/manage?org=${other}&tab=groups&id=${person.uid}`)
  await expect(page.getByText('找不到這個群組')).toBeVisible()
  await expect(page.getByRole('button', { name: '重試' })).toHaveCount(0)
  await page.goto(`${server.url}/organizations/manage?org=${other}&tab=groups&id=${group}`)
  await expect(page.getByText('這屬於海風投顧')).toBeVisible()
  await expect(page.getByRole('button', { name: '重試' })).toHaveCount(0)
  expect(await axe(page)).toEqual([])
  await enter.click()
  await expect(page.getByRole('heading', { name: '晨會組' })).toBeVisible()
})

test('the page of an organization as oneself: signed in by the way, then the organization is one press away @phone', async ({
  page,
  server,
}) => {
  const { person } = await world(server, 'member')
  await page.goto(`${server.url}/organizations/info`)
  await page.getByLabel('帳號').fill(person.email)
  await page.getByLabel('密碼', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: '登入', exact: true }).click()
  await expect(page).toHaveURL(`${server.url}/organizations/info`)
  const enter = page.getByRole('button', { name: '切換身份：海風投顧' })
  await expect(enter).toBeVisible()
  await expect(page.getByText('獲取組織數據失敗')).toHaveCount(0)
  await expect(page.getByRole('button', { name: '重試' })).toHaveCount(0)
  expect(await axe(page)).toEqual([])
  await enter.click()
  await expect(page.locator('main').getByRole('heading', { name: '海風投顧' })).toBeVisible()
  await expect(page.getByRole('button', { name: '離開組織' })).toBeVisible()
  await expect(page).toHaveURL(/\/organizations\/info/)
})

test('of no organization the page says so, and where they begin @phone', { tag: '@soak' }, async ({
  page,
  server,
}) => {
  await signedIn(page, await signUp(server, '林柏翰'))
  await page.goto(`${server.url}/organizations/info`)
  await expect(page.getByText('你還沒有組織')).toBeVisible()
  await page.locator('main').getByRole('link', { name: '我的組織' }).click()
  await expect(page).toHaveURL(`${server.url}/my-organizations`)
})
