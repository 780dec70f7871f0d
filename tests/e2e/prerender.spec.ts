// The landing page and the sign-in as they come: readable and usable before the application, which then takes their place unnoticed.
import type { Browser, Page } from '@playwright/test'
import { axe, axeInTheDark, expect, test } from '#tests/support/app.ts'
import { PASSWORD, signUp } from '#tests/support/people.ts'
import { signedInContext } from '#tests/support/screen.ts'

/** Keeps every script of the application back; the answer lets them come. */
async function heldBack(page: Page): Promise<() => void> {
  let free = () => {}
  const freed = new Promise<void>((done) => {
    free = done
  })
  await page.route('**/assets/*.js', async (route) => {
    await freed
    await route.continue()
  })
  return free
}

/** Opens what the server sends, without waiting for what is held back. */
async function openDrawn(page: Page, url: string): Promise<void> {
  await page.goto(url, { waitUntil: 'commit' })
  await expect(page.locator('#root h1')).toBeAttached()
}

/** The application has taken the place. */
const taken = (page: Page) => expect(page.locator('#announce')).toBeAttached()

async function withoutScript(browser: Browser, look: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext({ javaScriptEnabled: false })
  await look(await context.newPage())
  await context.close()
}

test('without a script both pages are read, their links lead on, and the form says what it needs', async ({
  browser,
  server: { url },
}) => {
  await withoutScript(browser, async (page) => {
    await page.goto(url)
    await expect(page).toHaveTitle('凌波 LingBo · 策略訊號，一秒到手')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByRole('list', { name: '範例訊號' })).toBeVisible()
    await expect(page.getByText('裝起來只要十秒')).toBeVisible()
    // what only a script could do is not offered
    await expect(page.getByRole('button')).toHaveCount(0)
    await page.getByRole('link', { name: '登入' }).click()
    await expect(page).toHaveTitle('登入 · 凌波')
    await expect(page.getByLabel('帳號')).toBeVisible()
    await expect(page.locator('noscript p')).toHaveText(/^登入與註冊需要 JavaScript/)
    await expect(page.getByRole('button')).toHaveText(['登入'])
    await expect(page.getByRole('button')).toBeDisabled()
    await page.getByRole('tab', { name: '註冊' }).click()
    await expect(page).toHaveTitle('註冊 · 凌波')
    await expect(page.getByLabel('姓名')).toBeVisible()
    await expect(page.getByRole('button')).toBeDisabled()
    await page.getByRole('tab', { name: '登入' }).click()
    await page.getByRole('link', { name: '忘記密碼' }).click()
    await expect(page).toHaveURL(`${url}/reset-password`)
  })
})

test('what is typed before the application is there stays, with the place in it', async ({
  page,
  server,
}) => {
  const person = await signUp(server)
  const free = await heldBack(page)
  await openDrawn(page, `${server.url}/login`)
  const account = page.getByLabel('帳號')
  const password = page.getByLabel('密碼', { exact: true })
  await password.fill(PASSWORD)
  await account.pressSequentially(person.email.slice(1))
  await account.press('Home')
  free()
  await taken(page)
  await expect(account).toBeFocused()
  await expect(account).toHaveValue(person.email.slice(1))
  await page.keyboard.type(person.email.slice(0, 1))
  await expect(account).toHaveValue(person.email)
  await expect(password).toHaveValue(PASSWORD)
  await page.getByRole('button', { name: '登入', exact: true }).click()
  await expect(page).toHaveURL(`${server.url}/dashboard`)
})

test('a name and its repeated password stay, and the form has heard them', async ({
  page,
  server: { url },
}) => {
  const free = await heldBack(page)
  await openDrawn(page, `${url}/login?tab=register`)
  await page.getByLabel('姓名').fill('王小明')
  await page.getByLabel('電子郵件').fill('ming@example.com')
  await page.getByLabel('密碼', { exact: true }).fill('walking-on-waves')
  await page.getByLabel('確認密碼').fill('walking')
  await page.getByLabel('姓名').selectText()
  free()
  await taken(page)
  expect(await page.evaluate(() => getSelection()?.toString())).toBe('王小明')
  await expect(page.getByText('密碼強度')).toBeVisible()
  await page.getByRole('button', { name: '建立帳號' }).click()
  await expect(page.getByLabel('確認密碼')).toHaveAttribute('aria-invalid', 'true')
  for (const label of ['姓名', '電子郵件'])
    await expect(page.getByLabel(label)).not.toHaveAttribute('aria-invalid')
})

test('what is pressed before is done as soon as it can be', async ({ page, server }) => {
  const person = await signUp(server)
  const free = await heldBack(page)
  await openDrawn(page, `${server.url}/login`)
  await page.getByRole('button', { name: '切換深色' }).click()
  await page.getByLabel('帳號').fill(person.email)
  await page.getByLabel('密碼', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  // nothing has gone anywhere: no password in an address
  await expect(page).toHaveURL(`${server.url}/login`)
  free()
  await expect(page).toHaveURL(`${server.url}/dashboard`)
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
})

test('a press that the application falls into is a press', async ({ page, server }) => {
  const person = await signUp(server)
  const free = await heldBack(page)
  await openDrawn(page, `${server.url}/login`)
  await page.getByLabel('帳號').fill(person.email)
  await page.getByLabel('密碼', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: '登入', exact: true }).hover()
  await page.mouse.down()
  free()
  await page.waitForLoadState('load')
  await page.mouse.up()
  await expect(page).toHaveURL(`${server.url}/dashboard`)
})

