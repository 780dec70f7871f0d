// One person, two identities: a switch shows nothing of the other one, not for a frame; links name their identity.
import { expect, said, test } from '#tests/support/app.ts'
import {
  OWN,
  offline,
  shown,
  signedIn,
  slow,
  strategy,
  switchTo,
  switchWatched,
  THEIRS,
  world,
} from '#tests/support/identities.ts'
import { everythingKept } from '#tests/support/screen.ts'
import { kept } from '#tests/support/storages.ts'
import { sized } from '#tests/support/tier.ts'

// spec §4: Toast: 已切換至個人身份, or 已切換至 {org} 組織管理者 / 組織成員 身份.
for (const path of sized(['/dashboard'], ['/dashboard', '/strategies', '/signals', '/strategies/:own']))
  test(`switching on ${path} shows nothing of the other identity, offline and slow`, {
    tag: '@worker',
  }, async ({ page, context, server }) => {
    const { person, org, own } = await world(server)
    await strategy(server, person, THEIRS, org)
    await signedIn(page, person)
    const here = path.replace(':own', own)
    const lands = path === '/strategies' ? '/strategies' : '/dashboard'
    await page.goto(`${server.url}/dashboard`)
    await expect(shown(page, OWN)).toBeVisible()
    // a page that is left before its answer is on the device has nothing to show without a network
    await kept(page, ['answers', '["personal","dashboard"]', OWN])
    await page.goto(`${server.url}/strategies`)
    await expect(shown(page, OWN)).toBeVisible()
    await kept(page, ['answers', '["personal","strategy","list"', OWN])
    await switchTo(page, org)
    await expect(shown(page, THEIRS)).toBeVisible()
    await kept(page, ['answers', `["org:${org}","strategy","list"`, THEIRS])
    await page.goto(`${server.url}/dashboard`)
    await expect(shown(page, THEIRS)).toBeVisible()
    await kept(page, ['answers', `["org:${org}","dashboard"]`, THEIRS])
    // the next page has its code from the worker, also what it loads late
    await everythingKept(page)
    await switchTo(page, null)
    await page.goto(server.url + here)
    await expect(shown(page, OWN)).toBeVisible()
    await offline(context)
    await slow(page)

    const forth = await switchWatched(page, org, OWN, THEIRS)
    await expect(page).toHaveURL(server.url + lands)
    await expect(shown(page, THEIRS)).toBeVisible()
    await said(page, '已切換至 海風投顧 組織管理者 身份')
    const there = await forth()
    expect(there.frames).toBeGreaterThan(0)
    expect(there.bad).toEqual([])

    const back = await switchWatched(page, null, THEIRS, OWN)
    await expect(shown(page, OWN)).toBeVisible()
    const home = await back()
    expect(home.bad).toEqual([])
    for (const [name, { first_ms, card_ms }] of Object.entries({ there, home }))
      test.info().annotations.push({
        type: 'measured',
        description: `${path} ${name}: first frame ${Math.round(first_ms)} ms, first card ${Math.round(card_ms)} ms (CPU ÷ 4, offline)`,
      })
  })

