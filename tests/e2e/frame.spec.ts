// The frame around every screen: ways in and out, guards, titles and focus, themes, the profile, installability.
import { randomUUID } from 'node:crypto'
import { login } from '#contract/session.ts'
import { announced, axe, axeInTheDark, expect, said, signInByForm, test } from '#tests/support/app.ts'
import { call, codeFor, PASSWORD, signUp } from '#tests/support/people.ts'
import { openAs } from '#tests/support/screen.ts'
import { profileKnown } from '#tests/support/storages.ts'

// spec §2: An unauthenticated visitor to a protected route goes to /login?returnTo={original path plus…
// spec §4: Registration leaves the user signed out.
// spec §5: Other login and registration field rules: not shown.
// spec §8: Registration failure: 註冊失敗 or 註冊失敗，請檢查輸入的信息; network: 註冊失敗，請檢查網絡連接; success: 註冊成功，請登入.
test('registering leaves one signed out, then signing in leads to where one wanted to go @phone', async ({
  page,
  server,
}) => {
  const email = `new-${randomUUID()}@example.com`
  await page.goto(`${server.url}/strategies?kind=futures&sort=name`)
  await expect(page).toHaveURL(`${server.url}/login?returnTo=%2Fstrategies%3Fkind%3Dfutures%26sort%3Dname`)
  await page.getByRole('tab', { name: '註冊' }).click()
  await page.getByLabel('姓名').fill('蔡佩君')
  await page.getByLabel('電子郵件').fill(email)
  await page.getByLabel('密碼', { exact: true }).fill('password123')
  await page.getByLabel('確認密碼').fill('password124')
  await page.getByRole('button', { name: '建立帳號' }).click()
  await expect(page.getByText('這個密碼太常見，很容易被猜到，請換一個')).toBeVisible()
  await expect(page.getByText('兩次輸入的密碼不一樣')).toBeVisible()
  await expect(page.getByLabel('密碼', { exact: true })).toBeFocused()
  await page.getByLabel('密碼', { exact: true }).fill(PASSWORD)
  await page.getByLabel('確認密碼').fill(PASSWORD)
  // on a small phone the one key that comes next stands at the bottom: what is said must not lie over it
  const where = page
    .getByRole('status')
    .filter({ hasText: '註冊成功，請登入' })
    .evaluate((node) => node.closest('[data-position]')?.getAttribute('data-position'))
  await page.getByRole('button', { name: '建立帳號' }).click()
  await said(page, '註冊成功，請登入')
  expect(await where).toBe('top-center')
  await expect.poll(() => page.evaluate(() => localStorage.getItem('token'))).toBeNull()
  await expect(page.getByLabel('帳號')).toHaveValue(email)
  await page.getByLabel('密碼', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: '登入', exact: true }).click()
  await expect(page).toHaveURL(`${server.url}/strategies?kind=futures&sort=name`)
})

// spec §8: Login code 6002: 帳號或密碼輸入錯誤，請再試一次 (toast and stored).
test('a wrong password is refused in the words of the specification, and a foreign returnTo leads home', {
  tag: '@phone',
}, async ({ page, server }) => {
  const person = await signUp(server)
  await page.goto(`${server.url}/login?returnTo=${encodeURIComponent('//evil.test/')}`)
  await page.getByLabel('帳號').fill(person.email)
  await page.getByLabel('密碼', { exact: true }).fill('not this one')
  await page.getByRole('button', { name: '登入', exact: true }).click()
  await expect(page.locator('form').getByText('帳號或密碼輸入錯誤，請再試一次')).toBeVisible()
  await said(page, '帳號或密碼輸入錯誤，請再試一次')
  await page.getByLabel('密碼', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: '登入', exact: true }).click()
  await expect(page).toHaveURL(`${server.url}/dashboard`)
})

