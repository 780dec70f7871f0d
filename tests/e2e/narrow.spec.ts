// The narrowest phone, 320 px (a small one, or a larger one with enlarged display): nothing runs off its side, no title breaks.
import { createStrategy } from '#contract/strategy.ts'
import { expect, test } from '#tests/support/app.ts'
import { hookPath } from '#tests/support/desk.ts'
import { signUp } from '#tests/support/people.ts'
import { openAs } from '#tests/support/screen.ts'

test.use({ viewport: { width: 320, height: 640 } })

test('320 px: every page as wide as the screen, titles on one line, every key of a record within the sheet', {
  tag: ['@phone', '@soak'],
}, async ({ page, server }) => {
  const person = await signUp(server, '小螢幕')
  const strategy = await person.call(createStrategy, {
    kind: 'futures',
    name: '台指當沖突破',
    settings: { product_code: 'MXF' },
    initial_capital: 10_000_000_000,
  })
  for (const [action, price] of [
    ['buy', 46_510],
    ['sell', 46_610],
  ] as const)
    await server.request(hookPath(strategy), {
      method: 'POST',
      body: JSON.stringify({ symbol: 'MXF1!', action, quantity: 1, price }),
    })
  await openAs(page, server.url, person, '/dashboard')
  const own = `/strategies/${strategy.id}`
  const wide = () => page.evaluate(() => document.documentElement.scrollWidth)
  for (const path of ['/dashboard', '/strategies', '/signals', own, `${own}?tab=positions`, '/profile']) {
    await page.goto(server.url + path)
    const title = page.getByRole('heading', { level: 1 })
    await expect(title).toBeVisible()
    await expect(page.locator('[data-skeleton]')).toHaveCount(0)
    await expect.poll(wide, path).toBe(320)
    const lines = () =>
      title.evaluate((one) => {
        const range = document.createRange()
        range.selectNodeContents(one)
        return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size
      })
    await expect.poll(lines, path).toBe(1)
  }
  await page.goto(`${server.url}${own}?tab=positions`)
  await expect(page.getByRole('radio', { name: '全部' }).first()).toBeVisible()
  await expect.poll(wide).toBe(320)
  await page.goto(server.url + own)
  const unit = page
    .getByText(/^(萬元|元)$/)
    .and(page.locator('main :visible'))
    .last()
  await expect(page.getByRole('img', { name: /^日終權益曲線/ })).toBeVisible()
  const ends = () => unit.evaluate((one) => one.getBoundingClientRect().right)
  await expect.poll(ends).toBeLessThanOrEqual(320 - 16 - 16)

  await page.goto(`${server.url}/signals`)
  await page.locator('.signal-row-open').first().click()
  const record = page.getByRole('dialog')
  for (const name of ['作廢', '更正價格', '看這個策略']) {
    const key = record.getByRole('button', { name }).or(record.getByRole('link', { name })).first()
    await expect(key).toBeVisible()
    expect((await key.boundingBox())?.width).toBeGreaterThan(44)
    const right = await key.evaluate((one) => one.getBoundingClientRect().right)
    expect([name, right <= 320 - 15]).toEqual([name, true])
  }
})
