// The demonstrations and the guide: axe finds nothing at all, not even of best practice.
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect, test } from '#tests/support/app.ts'
import { signUp } from '#tests/support/people.ts'
import { signedInContext } from '#tests/support/screen.ts'

const PATHS = [
  '/guide',
  '/tests/permission',
  '/component-demo',
  '/demo-strategylist',
  '/demo-strategylist/icons',
  '/demo-strategylist/color-test',
  '/search-form-demo',
  '/test-shadcn',
  '/my-announcements',
  '/signal-notification',
]

async function findings(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`))
}

test.setTimeout(300_000)

test('axe finds nothing', async ({ browser, server, viewport }) => {
  const person = await signUp(server, '林柏翰')
  const context = await signedInContext(browser, server.url, person, { viewport, reducedMotion: 'reduce' })
  const page = await context.newPage()
  for (const path of PATHS) {
    await page.goto(server.url + path)
    await expect(page.locator('h1').first(), path).toBeVisible()
    // the gallery shows what loading looks like
    await expect(page.locator('.skeleton:not(.gal *), .loading:not(.gal *)'), path).toHaveCount(0)
    expect.soft(await findings(page), path).toEqual([])
  }
  await context.close()
})
