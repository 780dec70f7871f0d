// What comes late, or not at all, moves nothing and takes nothing with it.
import { createOrganization } from '#contract/organization.ts'
import { expect, signInByForm, test } from '#tests/support/app.ts'
import { signUp } from '#tests/support/people.ts'

test.use({ serviceWorkers: 'block' })

test('an organization opened from a link by a browser that knows nothing yet: bar, banner and page stand where they come', {
  tag: '@desktop',
}, async ({ page, context, server }) => {
  const boss = await signUp(server, '林站長')
  const { id } = await boss.call(createOrganization, { name: '海風投顧' })
  await signInByForm(page, server.url, boss.email)
  await page.evaluate((org) => {
    localStorage.setItem('currentOrganizationId', org)
    localStorage.removeItem('lingbo_profile')
  }, id)
  // the profile comes after everything else, as on a slow line
  let let_go = () => {}
  const gate = new Promise<void>((open) => {
    let_go = open
  })
  await context.route('**/api/v1/user/profile', async (route) => {
    await gate
    await route.continue()
  })
  await context.addInitScript(() => {
    Object.assign(window, { moved: [] as string[] })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        for (const { node } of (entry as PerformanceEntry & { sources: { node: Element | null }[] }).sources)
          (window as unknown as { moved: string[] }).moved.push(
            `${node?.nodeName} ${node?.className} ${(entry as PerformanceEntry & { value: number }).value}`,
          )
    }).observe({ type: 'layout-shift', buffered: true })
    indexedDB.databases().then((all) => {
      for (const { name } of all) if (name) indexedDB.deleteDatabase(name)
    })
  })
  await page.goto(`${server.url}/organizations/manage`)
  await expect(page.locator('.banner.bar')).toBeVisible()
  let_go()
  await expect(page.locator('.banner.bar')).toContainText('海風投顧')
  await expect(page.locator('header.top').getByText('新增策略')).toBeVisible()
  expect(await page.evaluate(() => (window as unknown as { moved: string[] }).moved)).toEqual([])
})

test('without the code of the toasts the page stands, and says that something is missing', {
  tag: '@desktop',
}, async ({ page, server }) => {
  const person = await signUp(server)
  await page.route('**/assets/Toasts-*', (route) => route.abort())
  await signInByForm(page, server.url, person.email)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByText('程式發生沒有預料到的問題')).toBeVisible()
  await expect(page.getByRole('navigation', { name: '主要' })).toBeVisible()
})
