// One person, two identities: a switch shows nothing of the other one, not for a frame; links, tabs, ends and clocks follow the same rules.
import type { BrowserContext, Page } from '@playwright/test'
import { removeMember } from '#contract/membership.ts'
import { createStrategy, type StrategyInput } from '#contract/strategy.ts'
import { expect, signInByForm, test } from '#tests/support/app.ts'
import { makeOrganization } from '#tests/support/organization.ts'
import { type Person, signUp } from '#tests/support/people.ts'
import type { TestServer } from '#tests/support/server.ts'

const OWN = '私房甲'
const THEIRS = '海風乙'

/** A strategy with two signals; its name is the marker that must not be seen from the other identity. */
async function strategy(server: TestServer, person: Person, name: string, org?: string): Promise<string> {
  const input = { kind: 'futures', name, settings: { product_code: 'MXF' } } as StrategyInput
  const made = await person.call(createStrategy, input, org ? { 'lb-org-id': org } : {})
  const path = new URL(made.webhooks?.[0]?.url as string).pathname
  for (const action of ['buy', 'sell'])
    await server.request(path, {
      method: 'POST',
      body: JSON.stringify({ action, quantity: 1, price: 23_000, symbol: 'MXF', note: name }),
    })
  return made.id
}

async function world(server: TestServer, role: 'admin' | 'member' = 'admin') {
  const person = await signUp(server, '林柏翰')
  const boss = await signUp(server, '管理者')
  const org = await makeOrganization(server.app, '海風投顧', [
    { uid: person.uid, role },
    { uid: boss.uid, role: 'admin' },
  ])
  const own = await strategy(server, person, OWN)
  return { person, boss, org, own }
}

async function signedIn(page: Page, person: Person): Promise<void> {
  await page.addInitScript(
    ([token, uid]) => {
      if (localStorage.getItem('token') !== null || sessionStorage.getItem('came') !== null) return
      sessionStorage.setItem('came', '1')
      localStorage.setItem('token', token)
      localStorage.setItem(
        'lingbo_user',
        JSON.stringify({ id: uid, role: 'user', defaultContext: 'personal' }),
      )
    },
    [person.token, person.uid] as const,
  )
}

/** As another tab would: the stored organization is another one, and this page hears of it. */
async function switchTo(page: Page, org: string | null): Promise<void> {
  await page.evaluate((id) => {
    if (id === null) localStorage.removeItem('currentOrganizationId')
    else localStorage.setItem('currentOrganizationId', id)
    dispatchEvent(new StorageEvent('storage', { key: 'currentOrganizationId', newValue: id }))
  }, org)
}

/**
 * Switches as above and watches from that very turn on, every added node and every frame: `marker` must not stand there.
 * `wanted` is timed, for those who read the log.
 */
async function switchWatched(page: Page, org: string | null, marker: string, wanted = marker) {
  await page.evaluate(
    ([id, forbidden, awaited]) => {
      const log = { frames: 0, bad: [] as string[], on: true, first_ms: 0, card_ms: 0 }
      Object.assign(window, { watched: log })
      const text = (node: Node) => {
        const fields = node instanceof Element ? [...node.querySelectorAll('input, textarea')] : []
        return node.textContent + fields.map((field) => (field as HTMLInputElement).value).join(' ')
      }
      const root = document.getElementById('root') as HTMLElement
      const start = performance.now()
      if (id === null) localStorage.removeItem('currentOrganizationId')
      else localStorage.setItem('currentOrganizationId', id)
      dispatchEvent(new StorageEvent('storage', { key: 'currentOrganizationId', newValue: id }))
      // same turn: what the page does about it has not happened yet
      new MutationObserver((records) => {
        for (const record of records)
          for (const node of record.type === 'characterData' ? [record.target] : record.addedNodes)
            if (log.on && text(node).includes(forbidden)) log.bad.push(`added: ${text(node).slice(0, 80)}`)
      }).observe(document.body, { childList: true, characterData: true, subtree: true })
      // a frame's callbacks run right before it is painted
      requestAnimationFrame(function frame() {
        log.frames++
        log.first_ms ||= performance.now() - start
        const shown = text(root)
        if (shown.includes(forbidden)) {
          log.bad.push(`frame ${log.frames}: ${location.pathname}`)
          sessionStorage.setItem('seen', String(log.bad)) // survives a full load
        }
        if (shown.includes(awaited)) log.card_ms ||= performance.now() - start
        if (log.on) requestAnimationFrame(frame)
      })
    },
    [org, marker, wanted] as const,
  )
  return () =>
    page.evaluate(() => {
      const { watched } = window as unknown as {
        watched: { frames: number; bad: string[]; on: boolean; first_ms: number; card_ms: number }
      }
      watched.on = false
      return watched
    })
}

