// Every address × every identity: who gets in, who is sent where, what waits. Written from spec §2 and §6, not from the routes.
import type { Page } from '@playwright/test'
import { expect, test } from '#tests/support/app.ts'
import { makeOrganization } from '#tests/support/organization.ts'
import { type Person, signUp } from '#tests/support/people.ts'
import type { TestServer } from '#tests/support/server.ts'
import { emptyDevice } from '#tests/support/storages.ts'

// nothing here is about the worker: no fresh copy of the application for every test
test.use({ serviceWorkers: 'block' })

const ID = '018f4a1e-7b1a-7000-8000-000000000001'

/** O open · L sign in first · 403 no permission · H to /dashboard · S a skeleton of this kind · P the profile's loading screen. */
type Outcome = 'O' | 'L' | '403' | 'H' | 'P' | `S:${'list' | 'form' | 'detail' | 'dashboard' | 'default'}`
/** signed out · personal · admin · member · in an organization that is not loaded */
type Row = [Outcome, Outcome, Outcome, Outcome, Outcome]
const everybody: Row = ['O', 'O', 'O', 'O', 'O']
const login_only: Row = ['L', 'O', 'O', 'O', 'P']

/** By address: the page's own heading, and who gets it. */
const TABLE: Record<string, [heading: string | RegExp, Row]> = {
  '/': ['策略一觸發，一秒內到你的手機。', everybody],
  '/login': ['登入', ['O', 'H', 'H', 'H', 'P']],
  '/reset-password': ['重設密碼', everybody],
  '/auth/oauth/authorize': ['這個授權要求已過期或處理過了', everybody],
  '/sso': ['這次登入已經過期', everybody],
  '/token-login': ['這個登入連結不能用了', everybody],
  '/403': ['目前的身份不能開這一頁', everybody],
  '/test-shadcn': ['表單元件', everybody],
  '/dashboard': [/，王小明$/, login_only],
  '/guide': ['使用說明', login_only],
  '/strategies': ['策略列表', ['L', 'O', 'O', 'O', 'S:list']],
  '/strategies/create': ['新增策略', ['L', 'O', 'O', '403', 'S:form']],
  '/strategies/create/futures': ['新增期貨策略', ['L', 'O', 'O', '403', 'S:form']],
  '/strategies/create/stock': ['新增股票策略', ['L', 'O', 'O', '403', 'S:form']],
  '/strategies/create/xq-stock': ['新增 XQ 股票策略', ['L', 'O', 'O', '403', 'S:form']],
  [`/strategies/${ID}/edit`]: ['編輯策略', ['L', 'O', 'O', '403', 'S:form']],
  [`/strategies/${ID}`]: ['策略', ['L', 'O', 'O', 'O', 'S:detail']],
  '/profile': ['個人設定', login_only],
  '/my-organizations': ['我的組織', login_only],
  '/my-announcements': ['公告', login_only],
  '/signal-notification': ['訊號通知', login_only],
  [`/organizations/${ID}/announcements`]: ['組織公告', login_only],
  '/organizations/create': ['建立組織', ['L', 'O', '403', '403', 'S:form']],
  '/organizations/manage': ['組織管理', ['L', '403', 'O', '403', 'S:list']],
  '/organizations/info': ['組織詳情', ['L', 'O', 'O', 'O', 'S:detail']],
  '/component-demo': ['元件展示', login_only],
  '/tests/permission': ['權限測試', login_only],
  '/search-form-demo': ['篩選表單', ['O', 'O', 'O', 'O', 'P']],
  '/demo-strategylist': ['策略列表示範', ['O', 'O', 'O', 'O', 'P']],
  '/demo-strategylist/icons': ['圖示', ['O', 'O', 'O', 'O', 'P']],
  '/demo-strategylist/color-test': ['色彩與對比', ['O', 'O', 'O', 'O', 'P']],
  // the product's own addition
  '/signals': ['全部訊號', ['L', 'O', 'O', 'O', 'S:list']],
}

/** What else an open page says to whoever is signed out: nobody has an identity yet. */
const SIGNED_OUT: Record<string, string> = { '/403': '還沒有登入' }

