// What comes late, or not at all, moves nothing and takes nothing with it.
import type { BrowserContext, Page, Route } from '@playwright/test'
import { createInvites, listMyInvites } from '#contract/join.ts'
import { removeMember } from '#contract/membership.ts'
import { createOrganization } from '#contract/organization.ts'
import { signalFeed } from '#contract/signal.ts'
import { createStrategy } from '#contract/strategy.ts'
import { expect, said, signInByForm, test } from '#tests/support/app.ts'
import { hookPath } from '#tests/support/desk.ts'
import { makeOrganization } from '#tests/support/organization.ts'
import { signUp } from '#tests/support/people.ts'
import { openAs } from '#tests/support/screen.ts'
import { emptyDevice, kept } from '#tests/support/storages.ts'

/** From now on pages of the context note what moved without being pressed. */
async function watchMoves(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    Object.assign(window, { moved: [] as string[] })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        for (const { node } of (entry as PerformanceEntry & { sources: { node: Element | null }[] }).sources)
          (window as unknown as { moved: string[] }).moved.push(
            `${node?.nodeName} ${node?.className} ${(entry as PerformanceEntry & { value: number }).value}`,
          )
    }).observe({ type: 'layout-shift', buffered: true })
  })
}
/** Calls that `path` selects wait until what is returned is called. */
async function hold(context: BrowserContext, path: string | RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await context.route(path, async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}
const moves = (page: Page) => page.evaluate(() => (window as unknown as { moved: string[] }).moved)

test('an organization opened from a link by a browser that knows nothing yet: bar, banner and page stand where they come', {
  tag: ['@desktop', '@soak'],
}, async ({ page, context, server }) => {
  const boss = await signUp(server, '林站長')
  const { id } = await boss.call(createOrganization, { name: '海風投顧' })
  await signInByForm(page, server.url, boss.email)
  await page.evaluate((org) => {
    localStorage.setItem('currentOrganizationId', org)
    localStorage.removeItem('lingbo_profile')
  }, id)
  // the profile comes after everything else, as on a slow line
  const let_go = await hold(context, '**/api/v1/user/profile')
  await watchMoves(context)
  await emptyDevice(page, server.url)
  await page.goto(`${server.url}/organizations/manage`)
  await expect(page.locator('.banner-bar')).toBeVisible()
  let_go()
  await expect(page.locator('.banner-bar')).toContainText('海風投顧')
  await expect(page.locator('header.top').getByText('新增策略')).toBeVisible()
  expect(await moves(page)).toEqual([])
})

test('a record opened from a link by a browser that knows nothing yet: its sheet comes once and stands still', async ({
  page,
  context,
  server,
}) => {
  const person = await signUp(server, '林站長')
  const settings = { product_code: 'MXF' }
  const strategy = await person.call(createStrategy, { kind: 'futures', name: '台指突破', settings })
  const body = { symbol: 'MXF1!', action: 'long_entry', quantity: 1, price: 46_588 }
  await server.request(hookPath(strategy), { method: 'POST', body: JSON.stringify(body) })
  const { items } = await person.call(signalFeed, {})
  await signInByForm(page, server.url, person.email)
  // the list comes after the record, as on a slow line
  const let_go = await hold(context, /\/api\/v1\/signals(\?|$)/)
  await watchMoves(context)
  await emptyDevice(page, server.url)
  await page.goto(`${server.url}/signals?signal=${items[0]?.id}`)
  const sheet = page.getByRole('dialog', { name: '台指突破' })
  await expect(sheet.getByRole('status').first()).toHaveText('第 1 筆')
  await expect(page.locator('main li[aria-setsize]')).toHaveCount(0)
  await sheet.evaluate((node) => node.setAttribute('data-first', ''))
  let_go()
  await expect(page.locator('main li[aria-setsize]')).toHaveCount(1)
  await expect(sheet).toHaveAttribute('data-first')
  expect(await moves(page)).toEqual([])
})

test('a record opened from a link whose styles come last: nothing is drawn without them', {
  tag: ['@phone', '@soak'],
}, async ({ page, context, server }) => {
  const person = await signUp(server, '林站長')
  const strategy = await person.call(createStrategy, {
    ...{ kind: 'futures', name: '台指突破', settings: { product_code: 'MXF' } },
  })
  const body = { symbol: 'MXF1!', action: 'long_entry', quantity: 1, price: 46_588 }
  await server.request(hookPath(strategy), { method: 'POST', body: JSON.stringify(body) })
  const { items } = await person.call(signalFeed, {})
  await signInByForm(page, server.url, person.email)
  await watchMoves(context)
  await emptyDevice(page, server.url)
  // those of the page, not those of the application's own file
  const let_go = await hold(context, /assets\/(?!app-)[^/]*\.css$/)
  const last_file = page.waitForResponse(/assets\/vendor-.*\.js$/)
  await page.goto(`${server.url}/signals?signal=${items[0]?.id}`, { waitUntil: 'commit' })
  await last_file
  // as long as the application took to draw without them
  await page.waitForTimeout(1_000)
  let_go()
  await expect(page.locator('main li[aria-setsize]')).toHaveCount(1)
  expect(await moves(page)).toEqual([])
})

test('the sign-in of an invitation: what one is about to press stays where it is', { tag: '@soak' }, async ({
  page,
  context,
  server,
}) => {
  const boss = await signUp(server, '林站長')
  const guest = await signUp(server, '陳以安')
  const { id } = await boss.call(createOrganization, { name: '海風投顧' })
  await boss.call(createInvites, { id, emails: [guest.email] }, { 'lb-org-id': id })
  const [invited] = await guest.call(listMyInvites, {})
  const let_go = await hold(context, '**/api/v1/invites/*')
  await watchMoves(context)
  await page.goto(
    `${server.url}/login?returnTo=${encodeURIComponent(`/my-organizations?invite=${invited?.code}`)}`,
  )
  const key = page.getByRole('button', { name: '登入', exact: true })
  await expect(key).toBeVisible()
  await expect(page.getByRole('region', { name: '邀請' })).toHaveCount(0)
  const before = await key.boundingBox()
  let_go()
  await expect(page.getByRole('region', { name: '邀請' })).toContainText('海風投顧')
  expect(await key.boundingBox()).toEqual(before)
  expect(await moves(page)).toEqual([])
})

test('signing in and registering have their tabs at one height', { tag: ['@desktop', '@soak'] }, async ({
  page,
  server,
}) => {
  await page.goto(`${server.url}/login`)
  const tabs = page.getByRole('tablist', { name: '登入或註冊' })
  const before = await tabs.boundingBox()
  expect(before).not.toBeNull()
  await tabs.getByRole('tab', { name: '註冊' }).click()
  await expect(page.getByLabel('姓名')).toBeVisible()
  expect(await tabs.boundingBox()).toEqual(before)
})

test('without the code of the toasts the page stands, and what is said can be seen', {
  tag: '@desktop',
}, async ({ page, server }) => {
  const [boss, person] = [await signUp(server), await signUp(server)]
  const org = await makeOrganization(server.app, '海風投顧', [
    { uid: boss.uid, role: 'admin' },
    { uid: person.uid, role: 'member' },
  ])
  await page.route('**/assets/Toasts-*', (route) => route.abort())
  await signInByForm(page, server.url, person.email)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.goto(`${server.url}/organizations/info?org=${org}`)
  await expect(page.getByRole('heading', { name: '海風投顧' })).toBeVisible()
  await boss.call(removeMember, { id: org, user_id: person.uid }, { 'lb-org-id': org })
  await said(page, '你在「海風投顧」的權限已結束')
  await said(page, '程式發生沒有預料到的問題')
  await expect(page.getByRole('navigation', { name: '主要' })).toBeVisible()
})

test('what a long wait says is in sight, however high what stands for the rows is', {
  tag: ['@phone', '@soak'],
}, async ({ page, server }) => {
  const person = await signUp(server)
  const words = page.locator('main').getByText('伺服器還沒有回應，資料一到就會出現。')
  const answers = [
    await hold(page.context(), '**/api/v1/dashboard*'),
    await hold(page.context(), '**/api/v1/signal-notifications*'),
    await hold(page.context(), '**/api/v1/user/organizations*'),
  ]
  await openAs(page, server.url, person, '/dashboard')
  const seen = async (path: string) => {
    await page.goto(server.url + path)
    await expect(words.first(), path).toBeVisible()
    await expect(words.first(), path).toBeInViewport({ ratio: 1 })
    const under = await words.first().evaluate((node) => {
      const { x, y, width, height } = node.getBoundingClientRect()
      return document.elementFromPoint(x + width / 2, y + height / 2) === node
    })
    expect(under, `${path}: nothing lies over it`).toBe(true)
  }
  await seen('/dashboard')
  await seen('/signal-notification')
  await page.setViewportSize({ width: 844, height: 390 })
  await seen('/my-organizations')
  for (const answer of answers) answer()
  await expect(words).toHaveCount(0)
})

test('a server that says nothing: the page says what it waits for, and does not go on about a dash', {
  tag: '@desktop',
}, async ({ page, server }) => {
  const person = await signUp(server)
  await signInByForm(page, server.url, person.email)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const room = page.getByRole('region', { name: '伺服器上的空間' })
  // no answer at all, and nothing kept: why, and the way to ask again
  const refuse = (route: Route) => route.fulfill({ status: 404, body: '{}' })
  await page.route('**/api/v1/user/usage', refuse)
  await page.goto(`${server.url}/profile`)
  await page.getByText('應用程式、空間、匯出、刪除帳號').click()
  await expect(room).toContainText('讀不到伺服器上的空間')
  await expect(room.getByRole('button', { name: '重試' })).toBeVisible()
  const answers = [
    await hold(page.context(), '**/api/v1/user/organizations'),
    await hold(page.context(), '**/api/v1/user/usage'),
  ]
  // held from the moment on in which it is no longer refused: a page that hears the server again asks by itself
  await page.unroute('**/api/v1/user/usage', refuse)
  const words = page.locator('main').getByText('伺服器還沒有回應，資料一到就會出現。')
  await page.goto(`${server.url}/my-organizations`)
  await expect(words).toBeVisible()
  await page.goto(`${server.url}/profile`)
  await page.getByText('應用程式、空間、匯出、刪除帳號').click()
  await expect(room.getByText('伺服器還沒有回應')).toBeVisible()
  for (const answer of answers) answer()
  await expect(room).toContainText('0 個 / ')
  await expect(words).toHaveCount(0)
  // what is kept is shown, with its age
  await kept(page, ['answers', '["person","usage"'])
  await page.route('**/api/v1/user/usage', refuse)
  await page.reload()
  await page.getByText('應用程式、空間、匯出、刪除帳號').click()
  await expect(room).toContainText(/資料更新於.*0 個 \/ /)
})
