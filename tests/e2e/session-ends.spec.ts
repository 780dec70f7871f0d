// Whatever ends a session empties the device as signing out does: found at once, when the network is back, or at the next start.
import type { Browser, Page } from '@playwright/test'
import { deleteAccount } from '#contract/profile.ts'
import { endSession, updatePassword } from '#contract/session.ts'
import { getProfile } from '#contract/start.ts'
import { expect, said, signInByForm, test } from '#tests/support/app.ts'
import { shown, signedIn, strategy, switchTo } from '#tests/support/identities.ts'
import { makeOrganization } from '#tests/support/organization.ts'
import { PASSWORD, type Person, signIn, signUp } from '#tests/support/people.ts'
import type { TestServer } from '#tests/support/server.ts'
import { kept, rows, standing, storages } from '#tests/support/storages.ts'

const MARK = '暗記'
const OWN = `${MARK}甲`
const THEIRS = `${MARK}乙`
const DAY_MS = 86_400_000

interface Home {
  /** Signed in on a device of which the tests see nothing. */
  person: Person
  org: string
  marks: string[]
}

async function home(server: TestServer): Promise<Home> {
  const person = await signUp(server, `${MARK}之人`)
  const boss = await signUp(server, '管理者')
  const org = await makeOrganization(server.app, `${MARK}投顧`, [
    { uid: person.uid, role: 'admin' },
    { uid: boss.uid, role: 'admin' },
  ])
  await strategy(server, person, OWN)
  await strategy(server, person, THEIRS, org)
  return { person, org, marks: [MARK, person.email, person.uid] }
}

interface Device {
  page: Page
  sid: string
}

/** A device of the person that holds strategies and signals of both identities, and a draft. */
async function device(browser: Browser, server: TestServer, { person, org, marks }: Home): Promise<Device> {
  const context = await browser.newContext({ locale: 'zh-TW', timezoneId: 'Asia/Taipei' })
  const page = await context.newPage()
  const own = await signIn(server, person.email, person.name)
  await signedIn(page, own)
  for (const [ctx, name] of [
    ['personal', OWN],
    [`org:${org}`, THEIRS],
  ] as const) {
    await page.goto(`${server.url}/strategies`)
    if (ctx !== 'personal') await switchTo(page, org)
    await expect(shown(page, name)).toBeVisible()
    await kept(page, ['answers', `["${ctx}","strategy","list"`, name])
    await page.goto(`${server.url}/signals`)
    await kept(page, ['signals', ctx, name])
  }
  await page.evaluate((mark) => localStorage.setItem('lingbo_strategy_draft', mark), MARK)
  expect(await standing(page, marks)).not.toEqual([])
  const [, claims = ''] = own.token.split('.')
  return { page, sid: JSON.parse(Buffer.from(claims, 'base64url').toString()).sid }
}

/** Nothing of the person can be read there any more, but for what may; the appearance is still the device's. */
async function emptied(
  { page }: Device,
  marks: readonly string[],
  but: readonly string[] = [],
): Promise<void> {
  await expect
    .poll(async () => (await standing(page, marks)).filter((one) => !but.includes(one)), { timeout: 60_000 })
    .toEqual([])
  expect(
    await page.evaluate(() => [localStorage.getItem('token'), localStorage.getItem('ui-theme')]),
  ).toEqual([null, 'dark'])
}

const dark = ({ page }: Device) => page.evaluate(() => localStorage.setItem('ui-theme', 'dark'))

const WAYS: Record<string, (server: TestServer, home: Home, sids: readonly string[]) => Promise<unknown>> = {
  'ended from another device': async (_server, { person }, sids) => {
    for (const id of sids) await person.call(endSession, { id })
  },
  'the password is changed elsewhere': (_server, { person }) =>
    person.call(updatePassword, { old_password: PASSWORD, new_password: `${PASSWORD} anew` }),
  'the account is deleted elsewhere': (_server, { person }) =>
    person.call(deleteAccount, { password: PASSWORD }),
  'the server is restored from a backup': async (server, { person }, sids) => {
    await server.app.db.deleteFrom('sessions').where('uid', '=', person.uid).execute()
    // it was stopped for it: every stream was cut
    for (const sid of sids) server.app.events.endSession(sid)
  },
}