/** What stands in the browser before the page loads. */
async function comeAs(page: Page, person: Person | null, org_id: string | null = null): Promise<void> {
  await page.addInitScript(
    ([token, uid, org]) => {
      if (token === null) return
      localStorage.setItem('token', token)
      localStorage.setItem(
        'lingbo_user',
        JSON.stringify({ id: uid, role: 'user', defaultContext: 'personal' }),
      )
      if (org !== null) localStorage.setItem('currentOrganizationId', org)
    },
    [person?.token ?? null, person?.uid ?? '', org_id] as const,
  )
}

/** From one page of the application to another, as by a link of its own. */
const go = (page: Page, path: string) =>
  page.evaluate((to) => void setTimeout(() => history.pushState({}, '', to)), path)

/** `within`: the application stands already, and goes there by itself. */
async function outcome(
  page: Page,
  server: TestServer,
  path: string,
  expected: Outcome,
  {
    heading = TABLE[path]?.[0],
    within = false,
  }: { heading?: string | RegExp | undefined; within?: boolean } = {},
): Promise<void> {
  const query = '?from=push'
  await (within ? go(page, path + query) : page.goto(server.url + path + query))
  const at = (target: string) => expect(page, path).toHaveURL(server.url + target)
  if (expected === 'L') {
    await at(`/login?returnTo=${encodeURIComponent(path + query)}`)
    await expect(page.getByRole('button', { name: '登入', exact: true })).toBeVisible()
  } else if (expected === '403') {
    await expect(page, path).toHaveURL(/\/403\?missing=/)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('目前的身份不能開這一頁')
  } else if (expected === 'H') {
    await at('/dashboard')
  } else if (expected === 'P') {
    await expect(page.getByText('正在獲取用戶資料'), path).toBeVisible()
    await expect(page.getByText('載入中...'), path).toBeVisible()
  } else if (expected === 'O') {
    await expect(page.locator('h1').first(), path).toHaveText(heading ?? '')
    await expect(page, path).toHaveURL((url) => url.pathname === path)
    if (path !== '/403') await expect(page.getByText('目前的身份不能開這一頁')).toHaveCount(0)
  } else {
    await expect(page.locator(`[data-skeleton=${expected.slice(2)}]`), path).toBeVisible()
    expect(new URL(page.url()).pathname, path).toBe(path)
  }
}

const expected = (column: number) =>
  Object.entries(TABLE).map(([path, [, row]]) => [path, row[column] as Outcome] as const)

// spec §2: Public routes (no login): / (landing), /login, /reset-password, /auth/oauth/authorize, /sso,…
// spec §2: Routes inside the main shell that require login:
// spec §2: Route | Permission needed
// spec §2: dashboard | login only
// spec §2: guide | login only
// spec §2: strategies | strategy:view
// spec §2: strategies/create (type selection) | strategy:create
// spec §2: strategies/create/futures, strategies/create/stock, strategies/create/xq-stock | strategy:create
// spec §2: strategies/{id}/edit | strategy:edit
// spec §2: strategies/{strategyId} (detail) | strategy:view
// spec §2: profile | login only
// spec §2: my-organizations | my-organizations:view
// spec §2: my-announcements | login only
// spec §2: signal-notification | login only
// spec §2: organizations/{organizationId}/announcements | login only
// spec §2: organizations/create | organization:create
// spec §2: organizations/manage | organization:manage
// spec §2: organizations/info | organization:view
// spec §2: component-demo | login only
// spec §2: tests/permission | login only
// spec §2: Inside the shell but not requiring login: search-form-demo, demo-strategylist, demo-strategylist/icons,…
// spec §2: Route guard:
// spec §2: An unauthenticated visitor to a protected route goes to /login?returnTo={original path plus…
test('signed out', async ({ page, server }) => {
  for (const [path, what] of expected(0))
    await outcome(page, server, path, what, { heading: SIGNED_OUT[path] })
})

