// What the product says and for how long: errors, toasts, tooltips, refusals, the words of sections 4, 8 and 9 of the specification.
import type { Page } from '@playwright/test'
import { expect, said, signInByForm, test } from '#tests/support/app.ts'
import { shown, signedIn, world } from '#tests/support/identities.ts'
import { PASSWORD, signUp } from '#tests/support/people.ts'

// a worker would answer what these tests hold back
const toasts = (page: Page) => page.locator('.toaster')
const openMenu = async (page: Page) => {
  await page.locator('[popovertarget=user-menu]:visible').click()
  await expect(page.locator('#user-menu')).toBeVisible()
}
/** Stops the page's clock; from then on `page.clock.runFor` moves it. */
const stop = async (page: Page) => {
  const soon = (await page.evaluate(() => Date.now())) + 500
  await page.clock.pauseAt(soon).catch((error: Error) => {
    // it was later than that already: then it stands where it was when it was asked to
    if (!error.message.includes('to the past')) throw error
  })
}

// spec §2: A just-logged-in navigation flag is honoured and cleared after 10 seconds.
// spec §9: Just-logged-in flag cleared after 10 seconds.
test('the flag of having just signed in goes after ten seconds', async ({ page, server }) => {
  await page.clock.install()
  await page.addInitScript(() => {
    // when the flag comes and goes, in ms since 1970
    const { setItem, removeItem } = Storage.prototype
    const note = (what: string, key: string) => {
      if (key === 'justLoggedInHandled') document.documentElement.dataset[what] ??= String(Date.now())
    }
    Storage.prototype.setItem = function (key, value) {
      note('came', key)
      setItem.call(this, key, value)
    }
    Storage.prototype.removeItem = function (key) {
      if (this.getItem(key) !== null) note('went', key)
      removeItem.call(this, key)
    }
  })
  const person = await signUp(server)
  let answer = () => {}
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/api/v1/user/profile', async (route) => {
    await held
    await route.continue()
  })
  const flag = () => page.evaluate(() => localStorage.getItem('justLoggedInHandled'))
  await page.goto(`${server.url}/login?returnTo=%2Forganizations%2Fmanage`)
  await page.getByLabel('帳號').fill(person.email)
  await page.getByLabel('密碼', { exact: true }).fill(PASSWORD)
  // however slow the machine, no second of the ten passes unasked
  await stop(page)
  await page.getByRole('button', { name: '登入', exact: true }).click()
  // honoured: nobody is refused while the profile is still on its way
  await expect(async () => {
    await page.clock.runFor(100)
    await expect(page).toHaveURL(`${server.url}/organizations/manage`, { timeout: 3_000 })
    await expect(page.locator('[data-skeleton=list]')).toBeVisible({ timeout: 3_000 })
  }).toPass()
  expect(await flag()).toBe('1')
  await page.clock.runFor(15_000)
  expect(await flag()).toBeNull()
  const { came, went } = await page.evaluate(() => ({ ...document.documentElement.dataset }))
  const stood = Number(went) - Number(came)
  expect(stood).toBeGreaterThanOrEqual(10_000)
  // set and timed in one go, on a clock that stands still when it is due
  expect(stood).toBeLessThan(10_500)
  answer()
  await page.clock.resume()
  await expect(page).toHaveURL(/\/403\?missing=organization/)
})

