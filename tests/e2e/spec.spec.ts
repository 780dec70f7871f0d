// The shell as sections 2, 4 and 9 of the specification write it: bars, menus, the top of the page, a fresh browser.
import type { Page } from '@playwright/test'
import { expect, said, signInByForm, test } from '#tests/support/app.ts'
import { signedIn, switchTo, world } from '#tests/support/identities.ts'
import { makeOrganization } from '#tests/support/organization.ts'
import { signUp } from '#tests/support/people.ts'
import { openSignedIn } from '#tests/support/screen.ts'
import type { TestServer } from '#tests/support/server.ts'
import { profileKnown } from '#tests/support/storages.ts'

// a worker would answer what these tests hold back
/** One person, admin of 海風投顧 and member of 南港資本. */
async function both(server: TestServer) {
  const { person, boss, org } = await world(server)
  const other = await makeOrganization(server.app, '南港資本', [
    { uid: person.uid, role: 'member' },
    { uid: boss.uid, role: 'admin' },
  ])
  return { person, org, other }
}
const menu = (page: Page) => page.locator('#user-menu')
const openMenu = async (page: Page) => {
  await page.locator('[popovertarget=user-menu]:visible').click()
  await expect(menu(page)).toBeVisible()
}

// spec §2: Desktop shell: a fixed top bar (72 px) with logo and links 首頁 (/dashboard), 策略列表 (/strategies),…
// spec §2: It also has a theme toggle, a 新增策略 button (only with strategy-create permission) and a user…
// spec §9: Top bar height 72 px.
test('the bar: 72 px, fixed, its links by identity', async ({ page, server }) => {
  const { person, org, other } = await both(server)
  await signedIn(page, person)
  await page.goto(`${server.url}/profile`)
  const bar = page.locator('header.top')
  const links = bar.getByRole('navigation').getByRole('link')
  await expect(links).toHaveText(['首頁', '策略列表', '我的組織'])
  for (const [n, href] of ['/dashboard', '/strategies', '/my-organizations'].entries())
    await expect(links.nth(n)).toHaveAttribute('href', href)
  await expect(bar.locator('.top-logo')).toHaveAttribute('href', '/dashboard')
  await expect(bar.getByRole('button', { name: '切換深色' })).toBeVisible()
  await expect(bar.getByRole('button', { name: /^我的選單/ })).toBeVisible()
  await expect
    .poll(() =>
      page.evaluate(() => {
        scrollTo(0, 400)
        return scrollY
      }),
    )
    .toBeGreaterThan(100)
  await expect.poll(() => bar.boundingBox()).toMatchObject({ x: 0, y: 0, height: 72 })
  await switchTo(page, org)
  await expect(links).toHaveText(['首頁', '策略列表', '組織管理'])
  await expect(links.nth(2)).toHaveAttribute('href', '/organizations/manage')
  await switchTo(page, other)
  await expect(links).toHaveText(['首頁', '策略列表', '組織詳情'])
  await expect(links.nth(2)).toHaveAttribute('href', '/organizations/info')
})

// spec §2: Mobile shell (width under 768): a bottom tab bar with 首頁, 策略, a central create button (permission-gated),…
// spec §9: Mobile breakpoint: width under 768.
test('below 768 the tabs, from 768 on the bar', async ({ page, server }) => {
  const { person, org, other } = await both(server)
  await signedIn(page, person)
  await page.setViewportSize({ width: 768, height: 800 })
  await page.goto(`${server.url}/dashboard`)
  const tabs = page.locator('nav.tab-bar')
  await expect(page.locator('header.top')).toBeVisible()
  await expect(tabs).toBeHidden()
  await page.setViewportSize({ width: 767, height: 800 })
  await expect(page.locator('header.top')).toBeHidden()
  await expect(tabs.getByRole('link')).toHaveText(['首頁', '策略', '', '組織'])
  await expect
    .poll(async () => {
      const box = await tabs.boundingBox()
      return (box?.y ?? 0) + (box?.height ?? 0)
    })
    .toBe(800)
  await expect(tabs.getByRole('link', { name: '新增策略' })).toBeVisible()
  await switchTo(page, org)
  await expect(tabs.getByRole('link')).toHaveText(['首頁', '策略', '', '管理'])
  await switchTo(page, other)
  // a member may not create
  await expect(tabs.getByRole('link')).toHaveText(['首頁', '策略', '資訊'])
  await expect(tabs.getByRole('button')).toHaveCount(1)
})

