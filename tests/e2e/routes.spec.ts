// Who gets in, who is sent where and what waits, in a browser. Every address × every identity is tests/features/guard.test.ts: `npm test`
// loads one of each kind here, the soak all of them.
import type { Page } from '@playwright/test'
import { updateMember } from '#contract/membership.ts'
import { ADDRESSES, NOWHERE, type Outcome } from '#tests/support/addresses.ts'
import { expect, test } from '#tests/support/app.ts'
import { makeOrganization } from '#tests/support/organization.ts'
import { type Person, signUp } from '#tests/support/people.ts'
import type { TestServer } from '#tests/support/server.ts'
import { emptyDevice, profileKnown } from '#tests/support/storages.ts'
import { sized } from '#tests/support/tier.ts'

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
    heading = ADDRESSES[path]?.[0],
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

/** What `npm test` loads: a page that is there, a way out, a refusal, what waits. */
const LOADED = [
  ['/', '/403', '/strategies/create'],
  ['/login', '/strategies', '/organizations/manage'],
  ['/organizations/manage', '/organizations/create'],
  ['/organizations/info', '/strategies/create'],
  ['/login', '/strategies', '/dashboard', '/search-form-demo'],
] as const
const expected = (column: number) => {
  const all = Object.entries(ADDRESSES).map(([path, [, row]]) => [path, row[column] as Outcome] as const)
  return sized(
    all.filter(([path]) => LOADED[column]?.some((one) => one === path)),
    all,
  )
}

// spec §2: Public routes (no login): / (landing), /login, /reset-password, /auth/oauth/authorize, /sso,…
// spec §2: An unauthenticated visitor to a protected route goes to /login?returnTo={original path plus…
test('signed out', async ({ page, server }) => {
  for (const [path, what] of expected(0))
    await outcome(page, server, path, what, { heading: SIGNED_OUT[path] })
})

// spec §0: Users work in a personal context or inside an organization as admin or member.
// spec §1: Audiences are personal users, organization admins and organization members.
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
      const within = n > 0 && column !== 1 && ADDRESSES[path]?.[1][1] === what
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

/** A member and the admin who makes it one, in a browser that hears of nothing: no event tells it what became of its role. */
async function deaf(page: Page, server: TestServer, role: 'admin' | 'member') {
  const person = await signUp(server)
  const boss = await signUp(server, '管理者')
  const org = await makeOrganization(server.app, '海風投顧', [
    { uid: person.uid, role },
    { uid: boss.uid, role: 'admin' },
  ])
  await comeAs(page, person, org)
  await page.route('**/api/v1/events', (route) => route.abort())
  const become = (to: 'admin' | 'member') =>
    boss.call(updateMember, { id: org, user_id: person.uid, role: to }, { 'lb-org-id': org })
  const been: string[] = []
  page.on('framenavigated', (frame) => been.push(new URL(frame.url()).pathname))
  return { become, been }
}

test('promoted while elsewhere: never a refusal, a skeleton until the server has said so', async ({
  page,
  server,
}) => {
  const { become, been } = await deaf(page, server, 'member')
  await page.goto(`${server.url}/dashboard`)
  await expect(page.locator('h1').first()).toBeVisible()
  await profileKnown(page)
  await become('admin')
  const gate = Promise.withResolvers<void>()
  await page.route('**/api/v1/user/profile', async (route) => {
    await gate.promise
    await route.continue()
  })
  await go(page, '/organizations/manage')
  await expect(page.locator('[data-skeleton=list]')).toBeVisible()
  gate.resolve()
  await expect(page.locator('h1').first()).toHaveText('組織管理')
  await become('member')
  await page.goto(`${server.url}/dashboard`)
  await expect(page.getByText('組織成員').first()).toBeVisible()
  await become('admin')
  await page.goto(`${server.url}/organizations/manage`)
  await expect(page.locator('h1').first()).toHaveText('組織管理')
  expect(been).not.toContain('/403')
})

test('refused without an answer of the server, promoted after all: the page asked for takes the refusal’s place', async ({
  page,
  server,
}) => {
  const { become } = await deaf(page, server, 'member')
  await page.goto(`${server.url}/dashboard`)
  await expect(page.locator('h1').first()).toBeVisible()
  await profileKnown(page)
  await become('admin')
  await page.route('**/api/v1/user/profile', (route) => route.abort())
  await go(page, '/organizations/manage?tab=members')
  await expect(page).toHaveURL(`${server.url}/403?missing=organization%3Amanage`)
  await page.unroute('**/api/v1/user/profile')
  // as the browser does when somebody comes back to it
  await page.evaluate(() => dispatchEvent(new Event('visibilitychange')))
  await expect(page).toHaveURL(`${server.url}/organizations/manage?tab=members`)
})

test('demoted while elsewhere: turned away at once, also by the first answer that refuses', async ({
  page,
  server,
}) => {
  const { become } = await deaf(page, server, 'admin')
  await page.goto(`${server.url}/organizations/manage`)
  await expect(page.locator('h1').first()).toHaveText('組織管理')
  await become('member')
  // a question already under way may be the first that is refused: then there is no tab any more
  await page.evaluate(() => document.querySelector<HTMLElement>('[role=tab][data-label="公告"]')?.click())
  await expect(page).toHaveURL(`${server.url}/dashboard`)
  await become('admin')
  await page.goto(`${server.url}/organizations/manage`)
  await expect(page.locator('h1').first()).toHaveText('組織管理')
  await become('member')
  await page.goto(`${server.url}/organizations/manage`)
  await expect(page).toHaveURL(/\/(dashboard|403\?missing=.*)$/)
})

// spec §2: The catch-all route shows a not-found page.
test('every other address is not found, signed in or not', async ({ page, server }) => {
  const check = async () => {
    for (const path of sized(NOWHERE.slice(0, 1), NOWHERE)) {
      await page.goto(server.url + path)
      await expect(page.getByRole('heading', { level: 1 }), path).toHaveText('找不到這個頁面')
      expect(new URL(page.url()).pathname).toBe(path)
    }
  }
  await check()
  await comeAs(page, await signUp(server))
  await check()
})