/** Every element with its place, half a pixel more or less; what only a screen reader hears and who has no script are not looked at. */
const places = () =>
  [...document.querySelectorAll('#root *:not(noscript, #announce)')].map((one) => {
    const { x, y, width, height } = one.getBoundingClientRect()
    const place = [x, y, width, height].map((number) => Math.round(number * 2) / 2)
    return `${one.tagName} ${one.getAttribute('class') ?? ''} ${one.getAttribute('aria-label') ?? ''} ${place}`
  })

for (const dark of [false, true])
  test(`nothing moves and nothing looks otherwise when the application takes over, ${dark ? 'dark' : 'light'}`, {
    tag: '@both',
  }, async ({ browser, server: { url }, viewport }) => {
    const context = await browser.newContext({ viewport, reducedMotion: 'reduce' })
    if (dark) await context.addInitScript(() => localStorage.setItem('themeMode', 'dark'))
    for (const path of [
      '/',
      '/login',
      '/login?tab=register&returnTo=%2Fstrategies',
      '/login?returnTo=%2Fmy-organizations%3Finvite%3Dnone',
    ]) {
      const page = await context.newPage()
      const complaints: string[] = []
      page.on('console', (message) => {
        if (message.type() === 'error' && !/^Failed to load/.test(message.text()))
          complaints.push(message.text())
      })
      page.on('pageerror', ({ message }) => complaints.push(message))
      await page.addInitScript(() => {
        const shifts: number[] = []
        Object.assign(window, { shifts })
        new PerformanceObserver((list) => {
          for (const one of list.getEntries()) shifts.push((one as unknown as { value: number }).value)
        }).observe({ type: 'layout-shift', buffered: true })
      })
      // the place of an invitation, not its answer
      await page.route('**/api/v1/**', () => {})
      const free = await heldBack(page)
      await openDrawn(page, url + path)
      await expect(page.locator('#root h1')).toBeVisible()
      const before = await page.evaluate(places)
      const links = () =>
        page.locator('#root a').evaluateAll((all) => all.map((one) => (one as HTMLAnchorElement).href))
      const leading = await links()
      free()
      await taken(page)
      expect(await page.evaluate(places), path).toEqual(before)
      expect(await links(), path).toEqual(leading)
      expect(await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts), path).toEqual([])
      expect(complaints).toEqual([])
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      await page.close()
    }
    await context.close()
  })

test('who has read on before the application is there is left there', async ({ page, server: { url } }) => {
  const free = await heldBack(page)
  await openDrawn(page, url)
  await page.getByRole('heading', { name: '裝起來只要十秒' }).scrollIntoViewIfNeeded()
  const at = await page.evaluate(() => scrollY)
  expect(at).toBeGreaterThan(0)
  // at no moment anywhere else
  await page.evaluate(() => {
    const seen: number[] = []
    Object.assign(window, { seen })
    addEventListener('scroll', () => seen.push(scrollY))
  })
  free()
  await taken(page)
  const seen = await page.evaluate(async () => {
    for (let frames = 0; frames < 3; frames += 1) await new Promise(requestAnimationFrame)
    return [...(window as unknown as { seen: number[] }).seen, scrollY]
  })
  expect(seen.filter((y) => y !== at)).toEqual([])
})

test('who is signed in is led on from the sign-in and never shown it, and the landing page knows them', async ({
  browser,
  server,
}) => {
  const context = await signedInContext(browser, server.url, await signUp(server))
  const page = await context.newPage()
  const free = await heldBack(page)
  await page.goto(`${server.url}/login?returnTo=%2Fstrategies`, { waitUntil: 'commit' })
  await expect(page.locator('#root')).toBeAttached()
  await expect(page.locator('#root')).toBeEmpty()
  await openDrawn(page, server.url)
  await expect(page.getByRole('link', { name: '前往首頁' }).first()).toBeVisible()
  await expect(page.getByRole('link', { name: '登入' })).toHaveCount(0)
  free()
  await taken(page)
  await expect(page.getByRole('link', { name: '前往首頁' }).first()).toBeVisible()
  await page.goto(`${server.url}/login?returnTo=%2Fstrategies`)
  await expect(page).toHaveURL(`${server.url}/strategies`)
  await context.close()
})

test('axe finds nothing on the pages as they come, in both themes', async ({ page, server: { url } }) => {
  await heldBack(page)
  for (const path of ['/', '/login', '/login?tab=register']) {
    await openDrawn(page, url + path)
    expect(await axe(page, { every: true, always: true }), path).toEqual([])
    expect(await axeInTheDark(page, { always: true }), path).toEqual([])
  }
})