// spec §0: Users work in a personal context or inside an organization as admin or member.
// spec §1: Audiences are personal users, organization admins and organization members.
// spec §2: Route | Permission needed
// spec §2: dashboard | login only
// spec §2: guide | login only
// spec §2: strategies | strategy:view
// spec §2: strategies/create (type selection) | strategy:create
// spec §2: strategies/create/futures, strategies/create/stock, strategies/create/xq-stock | strategy:create
// spec §2: strategies/{id}/edit | strategy:edit
// spec §2: strategies/{strategyId} (detail) | strategy:view
// spec §2: profile | login only
// spec §2: my-organizations | my-organizations:view
// spec §2: my-announcements | login only
// spec §2: signal-notification | login only
// spec §2: organizations/{organizationId}/announcements | login only
// spec §2: organizations/create | organization:create
// spec §2: organizations/manage | organization:manage
// spec §2: organizations/info | organization:view
// spec §2: component-demo | login only
// spec §2: tests/permission | login only
// spec §2: Route guard:
// spec §2: A missing permission goes to /403.
for (const [column, name] of [
  [1, 'personal'],
  [2, 'admin'],
  [3, 'member'],
] as const)
  test(`signed in: ${name}`, async ({ page, server }) => {
    const person = await signUp(server)
    const role = name === 'member' ? 'member' : 'admin'
    const org = await makeOrganization(server.app, '海風投顧', [{ uid: person.uid, role }])
    await comeAs(page, person, name === 'personal' ? null : org)
    // Every address is loaded for one person; for the others those that the role decides about, the rest are gone to.
    for (const [n, [path, what]] of expected(column).entries()) {
      const within = n > 0 && column !== 1 && TABLE[path]?.[1][1] === what
      await outcome(page, server, path, what, { within })
    }
  })

// spec §2: While auth is loading, or while an organization context has no organization loaded yet on organization,…
// spec §2: The skeleton is also shown if a token and user exist in storage but the state is not yet authenticated.
// spec §2: While the profile loads, a full-screen loading screen shows 載入中... / 正在獲取用戶資料.
test('in an organization that is not loaded yet: a skeleton of the page, never a page and never a refusal', async ({
  page,
  server,
}) => {
  const person = await signUp(server)
  const org = await makeOrganization(server.app, '海風投顧', [{ uid: person.uid, role: 'member' }])
  await comeAs(page, person, org)
  // the answer never comes; said in the page, for a route would keep every file from the cache
  await page.addInitScript(() => {
    const real = window.fetch
    window.fetch = (input, init) =>
      new URL(input instanceof Request ? input.url : input, location.href).pathname === '/api/v1/user/profile'
        ? new Promise(() => undefined)
        : real(input, init)
  })
  for (const [path, what] of expected(4)) await outcome(page, server, path, what)
})

// spec §2: A missing permission goes to /403.
// spec §2: While auth is loading, or while an organization context has no organization loaded yet on organization,…
// spec §4: Setting the organization list re-resolves the current organization by id.
test('the role arrives later: the skeleton becomes the page, or the refusal', async ({ page, server }) => {
  const person = await signUp(server)
  const org = await makeOrganization(server.app, '海風投顧', [{ uid: person.uid, role: 'member' }])
  await comeAs(page, person, org)
  let gate = Promise.withResolvers<void>()
  await page.route('**/api/v1/user/profile', async (route) => {
    await gate.promise
    await route.continue()
  })
  await page.goto(`${server.url}/strategies`)
  await expect(page.locator('[data-skeleton=list]')).toBeVisible()
  gate.resolve()
  await expect(page.locator('h1').first()).toBeVisible()
  await expect(page).toHaveURL(`${server.url}/strategies`)

  gate = Promise.withResolvers<void>()
  await emptyDevice(page, server.url)
  await page.goto(`${server.url}/strategies/create`)
  await expect(page.locator('[data-skeleton=form]')).toBeVisible()
  gate.resolve()
  await expect(page).toHaveURL(`${server.url}/403?missing=strategy%3Acreate`)
})

// spec §2: The catch-all route shows a not-found page.
test('every other address is not found, signed in or not', async ({ page, server }) => {
  const check = async () => {
    for (const path of [
      '/nowhere',
      '/strategies/a/b/c',
      '/organizations',
      '/organizations/x/y',
      '/demo-strategylist/x',
    ]) {
      await page.goto(server.url + path)
      await expect(page.getByRole('heading', { level: 1 }), path).toHaveText('找不到這個頁面')
      expect(new URL(page.url()).pathname).toBe(path)
    }
  }
  await check()
  await comeAs(page, await signUp(server))
  await check()
})
