// `context-switched` (spec §4, ruling C45): it fires once for every way in which the identity changes, and only a link's stays on its page.
import type { Page } from '@playwright/test'
import { createInvites } from '#contract/join.ts'
import { removeMember } from '#contract/membership.ts'
import { createOrganization } from '#contract/organization.ts'
import { inTransaction } from '#server/events/append.ts'
import { makeTicket } from '#server/sso/flow.ts'
import { expect, said, test } from '#tests/support/app.ts'
import { OWN, shown, signedIn, strategy, switchTo, THEIRS, world } from '#tests/support/identities.ts'
import { PASSWORD, signUp } from '#tests/support/people.ts'
import type { TestServer } from '#tests/support/server.ts'
import { profileKnown } from '#tests/support/storages.ts'
import { listen, moved, stayed } from '#tests/support/switches.ts'

const menu = async (page: Page, name: RegExp) => {
  await page.locator('[popovertarget=user-menu]:visible').click()
  await page.locator('#user-menu').getByRole('group').getByRole('button', { name }).click()
}
const fill = async (page: Page, email: string) => {
  await page.getByLabel('帳號').fill(email)
  await page.getByLabel('密碼', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: '登入', exact: true }).click()
}
async function inviteLink(server: TestServer, email: string): Promise<string> {
  let link: string | undefined
  await expect(async () => {
    const mine = (await server.mails()).filter(({ to }) => to === email)
    link = mine.flatMap(({ text }) => /https?:\/\/\S+\?invite=[\w-]+/.exec(text)?.[0] ?? []).at(-1)
    expect(link).toBeDefined()
  }).toPass()
  return link as string
}

// spec §4: A context-switched event then fires; on it, any page other than /dashboard or /strategies goes…
test('context-switched by the person: the menu, 403, my organizations', async ({ page, server }) => {
  const { person, org } = await world(server)
  await signedIn(page, person)
  const heard = await listen(page)
  await page.goto(`${server.url}/profile`)
  await profileKnown(page)
  await menu(page, /海風投顧/)
  await expect(page).toHaveURL(`${server.url}/dashboard`)
  await expect.poll(() => heard).toEqual([moved(null, org)])
  await page.goto(`${server.url}/403?missing=organization:create`)
  await page.getByRole('button', { name: '個人身份' }).click()
  await expect(page).toHaveURL(`${server.url}/dashboard`)
  await expect.poll(() => heard).toEqual([moved(null, org), moved(org, null)])
  await page.goto(`${server.url}/my-organizations`)
  await page.locator('main').getByRole('button', { name: '管理', exact: true }).click()
  await expect(page).toHaveURL(`${server.url}/organizations/manage`)
  await expect.poll(() => heard).toEqual([moved(null, org), moved(org, null), moved(null, org)])
})

// spec §4: A context-switched event then fires; on it, any page other than /dashboard or /strategies goes…
test('context-switched by a link stays where the link leads: opened, pressed in the app, from a notification', {
  tag: '@soak',
}, async ({ page, server }) => {
  const { person, org, own } = await world(server)
  const theirs = await strategy(server, person, THEIRS, org)
  await signedIn(page, person)
  const heard = await listen(page)
  await page.goto(`${server.url}/strategies/${theirs}?org=${org}`)
  await expect(page.getByRole('heading', { name: THEIRS })).toBeVisible()
  await expect(page).toHaveURL(`${server.url}/strategies/${theirs}`)
  await expect.poll(() => heard).toEqual([stayed(null, org)])
  // 切換身份 of a page that belongs to another identity is a link, too
  await page.goto(`${server.url}/strategies/${own}`)
  await page.getByRole('alert').getByRole('button', { name: '切換身份' }).click()
  await expect(page.getByRole('heading', { name: OWN })).toBeVisible()
  await expect(page).toHaveURL(`${server.url}/strategies/${own}`)
  await expect.poll(() => heard).toEqual([stayed(null, org), stayed(org, null)])
  // what a notification carries: a record and its identity
  await page.goto(`${server.url}/strategies/${own}?tab=signals`)
  await page.locator('main .signal-row').first().click()
  await expect(page).toHaveURL(/signal=/)
  const signal = new URL(page.url()).searchParams.get('signal')
  await switchTo(page, org)
  await expect(page).toHaveURL(`${server.url}/dashboard`)
  await page.goto(`${server.url}/signals?signal=${signal}&org=personal`)
  await expect(page.getByRole('dialog').getByText('看這個策略')).toBeVisible()
  await expect(page).toHaveURL(`${server.url}/signals?signal=${signal}`)
  await expect
    .poll(() => heard)
    .toEqual([stayed(null, org), stayed(org, null), moved(null, org), stayed(org, null)])
  // an identity that one has already is no switch, and somebody else's is none either
  await page.goto(`${server.url}/strategies?org=personal`)
  await expect(shown(page, OWN)).toBeVisible()
  await page.goto(`${server.url}/strategies?org=018f4a1e-7b1a-7000-8000-00000000000f`)
  await expect(page).toHaveURL(/\/403/)
  expect(heard).toHaveLength(4)
})