for (const [way, end] of Object.entries(WAYS))
  test(`${way}: a device that is open, one that is away and one that was closed are emptied`, {
    tag: '@desktop',
  }, async ({ browser, server }) => {
    const its = await home(server)
    const [open, away, closed] = await Promise.all([
      device(browser, server, its),
      device(browser, server, its),
      device(browser, server, its),
    ])
    const all = [open, away, closed]
    for (const one of all) await dark(one)
    await away.page.context().setOffline(true)
    await closed.page.goto('about:blank')
    const sids = all.map(({ sid }) => sid)
    await end(server, its, sids)

    await expect(open.page).toHaveURL(`${server.url}/`)
    await said(open.page, '您尚未登入')
    await emptied(open, its.marks)
    expect(await rows(away.page)).toContainEqual(expect.stringContaining(MARK))
    await away.page.context().setOffline(false)
    await expect(away.page).toHaveURL(`${server.url}/`)
    await emptied(away, its.marks)
    await closed.page.goto(`${server.url}/signals`)
    await expect.poll(() => new URL(closed.page.url()).pathname).toMatch(/^\/(login)?$/)
    await emptied(closed, its.marks)
    for (const { page } of all) await page.context().close()
  })

test('the token is taken out of the storage by hand: emptied with the next question, and at the next start', {
  tag: '@desktop',
}, async ({ browser, server }) => {
  const its = await home(server)
  for (const starts of [false, true]) {
    const one = await device(browser, server, its)
    await dark(one)
    if (starts) await one.page.goto(`${server.url}/robots.txt`)
    await one.page.evaluate(() => localStorage.removeItem('token'))
    if (starts) await one.page.goto(server.url)
    else {
      // a question of the page's own may be the next one: then there is nothing left to press
      const left = one.page.waitForURL(`${server.url}/`)
      const pressed = one.page.getByRole('link', { name: '組織管理' }).first().click()
      await Promise.race([left, pressed.catch(() => left)])
    }
    await emptied(one, its.marks)
    await one.page.context().close()
  }
})

test('the time of the token is over: emptied at the next start, also without a network', {
  tag: ['@desktop', '@worker'],
}, async ({ browser, server }) => {
  const its = await home(server)
  for (const off of [false, true]) {
    const one = await device(browser, server, its)
    await dark(one)
    await one.page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
    await one.page.goto('about:blank')
    await one.page.context().setOffline(off)
    await one.page.clock.setSystemTime(Date.now() + 31 * DAY_MS)
    await one.page.goto(server.url)
    await emptied(one, its.marks)
    await one.page.context().close()
  }
})

test('what is not the end of the session empties nothing: somebody else’s refusals, a server that is away', {
  tag: '@desktop',
}, async ({ browser, server }) => {
  const its = await home(server)
  const one = await device(browser, server, its)
  const before = (await rows(one.page)).filter((row) => row.startsWith('signals ')).length
  const answers = [
    { status: 401, contentType: 'text/html', body: '<html>請先登入這個 Wi-Fi</html>' },
    { status: 401, contentType: 'application/json', body: '{"error":"unauthorized"}' },
    { status: 401, json: { error: { success: false, code: 4010, msg: '', text: '' }, result: null } },
    { status: 503, contentType: 'text/html', body: 'away' },
    null,
  ]
  for (const answer of answers) {
    await one.page.route('**/api/**', (route) => (answer ? route.fulfill(answer) : route.abort()))
    await one.page.goto(`${server.url}/signals`)
    await expect(shown(one.page, THEIRS)).toBeVisible()
    await one.page.waitForTimeout(500)
    await expect(one.page).toHaveURL(`${server.url}/signals`)
    const held = await rows(one.page)
    expect(held.filter((row) => row.startsWith('signals '))).toHaveLength(before)
    expect(await one.page.evaluate(() => localStorage.getItem('token'))).not.toBeNull()
    await one.page.unrouteAll({ behavior: 'ignoreErrors' })
  }
  await one.page.context().close()
})

test('a call that waits outlives the end of the session: alone, and sent when the same person is back', {
  tag: '@desktop',
}, async ({ browser, server }) => {
  const its = await home(server)
  const one = await device(browser, server, its)
  const { page } = one
  await dark(one)
  await page.goto(`${server.url}/profile`)
  const card = page.getByRole('region', { name: '基本資料' })
  await expect(card).toBeVisible()
  await page.context().setOffline(true)
  await card.getByRole('button', { name: '編輯' }).click()
  await card.getByRole('textbox', { name: '姓名' }).fill('等著的名')
  await card.getByRole('button', { name: '儲存' }).click()
  await said(page, '已排入待送，恢復連線後自動送出')
  await server.app.db.deleteFrom('sessions').where('uid', '=', its.person.uid).execute()
  await page.context().setOffline(false)
  await expect(page).toHaveURL(`${server.url}/`)
  const place = `indexedDB lingbo-${its.person.uid} outbox`
  // the call knows whose it is and what stood there before
  await emptied(one, its.marks, [`${place}: ${MARK}`, `${place}: ${its.person.uid}`])
  expect((await storages(page))[place]).toContain('等著的名')
  await signInByForm(page, server.url, its.person.email)
  const back = await signIn(server, its.person.email)
  await expect.poll(async () => (await back.call(getProfile, {})).name).toBe('等著的名')
  await page.context().close()
})
