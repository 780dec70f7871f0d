// Everybody's phone rings once: the sheet after a sign-in, put off and found again on the profile, until a device was reached.
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { createInvites } from '#contract/join.ts'
import { createOrganization } from '#contract/organization.ts'
import { axe, expect, said, signInByForm, test } from '#tests/support/app.ts'
import { signUp } from '#tests/support/people.ts'
import { type PushService, startPushService } from '#tests/support/push-service.ts'
import { openAs } from '#tests/support/screen.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

const DIST = process.env['DIST_DIR'] ?? fileURLToPath(new URL('../../dist', import.meta.url))
let server: TestServer
let service: PushService

test.beforeAll(async () => {
  service = await startPushService()
  server = await startServer({ notifies: true, env: { DIST_DIR: DIST, OUTGOING_ALLOW: '127.0.0.0/8' } })
})
test.afterAll(async () => {
  await server.close()
  await service.close()
})

/** This Chromium has no line to a push service: the browser's part is played, with the keys of the service of the tests. */
const playPush = (page: Page, gives: ReturnType<PushService['subscribe']>) =>
  page.addInitScript((subscription) => {
    let said: NotificationPermission = 'default'
    let held: unknown = null
    Object.defineProperty(Notification, 'permission', { get: () => said })
    Object.defineProperty(Notification, 'requestPermission', { value: async () => (said = 'granted') })
    PushManager.prototype.getSubscription = async () => held as PushSubscription | null
    PushManager.prototype.subscribe = async ({ applicationServerKey } = {}) => {
      const { endpoint, keys } = subscription
      held = {
        endpoint,
        options: { applicationServerKey: (applicationServerKey as Uint8Array).buffer },
        toJSON: () => ({ endpoint, keys }),
        unsubscribe: async () => true,
      }
      return held as PushSubscription
    }
  }, gives)

test('a member who signs in on a phone is led to one ring; put off, it waits on the profile; heard, it asks no more', {
  tag: ['@phone', '@worker'],
}, async ({ page }) => {
  const person = await signUp(server, '林成員')
  await person.call(createOrganization, { name: '海風投顧' })
  const device = service.subscribe(server.app.vapid.public)
  await playPush(page, device)
  await signInByForm(page, server.url, person.email)
  const sheet = page.getByRole('dialog', { name: '讓這支手機響一次' })
  await expect(sheet).toBeVisible()
  await axe(page)
  await sheet.getByRole('button', { name: '之後再說' }).click()
  await expect(sheet).toBeHidden()

  await page.goto(`${server.url}/profile`)
  await expect(page.getByRole('heading', { name: '收推播的裝置' })).toBeVisible()
  await expect(sheet).toBeHidden()
  const again = page.getByRole('button', { name: '讓手機響一次' })
  await again.click()
  await sheet.getByRole('button', { name: '打開推播' }).click()
  await sheet.getByRole('button', { name: '試響一次' }).click()
  await sheet.getByRole('button', { name: '聽到了' }).click()
  await said(page, '這支手機會響')
  await expect(sheet).toBeHidden()
  expect(service.messages.filter(({ endpoint }) => endpoint === device.endpoint)).toHaveLength(1)
  await page.reload()
  await expect(page.getByRole('link', { name: '設定這支裝置' })).toBeVisible()
  await expect(again).toHaveCount(0)
})

test('where no push can be, it names the ways that this server has', { tag: '@phone' }, async ({ page }) => {
  const person = await signUp(server, '林成員')
  await page.addInitScript(() => Reflect.deleteProperty(window, 'PushManager'))
  await signInByForm(page, server.url, person.email)
  await page.goto(`${server.url}/profile`)
  await page.getByRole('button', { name: '讓手機響一次' }).click()
  const sheet = page.getByRole('dialog', { name: '讓這支手機響一次' })
  await sheet.getByRole('region', { name: '其他通道' }).getByRole('button', { name: '電子郵件' }).click()
  await expect(sheet).toBeHidden()
  await expect(page).toHaveURL(/tab=setting&channel=email/)
})

test('somebody who was signed in before is asked too once they come into an organization, and told of it in one message', {
  tag: '@phone',
}, async ({ page }) => {
  const boss = await signUp(server, '林站長')
  const guest = await signUp(server, '陳以安')
  const { id } = await boss.call(createOrganization, { name: '海風投顧' })
  await boss.call(createInvites, { id, emails: [guest.email] }, { 'lb-org-id': id })
  await openAs(page, server.url, guest, '/my-organizations')
  await page.getByRole('button', { name: '接受邀請' }).click()
  await said(page, '已加入「海風投顧」已切換至 海風投顧 組織成員 身份')
  const sheet = page.getByRole('dialog', { name: '讓這支手機響一次' })
  await expect(sheet).toBeVisible()
  await sheet.getByRole('button', { name: '之後再說' }).click()
  await expect(sheet).toBeHidden()
})