test('every navigation renames the tab, moves the focus to the heading and says the title @desktop', async ({
  page,
  server,
}) => {
  const person = await signUp(server)
  await signInByForm(page, server.url, person.email)
  await expect(page).toHaveTitle('首頁 · 凌波')
  await page.getByRole('navigation', { name: '主要' }).getByRole('link', { name: '策略' }).first().click()
  await expect(page).toHaveTitle('策略列表 · 凌波')
  await expect(page.locator('h1').first()).toBeFocused()
  await announced(page, /^策略列表 · 凌波$/)
  await page.goBack()
  await expect(page).toHaveTitle('首頁 · 凌波')
  await expect(page.locator('h1').first()).toBeFocused()
})

test('on a slow line, too, the heading has the focus once the page has its data @desktop', async ({
  page,
  server,
}) => {
  await page.clock.install()
  await openAs(page, server.url, await signUp(server), '/dashboard')
  await expect(page.locator('h1').first()).toBeVisible()
  const answer = Promise.withResolvers<void>()
  await page.route(/\/api\/v1\/strategies\?/, async (route) => {
    await answer.promise
    await route.continue()
  })
  await page.getByRole('navigation', { name: '主要' }).getByRole('link', { name: '策略' }).first().click()
  await expect(page).toHaveTitle('策略列表 · 凌波')
  await expect(page.locator('[data-skeleton=list]')).toBeVisible()
  await page.clock.fastForward(5_000)
  await expect(page.locator('[data-skeleton=list]')).toBeVisible()
  answer.resolve()
  await expect(page.locator('h1').first()).toBeFocused()
})