// spec §8: Global error list at top right, fed by an app-error window event.
// spec §8: Titles: API錯誤, 網路錯誤, 驗證錯誤, 認證錯誤, 授權錯誤, 未知錯誤.
// spec §8: At most 3 visible, each auto-dismissed after 5 s, with the note 還有 N 個錯誤未顯示.
// spec §8: The stored list keeps at most 10, newest first.
// spec §9: Error list cap 10; visible 3; auto-hide 5000 ms.
test('the error list: three, five seconds, ten kept, the newest first', async ({ page, server }) => {
  await page.clock.install()
  await page.goto(`${server.url}/login`)
  const list = page.getByRole('log', { name: '錯誤' })
  const lines = list.locator('.error-list-err')
  const tell = (type: string, message: string) =>
    page.evaluate(
      (detail) => {
        dispatchEvent(new CustomEvent('app-error', { detail }))
      },
      { type, severity: 'error', code: message, message },
    )
  // the first one brings the list's own code; what stands still does not go by itself
  await tell('api', 'api')
  await said(page, 'API錯誤', 'api')
  await stop(page)
  if ((await lines.count()) > 0) await list.getByRole('button', { name: '關閉' }).click()
  for (const [type, title] of [
    ['api', 'API錯誤'],
    ['network', '網路錯誤'],
    ['validation', '驗證錯誤'],
    ['authentication', '認證錯誤'],
    ['authorization', '授權錯誤'],
    ['unknown', '未知錯誤'],
  ] as const) {
    await tell(type, type)
    await expect(lines).toHaveCount(1)
    await expect(lines.locator('b')).toHaveText(title)
    await list.getByRole('button', { name: '關閉' }).click()
    await expect(lines).toHaveCount(0)
  }
  await page.mouse.move(5, 5)
  for (let n = 1; n <= 12; n++) await tell('api', `第 ${n} 個`)
  const stand = async (first: number, hidden: number) => {
    await expect(lines.locator('p')).toHaveText([first, first - 1, first - 2].map((n) => `第 ${n} 個`))
    await expect(list.locator('.error-list-more')).toHaveText(`還有 ${hidden} 個錯誤未顯示`)
  }
  await stand(12, 7)
  const width = page.viewportSize()?.width ?? 0
  await expect(async () => {
    const box = await list.boundingBox()
    expect(box?.y).toBeLessThan(100)
    expect(width - (box?.x ?? 0) - (box?.width ?? 0)).toBeLessThan(20)
  }).toPass()
  await page.clock.runFor(4_999)
  await stand(12, 7)
  await page.clock.runFor(1)
  await stand(9, 4)
})

// spec §9: Tooltip delay 700 ms, skip delay 300 ms.
test('the names of keys after 700 ms, at once within 300 ms of the last', async ({ page, server }) => {
  await page.clock.install()
  await page.goto(`${server.url}/`)
  await page.evaluate(() => {
    for (const [n, words] of ['甲', '乙'].entries()) {
      const key = document.createElement('i')
      key.dataset['tip'] = words
      Object.assign(key.style, {
        position: 'fixed',
        top: 0,
        left: `${n * 40}px`,
        width: '40px',
        height: '40px',
      })
      key.style.zIndex = '999'
      document.body.append(key)
    }
  })
  const tip = page.locator('.tooltip')
  // the listener comes after the first paint
  await expect(async () => {
    await page.mouse.move(400, 300)
    await page.mouse.move(20, 20)
    await expect(tip).toHaveText('甲', { timeout: 5_000 })
  }).toPass()
  await page.mouse.move(400, 300)
  await expect(tip).toHaveCount(0)
  await stop(page)
  await page.clock.runFor(1_000)
  await page.mouse.move(20, 20)
  await page.clock.runFor(699)
  await expect(tip).toHaveCount(0)
  await page.clock.runFor(1)
  await expect(tip).toHaveText('甲')
  await page.mouse.move(400, 300)
  await page.clock.runFor(299)
  await page.mouse.move(60, 20)
  await page.clock.runFor(1)
  await expect(tip).toHaveText('乙')
  await page.mouse.move(400, 300)
  await page.clock.runFor(300)
  await page.mouse.move(20, 20)
  await page.clock.runFor(699)
  await expect(tip).toHaveCount(0)
})

