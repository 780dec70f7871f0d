// 待送匣: what is done offline is shown at once, survives the browser's death, goes out once, and asks when it must.
import type { Page } from '@playwright/test'
import { getProfile } from '#contract/profile.ts'
import { createStrategy, deleteStrategy, getStrategy } from '#contract/strategy.ts'
import { axe, expect, said, signInByForm, test } from '#tests/support/app.ts'
import { afterAnEvening } from '#tests/support/own-browser.ts'
import { type Person, signUp } from '#tests/support/people.ts'
import { everythingKept } from '#tests/support/screen.ts'
import type { TestServer } from '#tests/support/server.ts'

const STRATEGY = { kind: 'futures', name: '微台順勢', settings: { product_code: 'TMF' } } as const

async function rename(page: Page, name: string): Promise<void> {
  const card = page.getByRole('region', { name: '基本資料' })
  await card.getByRole('button', { name: '編輯' }).click()
  await card.getByRole('textbox', { name: '姓名' }).fill(name)
  await card.getByRole('button', { name: '儲存' }).click()
  await expect(card.locator('.name-card-name')).toHaveText(name)
}
/** How often the server took the name over. */
async function renames({ app }: TestServer, { uid }: Person): Promise<number> {
  const rows = await app.db
    .selectFrom('events')
    .select('data')
    .where('scope', '=', `p:${uid}`)
    .where('kind', '=', 'profile')
    .execute()
  return rows.filter(({ data }) => String(data).includes('name')).length
}
const nameOf = async (person: Person) => (await person.call(getProfile, {})).name
const bell = (page: Page) => page.getByRole('button', { name: /^通知設定/ })
/** Opens the bell, turns whether this strategy's signals are told, and closes it. */
async function turnBell(page: Page): Promise<void> {
  await bell(page).click()
  const choice = page.getByRole('dialog', { name: '這個策略的通知' })
  await choice.getByRole('radio', { name: /^關/ }).click()
  await choice.getByRole('button', { name: '關閉' }).click()
  await expect(choice).toBeHidden()
}
const badge = (page: Page) =>
  page
    .getByRole('link', { name: /筆(待送|待處理)/ })
    .and(page.locator(':visible'))
    .first()
/** Signed in, with the worker in charge, on /profile. */
async function settled(page: Page, url: string, person: Person): Promise<void> {
  await signInByForm(page, url, person.email)
  await everythingKept(page)
  await page.goto(`${url}/profile`)
  await expect(page.locator('.name-card-name')).toHaveText(person.name)
}

test('a name changed offline stands there at once, outlives the killed browser, and is sent once', {
  tag: ['@desktop', '@worker', '@soak'],
}, async ({ server, own }) => {
  const person = await signUp(server, '林柏翰', { verify: false })
  const first = await afterAnEvening(own, server.url, (page) => settled(page, server.url, person))
  const page = await first.newPage()
  await page.goto(`${server.url}/profile`)
  await everythingKept(page)
  await expect(page.locator('.name-card-name')).toHaveText(person.name)
  await first.setOffline(true)
  await rename(page, '林柏翰二')
  await said(page, '已排入待送，恢復連線後自動送出')
  await expect(page.getByText('待送出', { exact: true })).toBeVisible()
  await expect(badge(page)).toContainText('1 筆待送')
  // the whole browser, without a chance to tidy up
  await own.kill()
  expect(await nameOf(person)).toBe('林柏翰')

  const second = await own.start()
  const again = await second.newPage()
  await again.goto(`${server.url}/profile`)
  await expect.poll(() => nameOf(person)).toBe('林柏翰二')
  await expect(again.locator('.name-card-name')).toHaveText('林柏翰二')
  await expect(again.getByText('待送出', { exact: true })).toHaveCount(0)
  await again.reload()
  await expect(again.locator('.name-card-name')).toHaveText('林柏翰二')
  expect(await renames(server, person)).toBe(1)
})

