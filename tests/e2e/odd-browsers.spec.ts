// Browsers and devices as they are elsewhere: a page by plain http, no IndexedDB, a clock a day off, an input method as Safari tells of it.
import { type BrowserContext, chromium, type Page } from '@playwright/test'
import sharp from 'sharp'
import { createStrategy, listStrategies } from '#contract/strategy.ts'
import { expect, test } from '#tests/support/app.ts'
import { findBrowser, LAUNCH_ARGS } from '#tests/support/browser.ts'
import { signUp } from '#tests/support/people.ts'
import { openAs } from '#tests/support/screen.ts'

const DAY_MS = 86_400_000
const MXF = { kind: 'futures', name: '小台順勢', settings: { product_code: 'MXF' } } as const

// K5
test('by plain http under a name of the local network every screen that writes still does', async ({
  server,
}) => {
  const person = await signUp(server, '林柏翰')
  const executablePath = findBrowser()
  const browser = await chromium.launch({
    args: [...LAUNCH_ARGS, '--host-resolver-rules=MAP lingbo.test 127.0.0.1'],
    ...(executablePath && { executablePath }),
  })
  try {
    const page = await browser.newPage({ locale: 'zh-TW' })
    const errors: string[] = []
    page.on('pageerror', ({ message }) => errors.push(message))
    const url = `http://lingbo.test:${new URL(server.url).port}`
    await openAs(page, url, person, '/strategies/create/futures')
    expect(await page.evaluate(() => window.isSecureContext)).toBe(false)

    const chart = sharp({ create: { width: 80, height: 40, channels: 3, background: '#2d69de' } })
    const file = { name: 'chart.png', mimeType: 'image/png', buffer: await chart.png().toBuffer() }
    await page.getByLabel('策略名稱').fill('區網策略')
    await page.getByRole('button', { name: '建立策略' }).click()
    await expect(page).toHaveURL(/connect=[0-9a-f-]{36}/)
    const [made] = (await person.call(listStrategies, {})).items
    expect(made?.name).toBe('區網策略')

    await page.goto(`${url}/strategies/${made?.id}/edit`)
    await page.getByTestId('note-image-file').setInputFiles(file)
    await expect(page.getByRole('textbox', { name: '策略說明' })).toHaveValue(/note-images\/[0-9a-f]{40}/)
    await page.getByRole('button', { name: '儲存修改' }).click()
    await expect(page).toHaveURL(new RegExp(`/strategies/${made?.id}$`))

    await page.goto(`${url}/strategies/${made?.id}`)
    const sheet = page.getByRole('dialog', { name: '手動訊號' })
    await page.getByRole('link', { name: '手動訊號' }).and(page.locator(':visible')).click()
    await sheet.getByRole('textbox', { name: '價格' }).fill('46512')
    await sheet.getByRole('button', { name: /^送出/ }).click()
    await expect(sheet).toHaveCount(0)

    await page.goto(`${url}/organizations/create`)
    await page.getByLabel('組織名稱').fill('區網社')
    await page.getByRole('button', { name: '建立組織' }).click()
    await expect(page).toHaveURL(/\/(organizations|dashboard|my-organizations)/)
    await expect
      .poll(async () => (await person.call(listStrategies, {})).items[0]?.signal_count ?? 0)
      .toBeGreaterThan(0)
    expect(errors).toEqual([])
  } finally {
    await browser.close()
  }
})

// K9
for (const how of ['throws at once', 'is missing'] as const)
  test(`where IndexedDB ${how}, lists come from the network`, async ({ page, server, complaints }) => {
    const person = await signUp(server, '林柏翰')
    await person.call(createStrategy, MXF)
    await page.addInitScript((missing) => {
      if (missing) Object.defineProperty(window, 'indexedDB', { value: undefined })
      else
        IDBFactory.prototype.open = () => {
          throw new DOMException('The operation is insecure.', 'SecurityError')
        }
    }, how === 'is missing')
    await openAs(page, server.url, person, '/strategies')
    for (let times = 0; times < 2; times++) {
      await expect(page.getByText(MXF.name).first()).toBeVisible()
      await expect(page.getByText('讀不到策略')).toHaveCount(0)
      await page.reload()
    }
    // the browser's own words stand in the console, once each
    expect(complaints.filter((line) => line.startsWith('pageerror'))).toEqual([])
    complaints.length = 0
  })

/** The device's clock stands `ms` beside the true one. */
const clockOff = (context: BrowserContext, ms: number) =>
  context.addInitScript((off) => {
    const True = Date
    const now = () => True.now() + off
    window.Date = new Proxy(True, {
      construct: (target, args) => Reflect.construct(target, args.length === 0 ? [now()] : args),
      get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
    })
  }, ms)

// K10
for (const [words, off] of [
  ['behind', -DAY_MS],
  ['ahead', DAY_MS],
] as const)
  test(`a device whose clock is a day ${words} says the server's day and session`, {
    tag: '@desktop',
  }, async ({ context, server }) => {
    const person = await signUp(server, '林柏翰')
    await person.call(createStrategy, MXF)
    // the day and the session, without how long it still lasts
    const day = async (page: Page) =>
      /^\d+\/\d+ 週. · (?:日盤|夜盤|休市)/.exec(await page.getByText(/^\d+\/\d+ 週. · /).innerText())?.[0]
    const right = await context.newPage()
    await openAs(right, server.url, person, '/dashboard')
    const said = await day(right)
    expect(said).toBeDefined()
    await right.close()
    await clockOff(context, off)
    const page = await context.newPage()
    await openAs(page, server.url, person, '/dashboard')
    await expect.poll(() => day(page)).toBe(said)
  })

// K12
test('the Enter that ends a word of an input method, as Safari sends it, neither adds nor sends', async ({
  page,
  server,
}) => {
  const person = await signUp(server, '林柏翰')
  await openAs(page, server.url, person, '/strategies/create/futures')
  await page.getByLabel('策略名稱').fill('波段策略')
  await page.getByText('更多設定').click()
  const tags = page.getByRole('textbox', { name: '標籤' }).or(page.getByRole('combobox', { name: '標籤' }))
  await tags.first().focus()
  await tags.first().fill('波段')
  const confirming = () =>
    tags.first().evaluate((field) => {
      const event = new KeyboardEvent('keydown', {
        key: 'Enter',
        bubbles: true,
        cancelable: true,
        keyCode: 229,
      })
      if (event.keyCode !== 229) Object.defineProperty(event, 'keyCode', { get: () => 229 })
      return field.dispatchEvent(event)
    })
  const added = page.getByRole('button', { name: '移除標籤 波段' })
  expect(await confirming()).toBe(false)
  await expect(tags.first()).toHaveValue('波段')
  await expect(added).toHaveCount(0)
  await tags.first().press('Enter')
  await expect(added).toHaveCount(1)
  await expect(page).toHaveURL(/create\/futures$/)
  expect((await person.call(listStrategies, {})).items).toEqual([])
})
