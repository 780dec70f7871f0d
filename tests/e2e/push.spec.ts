// A push while the app is closed: kept, told to whom it belongs, opened without a network; read here, closed there.
import { fileURLToPath } from 'node:url'
import type { BrowserContext, Page } from '@playwright/test'
import { listPushSubscriptions, subscribePush } from '#contract/binding.ts'
import { listNotificationDeliveries, listNotifications, readNotifications } from '#contract/notification.ts'
import { createStrategy } from '#contract/strategy.ts'
import { expect, test } from '#tests/support/app.ts'
import { hookPath } from '#tests/support/desk.ts'
import { type Line, startLine } from '#tests/support/line.ts'
import { type Person, signUp } from '#tests/support/people.ts'
import { type PushService, startPushService } from '#tests/support/push-service.ts'
import { notingWorker, pushTo, shownBy } from '#tests/support/pushed.ts'
import { everythingKept, signedInContext } from '#tests/support/screen.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { storages } from '#tests/support/storages.ts'

const DIST = process.env['DIST_DIR'] ?? fileURLToPath(new URL('../../dist', import.meta.url))
let server: TestServer
let service: PushService
let line: Line

test.beforeAll(async () => {
  service = await startPushService()
  server = await startServer({ notifies: true, env: { DIST_DIR: DIST, OUTGOING_ALLOW: '127.0.0.0/8' } })
  line = await startLine(() => ({ to: server.url }))
})
test.afterAll(async () => {
  await line.close()
  await server.close()
  await service.close()
  expect(service.wrong).toEqual([])
})

/** A strategy of this person buys, and whoever is to be told has been. */
async function buys(person: Person, name: string): Promise<void> {
  const settings = { product_code: 'MXF' }
  const strategy = await person.call(createStrategy, { kind: 'futures', name, settings })
  const body = JSON.stringify({ symbol: 'MXF1!', action: 'buy', quantity: 1, price: 46_512 })
  expect((await server.request(hookPath(strategy), { method: 'POST', body })).status).toBe(200)
  await server.app.notifier.catchUp()
}

/** What the server pushes to a device of this person when their strategy buys. */
async function pushed(person: Person, name: string): Promise<string> {
  const device = service.subscribe(server.app.vapid.public)
  await person.call(subscribePush, device)
  await buys(person, name)
  const [message] = service.messages.filter(({ endpoint }) => endpoint === device.endpoint)
  return message?.text ?? ''
}

/** Somebody's browser that was here before and has everything; its page is open on the dashboard. */
async function device(
  browser: Parameters<typeof signedInContext>[0],
  person: Person,
  prepare?: (context: BrowserContext) => Promise<unknown>,
): Promise<Page> {
  const context = await signedInContext(browser, line.url, person)
  await prepare?.(context)
  const page = await context.newPage()
  const listens = page.waitForResponse('**/api/v1/events')
  await page.goto(`${line.url}/dashboard`)
  await listens
  await everythingKept(page)
  await expect
    .poll(async () => Object.keys(await storages(page)))
    .toEqual(
      expect.arrayContaining(['indexedDB lingbo-session session', `indexedDB lingbo-${person.uid} meta`]),
    )
  return page
}

const ROWS = 'main li[aria-setsize]'

/** In the page: counts the addresses that the router itself puts in place of the one before; its own entries carry this mark. */
function countLed(): void {
  const counted = { led: 0 }
  Object.assign(window, { counted })
  const replace = history.replaceState.bind(history)
  history.replaceState = (state: object | null, unused, url) => {
    if (state && '__hashScrollIntoViewOptions' in state) counted.led++
    replace(state, unused, url)
  }
}

/** In the page: notes how many rows of the list, and menus of the shell, stood there when the opened record first showed `text`. */
function countBehind(text: string): void {
  const look = (_: unknown, observer: MutationObserver) => {
    if (!document.querySelector('dialog[open]:not([data-glance])')?.textContent?.includes(text)) return
    observer.disconnect()
    Object.assign(window, { behind: document.querySelectorAll('main li[aria-setsize], #user-menu').length })
  }
  new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true })
}