/** The text where it can be seen: not in the choices of a closed list. */
const shown = (page: Page, text: string) => page.getByText(text).filter({ visible: true }).first()

async function slow(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
}
const offline = (context: BrowserContext) => context.setOffline(true)

for (const path of ['/dashboard', '/strategies', '/signals', '/strategies/:own'])
  test(`switching on ${path} shows nothing of the other identity, offline and slow`, async ({
    page,
    context,
    server,
  }) => {
    const { person, org, own } = await world(server)
    await strategy(server, person, THEIRS, org)
    await signedIn(page, person)
    const here = path.replace(':own', own)
    const lands = path === '/strategies' ? '/strategies' : '/dashboard'
    await page.goto(`${server.url}/dashboard`)
    await expect(shown(page, OWN)).toBeVisible()
    await page.goto(`${server.url}/strategies`)
    await expect(shown(page, OWN)).toBeVisible()
    await switchTo(page, org)
    await expect(shown(page, THEIRS)).toBeVisible()
    await page.goto(`${server.url}/dashboard`)
    await expect(shown(page, THEIRS)).toBeVisible()
    await switchTo(page, null)
    await page.goto(server.url + here)
    await expect(shown(page, OWN)).toBeVisible()
    await page.waitForTimeout(500)
    await offline(context)
    await slow(page)

    const forth = await switchWatched(page, org, OWN, THEIRS)
    await expect(page).toHaveURL(server.url + lands)
    await expect(shown(page, THEIRS)).toBeVisible()
    await expect(page.getByText('已切換至 海風投顧 組織管理者 身份').first()).toBeVisible()
    const there = await forth()
    expect(there.frames).toBeGreaterThan(0)
    expect(there.bad).toEqual([])

    const back = await switchWatched(page, null, THEIRS, OWN)
    await expect(shown(page, OWN)).toBeVisible()
    const home = await back()
    expect(home.bad).toEqual([])
    for (const [name, { first_ms, card_ms }] of Object.entries({ there, home }))
      test.info().annotations.push({
        type: 'measured',
        description: `${path} ${name}: first frame ${Math.round(first_ms)} ms, first card ${Math.round(card_ms)} ms (CPU ÷ 4, offline)`,
      })
  })

test('a form of the other identity does not survive the switch, and its page is left', async ({
  page,
  server,
}) => {
  const { person, org, own } = await world(server, 'member')
  await signedIn(page, person)
  await page.goto(`${server.url}/strategies/${own}/edit`)
  await expect(page.getByLabel('名稱').first()).toHaveValue(OWN)
  await page.evaluate(() => Object.assign(window, { same: true }))
  await switchWatched(page, org, OWN)
  await expect(page).toHaveURL(`${server.url}/dashboard`)
  await expect(page.locator('h1').first()).toBeVisible()
  // a full load: the old page's memory is gone with it
  expect(await page.evaluate(() => 'same' in window)).toBe(false)
  expect(await page.evaluate(() => sessionStorage.getItem('seen'))).toBeNull()
})