test('the worker keeps a call that no page kept, and sends it once under its own key', {
  tag: ['@desktop', '@worker'],
}, async ({ page, context, server }) => {
  const person = await signUp(server, '林柏翰', { verify: false })
  await settled(page, server.url, person)
  await page.reload() // now the worker answers for this page
  await expect(page.locator('.name-card-name')).toHaveText(person.name)
  expect(await page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)
  await context.setOffline(true)
  const key = '01900000-0000-7000-8000-0000000000aa'
  const answer = await page.evaluate(async (key) => {
    const response = await fetch('/api/v1/user/name', {
      method: 'PUT',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${localStorage.getItem('token')}`,
        'idempotency-key': key,
      },
      body: JSON.stringify({ name: '由背景送出' }),
    })
    return { status: response.status, body: await response.json() }
  }, key)
  expect(answer).toMatchObject({ status: 202, body: { result: { queued: true, key } } })
  await expect(badge(page)).toContainText('1 筆待送')
  await expect(page.locator('.name-card-name')).toHaveText('由背景送出')
  await context.setOffline(false)
  await expect.poll(() => nameOf(person)).toBe('由背景送出')
  await expect(badge(page)).toHaveCount(0)
  const rows = await server.app.db.selectFrom('idempotency').select('key').where('key', '=', key).execute()
  expect(rows).toHaveLength(1)
  expect(await renames(server, person)).toBe(1)
})

test('the panel: what waits, taking it back, what the server refused, correcting it @phone', {
  tag: '@worker',
}, async ({ page, context, server }) => {
  const person = await signUp(server, '林柏翰')
  const strategy = await person.call(createStrategy, STRATEGY)
  await settled(page, server.url, person)
  // as the icon's shortcut 待送出 opens it
  await page.goto(`${server.url}/profile?panel=outbox&source=shortcut`)
  const panel = page.getByRole('dialog', { name: '待送匣' })
  await expect(panel).toContainText('沒有等待送出的內容')
  expect(await axe(page)).toEqual([])
  await panel.getByRole('button', { name: '關閉' }).click()
  await expect(page).toHaveURL(`${server.url}/profile?source=shortcut`)

  await page.goto(`${server.url}/strategies/${strategy.id}`)
  await expect(bell(page)).toHaveAccessibleName('通知設定，現在響')
  await context.setOffline(true)
  await turnBell(page)
  await expect(bell(page)).toHaveAccessibleName('通知設定，現在關，待送出')

  // taken back: the bell is as it was
  await badge(page).click()
  await expect(panel.locator('.outbox-item')).toHaveCount(1)
  await expect(panel).toContainText('「微台順勢」的通知')
  await expect(panel).toContainText('等待連線')
  await expect(panel).toContainText('個人身份')
  expect(await axe(page)).toEqual([])
  await panel.getByRole('button', { name: '取消' }).click()
  await panel.getByRole('button', { name: '確定取消' }).click()
  await expect(panel).toContainText('沒有等待送出的內容')
  await panel.getByRole('button', { name: '關閉' }).click()
  await expect(bell(page)).toHaveAccessibleName('通知設定，現在響')

  // the strategy is gone when it arrives: the reason stays until it is dealt with
  await turnBell(page)
  await expect(bell(page)).toHaveAccessibleName('通知設定，現在關，待送出')
  await person.call(deleteStrategy, { id: strategy.id, name: '微台順勢', keep_records: false })
  await context.setOffline(false)
  await expect(badge(page)).toContainText('1 筆待處理')
  await page.goto(`${server.url}/profile?panel=outbox`)
  await expect(panel).toContainText('失敗')
  await expect(panel).toContainText('找不到這筆資料')
  await panel.getByRole('button', { name: '取消' }).click()
  await panel.getByRole('button', { name: '確定取消' }).click()
  await expect(panel).toContainText('沒有等待送出的內容')
  await panel.getByRole('button', { name: '關閉' }).click()

  // refused by its content: back to the form with what was typed and why
  await page.reload()
  await expect(page.locator('.name-card-name')).toHaveText(person.name)
  await context.setOffline(true)
  await page.evaluate(async () => {
    await fetch('/api/v1/user/name', {
      method: 'PUT',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${localStorage.getItem('token')}`,
        'idempotency-key': crypto.randomUUID(),
      },
      body: JSON.stringify({ name: '' }),
    })
  })
  await context.setOffline(false)
  // it ends at the right and grows shorter when the server answers: a press is not begun on what is about to move
  await expect(badge(page)).toHaveText(/^線上.*1 筆待處理$/)
  await badge(page).click()
  await expect(panel).toContainText('請輸入姓名')
  await panel.getByRole('button', { name: '修改後重送' }).click()
  const field = page.getByRole('textbox', { name: '姓名' })
  await expect(field).toBeVisible()
  await field.fill('改好了')
  await page.getByRole('button', { name: '儲存' }).click()
  await expect.poll(() => nameOf(person)).toBe('改好了')
  await expect(badge(page)).toHaveCount(0)
})

