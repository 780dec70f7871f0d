// 訊號通知 on the screen: reading clears the badge here and on another device; what is set offline goes out and meets another device's edit.
import type { Page } from '@playwright/test'
import {
  getNotificationSetting,
  listNotifications,
  updateNotificationSetting,
} from '#contract/notification.ts'
import { createStrategy } from '#contract/strategy.ts'
import { insideOf } from '#server/stream/notification.ts'
import { axe, expect, said, test } from '#tests/support/app.ts'
import { hookPath } from '#tests/support/desk.ts'
import { type Person, signIn, signUp } from '#tests/support/people.ts'
import { everythingKept, openAs } from '#tests/support/screen.ts'
import type { TestServer } from '#tests/support/server.ts'
import { kept } from '#tests/support/storages.ts'

const BADGE = '則未讀'

/** A trader with two strategies, and what makes one of them tell. */
async function fires(server: TestServer) {
  const person = await signUp(server, '林柏翰')
  const settings = { product_code: 'MXF' }
  const paths = await Promise.all(
    ['台指突破', '夜盤回檔'].map(async (name) =>
      hookPath(await person.call(createStrategy, { kind: 'futures', name, settings })),
    ),
  )
  let count = 0
  const fire = (which: number) => report(server, paths[which] ?? '', ++count)
  return { person, fire }
}

/** The source says that it holds something else: that asks for somebody, beside the signal itself. */
async function report(server: TestServer, path: string, id: number) {
  const body = JSON.stringify({
    ...{ symbol: 'MXF1!', action: 'buy', contracts: 1, price: 46_000 + id, position_size: 50 },
    ...{ prev_market_position: 'long', prev_market_position_size: 49, timenow: new Date().toISOString() },
  })
  expect((await server.request(path, { method: 'POST', body })).status).toBe(200)
}

/** A trader with so many signals of one strategy, all of them told. */
async function told(server: TestServer, count: number): Promise<Person> {
  const person = await signUp(server, '林柏翰')
  const settings = { product_code: 'MXF' }
  const path = hookPath(await person.call(createStrategy, { kind: 'futures', name: '台指突破', settings }))
  for (let id = 1; id <= count; id++) {
    const body = JSON.stringify({ id: `n${id}`, symbol: 'MXF1!', action: 'buy', qty: 1, price: 46_000 })
    await server.request(path, { method: 'POST', body })
  }
  await expect.poll(async () => (await person.call(listNotifications, {})).unread_count).toBe(count)
  return person
}
/** A trader whom so many alarms ask for. */
async function asked(server: TestServer, count: number): Promise<Person> {
  const { person, fire } = await fires(server)
  for (let id = 1; id <= count; id++) await fire(id % 2)
  await expect.poll(() => unread(person)).toBe(count)
  return person
}
/** Matrix, order and merging stand there. */
const unfold = (page: Page) => page.getByText('進階', { exact: true }).click()
const unread = async (person: Person) => (await person.call(listNotifications, {})).attention_count
/** What shows the count wherever one is, once on a screen: the desktop's bell, on phones that of the first page, else the tab. */
const counted = (page: Page, count: number | RegExp) => {
  const name = new RegExp(`${count instanceof RegExp ? count.source : count}\\s*${BADGE}`)
  return page.getByRole('link', { name }).or(page.getByRole('button', { name })).and(page.locator(':visible'))
}

test('reading one clears it from the badge here and on the other device; reading all clears the badge @phone', async ({
  page,
  browser,
  server,
}) => {
  const person = await asked(server, 2)
  await openAs(page, server.url, person, '/dashboard')
  await expect(counted(page, 2)).toHaveCount(1)
  await page.getByRole('link', { name: '訊號通知，2 則未讀', exact: true }).click()
  await expect(page.getByText('2 則未讀', { exact: true })).toBeVisible()
  await axe(page)

  const elsewhere = await browser.newContext()
  const other = await elsewhere.newPage()
  await openAs(other, server.url, person, '/dashboard')
  await expect(counted(other, 2)).toHaveCount(1)

  await page
    .getByRole('button', { name: /標為已讀：/ })
    .first()
    .click()
  await expect(page.getByText('1 則未讀', { exact: true })).toBeVisible()
  await expect(counted(other, 1)).toHaveCount(1)
  await page.getByRole('button', { name: '全部標為已讀' }).click()
  await expect(page.getByText('全部都讀過了')).toBeVisible()
  await expect(counted(page, /\d/)).toHaveCount(0)
  await expect(counted(other, /\d/)).toHaveCount(0)
  expect(await unread(person)).toBe(0)
  await elsewhere.close()
})