test.describe('online', () => {
  // spec §4: After a switch, a hard redirect to /dashboard happens when: on a create or edit page as a member;…
  test('a form of the other identity does not survive the switch, and its page is left', async ({
    page,
    server,
  }) => {
    const { person, org, own } = await world(server, 'member')
    await signedIn(page, person)
    await page.goto(`${server.url}/strategies/${own}/edit`)
    await expect(page.getByLabel('名稱').first()).toHaveValue(OWN)
    await page.evaluate(() => Object.assign(window, { same: true }))
    await switchWatched(page, org, OWN)
    await expect(page).toHaveURL(`${server.url}/dashboard`)
    await expect(page.locator('h1').first()).toBeVisible()
    // a full load: the old page's memory is gone with it
    expect(await page.evaluate(() => 'same' in window)).toBe(false)
    expect(await page.evaluate(() => sessionStorage.getItem('seen'))).toBeNull()
    await said(page, '已切換至 海風投顧 組織成員 身份')
  })

  // spec §4: Toast: 已切換至個人身份, or 已切換至 {org} 組織管理者 / 組織成員 身份.
  for (const path of ['/organizations/manage', '/organizations/info'])
    test(`leaving ${path} for the personal identity says so on the page that follows, once`, async ({
      page,
      server,
    }) => {
      const { person, org } = await world(server)
      await signedIn(page, person)
      await page.goto(`${server.url}${path}?org=${org}`)
      await expect(page).toHaveURL(server.url + path)
      await expect(page.locator('h1').first()).toBeVisible()
      await page.evaluate(() => Object.assign(window, { same: true }))
      await switchTo(page, null)
      await expect(page).toHaveURL(`${server.url}/dashboard`)
      await expect(page.locator('h1').first()).toBeVisible()
      expect(await page.evaluate(() => 'same' in window)).toBe(false)
      await said(page, '已切換至個人身份')
      await page.reload()
      await expect(page.locator('h1').first()).toBeVisible()
      await expect(page.getByText('已切換至個人身份')).toHaveCount(0)
    })

  test('what was typed as one identity is not seen as another, and the page is asked about it before', async ({
    page,
    server,
  }) => {
    const { person, org } = await world(server)
    await signedIn(page, person)
    await page.goto(`${server.url}/strategies/create/futures`)
    await page.getByRole('textbox', { name: '策略名稱' }).fill('只給自己看')
    const asked: string[] = []
    page.on('dialog', (dialog) => {
      asked.push(dialog.message())
      void dialog.accept()
    })
    const seen = await switchWatched(page, org, '只給自己看')
    await expect(page).toHaveURL(`${server.url}/dashboard`)
    await expect(page.locator('h1').first()).toBeVisible()
    expect((await seen()).bad).toEqual([])
    expect(asked).toEqual(['另一個分頁切換了身份。這一頁還有沒送出的內容，要放棄並一起切換嗎？'])
  })

  // spec §4: A redirect to /organizations/manage happens when on /my-organizations, now org admin, and fromMyOrganizationAdmin…
  test('管理 on my organizations leads to its management, other switches there to the dashboard', async ({
    page,
    server,
  }) => {
    const { person, org } = await world(server)
    await signedIn(page, person)
    await page.goto(`${server.url}/my-organizations`)
    await expect(page.locator('h1').first()).toBeVisible()
    await page.evaluate(() => localStorage.setItem('fromMyOrganizationAdmin', '1'))
    await switchTo(page, org)
    await expect(page).toHaveURL(`${server.url}/organizations/manage`)
    await expect.poll(() => page.evaluate(() => localStorage.getItem('fromMyOrganizationAdmin'))).toBeNull()
    await switchTo(page, null)
    await expect(page).toHaveURL(`${server.url}/dashboard`)
  })

  test('a link names its identity: adopted and taken out of the address, or refused with a way to switch', async ({
    page,
    server,
  }) => {
    const { person, org } = await world(server)
    await strategy(server, person, THEIRS, org)
    await signedIn(page, person)
    await page.goto(`${server.url}/strategies?org=${org}&kind=futures`)
    await expect(page).toHaveURL(`${server.url}/strategies?kind=futures`)
    await expect(shown(page, THEIRS)).toBeVisible()
    await expect(page.getByText(OWN)).toHaveCount(0)
    await page.goto(`${server.url}/strategies?org=personal`)
    await expect(page).toHaveURL(`${server.url}/strategies`)
    await expect(shown(page, OWN)).toBeVisible()
    await page.goto(`${server.url}/strategies?org=018f4a1e-7b1a-7000-8000-00000000000f`)
    await expect(page).toHaveURL(`${server.url}/403?missing=organization%3Aview`)
    await page.getByRole('button', { name: '海風投顧' }).click()
    await expect(page).toHaveURL(`${server.url}/dashboard`)
    await expect.poll(() => page.evaluate(() => localStorage.getItem('currentOrganizationId'))).toBe(org)
  })
})
