// 以成員身分檢視: from the member's menu to the member's own screen, a band over every page, nothing kept, nothing written, and back.
import type { Page, Request } from '@playwright/test'
import { addGroupMembers, createGroup, setGroupStrategies } from '#contract/group.ts'
import { createOrganization } from '#contract/organization.ts'
import { createStrategy, type StrategyInput, updateStrategyNotify } from '#contract/strategy.ts'
import { axe, axeInTheDark, expect, test } from '#tests/support/app.ts'
import { insertMember } from '#tests/support/organizations.ts'
import { type Person, signUp } from '#tests/support/people.ts'
import { signedInContext } from '#tests/support/screen.ts'
import type { TestServer } from '#tests/support/server.ts'

/** An organization with two strategies, of which a group gives its member the first; each has one signal. */
async function made(server: TestServer) {
  const boss = await signUp(server, '林站長')
  const guest = await signUp(server, '陳以安')
  const { id } = await boss.call(createOrganization, { name: '浪花訊號社' })
  await insertMember(server.app.db, id, guest.uid)
  const inside = { 'lb-org-id': id }
  const strategies = []
  for (const name of ['海風甲', '山嵐乙']) {
    const draft = { kind: 'futures', name, settings: { product_code: 'TXF' } } as StrategyInput
    const strategy = await boss.call(createStrategy, draft, inside)
    const message = { symbol: 'TXF1!', action: 'buy', quantity: 1, price: 23_000 }
    const path = new URL(strategy.webhooks?.[0]?.url as string).pathname
    await server.request(path, { method: 'POST', body: JSON.stringify(message) })
    strategies.push(strategy)
  }
  const group = await boss.call(createGroup, { name: '台指班' }, inside)
  await boss.call(setGroupStrategies, { id: group.id, strategy_ids: [strategies[0]?.id ?? ''] }, inside)
  await boss.call(addGroupMembers, { id: group.id, user_ids: [guest.uid] }, inside)
  return { boss, guest, id, inside, strategy: strategies[0] as (typeof strategies)[number] }
}

const band = (page: Page) => page.getByRole('region', { name: '以成員身分檢視' })
/** Everything that stays on a device, as one text. */
const kept = (page: Page) =>
  page.evaluate(async () => {
    const all: unknown[] = [{ ...localStorage }, { ...sessionStorage }]
    for (const { name = '' } of await indexedDB.databases()) {
      const db = await new Promise<IDBDatabase>((done, fail) => {
        const opening = indexedDB.open(name)
        opening.onsuccess = () => done(opening.result)
        opening.onerror = () => fail(opening.error)
      })
      for (const store of db.objectStoreNames)
        all.push(
          await new Promise((done, fail) => {
            const reading = db.transaction(store).objectStore(store).getAll()
            reading.onsuccess = () => done(reading.result)
            reading.onerror = () => fail(reading.error)
          }),
        )
      db.close()
    }
    return JSON.stringify(all)
  })

/** Calls of the view, and those of the person, by their header. */
function asked(page: Page): { viewed: string[]; own: string[] } {
  const calls = { viewed: [] as string[], own: [] as string[] }
  page.on('request', (request: Request) => {
    const { pathname } = new URL(request.url())
    if (!pathname.startsWith('/api/')) return
    const line = `${request.method()} ${pathname.slice('/api/v1'.length)}`
    calls[request.headers()['lb-view-as'] === undefined ? 'own' : 'viewed'].push(line)
  })
  return calls
}

async function begin(page: Page, url: string, member: Person): Promise<void> {
  await page.goto(`${url}/organizations/manage?tab=members`)
  await page.getByRole('button', { name: `${member.name}：更多` }).click()
  await page.getByRole('menuitem', { name: '以成員身分檢視' }).click()
  await expect(band(page)).toContainText(`以 ${member.name} 的身分檢視`)
  await expect(page).toHaveURL(`${url}/dashboard`)
}

