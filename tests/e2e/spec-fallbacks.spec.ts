// What stands while a page's code or data is on its way, and what when it fails (sections 2 and 9 of the specification).
import type { Page } from '@playwright/test'
import { expect, test } from '#tests/support/app.ts'
import { signedIn, world } from '#tests/support/identities.ts'
import { signUp } from '#tests/support/people.ts'

// a worker would answer what these tests hold back
/** A navigation inside the application. */
const go = (page: Page, path: string) =>
  // by a timer: the call has its answer before anything the navigation sets off
  page.evaluate((to) => void setTimeout(() => history.pushState({}, '', to)), path)

// spec §2: Pages load lazily, with a loading screen titled 載入中... and subtitled 正在載入頁面.
test('a page whose code is on its way: 載入中... and 正在載入頁面', async ({ page, server }) => {
  await signedIn(page, await signUp(server))
  await page.goto(`${server.url}/profile`)
  await expect(page.locator('h1').first()).toBeVisible()
  let answer = () => {}
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/assets/*.js', async (route) => {
    await held
    await route.continue()
  })
  await go(page, '/tests/permission')
  await expect(page.getByText('載入中...', { exact: true })).toBeVisible()
  await expect(page.getByText('正在載入頁面', { exact: true })).toBeVisible()
  answer()
  await expect(page.getByText('正在載入頁面')).toHaveCount(0)
  await expect(page.locator('h1').first()).toBeVisible()
})

// spec §2: Each route has an error fallback.
test('a page that fails keeps the bars and can be tried again', async ({ page, server, complaints }) => {
  await signedIn(page, await signUp(server))
  await page.goto(`${server.url}/profile`)
  await expect(page.locator('h1').first()).toHaveText('個人設定')
  // what the bars are made of may come, also when the page is loaded afresh; a page's own code may not
  await page.route(/\/assets\/(permission|announcement|guide)-[^/]+\.js$/, (route) => route.abort())
  for (const path of ['/tests/permission', '/my-announcements', '/guide']) {
    // The router loads the document afresh once for every missing file; only what stands then is the page of
    // this path, and a step before that would run in a document on its way out.
    const afresh = page.waitForEvent('load')
    await go(page, path)
    await afresh
    await expect(page).toHaveURL(`${server.url}${path}`)
    await expect(page.getByRole('alert').getByRole('heading')).toHaveText('這一頁發生錯誤')
    await expect(page.locator('header.top')).toBeVisible()
    await expect(page.getByRole('button', { name: '重試' })).toBeVisible()
  }
  complaints.length = 0 // the files that were kept from it
})

// spec §2: A top-level error screen titled 應用程序發生錯誤 shows the error details and two actions: 返回首頁 and 重新載入.
test('when the shell itself fails: the screen with the details and two ways out', async ({
  page,
  server,
  complaints,
}) => {
  const person = await signUp(server)
  await signedIn(page, person)
  let broken = true
  await page.route('**/api/v1/user/profile', async (route) => {
    const answer = await (await route.fetch()).json()
    // not what the contract says: the bar cannot draw it
    if (broken) answer.result.name = { first: '明' }
    await route.fulfill({ json: answer })
  })
  await page.goto(`${server.url}/dashboard`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('應用程序發生錯誤')
  await page.getByText('錯誤內容').click()
  await expect(page.locator('details pre')).toContainText('Error')
  await expect(page.getByRole('link', { name: '返回首頁' })).toHaveAttribute('href', '/')
  broken = false
  // it lies on the device by now, for the first paint of the next start
  await expect.poll(() => page.evaluate(() => localStorage.getItem('lingbo_profile'))).toContain('"first"')
  await page.getByRole('button', { name: '重新載入' }).click()
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('應用程序發生錯誤')
  await expect(page.locator('header.top')).toBeVisible()
  complaints.length = 0 // the error that was made here
})

// spec §2: The skeleton is also shown if a token and user exist in storage but the state is not yet authenticated.
test('a token and a user in storage: a skeleton stands there before anything is known', async ({
  page,
  server,
  complaints,
}) => {
  await signedIn(page, await signUp(server))
  await page.goto(`${server.url}/profile`)
  await expect(page.locator('h1').first()).toBeVisible()
  await page.evaluate(() => sessionStorage.setItem('boot-failed', '9'))
  await page.route('**/assets/*.js', (route) => route.abort())
  await page.goto(`${server.url}/strategies`, { waitUntil: 'domcontentloaded' })
  await expect(page.locator('#boot .b-page')).toBeVisible()
  await expect(page.locator('#boot .b-top')).toBeVisible()
  // signed out there is nothing to wait for
  await page.evaluate(() => localStorage.clear())
  await page.reload({ waitUntil: 'domcontentloaded' })
  await expect(page.locator('#boot .b-page')).toBeHidden()
  complaints.length = 0 // the files kept from it
})

// spec §9: Skeleton list shows 6 rows and 5 pager boxes; dashboard skeleton shows 3 cards.
test('a skeleton of six rows and five pager boxes while the organization is not loaded', async ({
  page,
  server,
}) => {
  const { person, org } = await world(server)
  await page.addInitScript((id) => localStorage.setItem('currentOrganizationId', id), org)
  await signedIn(page, person)
  await page.route('**/api/v1/user/profile', () => undefined)
  await page.goto(`${server.url}/strategies`)
  await expect(page.locator('[data-skeleton=list] .skeleton-row')).toHaveCount(6)
  await expect(page.locator('[data-skeleton=list] .skeleton-pager .bone')).toHaveCount(5)
})
