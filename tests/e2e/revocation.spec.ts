// A membership that ends: on open pages, without a network, and past its last day with the clock set back. Screens leave, rows go.

import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { addGroupMembers, createGroup, listGroups, setGroupStrategies } from '#contract/group.ts'
import { acceptInvite, createInvites } from '#contract/join.ts'
import { removeMember, updateMember } from '#contract/membership.ts'
import { createOrganization } from '#contract/organization.ts'
import { updateStrategy, uploadNoteImage } from '#contract/strategy.ts'
import { taipei } from '#trading/calendar.ts'
import { expect, said, signInByForm, test } from '../support/app.ts'
import { OWN, shown, strategy, switchTo, THEIRS } from '../support/identities.ts'
import { type Person, signUp } from '../support/people.ts'
import { everythingKept } from '../support/screen.ts'
import type { TestServer } from '../support/server.ts'
import { kept, standing } from '../support/storages.ts'

const DAY_MS = 86_400_000
/** How every WebP begins as text; the program itself has the words before it. */
const WEBP = 'data:image/webp;base64,UklGR'
const NAME = '海風投顧'
const ENDED = `你在「${NAME}」的權限已結束`

interface Club {
  boss: Person
  member: Person
  org: string
  given: string
}

/** An organization whose member was invited, came, and is in a group that gives one strategy; all by the real calls. */
async function club(server: TestServer): Promise<Club> {
  const boss = await signUp(server, '管理者')
  const member = await signUp(server, '林柏翰')
  const { id: org } = await boss.call(createOrganization, { name: NAME })
  const inside = { 'lb-org-id': org }
  await boss.call(createInvites, { id: org, emails: [member.email], role: 'member' }, inside)
  await member.call(acceptInvite, { code: await codeOf(server, member) })
  const given = await strategy(server, boss, THEIRS, org)
  const group = await boss.call(createGroup, { name: '海風乙群' }, inside)
  const strategies = [{ strategy_id: given, starts_on: '2020-01-01' }]
  await boss.call(setGroupStrategies, { id: group.id, strategies }, inside)
  await boss.call(addGroupMembers, { id: group.id, user_ids: [member.uid] }, inside)
  await strategy(server, member, OWN)
  return { boss, member, org, given }
}

async function codeOf(server: TestServer, { email }: Person): Promise<string> {
  let code: string | undefined
  await expect(async () => {
    const mine = (await server.mails()).filter(({ to }) => to === email)
    code = mine.flatMap(({ text }) => /\?invite=([\w-]+)/.exec(text)?.[1] ?? []).at(-1)
    expect(code).toBeDefined()
  }).toPass()
  return code as string
}

/** Signed in as the member of the organization, its strategy open, its rows on the device. */
async function inside(page: Page, { url }: TestServer, { member, org, given }: Club): Promise<void> {
  await signInByForm(page, url, member.email)
  if (test.info().tags.includes('@worker')) await everythingKept(page)
  await page.goto(`${url}/strategies`)
  await expect(shown(page, OWN)).toBeVisible()
  await kept(page, ['answers', '["personal","strategy","list"', OWN])
  await switchTo(page, org)
  const pages = [
    { path: '/strategies', row: ['answers', `["org:${org}","strategy","list"`, THEIRS] },
    { path: '/signals', row: ['signals', `org:${org}`, THEIRS] },
    { path: `/strategies/${given}`, row: ['answers', `["org:${org}","strategy","one"`, THEIRS] },
  ]
  for (const { path, row } of pages) {
    await page.goto(url + path)
    await expect(shown(page, THEIRS)).toBeVisible()
    // a page that is left at once takes what it was about to write along
    await kept(page, row)
  }
}

/** What the device still holds of the organization's own: its strategy, its signals, its group. */
async function left(page: Page, org: string): Promise<string[]> {
  return standing(page, [THEIRS, `org:${org}`])
}

/** The page has left, in words; not a row is there, and asking again brings nothing back. */
async function over(page: Page, { url }: TestServer, { org, given }: Club): Promise<void> {
  await expect.poll(() => page.evaluate(() => localStorage.getItem('currentOrganizationId'))).toBeNull()
  await expect(page.getByText(THEIRS)).toHaveCount(0)
  await expect.poll(() => left(page, org), { timeout: 60_000 }).toEqual([])
  await page.goto(`${url}/strategies/${given}`)
  await expect(page.locator('h1').first()).toBeVisible()
  await expect(page.getByText(THEIRS)).toHaveCount(0)
  await page.goto(`${url}/strategies`)
  await expect(shown(page, OWN)).toBeVisible()
  await expect(page.getByText(THEIRS)).toHaveCount(0)
  expect(await left(page, org)).toEqual([])
}

test('removed while the organization is open on two devices: both leave at once', async ({
  page,
  browser,
  server,
}) => {
  const its = await club(server)
  const device = await browser.newContext({ locale: 'zh-TW', timezoneId: 'Asia/Taipei' })
  const other = await device.newPage()
  await inside(page, server, its)
  await inside(other, server, its)
  await its.boss.call(removeMember, { id: its.org, user_id: its.member.uid }, { 'lb-org-id': its.org })
  for (const tab of [page, other]) await said(tab, ENDED)
  for (const tab of [page, other]) await expect(tab).toHaveURL(`${server.url}/dashboard`)
  for (const tab of [page, other]) await over(tab, server, its)
  await device.close()
})