// spec §4: A context-switched event then fires; on it, any page other than /dashboard or /strategies goes…
test('context-switched by signing in, as another person, too, and by a tab that takes the session over', async ({
  page,
  context,
  server,
}) => {
  const { person, org } = await world(server)
  const second = await signUp(server, '陳小華')
  const heard = await listen(page)
  const other = await context.newPage()
  const over_there = await listen(other)
  await other.goto(`${server.url}/login?returnTo=/guide`)
  await expect(other.getByLabel('帳號')).toBeVisible()
  await page.goto(`${server.url}/login?returnTo=/profile`)
  await fill(page, person.email)
  await expect(page).toHaveURL(`${server.url}/profile`)
  await expect(other).toHaveURL(`${server.url}/guide`)
  await expect.poll(() => [heard, over_there]).toEqual([[stayed(null, null)], [stayed(null, null)]])
  await other.close()
  await profileKnown(page)
  await menu(page, /海風投顧/)
  await expect.poll(() => heard.at(-1)).toEqual(moved(null, org))
  const ticket = await inTransaction(server.app, (tx) => makeTicket(tx, 'mail', second.uid))
  await page.goto(`${server.url}/token-login?ticket=${ticket}&returnTo=/profile`)
  await page.getByRole('button', { name: '改用這個連結登入' }).click()
  await page.getByRole('button', { name: '登入', exact: true }).click()
  await expect(page).toHaveURL(`${server.url}/profile`)
  await expect(page.getByText(second.email).first()).toBeVisible()
  // nobody was there in between: the first person was signed out before
  await expect.poll(() => heard).toEqual([stayed(null, null), moved(null, org), stayed(null, null)])
})

// spec §4: A context-switched event then fires; on it, any page other than /dashboard or /strategies goes…
test('context-switched by accepting an invitation, by leaving, and in the other tab each time', async ({
  page,
  context,
  server,
}) => {
  const boss = await signUp(server, '林站長')
  const guest = await signUp(server, '陳以安')
  const { id: org } = await boss.call(createOrganization, { name: '浪花訊號社' })
  await boss.call(createInvites, { id: org, emails: [guest.email] }, { 'lb-org-id': org })
  await signedIn(page, guest)
  const heard = await listen(page)
  await page.goto(`${server.url}/strategies`)
  const other = await context.newPage()
  const over_there = await listen(other)
  await other.goto(`${server.url}/guide`)
  await expect(other.locator('h1').first()).toBeVisible()
  await page.goto(await inviteLink(server, guest.email))
  await page.getByRole('button', { name: '接受邀請' }).click()
  await expect(page).toHaveURL(`${server.url}/dashboard`)
  await expect.poll(() => heard).toEqual([stayed(null, org)])
  // the other tab follows by the rules of a switch: it leaves its page
  await expect.poll(() => over_there).toEqual([moved(null, org)])
  await expect(other).toHaveURL(`${server.url}/dashboard`)
  await page.goto(`${server.url}/organizations/info`)
  await page.getByRole('button', { name: '離開組織' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '離開組織' }).click()
  await expect(page).toHaveURL(`${server.url}/dashboard`)
  await expect.poll(() => heard).toEqual([stayed(null, org), moved(org, null)])
  await expect.poll(() => over_there).toEqual([moved(null, org), moved(org, null)])
})

// spec §4: A context-switched event then fires; on it, any page other than /dashboard or /strategies goes…
test('context-switched by a revocation: /dashboard, also from where a switch would stay', async ({
  page,
  server,
}) => {
  const { person, boss, org } = await world(server, 'member')
  await signedIn(page, person)
  const heard = await listen(page)
  await page.goto(`${server.url}/strategies?org=${org}`)
  await expect(page).toHaveURL(`${server.url}/strategies`)
  await expect.poll(() => heard).toEqual([stayed(null, org)])
  await boss.call(removeMember, { id: org, user_id: person.uid }, { 'lb-org-id': org })
  await expect(page).toHaveURL(`${server.url}/dashboard`)
  await expect.poll(() => heard).toEqual([stayed(null, org), moved(org, null)])
})

test('context-switched by dissolving an organization: for whoever dissolves it, and for who had it open', {
  tag: '@soak',
}, async ({ page, browser, server }) => {
  const { person, boss, org } = await world(server, 'member')
  const theirs = await strategy(server, boss, THEIRS, org)
  const context = await browser.newContext()
  const phone = await context.newPage()
  await signedIn(phone, person)
  const member_heard = await listen(phone)
  await phone.goto(`${server.url}/signals?org=${org}`)
  await expect(phone).toHaveURL(`${server.url}/signals`)
  await expect.poll(() => member_heard).toEqual([stayed(null, org)])
  await signedIn(page, boss)
  const heard = await listen(page)
  await page.goto(`${server.url}/organizations/manage?tab=settings&org=${org}`)
  await page.getByRole('button', { name: '解散組織' }).click()
  const dialog = page.getByRole('dialog')
  const dissolve = dialog.getByRole('button', { name: '解散組織' })
  await expect(dialog).toContainText('1 個策略與全部訊號、2 位成員')
  await dialog.getByLabel('輸入「海風投顧」以確認').fill('海風')
  await expect(dissolve).toBeDisabled()
  await dialog.getByLabel('輸入「海風投顧」以確認').fill('海風投顧')
  await dissolve.click()
  await said(page, '已解散「海風投顧」')
  await expect(page).not.toHaveURL(/organizations\/manage/)
  await expect.poll(() => heard).toEqual([stayed(null, org), moved(org, null)])
  await expect(phone).toHaveURL(`${server.url}/dashboard`)
  await expect.poll(() => member_heard).toEqual([stayed(null, org), moved(org, null)])
  await expect(phone.getByText(THEIRS)).toHaveCount(0)
  // its address leads to no page of another
  await page.goto(`${server.url}/strategies/${theirs}`)
  await expect(page.getByRole('button', { name: '切換身份' })).toHaveCount(0)
  await context.close()
})
