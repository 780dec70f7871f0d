// 誰看得到: an admin asks who could see a strategy days ago, by what, and which change ended it; before the log nothing is claimed.
import { fileURLToPath } from 'node:url'
import { addGroupMembers, createGroup, removeGroupMember, setGroupStrategies } from '#contract/group.ts'
import { acceptInvite, createInvites } from '#contract/join.ts'
import { createOrganization } from '#contract/organization.ts'
import { createStrategy, type StrategyInput } from '#contract/strategy.ts'
import { axe, expect, test } from '#tests/support/app.ts'
import { signUp } from '#tests/support/people.ts'
import { signedInContext } from '#tests/support/screen.ts'
import { startServer } from '#tests/support/server.ts'
import { addDays, taipei } from '#trading/calendar.ts'

const DAY_MS = 86_400_000
const TODAY = taipei(new Date().toISOString()).date
/** Server and page live around this noon: no day turns while the test runs. */
const NOON = Date.parse(`${TODAY}T12:00:00+08:00`)

test('who could see a strategy three days ago, by which group, and who took them out @desktop', async ({
  browser,
}) => {
  const began = Date.now()
  let ago = 4 * DAY_MS
  const server = await startServer({
    env: { DIST_DIR: process.env['DIST_DIR'] ?? fileURLToPath(new URL('../../dist', import.meta.url)) },
    overrides: { now: () => NOON + (Date.now() - began) - ago },
  })
  try {
    const boss = await signUp(server, '林站長')
    const guest = await signUp(server, '陳以安')
    const { id } = await boss.call(createOrganization, { name: '浪花訊號社' })
    const inside = { 'lb-org-id': id }
    const draft = { kind: 'futures', name: '海風乙', settings: { product_code: 'MXF' } } as StrategyInput
    const strategy = await boss.call(createStrategy, draft, inside)
    const group = await boss.call(createGroup, { name: '台指班' }, inside)
    await boss.call(setGroupStrategies, { id: group.id, strategy_ids: [strategy.id] }, inside)
    await boss.call(createInvites, { id, emails: [guest.email] }, inside)
    const code = async () =>
      /\?invite=([\w-]+)/.exec(
        (await server.mails()).find(({ to, text }) => to === guest.email && text.includes('?invite='))
          ?.text ?? '',
      )?.[1]
    await expect.poll(code).toBeTruthy()
    await guest.call(acceptInvite, { code: (await code()) as string })
    await boss.call(addGroupMembers, { id: group.id, user_ids: [guest.uid] }, inside)
    ago = 2 * DAY_MS
    await boss.call(removeGroupMember, { id: group.id, user_id: guest.uid }, inside)
    ago = 0
    const context = await signedInContext(browser, server.url, boss, {
      viewport:
        test.info().project.name === 'phone' ? { width: 390, height: 844 } : { width: 1440, height: 900 },
    })
    await context.clock.setFixedTime(NOON + 60_000)
    const admin = await context.newPage()
    const open = (query: string) =>
      admin.goto(`${server.url}/organizations/manage?org=${id}&tab=access&${query}`)

    // from the list of strategies, with the strategy filled in
    await admin.goto(`${server.url}/organizations/manage?org=${id}&tab=strategies`)
    await admin.getByRole('button', { name: '誰看得到：海風乙' }).click()
    const seen = admin.getByRole('region', { name: '那時誰看得到' })
    await expect(seen.getByText('林站長')).toBeVisible()
    await expect(seen.getByText('管理者，看得到全部策略')).toBeVisible()
    await expect(seen.getByText('陳以安')).toHaveCount(0)
    const changes = admin.getByRole('region', { name: '到那時為止的變更' })
    const ended = changes.getByRole('listitem').filter({ hasText: '陳以安 移出群組「台指班」' })
    await expect(ended.getByText('林站長')).toBeVisible()
    expect(await axe(admin)).toEqual([])

    // three days ago
    await open(`strategy=${strategy.id}&on=${addDays(TODAY, -3)}`)
    await expect(seen.getByText('陳以安')).toBeVisible()
    await expect(seen.getByText('經由群組「台指班」')).toBeVisible()
    await expect(changes.getByText('陳以安 加入群組「台指班」')).toBeVisible()
    await expect(changes.getByText('移出群組')).toHaveCount(0)

    // the same of the person, from the row
    await admin.goto(`${server.url}/organizations/manage?tab=members`)
    await admin.getByRole('button', { name: '陳以安：更多' }).click()
    await admin.getByRole('menuitem', { name: '看得到什麼' }).click()
    await expect(admin.getByText('這位成員什麼都看不到')).toBeVisible()
    await expect(admin).toHaveURL(new RegExp(`user=${guest.uid}`))

    // before the log begins, and what is no past moment
    await open(`on=${addDays(TODAY, -30)}`)
    await expect(admin.getByText('這一天以前未記錄')).toBeVisible()
    await admin.getByRole('button', { name: '看開始記錄的那一天' }).click()
    await expect(changes.getByText('林站長 加入組織，管理者')).toBeVisible()
    await open(`on=${addDays(TODAY, 1)}`)
    await expect(admin.getByText('這一天還沒有到，請選今天或更早')).toBeVisible()

    // without a network it says so, and nothing of it was kept on the device
    await open(`on=${addDays(TODAY, -1)}`)
    await expect(seen.getByText('全部策略')).toBeVisible()
    await context.setOffline(true)
    await admin.getByLabel('時間').fill('00:01')
    await expect(admin.getByText('讀不到誰看得到什麼')).toBeVisible()
    await context.close()
  } finally {
    await server.close()
  }
})