// spec §2: It also has a theme toggle, a 新增策略 button (only with strategy-create permission) and a user…
// spec §4: Theme applies a dark class when dark.
test('the theme is chosen with one press and stands before the first paint @desktop', async ({
  page,
  server,
}) => {
  await page.goto(server.url)
  await page.getByRole('button', { name: '切換深色' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect(page.locator('html')).toHaveClass(/dark/)
  await expect
    .poll(() => page.evaluate(() => [localStorage['ui-theme'], localStorage['themeMode']]))
    .toEqual(['dark', 'dark'])
  // the document alone, without its application (and without its emergency exit, which would reload)
  await page.evaluate(() => sessionStorage.setItem('boot-failed', '9'))
  await page.route('**/assets/*.js', (route) => route.abort())
  await page.reload({ waitUntil: 'domcontentloaded' })
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect(page.locator('html')).toHaveCSS('background-color', 'rgb(14, 19, 27)')
})

// spec §2: After logout on desktop the user goes to /.
// spec §2: Create-strategy button: if the email is not verified, a dialog titled 請驗證信箱 opens with the…
// spec §4: Logout clears token, stored user, strategy-list storage, visited-strategies flag and just-logged-in…
// spec §8: Profile update failure: 更新個人資料失敗; success: 個人資訊已更新.
test('the profile: verify the e-mail, rename, cover the name, end another sign-in, leave @phone', async ({
  page,
  server,
}) => {
  const person = await signUp(server, '林柏翰', { verify: false })
  await call(server, login, { account: person.email, password: PASSWORD }, { 'user-agent': 'Another' })
  await signInByForm(page, server.url, person.email)
  await profileKnown(page)
  await page.getByRole('link', { name: '新增策略' }).and(page.locator(':visible')).click()
  await expect(page.getByRole('dialog')).toContainText('請盡快完成電子郵件驗證，以啟用完整功能')
  await page.getByRole('button', { name: '前往驗證' }).click()
  await expect(page).toHaveURL(/\/profile(\?|$)/)
  await expect(page.getByRole('heading', { name: '驗證信箱' })).toBeVisible()
  expect(await axe(page)).toEqual([])
  expect(await axeInTheDark(page)).toEqual([])

  // Registering sent the code. Whoever came for a strategy would go on to it: here the profile itself is meant.
  await page.goto(`${server.url}/profile`)
  await expect(page.getByText(`驗證碼已寄到 ${person.email}`)).toContainText('前有效')
  await page.getByLabel('驗證碼').fill(await codeFor(server, person.email))
  await expect(page.getByText('已驗證', { exact: true })).toBeVisible()

  await page.getByRole('button', { name: '編輯' }).click()
  await page.getByRole('textbox', { name: '姓名' }).fill('林小舟')
  await page.getByRole('button', { name: '儲存' }).click()
  await said(page, '個人資訊已更新')
  await expect(page.getByRole('region', { name: '基本資料' }).getByText('林小舟')).toBeVisible()
  await page.getByRole('region', { name: '基本資料' }).getByRole('switch', { name: '隱私模式' }).check()
  await said(page, '隱私模式已開啟')
  await expect(page.getByRole('region', { name: '基本資料' }).getByText('***', { exact: true })).toBeVisible()

  const sessions = page.getByRole('region', { name: '登入中的裝置' }).getByRole('listitem')
  // made, another, this one
  await expect(sessions).toHaveCount(3)
  await page
    .getByRole('button', { name: /^結束.+的登入$/ })
    .first()
    .click()
  await expect(sessions).toHaveCount(2)

  await page.getByRole('main').getByRole('button', { name: '登出' }).click()
  await said(page, '登出成功')
  await expect(page).toHaveURL(`${server.url}/`)
  await expect
    .poll(() => page.evaluate(() => ['token', 'lingbo_user'].map((key) => localStorage.getItem(key))))
    .toEqual([null, null])
  await page.goto(`${server.url}/profile`)
  await expect(page).toHaveURL(/\/login\?returnTo=%2Fprofile$/)
})

test('the manifest is complete and the browser finds nothing against installing', { tag: '@phone' }, async ({
  page,
  server,
}) => {
  await page.goto(server.url)
  const href = await page.locator('link[rel=manifest]').getAttribute('href')
  const answer = await server.request(href ?? '')
  expect(answer.headers.get('content-type')).toContain('application/manifest+json')
  const manifest = (await answer.json()) as {
    id: string
    lang: string
    start_url: string
    icons: { src: string; sizes: string; purpose: string }[]
    screenshots: { src: string; sizes: string }[]
    shortcuts: { url: string }[]
  }
  expect(manifest).toMatchObject({
    id: '/',
    lang: 'zh-Hant',
    scope: '/',
    display: 'standalone',
    short_name: '凌波',
  })
  expect(manifest.icons.map(({ purpose }) => purpose).sort()).toEqual([
    'any',
    'any',
    'maskable',
    'monochrome',
  ])
  for (const { src, sizes } of [...manifest.icons, ...manifest.screenshots]) {
    const size = await page.evaluate(async (url) => {
      const picture = await createImageBitmap(await (await fetch(url)).blob())
      return `${picture.width}x${picture.height}`
    }, src)
    expect(size, src).toBe(sizes)
  }
  for (const { url } of [...manifest.shortcuts, { url: manifest.start_url }]) {
    await page.goto(server.url + url)
    await expect(page).toHaveURL(`${server.url}/login?returnTo=${encodeURIComponent(url)}`)
  }
  const devtools = await page.context().newCDPSession(page)
  // asked again: the browser reads the manifest after the page
  const errors = async () => (await devtools.send('Page.getInstallabilityErrors')).installabilityErrors
  // a test's context counts as incognito, where nothing can be installed
  const against = async () =>
    (await errors()).map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito')
  for (const path of ['/', '/login']) {
    await page.goto(server.url + path)
    await expect.poll(against, path).toEqual([])
  }
})

test('nothing scrolls sideways, nothing jumps, long names included', { tag: '@soak' }, async ({
  page,
  server,
}) => {
  const person = await signUp(server, '凌'.repeat(60))
  await openAs(page, server.url, person, '/dashboard')
  for (const path of ['/', '/dashboard', '/strategies', '/signals', '/profile']) {
    await page.goto(server.url + path)
    await expect(page.locator('h1').first()).toBeVisible()
    await expect(page.locator('.skeleton, .loading-screen')).toHaveCount(0)
    await page.waitForTimeout(500)
    // a phone's innerWidth would grow along
    const sideways = () =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    await expect.poll(sideways, path).toBeLessThanOrEqual(0)
    const shift = await page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          let sum = 0
          new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) sum += (entry as unknown as { value: number }).value
          }).observe({ type: 'layout-shift', buffered: true })
          requestAnimationFrame(() => setTimeout(() => resolve(sum), 50))
        }),
    )
    expect(shift, path).toBeLessThan(0.05)
  }
})