test('set offline, it stands there at once and meets what another device set: the covered value comes back with 還原', {
  tag: ['@desktop', '@worker'],
}, async ({ page, context, server }) => {
  const person = await signUp(server, '林柏翰')
  await openAs(page, server.url, person, '/dashboard')
  await everythingKept(page)
  await page.goto(`${server.url}/signal-notification?tab=setting`)
  const box = page.getByRole('checkbox', { name: '公告送到推播' })
  await unfold(page)
  await expect(box).toBeChecked()
  await context.setOffline(true)
  await box.click()
  await said(page, '已排入待送，恢復連線後自動送出')
  await expect(box).not.toBeChecked()
  // meanwhile another device sets the same field to the other value, by a later edit: devices know the time by whole seconds
  const clicked = Date.now()
  await expect.poll(() => Date.now() - clicked).toBeGreaterThan(2_500)
  const field = { 'kinds.announcement.push': true }
  const elsewhere = await signIn(server, person.email)
  await elsewhere.call(updateNotificationSetting, { ...field, 'kinds.organization.push': false })
  await context.setOffline(false)
  const note = page.getByText('「公告送到推播」在兩支裝置上都改過', { exact: false })
  await expect(note).toBeVisible()
  await expect(box).toBeChecked()
  // what only the other device set is here, too
  await expect(page.getByRole('checkbox', { name: '組織送到推播' })).not.toBeChecked()
  await page.getByRole('button', { name: '還原' }).click()
  await expect(box).not.toBeChecked()
  await expect(note).toBeHidden()
  await expect
    .poll(async () => (await person.call(getNotificationSetting, {})).kinds.announcement.push)
    .toBe(false)
})

test('還原 pressed with no network: it stands there at once, after a start too, and goes out; what is set afterwards asks nothing again', {
  tag: ['@desktop', '@worker'],
}, async ({ page, context, server }) => {
  const person = await signUp(server, '林柏翰')
  await openAs(page, server.url, person, '/dashboard')
  await everythingKept(page)
  const tab = `${server.url}/signal-notification?tab=setting`
  await page.goto(tab)
  const box = page.getByRole('checkbox', { name: '公告送到推播' })
  const note = page.getByText('「公告送到推播」在兩支裝置上都改過', { exact: false })
  const stands = async () => (await person.call(getNotificationSetting, {})).kinds.announcement.push
  await unfold(page)
  await expect(box).toBeChecked()
  await context.setOffline(true)
  await box.click()
  await said(page, '已排入待送，恢復連線後自動送出')
  const clicked = Date.now()
  await expect.poll(() => Date.now() - clicked).toBeGreaterThan(2_500)
  const elsewhere = await signIn(server, person.email)
  await elsewhere.call(updateNotificationSetting, { 'kinds.announcement.push': true })
  await context.setOffline(false)
  await expect(note).toBeVisible()
  await expect(box).toBeChecked()

  await context.setOffline(true)
  await page.getByRole('button', { name: '還原' }).click()
  await expect(box).not.toBeChecked()
  await expect(note).toBeHidden()
  await page.goto(tab)
  await unfold(page)
  await expect(box).not.toBeChecked()
  await expect(note).toBeHidden()
  expect(await stands()).toBe(true)
  await context.setOffline(false)
  await expect.poll(stands).toBe(false)
  await expect(box).not.toBeChecked()
  await expect(note).toBeHidden()
  // whoever changes their mind is not told once more that two devices had not agreed
  await box.click()
  await expect.poll(stands).toBe(true)
  await expect(box).toBeChecked()
  await expect(note).toBeHidden()
})

test('with no network: what was sent is chosen among what is here, and what needs the network says so', {
  tag: ['@desktop', '@worker'],
}, async ({ page, context, server }) => {
  const person = await told(server, 2)
  const { db } = server.app
  const own = db.selectFrom('notifications').selectAll().where('uid', '=', person.uid)
  const { id: _id, ...like } = insideOf(await own.executeTakeFirstOrThrow())
  const lost = {
    channel: 'email',
    receiver_id: person.uid,
    state: 'dead',
    reason: '收件伺服器沒有回應',
  } as const
  await db
    .insertInto('notification_deliveries')
    .values({ ...like, id: '01990000-0000-7000-8000-0000000000aa', ...lost, sent_at: null })
    .execute()
  await openAs(page, server.url, person, '/dashboard')
  await everythingKept(page)
  await page.goto(`${server.url}/signal-notification?tab=deliveries`)
  const rows = page.locator('.why-tab-told')
  await expect(page.getByRole('button', { name: /^重送：/ })).toBeEnabled()
  await expect(rows.getByText('已送達', { exact: true })).toHaveCount(2)
  // a page that is left before its answer is stored has none to keep
  await kept(page, ['answers', '["person","notification","deliveries"', '收件伺服器沒有回應'])
  await page.goto(`${server.url}/signal-notification?tab=setting`)
  await expect(page.getByRole('heading', { name: '通道' })).toBeVisible()
  await kept(page, ['answers', '"notification-setting"'], ['answers', '"notification-channel"'])

  await context.setOffline(true)
  await page.goto(`${server.url}/signal-notification?tab=deliveries&state=dead`)
  await expect(page.getByRole('button', { name: /^連線後可以重送：/ })).toBeDisabled()
  await expect(rows.getByText('已送達', { exact: true })).toHaveCount(0)
  await expect(rows.first()).toContainText('收件伺服器沒有回應')
  await page.goto(`${server.url}/signal-notification?tab=deliveries&state=failed`)
  await expect(page.getByText('讀不到發送紀錄')).toBeVisible()
  await page.goto(`${server.url}/signal-notification?tab=setting&channel=email`)
  const test = page.getByRole('region', { name: '傳送測試' })
  await expect(test).toContainText('目前離線，連上網路才送得出去')
})

