// A scrollbar that takes room, as on Windows: what opens over the page covers the window from edge to edge, and nothing moves.
import { createStrategy } from '#contract/strategy.ts'
import { expect, test } from '#tests/support/app.ts'
import { findBrowser, LAUNCH_ARGS } from '#tests/support/browser.ts'
import { hookPath } from '#tests/support/desk.ts'
import { signedIn } from '#tests/support/identities.ts'
import { signUp } from '#tests/support/people.ts'

const executable = findBrowser()
test.use({
  // without a window Chromium hides its scrollbars, and so Playwright asks it to
  launchOptions: {
    args: LAUNCH_ARGS,
    ignoreDefaultArgs: ['--hide-scrollbars'],
    ...(executable && { executablePath: executable }),
  },
})

test('a sheet and a dialog reach the edge of a window with a scrollbar, and nothing behind them moves', {
  tag: ['@desktop', '@soak'],
}, async ({ page, server }) => {
  const person = await signUp(server)
  const input = { kind: 'futures', name: '台指當沖', settings: { product_code: 'MXF' } } as const
  const strategy = await person.call(createStrategy, {
    ...input,
    allow_pyramiding: true,
    max_position: 50,
  })
  for (let n = 1; n <= 30; n++)
    await server.request(hookPath(strategy), {
      method: 'POST',
      body: JSON.stringify({ symbol: 'MXF1!', action: 'long_entry', quantity: 1, price: 46_500 + n }),
    })
  await signedIn(page, person)
  await page.goto(`${server.url}/strategies/${strategy.id}?tab=signals`)
  await expect(page.locator('main .signal-row .signal-row-open').first()).toBeVisible()
  const bar = () => page.evaluate(() => innerWidth - document.documentElement.clientWidth)
  await expect.poll(bar).toBeGreaterThan(0)
  const stands = () =>
    page.evaluate(() =>
      [
        '.top .top-bar-me',
        '.top .top-logo',
        'h1',
        '.page-head-side',
        '.signal-board-bar',
        '.signal-board-window',
      ].map((what) => {
        const { left, right } = document.querySelector(what)?.getBoundingClientRect() ?? {}
        return { what, left, right }
      }),
    )
  // what is asked for comes later than the first row: only what stands still is compared
  let before = await stands()
  await expect
    .poll(
      async () => {
        const earlier = before
        before = await stands()
        return (
          JSON.stringify(before) === JSON.stringify(earlier) && before.every(({ left }) => left !== undefined)
        )
      },
      { intervals: [500] },
    )
    .toBe(true)

  await page.locator('main .signal-row .signal-row-open').first().click()
  const sheet = page.getByRole('dialog', { name: '訊號紀錄' })
  // it slides in
  await expect.poll(() => sheet.evaluate((node) => innerWidth - node.getBoundingClientRect().right)).toBe(0)
  expect(await bar()).toBe(0)
  expect(await stands()).toEqual(before)
  await sheet.getByRole('button', { name: '作廢' }).click()
  await expect(page.getByRole('textbox', { name: '原因' })).toBeVisible()
  expect(await bar()).toBe(0)
  expect(await stands()).toEqual(before)
  await page.getByRole('dialog').last().getByRole('button', { name: '取消' }).click()
  await sheet.getByRole('button', { name: '關閉' }).click()
  await expect(sheet).toHaveCount(0)
  await expect.poll(bar).toBeGreaterThan(0)
  await expect.poll(stands).toEqual(before)
})