test('a strategy taken away while it is open: the page leaves it, and nothing of it comes back', async ({
  page,
  server,
}) => {
  const its = await club(server)
  await inside(page, server, its)
  await page.goto(`${server.url}/strategies/${its.given}?tab=overview`)
  await expect(page.getByRole('heading', { name: THEIRS })).toBeVisible()
  const inOrganization = { 'lb-org-id': its.org }
  const { items } = await its.boss.call(listGroups, {}, inOrganization)
  await its.boss.call(setGroupStrategies, { id: items[0]?.id ?? '', strategies: [] }, inOrganization)
  await expect(shown(page, '找不到這個策略')).toBeVisible()
  await expect(page.getByText(THEIRS)).toHaveCount(0)
  await expect.poll(() => standing(page, [THEIRS])).toEqual([])
  await page.reload()
  await expect(shown(page, '找不到這個策略')).toBeVisible()
  await expect(page.getByText(THEIRS)).toHaveCount(0)
})

test('the picture of a note goes with its strategy: from the device, and for whoever kept its address', {
  tag: '@soak',
}, async ({ page, server }) => {
  const its = await club(server)
  const inOrganization = { 'lb-org-id': its.org }
  const chart = sharp({ create: { width: 800, height: 400, channels: 3, background: '#2d69de' } })
  const image = new Uint8Array(await chart.png().toBuffer())
  const { url } = await its.boss.call(uploadNoteImage, { image }, inOrganization)
  await its.boss.call(updateStrategy, { id: its.given, note: `![走勢](${url})` }, inOrganization)
  await inside(page, server, its)
  await page.goto(`${server.url}/strategies/${its.given}?tab=note`)
  await expect
    .poll(() =>
      page.getByRole('img', { name: '走勢' }).evaluate((node) => (node as HTMLImageElement).naturalWidth),
    )
    .toBe(800)
  await kept(page, ['answers', `"strategy_id":"${its.given}"`, WEBP])
  const headers = { authorization: `Bearer ${its.member.token}`, ...inOrganization }
  expect((await server.request(url, { headers })).status).toBe(200)

  const { items } = await its.boss.call(listGroups, {}, inOrganization)
  await its.boss.call(setGroupStrategies, { id: items[0]?.id ?? '', strategies: [] }, inOrganization)
  await expect(shown(page, '找不到這個策略')).toBeVisible()
  await expect.poll(() => standing(page, [THEIRS, WEBP])).toEqual([])
  expect((await server.request(url, { headers })).status).toBe(404)
})

test('removed while away from the network: the copy is readable until the device is back, and then gone', {
  tag: '@worker',
}, async ({ page, context, server }) => {
  const its = await club(server)
  await inside(page, server, its)
  await context.setOffline(true)
  await its.boss.call(removeMember, { id: its.org, user_id: its.member.uid }, { 'lb-org-id': its.org })
  await page.reload()
  await expect(shown(page, THEIRS)).toBeVisible()
  await context.setOffline(false)
  await said(page, ENDED)
  await over(page, server, its)
})

// spec §4: On profile load, the stored organization id is used if it matches one of the user's organizations;…
test('removed while the browser was closed: nothing of it is painted on the way in', {
  tag: ['@worker', '@soak'],
}, async ({ page, context, server }) => {
  const its = await club(server)
  await inside(page, server, its)
  await page.goto('about:blank')
  await its.boss.call(removeMember, { id: its.org, user_id: its.member.uid }, { 'lb-org-id': its.org })
  const again = await context.newPage()
  await again.goto(`${server.url}/strategies/${its.given}`)
  await over(again, server, its)
})

test('past the last day without a network: gone at midnight, also after the clock was set back', {
  tag: '@worker',
}, async ({ page, context, server }) => {
  const its = await club(server)
  const now = Date.now()
  // a day that does not end while the test runs
  const last = taipei(new Date(now + 600_000).toISOString()).date
  const midnight = Date.parse(`${last}T00:00:00+08:00`) + DAY_MS
  const change = { id: its.org, user_id: its.member.uid, expires_on: last }
  await its.boss.call(updateMember, change, { 'lb-org-id': its.org })
  await inside(page, server, its)
  await context.setOffline(true)
  await page.reload()
  await expect(shown(page, THEIRS)).toBeVisible()

  await page.clock.setSystemTime(midnight - 90_000)
  await page.reload()
  await expect(shown(page, THEIRS)).toBeVisible()
  await page.goto('about:blank')
  await page.clock.setSystemTime(midnight + 60_000)
  await page.goto(`${server.url}/strategies/${its.given}`)
  await said(page, ENDED)
  await expect(page).toHaveURL(`${server.url}/dashboard`)
  await expect(page.getByRole('alert')).toHaveCount(0)
  await over(page, server, its)

  await page.clock.setSystemTime(now - 3 * DAY_MS)
  await page.reload()
  await expect(page.locator('h1').first()).toBeVisible()
  await switchTo(page, its.org)
  await page.goto(`${server.url}/strategies/${its.given}`)
  await expect(page.locator('h1').first()).toBeVisible()
  await expect(page.getByText(THEIRS)).toHaveCount(0)
  expect(await left(page, its.org)).toEqual([])
})
