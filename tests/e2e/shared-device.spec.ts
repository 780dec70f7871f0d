// One browser, two people: whoever comes after finds nothing of the one before, wherever a browser keeps things.
import type { Page } from '@playwright/test'
import { createStrategy } from '#contract/strategy.ts'
import { expect, said, signInByForm, test } from '#tests/support/app.ts'
import { type Person, signUp } from '#tests/support/people.ts'
import { everythingKept } from '#tests/support/screen.ts'
import type { TestServer } from '#tests/support/server.ts'
import { kept, standing, storages } from '#tests/support/storages.ts'

interface First {
  person: Person
  /** 200 of what this person wrote, the name and the address. */
  marks: string[]
  /** Of one strategy. */
  id: string
}

/** Somebody with 25 strategies whose names, summaries, notes, tags and signals are all different. */
async function first(server: TestServer): Promise<First> {
  const person = await signUp(server, '暗記之人')
  const marks: string[] = []
  let id = ''
  for (let i = 0; i < 25; i++) {
    const mark = (what: string) => {
      marks.push(`暗記${what}${String(i).padStart(3, '0')}`)
      return marks.at(-1) as string
    }
    const made = await person.call(createStrategy, {
      kind: 'futures',
      name: mark('名'),
      summary: mark('要'),
      note: mark('文'),
      tags: [mark('籤')],
      settings: { product_code: 'TXF' },
    })
    id ||= made.id
    for (const action of ['buy', 'sell', 'buy', 'sell']) {
      const body = JSON.stringify({
        symbol: 'TXF1!',
        action,
        quantity: 1,
        price: 23_000 + i,
        note: mark(`訊${marks.length}`),
      })
      await server.request(new URL(made.webhooks?.[0]?.url as string).pathname, { method: 'POST', body })
    }
  }
  expect(marks).toHaveLength(200)
  return { person, marks: [...marks, '暗記', person.name, person.email, person.uid], id }
}

/** Signs in and looks at everything; the device then holds most of it, or the rest of the test would say nothing. */
async function visit(page: Page, { url }: TestServer, { person, marks, id }: First): Promise<void> {
  await signInByForm(page, url, person.email)
  await everythingKept(page)
  const list = marks.filter((mark) => mark.startsWith('暗記名'))
  for (const path of ['/dashboard', '/strategies', '/signals', '/my-organizations', `/strategies/${id}`]) {
    await page.goto(url + path)
    await expect(page.locator('h1').first()).toBeVisible()
    // whoever leaves before the answer is here does not have it
    if (path === '/strategies') await kept(page, ['answers', '["personal","strategy","list"', ...list])
    if (path === '/signals')
      await kept(page, ['signals', marks.findLast((mark) => mark.startsWith('暗記訊')) ?? ''])
  }
  for (const tab of ['signals', 'trades', 'notes', 'settings']) {
    await page.goto(`${url}/strategies/${id}?tab=${tab}`)
    await expect(page.getByText('暗記名000').first()).toBeVisible()
  }
  await page.goto(`${url}/profile`)
  await expect(page.locator('.name-card-name')).toHaveText(person.name)
  const held = async () => {
    const found = await standing(page, marks)
    return marks.filter((mark) => found.some((one) => one.endsWith(`: ${mark}`))).length
  }
  await expect.poll(held).toBeGreaterThanOrEqual(150)
}

const signOut = async (page: Page, { url }: TestServer) => {
  await page.getByRole('main').getByRole('button', { name: '登出', exact: true }).click()
  await expect(page).toHaveURL(`${url}/`)
}

/** What stands anywhere, but for what may. Asked again: databases are emptied after the page has said goodbye. */
async function clean(page: Page, marks: readonly string[], but: readonly string[] = []): Promise<void> {
  await expect
    .poll(async () => (await standing(page, marks)).filter((one) => !but.includes(one)), {
      timeout: 60_000,
    })
    .toEqual([])
}

/** The second person signs in, looks around, also without a network; what is found of the first each time. */
async function second(page: Page, server: TestServer, marks: readonly string[], but: string[] = []) {
  const next = await signUp(server, '後來的人')
  await signInByForm(page, server.url, next.email)
  await clean(page, marks, but)
  for (const off of [false, true]) {
    await page.waitForTimeout(500)
    await page.context().setOffline(off)
    for (const path of ['/strategies', '/signals', '/profile', '/dashboard']) {
      await page.goto(server.url + path)
      await expect(page.locator('h1').first()).toBeVisible()
      await clean(page, marks, but)
    }
  }
  await page.context().setOffline(false)
}

test('after signing out nothing is left, and the next person finds nothing, online and offline', {
  tag: '@worker',
}, async ({ page, server }) => {
  const one = await first(server)
  await visit(page, server, one)
  await signOut(page, server)
  await clean(page, one.marks)
  await second(page, server, one.marks)
  await page.goBack()
  await page.goBack()
  await clean(page, one.marks)
})

test('signing out without a network leaves nothing either', { tag: ['@worker', '@soak'] }, async ({
  page,
  server,
}) => {
  const one = await first(server)
  await visit(page, server, one)
  await page.context().setOffline(true)
  await signOut(page, server)
  await clean(page, one.marks)
  for (const path of ['/strategies', `/strategies/${one.id}`, '/profile']) {
    await page.goto(server.url + path)
    await expect(page.locator('h1').first()).toBeVisible()
    await clean(
      page,
      one.marks.filter((mark) => mark !== one.id),
    )
  }
  await page.context().setOffline(false)
  await second(page, server, one.marks)
})

test('of somebody who kept a call waiting only that call stays, and nobody else can read it', {
  tag: '@worker',
}, async ({ page, server }) => {
  const one = await first(server)
  await visit(page, server, one)
  await page.context().setOffline(true)
  const card = page.getByRole('region', { name: '基本資料' })
  await card.getByRole('button', { name: '編輯' }).click()
  await card.getByRole('textbox', { name: '姓名' }).fill('等著的名')
  await card.getByRole('button', { name: '儲存' }).click()
  await said(page, '已排入待送，恢復連線後自動送出')
  await page.getByRole('main').getByRole('button', { name: '登出', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: '保留' }).click()
  await expect(page).toHaveURL(`${server.url}/`)
  await page.context().setOffline(false)
  const place = `indexedDB lingbo-${one.person.uid} outbox`
  // The call knows whose it is, what it says and what stood there before.
  const own = ['等著的名', one.person.uid, one.person.name, '暗記'].map((mark) => `${place}: ${mark}`)
  await second(page, server, [...one.marks, '等著的名'], own)
  await expect.poll(async () => (await storages(page))[place]).toContain('等著的名')
})