test('kept before it is told; the tap opens it without a network; the server hears that it was shown', {
  tag: ['@desktop', '@worker'],
}, async ({ browser }) => {
  const person = await signUp(server, '夜行人')
  const page = await device(browser, person)
  const worker = await notingWorker(page.context(), person.uid)
  await page.goto('about:blank')
  const text = await pushed(person, '夜間突破')
  line.lead(() => 'dead')

  await pushTo(page, line.url, text)
  await expect.poll(() => shownBy(worker)).toHaveLength(1)
  const [shown] = await shownBy(worker)
  expect(shown).toMatchObject({ title: '夜間突破 · 多單進場', kept: 1 })

  await page.addInitScript(countBehind, '46,512')
  await page.addInitScript(countLed)
  await page.goto(line.url + shown?.url)
  const detail = page.getByRole('dialog')
  await expect(detail).toContainText('46,512')
  await expect(detail).toContainText('多單進場')
  // the record leads, its list comes a frame later; the identity that acts already is no part of the address any more
  await expect(page.locator(ROWS)).toHaveCount(1)
  await expect(page.locator('#user-menu')).toHaveCount(1)
  expect(await page.evaluate(() => (window as unknown as { behind: number }).behind)).toBe(0)
  await expect(page).toHaveURL(/\/signals\?signal=[^&]+$/)
  // taken out before the router began: it has not gone through its routes twice
  const led = () => page.evaluate(() => (window as unknown as { counted: { led: number } }).counted.led)
  expect(await led()).toBe(0)
  await page.keyboard.press('Escape')
  await expect(detail).toHaveCount(0)
  expect(await led(), 'the mark is what the router writes').toBe(1)

  line.lead(() => ({ to: server.url }))
  await page.goto(`${line.url}/signals`)
  await expect
    .poll(async () => (await person.call(listNotificationDeliveries, { channel: 'push' })).items)
    .toMatchObject([{ state: 'confirmed', shown_at: expect.any(String) }])
  await page.context().close()
})