test('signing out with something waiting asks; what is kept is sent for its owner only @desktop', {
  tag: '@worker',
}, async ({ page, context, server }) => {
  const person = await signUp(server, '林柏翰', { verify: false })
  const other = await signUp(server, '蔡佩君', { verify: false })
  await settled(page, server.url, person)
  await context.setOffline(true)
  await rename(page, '林柏翰二')
  const leave = page.getByRole('main').getByRole('button', { name: '登出', exact: true })
  await leave.click()
  const question = page.getByRole('dialog', { name: '還有 1 筆沒有送出' })
  await expect(question).toBeVisible()
  expect(await axe(page)).toEqual([])
  await question.getByRole('button', { name: '送出' }).click()
  await expect(question).toContainText('還有 1 筆送不出去：目前離線')
  await question.getByRole('button', { name: '保留' }).click()
  await expect(page).toHaveURL(`${server.url}/`)

  await context.setOffline(false)
  await signInByForm(page, server.url, other.email)
  await page.goto(`${server.url}/profile?panel=outbox`)
  await expect(page.getByRole('dialog', { name: '待送匣' })).toContainText('另有 1 筆屬於另一個帳號')
  await expect(page.getByText('林柏翰二')).toHaveCount(0)
  expect([await nameOf(person), await nameOf(other)]).toEqual(['林柏翰', '蔡佩君'])
  await page.getByRole('dialog').getByRole('button', { name: '關閉' }).click()
  await leave.click()
  await expect(page).toHaveURL(`${server.url}/`)

  await signInByForm(page, server.url, person.email)
  await expect.poll(() => nameOf(person)).toBe('林柏翰二')
  await expect(badge(page)).toHaveCount(0)
  expect(await renames(server, person)).toBe(1)

  // thrown away: gone from the device
  await page.goto(`${server.url}/profile`)
  await expect(page.locator('.name-card-name')).toHaveText('林柏翰二')
  await context.setOffline(true)
  await rename(page, '不要了')
  await leave.click()
  await page.getByRole('dialog').getByRole('button', { name: '捨棄' }).click()
  await expect(page).toHaveURL(`${server.url}/`)
  await context.setOffline(false)
  await signInByForm(page, server.url, person.email)
  await page.goto(`${server.url}/profile`)
  await expect(page.locator('.name-card-name')).toHaveText('林柏翰二')
  expect(await nameOf(person)).toBe('林柏翰二')
})

test('without Background Sync (iOS, Firefox) the next page that opens sends it, in order, two tabs once', {
  tag: ['@phone', '@worker'],
}, async ({ page, context, server }) => {
  await context.addInitScript(() => {
    Reflect.deleteProperty(window, 'SyncManager')
  })
  const person = await signUp(server, '林柏翰')
  const strategy = await person.call(createStrategy, STRATEGY)
  await settled(page, server.url, person)
  const second = await context.newPage()
  await second.goto(`${server.url}/strategies/${strategy.id}`)
  await expect(bell(second)).toHaveAccessibleName('通知設定，現在響')
  await context.setOffline(true)
  await rename(page, '一')
  await rename(page, '二')
  await turnBell(second)
  await expect(badge(page)).toContainText('2 筆待送')
  await expect(badge(second)).toContainText('2 筆待送')
  await page.close()
  await second.close()
  await context.setOffline(false)
  const [third, fourth] = [await context.newPage(), await context.newPage()]
  await Promise.all([third.goto(`${server.url}/profile`), fourth.goto(`${server.url}/profile`)])
  await expect.poll(() => nameOf(person)).toBe('二')
  await expect
    .poll(async () => (await person.call(getStrategy, { id: strategy.id })).my_notify.enabled)
    .toBe(false)
  for (const tab of [third, fourth]) await expect(badge(tab)).toHaveCount(0)
  expect(await renames(server, person)).toBe(1)
})