test('what was typed as one identity is not seen as another, and the page is asked about it before', async ({
  page,
  server,
}) => {
  const { person, org } = await world(server)
  await signedIn(page, person)
  await page.goto(`${server.url}/strategies/create/futures`)
  await page.getByLabel('名稱').first().fill('只給自己看')
  const asked: string[] = []
  page.on('dialog', (dialog) => {
    asked.push(dialog.message())
    void dialog.accept()
  })
  const seen = await switchWatched(page, org, '只給自己看')
  await expect(page).toHaveURL(`${server.url}/dashboard`)
  await expect(page.locator('h1').first()).toBeVisible()
  expect((await seen()).bad).toEqual([])
  expect(asked).toEqual(['另一個分頁切換了身份。這一頁還有沒送出的內容，要放棄並一起切換嗎？'])
})

test('管理 on my organizations leads to its management, other switches there to the dashboard', async ({
  page,
  server,
}) => {
  const { person, org } = await world(server)
  await signedIn(page, person)
  await page.goto(`${server.url}/my-organizations`)
  await expect(page.locator('h1')).toBeVisible()
  await page.evaluate(() => localStorage.setItem('fromMyOrganizationAdmin', '1'))
  await switchTo(page, org)
  await expect(page).toHaveURL(`${server.url}/organizations/manage`)
  expect(await page.evaluate(() => localStorage.getItem('fromMyOrganizationAdmin'))).toBeNull()
  await switchTo(page, null)
  await expect(page).toHaveURL(`${server.url}/dashboard`)
})

test('a link names its identity: adopted and taken out of the address, or refused with a way to switch', async ({
  page,
  server,
}) => {
  const { person, org } = await world(server)
  await strategy(server, person, THEIRS, org)
  await signedIn(page, person)
  await page.goto(`${server.url}/strategies?org=${org}&kind=futures`)
  await expect(page).toHaveURL(`${server.url}/strategies?kind=futures`)
  await expect(shown(page, THEIRS)).toBeVisible()
  await expect(page.getByText(OWN)).toHaveCount(0)
  await page.goto(`${server.url}/strategies?org=personal`)
  await expect(page).toHaveURL(`${server.url}/strategies`)
  await expect(shown(page, OWN)).toBeVisible()
  await page.goto(`${server.url}/strategies?org=018f4a1e-7b1a-7000-8000-00000000000f`)
  await expect(page).toHaveURL(`${server.url}/403?missing=organization%3Aview`)
  await page.getByRole('button', { name: '海風投顧' }).click()
  await expect(page).toHaveURL(`${server.url}/dashboard`)
  expect(await page.evaluate(() => localStorage.getItem('currentOrganizationId'))).toBe(org)
})

test('an access that ends: personal context, the words, the dashboard, and not a row left', async ({
  page,
  server,
}) => {
  const { person, boss, org } = await world(server)
  await strategy(server, person, THEIRS, org)
  await signedIn(page, person)
  await page.goto(`${server.url}/dashboard`)
  await switchTo(page, org)
  await page.goto(`${server.url}/strategies`)
  await expect(shown(page, THEIRS)).toBeVisible()
  await page.goto(`${server.url}/signals`)
  await expect(shown(page, THEIRS)).toBeVisible()
  await page.waitForTimeout(1_000)
  await boss.call(removeMember, { id: org, user_id: person.uid }, { 'lb-org-id': org })
  await expect(page.getByText('你在「海風投顧」的權限已結束').first()).toBeVisible()
  await expect(page).toHaveURL(`${server.url}/dashboard`)
  expect(await page.evaluate(() => localStorage.getItem('currentOrganizationId'))).toBeNull()
  await expect(page.getByText(THEIRS)).toHaveCount(0)
  await expect
    .poll(() =>
      page.evaluate(async (uid) => {
        const db = await new Promise<IDBDatabase>((resolve, reject) => {
          const request = indexedDB.open(`lingbo-${uid}`)
          request.onsuccess = () => resolve(request.result)
          request.onerror = () => reject(request.error)
        })
        let text = ''
        for (const name of db.objectStoreNames)
          text += await new Promise<string>((resolve) => {
            const request = db.transaction(name).objectStore(name).getAll()
            request.onsuccess = () => resolve(JSON.stringify(request.result))
          })
        db.close()
        return ['海風乙', 'org:'].filter((mark) => text.includes(mark))
      }, person.uid),
    )
    .toEqual([])
})