test('another person on the device gets none of it', { tag: ['@desktop', '@worker'] }, async ({
  browser,
}) => {
  const owner = await signUp(server, '先到的人')
  const next = await signUp(server, '後到的人')
  const page = await device(browser, next)
  const worker = await notingWorker(page.context(), owner.uid)
  const text = await pushed(owner, '暗記突破')
  expect(text).toContain('暗記突破')
  await page.goto('about:blank')
  await pushTo(page, line.url, text)
  await expect.poll(() => shownBy(worker)).toHaveLength(1)
  expect(JSON.stringify(await shownBy(worker))).not.toContain('暗記')
  await page.goto(`${line.url}/signals`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const kept = await storages(page)
  expect(Object.keys(kept).filter((place) => place.includes(owner.uid))).toEqual([])
  for (const [place, content] of Object.entries(kept))
    for (const mark of ['暗記', '46512', owner.uid]) expect(content, place).not.toContain(mark)
  await page.context().close()
})

test('read on one device, closed on the other', { tag: ['@desktop', '@worker'] }, async ({ browser }) => {
  const person = await signUp(server, '兩支手機')
  await pushed(person, '兩邊都響')
  await pushed(person, '還沒看的')
  const { items } = await person.call(listNotifications, {})
  const page = await device(browser, person, (context) =>
    context.addInitScript(
      (ids) => {
        const open = new Set(ids)
        Object.assign(window, { still_shown: open })
        Object.defineProperty(Notification, 'permission', { get: () => 'granted' })
        ServiceWorkerRegistration.prototype.getNotifications = async () =>
          [...open].map(
            (id) =>
              ({
                data: { notification_id: id },
                close: () => void open.delete(id),
              }) as unknown as Notification,
          )
      },
      items.map(({ id }) => id),
    ),
  )
  const still = () =>
    page.evaluate(() => [...(window as unknown as { still_shown: Set<string> }).still_shown])
  const read = items.find(({ title }) => title.startsWith('兩邊都響'))
  const other = items.filter(({ id }) => id !== read?.id).map(({ id }) => id)
  expect((await still()).sort()).toEqual(items.map(({ id }) => id).sort())
  await person.call(readNotifications, { ids: [read?.id ?? ''] })
  await expect.poll(still).toEqual(other)
  await page.context().close()
})

test('turned on by a press, tried, turned off; a refusal leads to the steps that take it back', {
  tag: ['@desktop', '@worker'],
}, async ({ browser }) => {
  const person = await signUp(server, '按下去的人')
  const subscription = service.subscribe(server.app.vapid.public)
  const another = service.subscribe(server.app.vapid.public)
  const context = await signedInContext(browser, server.url, person)
  // this Chromium has no line to a push service: the browser's part is played, with the keys of the service of the tests
  await context.addInitScript(
    (gives) => {
      const own = window as unknown as { answers?: NotificationPermission }
      let said: NotificationPermission = 'default'
      let held: unknown = null
      Object.defineProperty(Notification, 'permission', { get: () => said })
      Object.defineProperty(Notification, 'requestPermission', {
        value: async () => (said = own.answers ?? 'granted'),
      })
      PushManager.prototype.getSubscription = async () => held as PushSubscription | null
      PushManager.prototype.subscribe = async ({ applicationServerKey } = {}) => {
        const { endpoint, keys } = gives.shift() as (typeof gives)[number]
        held = {
          endpoint,
          options: { applicationServerKey: (applicationServerKey as Uint8Array).buffer },
          toJSON: () => ({ endpoint, keys }),
          unsubscribe: async () => {
            held = null
            return true
          },
        }
        return held as PushSubscription
      }
    },
    [subscription, another],
  )
  const page = await context.newPage()
  await page.goto(`${server.url}/signal-notification?tab=setting&channel=push`)
  const sheet = page.getByRole('dialog', { name: '推播' })
  await sheet.getByRole('button', { name: '打開推播' }).click()
  await expect(sheet.getByText('這支裝置會收到推播', { exact: false })).toBeVisible()
  const device = sheet.getByRole('region', { name: '收推播的裝置' }).getByRole('listitem')
  await expect(device).toContainText('這支裝置')
  await sheet.getByRole('button', { name: '傳送測試' }).click()
  await expect(sheet.getByText('已送達', { exact: false })).toBeVisible()
  expect(service.messages.filter(({ endpoint }) => endpoint === subscription.endpoint)).toHaveLength(1)

  // its push service takes it back, and the browser does not know: it is not said to be well, and one press makes another
  service.unsubscribe(subscription.endpoint)
  await buys(person, '收不到的')
  await expect(sheet.getByText('已失效或被移除', { exact: false })).toBeVisible()
  await sheet.getByRole('button', { name: '打開推播' }).click()
  await expect(sheet.getByText('這支裝置會收到推播', { exact: false })).toBeVisible()
  const taken = async () => (await person.call(listPushSubscriptions, {})).map(({ state }) => state)
  await expect.poll(taken).toContain('ok')
  await buys(person, '又收得到的')
  expect(service.messages.filter(({ endpoint }) => endpoint === another.endpoint)).toHaveLength(1)

  await sheet.getByRole('button', { name: '關掉這支裝置的推播' }).click()
  await expect(sheet.getByText('還沒有打開推播', { exact: false }).first()).toBeVisible()
  await expect(device).toHaveCount(0)
  expect(await person.call(listPushSubscriptions, {})).toEqual([])

  const refused = await context.newPage()
  await refused.addInitScript(() => Object.assign(window, { answers: 'denied' }))
  await refused.goto(`${server.url}/signal-notification?tab=why`)
  await refused.getByRole('button', { name: '打開推播' }).click()
  await refused.getByRole('button', { name: '看步驟' }).click()
  await expect(refused.getByRole('dialog', { name: '推播' })).toContainText('改成「允許」')
  await context.close()
})
