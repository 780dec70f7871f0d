// A first page on a device that was never here: its first questions go out before the application runs, and none is asked a second time
// when the stream opens.
import type { Page } from '@playwright/test'
import { createStrategy, type StrategyInput } from '#contract/strategy.ts'
import { expect, test } from '#tests/support/app.ts'
import { hookPath } from '#tests/support/desk.ts'
import { makeOrganization } from '#tests/support/organization.ts'
import { signUp } from '#tests/support/people.ts'
import { signedInContext } from '#tests/support/screen.ts'

/** What the page asks the server, in order. */
function callsOf(page: Page): string[] {
  const calls: string[] = []
  page.on('request', (request) => {
    const [, call] = request.url().split('/api/v1')
    if (call && request.method() === 'GET') calls.push(call)
  })
  return calls
}

/** The stream has opened and the feed was read up to where it began. */
const goneOn = (page: Page) =>
  page.waitForResponse((response) => response.url().includes('/api/v1/signals?after='))

/** What is asked more than once. */
const twice = (calls: readonly string[]) => calls.filter((call, at) => calls.indexOf(call) !== at)

test('every first page asks each of its questions once, the first of them early @phone', async ({
  browser,
  server,
}) => {
  test.setTimeout(120_000)
  const person = await signUp(server, '周曉晴')
  const draft = { kind: 'futures', name: '海風', settings: { product_code: 'MXF' } } as StrategyInput
  const strategy = await person.call(createStrategy, draft)
  const org = await makeOrganization(server.app, '海風投顧', [{ uid: person.uid, role: 'admin' }])
  for (const [action, price] of [
    ['buy', 21_000],
    ['sell', 21_100],
  ] as const) {
    const body = JSON.stringify({
      symbol: 'MXF1!',
      action,
      quantity: 1,
      price,
      time: new Date().toISOString(),
    })
    expect((await server.request(hookPath(strategy), { method: 'POST', body })).status).toBe(200)
  }
  // what is told of them has been told
  await server.app.notifier.catchUp()
  const own = `/strategies/${strategy.id}`
  const early: Record<string, string[]> = {
    '/dashboard': ['/dashboard'],
    '/signals': ['/signals?latest=true&limit=200'],
    '/strategies': ['/strategies?page_size=100'],
    [own]: [own, `${own}/statistics`, '/market/calendar'],
    [`${own}?tab=signals`]: [own],
    '/signal-notification': ['/signal-notifications?about=attention'],
    '/my-organizations': ['/user/organizations', '/user/invites', '/user/join-requests'],
    '/organizations/info': [`/organizations/${org}`],
    '/profile': [],
  }
  const place = async () => {
    const headers = { authorization: `Bearer ${person.token}`, 'lb-cursor': '1' }
    return (await server.request('/api/v1/user/profile', { headers })).headers.get('lb-cursor')
  }
  for (const [address, asked] of Object.entries(early))
    await expect(async () => {
      const before = await place()
      const context = await signedInContext(browser, server.url, person, { serviceWorkers: 'block' })
      if (address.startsWith('/organizations/'))
        await context.addInitScript((id) => {
          localStorage.setItem('currentOrganizationId', id)
        }, org)
      const page = await context.newPage()
      const calls = callsOf(page)
      const gone = goneOn(page)
      await page.goto(`${server.url}${address}`)
      await gone
      await expect(page.locator('main h1')).toBeVisible()
      await expect(page.getByRole('status', { name: /載入中|計算中/ })).toHaveCount(0)
      await context.close()
      expect(calls.slice(0, 1 + asked.length), address).toEqual(['/user/profile', ...asked])
      // an event asks again, and may: then this is looked at once more
      expect(await place(), address).toBe(before)
      expect(twice(calls), address).toEqual([])
    }).toPass({ timeout: 30_000 })
})
