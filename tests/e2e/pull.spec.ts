// Pull to refresh on a phone, with a finger as the browser sees one: it asks again, says when nobody answers, and leaves scrolling alone.
import type { Page } from '@playwright/test'
import { createStrategy } from '#contract/strategy.ts'
import { expect, test } from '#tests/support/app.ts'
import { signedIn } from '#tests/support/identities.ts'
import { signUp } from '#tests/support/people.ts'

/** A finger that goes from one height to another in steps, then leaves. */
async function swipe(page: Page, from: number, to: number): Promise<void> {
  const cdp = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', y?: number) =>
    cdp.send('Input.dispatchTouchEvent', { type, touchPoints: y === undefined ? [] : [{ x: 195, y }] })
  await touch('touchStart', from)
  const steps = 12
  for (let step = 1; step <= steps; step++) await touch('touchMove', from + ((to - from) * step) / steps)
  await touch('touchEnd')
  await cdp.detach()
}

test('pulling the list down asks again; scrolled down it only scrolls; without a network it says so @phone', async ({
  page,
  context,
  server,
}) => {
  const person = await signUp(server, '周曉晴')
  for (let n = 1; n <= 6; n++)
    await person.call(createStrategy, {
      kind: 'futures',
      name: `策略 ${n}`,
      settings: { product_code: 'TXF' },
    })
  await signedIn(page, person)
  await page.goto(`${server.url}/strategies`)
  await expect(page.getByRole('article')).toHaveCount(6)
  const pill = page.locator('[data-pull]')
  await expect(pill).toHaveText('')

  // a finger that goes up scrolls; one that comes down then scrolls back and asks nothing
  await swipe(page, 700, 300)
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(100)
  await swipe(page, 300, 420)
  await expect(pill).toHaveText('')
  // a page of its own: the finger's swing may still move this one
  await page.goto(`${server.url}/strategies`)
  await expect(page.getByRole('article')).toHaveCount(6)

  // a short pull is let go without asking
  await swipe(page, 300, 350)
  await expect(pill).toHaveText('下拉更新')
  const asked = page.waitForRequest((request) => request.url().includes('/api/v1/strategies?'))
  await swipe(page, 300, 520)
  await asked
  await expect(pill).toHaveText('已更新')
  expect(await page.evaluate(() => scrollY)).toBe(0)

  await context.setOffline(true)
  await swipe(page, 300, 520)
  await expect(pill).toHaveText('連不上，這是存下的資料')
  await expect(page.getByRole('article')).toHaveCount(6)
})

test('a sheet goes down with the finger on its head: a little way and it comes back, far enough and it closes @phone', async ({
  page,
  server,
}) => {
  await signedIn(page, await signUp(server, '周曉晴'))
  await page.goto(`${server.url}/profile?panel=outbox`)
  const sheet = page.getByRole('dialog', { name: '待送匣' })
  await expect(sheet).toBeVisible()
  const head = async () => ((await sheet.boundingBox())?.y ?? 0) + 30
  // it comes up first
  await sheet.evaluate((node) => Promise.allSettled(node.getAnimations().map(({ finished }) => finished)))
  const stood = await head()
  expect(stood).toBeGreaterThan(100)
  await swipe(page, stood, stood + 60)
  await expect.poll(head).toBe(stood)
  await swipe(page, stood, stood + 200)
  await expect(sheet).toHaveCount(0)
  expect(new URL(page.url()).search).toBe('')
})