// spec §2: The menu holds privacy mode, 訊號通知 (/signal-notification), 個人設定 (/profile), 登出, and the identity…
// spec §2: After logout on desktop the user goes to /.
// spec §2: The popover holds the identity switcher, 訊號通知, 個人設定, 登出, the theme toggle and privacy mode.
test('the menu on desktop and the popover on phones hold what the specification names', async ({
  page,
  server,
}) => {
  const { person } = await both(server)
  await signedIn(page, person)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${server.url}/dashboard`)
  const has = async (theme: boolean) => {
    await openMenu(page)
    const who = menu(page).getByRole('group', { name: '切換身份' })
    await expect(who).toContainText('我的組織')
    await expect(who.getByRole('button')).toHaveText([/林柏翰/, /南港資本|海風投顧/, /南港資本|海風投顧/])
    await expect(menu(page).getByRole('switch', { name: '隱私模式' })).toBeVisible()
    await expect(menu(page).getByRole('switch', { name: '深色主題' })).toBeVisible({ visible: theme })
    await expect(menu(page).locator('a[href="/profile"]:visible', { hasText: '個人設定' })).toHaveCount(1)
    await expect(menu(page).getByRole('button', { name: '登出' })).toBeVisible()
  }
  await has(true)
  await page.keyboard.press('Escape')
  await expect(menu(page)).toBeHidden()
  await page.setViewportSize({ width: 1280, height: 800 })
  await has(false)
  await menu(page).getByRole('button', { name: '登出' }).click()
  await expect(page).toHaveURL(`${server.url}/`)
  await said(page, '登出成功')
})

// spec §2: A banner above the page content shows the current identity (組織管理者 or 組織成員 plus the organization…
// spec §6: Roles: personal context, organization admin (管理者), organization member (成員).
test('the banner names the identity, and is not there in the personal context', async ({ page, server }) => {
  const { person, org, other } = await both(server)
  await signedIn(page, person)
  await page.goto(`${server.url}/dashboard`)
  const banner = page.locator('.banner-bar')
  await expect(page.locator('h1').first()).toBeVisible()
  await expect(banner).toHaveCount(0)
  for (const [id, words] of [
    [org, '組織管理者 海風投顧'],
    [other, '組織成員 南港資本'],
  ] as const) {
    await switchTo(page, id)
    await expect(banner).toHaveText(`${words}切換身份`)
    await expect(page.locator('main h1').first()).toBeVisible()
    const above = () =>
      page.evaluate(() => {
        const [strip, head] = ['.banner-bar', 'main h1'].map((one) => document.querySelector(one))
        return Number(strip?.getBoundingClientRect().bottom) <= Number(head?.getBoundingClientRect().top)
      })
    await expect.poll(above).toBe(true)
  }
  await switchTo(page, null)
  await expect(banner).toHaveCount(0)
})

// spec §2: It also has a theme toggle, a 新增策略 button (only with strategy-create permission) and a user…
// spec §2: Create-strategy button: if the email is not verified, a dialog titled 請驗證信箱 opens with the…
// spec §2: Otherwise it goes to /strategies/create.
// spec §5: Email verification is required before creating a strategy.
test('a new strategy: only with the permission, and only with a verified address', async ({
  page,
  browser,
  server,
}) => {
  const { person, other } = await both(server)
  await signedIn(page, person)
  await page.goto(`${server.url}/dashboard`)
  const create = (on: Page) => on.locator('header.top').getByRole('link', { name: '新增策略' })
  await create(page).click()
  await expect(page).toHaveURL(`${server.url}/strategies/create`)
  await switchTo(page, other)
  await expect(page).toHaveURL(`${server.url}/dashboard`)
  await expect(page.locator('.banner-bar')).toContainText('組織成員')
  await expect(create(page)).toHaveCount(0)

  const fresh = await signUp(server, '還沒驗證', { verify: false })
  const theirs = await openSignedIn(browser, server.url, fresh, '/dashboard')
  await profileKnown(theirs)
  await create(theirs).click()
  const dialog = theirs.getByRole('dialog', { name: '請驗證信箱' })
  await expect(dialog.getByText('請盡快完成電子郵件驗證，以啟用完整功能')).toBeVisible()
  await expect(theirs).toHaveURL(`${server.url}/dashboard`)
  await dialog.getByRole('button', { name: '前往驗證' }).click()
  await expect(theirs).toHaveURL(/\/profile\?returnTo=/)
  await theirs.context().close()
})

// spec §2: The page scrolls to the top on every route change.
test('every change of the path starts at the top, also Back', async ({ page, server }) => {
  await signedIn(page, await signUp(server))
  await page.setViewportSize({ width: 1000, height: 300 })
  await page.goto(`${server.url}/profile`)
  await expect(page.locator('h1').first()).toBeVisible()
  // a body that stays high: no page is too short to remain where the last one was
  await page.evaluate(() => {
    document.body.style.minHeight = '4000px'
  })
  const top = () => page.evaluate(() => scrollY)
  const down = async () => {
    await page.evaluate(() => scrollTo(0, 900))
    await expect.poll(top).toBe(900)
  }
  await down()
  await page.locator('header.top').getByRole('link', { name: '首頁', exact: true }).click()
  await expect(page).toHaveURL(`${server.url}/dashboard`)
  await expect.poll(top).toBe(0)
  await down()
  await page.goBack()
  await expect(page).toHaveURL(`${server.url}/profile`)
  await expect.poll(top).toBe(0)
})

// spec §9: Defaults: strategy type futures, view mode card, privacy 'false', theme light.
test('a fresh browser: futures, cards, light, nothing covered', async ({ page, server }) => {
  const { person } = await both(server)
  await signInByForm(page, server.url, person.email)
  await page.goto(`${server.url}/strategies`)
  await expect(page.locator('main').getByText('私房甲').first()).toBeVisible()
  await expect(page.locator('main table')).toHaveCount(0)
  await expect(page.locator('main article').first()).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
  await expect(page.locator('html')).not.toHaveClass(/dark/)
  await expect.poll(() => page.evaluate(() => localStorage.getItem('privacyMode'))).toBe('false')
  await expect(page.getByRole('button', { name: '我的選單：林柏翰' })).toBeVisible()
})