// spec §3: Toast: title, description, variant (default or destructive), duration.
// spec §9: Toast default duration 5000 ms.
test('a toast stays five seconds', async ({ page, server }) => {
  await page.clock.install()
  await signedIn(page, await signUp(server))
  await page.goto(`${server.url}/profile`)
  const cover = page.getByRole('region', { name: '基本資料' }).getByRole('switch', { name: '隱私模式' })
  await cover.check()
  await said(page, '隱私模式已開啟')
  await expect(toasts(page)).toHaveCount(0, { timeout: 60_000 })
  await stop(page)
  await cover.uncheck()
  // its five seconds begin when it stands there
  await expect(async () => {
    await page.clock.runFor(50)
    await expect(shown(page, '隱私模式已關閉')).toBeVisible({ timeout: 2_000 })
  }).toPass()
  await page.clock.runFor(4_400)
  await expect(toasts(page)).toHaveCount(1)
  await page.clock.runFor(1_200)
  await expect(toasts(page)).toHaveCount(0)
})

// spec §4: Privacy mode toggling shows 隱私模式已開啟 or 隱私模式已關閉.
// spec §4: When the value is not 'false', the personal name is shown as asterisks of equal length.
// spec §4: Privacy mode is set to 'false' at login.
test('privacy mode says so, covers the name, and is off after signing in', async ({ page, server }) => {
  const person = await signUp(server, '林柏翰')
  await signedIn(page, person)
  await page.goto(`${server.url}/dashboard`)
  const name = page.locator('#user-menu .user-menu-head b')
  const cover = page.locator('#user-menu').getByRole('switch', { name: '隱私模式' })
  await openMenu(page)
  await expect(name).toHaveText('林柏翰')
  await cover.check()
  await said(page, '隱私模式已開啟')
  await expect(name).toHaveText('***')
  await cover.uncheck()
  await said(page, '隱私模式已關閉')
  await expect(name).toHaveText('林柏翰')
  const stored = () => page.evaluate(() => localStorage.getItem('privacyMode'))
  await expect.poll(stored).toBe('false')
  // whatever is not 'false' covers
  await page.evaluate(() => localStorage.setItem('privacyMode', 'yes'))
  await page.reload()
  await openMenu(page)
  await expect(name).toHaveText('***')
  await page.locator('#user-menu').getByRole('button', { name: '登出' }).click()
  await expect(page).toHaveURL(`${server.url}/`)
  await signInByForm(page, server.url, person.email)
  await expect.poll(stored).toBe('false')
})

// spec §4: Toast: 已切換至個人身份, or 已切換至 {org} 組織管理者 / 組織成員 身份.
test('a switch: its words, its event, and the page it leads to', async ({ page, server }) => {
  const { person } = await world(server)
  await signedIn(page, person)
  await page.goto(`${server.url}/profile`)
  await page.evaluate(() => {
    addEventListener('context-switched', () => {
      document.body.dataset['heard'] = String(Number(document.body.dataset['heard'] ?? 0) + 1)
    })
  })
  const to = async (name: string | RegExp) => {
    await openMenu(page)
    await page.locator('#user-menu').getByRole('group').getByRole('button', { name }).click()
  }
  await to(/海風投顧/)
  await said(page, '已切換至 海風投顧 組織管理者 身份')
  await expect(page).toHaveURL(`${server.url}/dashboard`)
  await expect(page.locator('body')).toHaveAttribute('data-heard', '1')
  await page.locator('header.top').getByRole('link', { name: '策略列表' }).click()
  await expect(page).toHaveURL(`${server.url}/strategies`)
  await expect(page.locator('h1').first()).toHaveText('策略列表')
  await to(/個人身份/)
  await said(page, '已切換至個人身份')
  await expect(page.locator('body')).toHaveAttribute('data-heard', '2')
  await expect(page.locator('main').getByText('私房甲').first()).toBeVisible()
  await expect(page).toHaveURL(`${server.url}/strategies`)
  await expect(page.locator('html')).not.toHaveClass(/dark/)
})

// spec §8: Missing organization: 找不到指定的組織.
test('an organization that is not theirs', async ({ page, server }) => {
  const { person } = await world(server)
  await signedIn(page, person)
  await page.goto(`${server.url}/strategies?org=018f4a1e-7b1a-7000-8000-00000000000f`)
  await said(page, '找不到指定的組織')
})