test('two tabs: a switch moves both, a form that holds something is asked first', async ({
  page,
  context,
  server,
}) => {
  const { person, org, own } = await world(server)
  await strategy(server, person, THEIRS, org)
  await signedIn(page, person)
  await page.goto(`${server.url}/403?missing=organization:manage`)
  const other = await context.newPage()
  await other.goto(`${server.url}/strategies/${own}/edit`)
  await other.getByLabel('名稱').first().fill('還沒存')
  const asked: string[] = []
  let answer = false
  other.on('dialog', (dialog) => {
    asked.push(dialog.message())
    void (answer ? dialog.accept() : dialog.dismiss())
  })
  await page.getByRole('button', { name: '海風投顧' }).click()
  await expect(page).toHaveURL(`${server.url}/dashboard`)
  await expect.poll(() => asked.length).toBe(1)
  await expect(other.getByLabel('名稱').first()).toHaveValue('還沒存')
  await other.waitForTimeout(300)
  expect(asked).toHaveLength(1)
  // the next switch asks again; yes leaves the form
  answer = true
  await page.goto(`${server.url}/403?missing=organization:create`)
  await page.getByRole('button', { name: '個人身份' }).click()
  await page.goto(`${server.url}/403?missing=organization:manage`)
  await page.getByRole('button', { name: '海風投顧' }).click()
  await expect(other).toHaveURL(`${server.url}/dashboard`)
  expect(asked).toHaveLength(2)
})

test('signing in or out in one tab takes the other along', async ({ page, context, server }) => {
  const person = await signUp(server)
  const other = await context.newPage()
  await other.goto(`${server.url}/login?returnTo=/profile`)
  await expect(other.getByLabel('帳號')).toBeVisible()
  await signInByForm(page, server.url, person.email)
  await expect(other).toHaveURL(`${server.url}/profile`)
  await page.goto(`${server.url}/profile`)
  await page.getByRole('main').getByRole('button', { name: '登出' }).click()
  await expect(page).toHaveURL(`${server.url}/`)
  await expect(other).toHaveURL(`${server.url}/`)
  expect(await other.evaluate(() => localStorage.getItem('token'))).toBeNull()
})

test('a clock that is 400 days ahead signs nobody out', async ({ page, server }) => {
  const person = await signUp(server)
  await page.addInitScript(() => {
    const real = Date.now
    Date.now = () => real() + 400 * 86_400_000
  })
  await signInByForm(page, server.url, person.email)
  for (let again = 0; again < 2; again++) {
    await page.reload()
    await expect(page).toHaveURL(`${server.url}/dashboard`)
    await expect(page.locator('h1').first()).toBeVisible()
  }
})

test('a profile that cannot be had ends the session; one that is kept does not', async ({ page, server }) => {
  const person = await signUp(server)
  await signedIn(page, person)
  await page.goto(`${server.url}/profile`)
  await expect(page.locator('h1')).toBeVisible()
  await page.waitForTimeout(300)
  await page.route('**/api/v1/user/profile', (route) => route.fulfill({ status: 403, body: '<html>' }))
  await page.reload()
  await expect(page.locator('h1')).toBeVisible()
  await page.waitForTimeout(1_000)
  await expect(page).toHaveURL(`${server.url}/profile`)
  await page.evaluate(async () => {
    localStorage.removeItem('lingbo_profile')
    for (const { name } of await indexedDB.databases()) if (name) indexedDB.deleteDatabase(name)
  })
  await page.reload()
  await expect(shown(page, '獲取用戶資料失敗')).toBeVisible()
  await expect(page).toHaveURL(`${server.url}/`)
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
})