test('an admin sees what a member sees, on every page, and comes back; nothing of it is kept @both', async ({
  browser,
  server,
}) => {
  const { boss, guest, id } = await made(server)
  const viewport =
    test.info().project.name === 'phone' ? { width: 390, height: 844 } : { width: 1440, height: 900 }
  const context = await signedInContext(browser, server.url, boss, { viewport })
  const page = await context.newPage()
  await page.goto(`${server.url}/dashboard?org=${id}`)
  await expect(page.getByRole('link', { name: '山嵐乙' }).first()).toBeVisible()
  // a page that is left before its answer is stored has none to keep
  await expect.poll(async () => (await kept(page)).includes('山嵐乙')).toBe(true)
  await page.goto(`${server.url}/organizations/manage?tab=members`)
  // nobody looks at an admin so
  await page.getByRole('button', { name: '林站長：更多' }).click()
  await expect(page.getByRole('menuitem', { name: '看得到什麼' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: '以成員身分檢視' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  const before = await kept(page)
  expect(before).toContain('山嵐乙')

  await begin(page, server.url, guest)
  const calls = asked(page)
  const main = page.getByRole('main')
  await expect(main.getByText('海風甲').filter({ visible: true }).first()).toBeVisible()
  await expect(page.getByText('山嵐乙')).toHaveCount(0)
  await expect(page.getByRole('link', { name: '新增策略' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: '訊號通知' })).toHaveCount(0)
  expect(await axe(page)).toEqual([])
  expect(await axeInTheDark(page)).toEqual([])

  // every page has the band, also where the page has scrolled
  const nav = page.getByRole('navigation', { name: '主要' })
  await nav.getByRole('link', { name: /^策略/ }).click()
  // the first page names the strategy, too
  await expect(page.getByRole('heading', { name: '策略列表' })).toBeVisible()
  await expect(main.getByRole('link', { name: '海風甲' }).first()).toBeVisible()
  await expect(page.getByText('山嵐乙')).toHaveCount(0)
  await expect(page.getByRole('button', { name: /通知[開關]/ })).toHaveCount(0)
  await expect(band(page)).toBeVisible()
  await main.getByRole('link', { name: '海風甲' }).first().click()
  await expect(page.getByRole('heading', { name: '海風甲', level: 1 })).toBeVisible()
  await page.getByRole('tab', { name: '訊號' }).click()
  await expect(page.getByText('23,000').filter({ visible: true }).first()).toBeVisible()
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  await expect(band(page)).toBeInViewport({ ratio: 1 })
  await nav.getByRole('link', { name: /詳情|資訊/ }).click()
  await expect(page.getByText('台指班')).toBeVisible()
  await expect(band(page)).toBeVisible()

  // all of it was asked with the header, but for what belongs to the admin's own room; no stream, no write
  expect(calls.viewed).toContain('GET /strategies')
  expect([...calls.viewed, ...calls.own].filter((line) => !line.startsWith('GET '))).toEqual([])
  expect(calls.viewed.filter((line) => /\/(events|user|signal-notif|notification)/.test(line))).toEqual([])
  expect(
    calls.own.filter((line) => /\/(strategies|signals|dashboard|groups|organizations)/.test(line)),
  ).toEqual([])

  // nothing that the member alone has came onto the device: it holds what it held
  const after = await kept(page)
  expect(after).toContain('山嵐乙')
  expect(after).not.toContain('"role":"member"')
  expect(after).not.toMatch(/"visible_from":"2/)

  await band(page).getByRole('button', { name: '結束檢視' }).click()
  await expect(band(page)).toHaveCount(0)
  await expect(page).toHaveURL(`${server.url}/organizations/manage?tab=members`)
  await expect(page.getByText('陳以安').first()).toBeVisible()
  await nav.getByRole('link', { name: /^策略/ }).click()
  await expect(main.getByRole('link', { name: '山嵐乙' }).first()).toBeVisible()

  // a reload ends it
  await begin(page, server.url, guest)
  await page.reload()
  await expect(page.getByText('山嵐乙').filter({ visible: true }).first()).toBeVisible()
  await expect(band(page)).toHaveCount(0)

  // another identity ends it
  await begin(page, server.url, guest)
  await page.evaluate(() => {
    localStorage.removeItem('currentOrganizationId')
    dispatchEvent(new StorageEvent('storage', { key: 'currentOrganizationId' }))
  })
  await expect(band(page)).toHaveCount(0)
  await expect(page.getByText('海風甲')).toHaveCount(0)
  await context.close()
})

test('what waits of the admin goes out in their own name while they look @phone', async ({
  browser,
  server,
}) => {
  const { boss, guest, id, inside, strategy } = await made(server)
  const context = await signedInContext(browser, server.url, boss)
  const page = await context.newPage()
  await page.goto(`${server.url}/strategies?org=${id}`)
  const bell = page.getByRole('button', { name: /海風甲：通知/ })
  await expect(bell).toBeVisible()
  await page.route('**/notify', (route) => route.abort())
  await bell.click()
  await expect(page.getByText('已排入待送')).toBeVisible()
  await begin(page, server.url, guest)
  const calls = asked(page)
  await page.unroute('**/notify')
  // an attempt that was still being refused waits longer every time: a network that comes back ends the wait
  const back = () => page.evaluate(() => dispatchEvent(new Event('online')))
  await expect
    .poll(async () => back().then(() => calls.own))
    .toContain(`PUT /strategies/${strategy.id}/notify`)
  expect(calls.viewed.filter((line) => line.startsWith('PUT'))).toEqual([])
  const of_guest = await guest.call(updateStrategyNotify, { id: strategy.id, important: true }, inside)
  expect(of_guest.enabled).toBe(true)
  await context.close()
})