test('the matrix fits the screen, and every box of it a thumb', { tag: '@soak' }, async ({
  page,
  server,
}) => {
  const person = await signUp(server, '林柏翰')
  await openAs(page, server.url, person, '/signal-notification?tab=setting')
  const box = page.getByRole('checkbox', { name: '訊號送到站內' })
  await unfold(page)
  await expect(box).toBeVisible()
  const cell = await box.locator('xpath=..').boundingBox()
  expect(cell?.height).toBeGreaterThanOrEqual(44)
  expect(cell?.width).toBeGreaterThanOrEqual(44)
  const wider = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  await expect.poll(wider).toBeLessThanOrEqual(0)
  await axe(page)
  await page.goto(`${server.url}/signal-notification?tab=why`)
  await expect(page.getByText('和伺服器的連線')).toBeVisible()
  await axe(page)
})

test('what is older and does not come is said at its key', { tag: ['@phone', '@soak'] }, async ({
  page,
  context,
  server,
}) => {
  const person = await asked(server, 2)
  // pages of one, so that two are enough for a second one
  await page.route('**/signal-notifications*', (route) =>
    route.continue({ url: route.request().url().replace(/\?|$/, '?limit=1&') }),
  )
  await openAs(page, server.url, person, '/signal-notification')
  const more = page.getByRole('button', { name: '顯示更早的通知' })
  await expect(more).toBeVisible()
  await context.setOffline(true)
  await more.click()
  await expect(page.getByRole('alert').getByText('目前離線。連線後再試一次。')).toBeVisible()
  await context.setOffline(false)
  await expect(async () => (await more.isVisible()) && more.click({ timeout: 2_000 })).toPass()
  await expect(more).toBeHidden()
})

test('what comes while one reads further down moves nothing: it waits, says so, and comes in by a press', {
  tag: '@soak',
}, async ({ page, server }) => {
  // A source that holds something else is told once a strategy: so many strategies.
  const person = await signUp(server, '林柏翰')
  const settings = { product_code: 'MXF' }
  const paths: string[] = []
  for (let n = 1; n <= 19; n++)
    paths.push(hookPath(await person.call(createStrategy, { kind: 'futures', name: `策略 ${n}`, settings })))
  const fire = (n: number) => report(server, paths[n] ?? '', n + 1)
  for (let n = 1; n <= 18; n++) await fire(n)
  await expect.poll(() => unread(person)).toBe(18)
  await openAs(page, server.url, person, '/signal-notification')
  const rows = page.getByRole('region', { name: '未讀' }).getByRole('listitem')
  await expect(rows).toHaveCount(18)
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  await expect(rows.first()).not.toBeInViewport()
  await away(page)
  const before = await rows.last().boundingBox()
  await fire(0)
  const pill = page.getByRole('button', { name: '1 則新通知' })
  await expect(pill).toBeVisible()
  await expect(rows).toHaveCount(18)
  expect(await rows.last().boundingBox()).toEqual(before)
  await pill.click()
  await expect(rows).toHaveCount(19)
  await expect(rows.first()).toBeInViewport()
  await expect(pill).toBeHidden()
})

/** The list learns that its head is out of sight a moment after it is: then it has drawn with that. */
const away = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<void>((done) => {
        const drawn = () => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))
        const head = document.querySelector('main [role=status]')?.parentElement
        const looks = new IntersectionObserver(([seen]) => seen?.isIntersecting || drawn(), {
          rootMargin: '-72px 0px 0px',
        })
        if (head) looks.observe(head)
      }),
  )

test('the number on the icon is what is unread, and goes with reading', { tag: '@desktop' }, async ({
  page,
  server,
}) => {
  const person = await asked(server, 2)
  await page.addInitScript(() => {
    const shown: number[] = []
    Object.assign(navigator, {
      setAppBadge: async (count: number) => void shown.push(count),
      clearAppBadge: async () => void shown.push(0),
    })
    Object.assign(window, { shown })
  })
  const onIcon = () => page.evaluate(() => (window as unknown as { shown: number[] }).shown.at(-1))
  await openAs(page, server.url, person, '/signal-notification')
  await expect.poll(onIcon).toBe(2)
  await page
    .getByRole('button', { name: /標為已讀：/ })
    .first()
    .click()
  await expect.poll(onIcon).toBe(1)
  await page.getByRole('button', { name: '全部標為已讀' }).click()
  await expect.poll(onIcon).toBe(0)
})
