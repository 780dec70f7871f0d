// Reminders before the access to strategies that a group gives ends: seven, three and one day before, once each (domain §7.7).
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { listNotifications } from '#contract/notification.ts'
import { createStrategy, type StrategyInput } from '#contract/strategy.ts'
import { remindOfEnds } from '#server/notify/ends.ts'
import { storeReceiver } from '#server/notify/receivers.ts'
import { botEnv } from '#tests/support/bots.ts'
import { type Desk, openDesk } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { giveStrategy, insertGroup, insertMember, insertOrganization } from '#tests/support/organizations.ts'
import { startTelegramApi, type TelegramApi } from '#tests/support/telegram-api.ts'
import { instantOf } from '#trading/calendar.ts'

describeEngines('access that ends', (engine) => {
  let desk: Desk
  let api: TelegramApi
  let chat = 0
  let organization = ''
  let count = 0
  const at = (day: string, time = '00:00') => desk.setClock(Date.parse(instantOf(day, time)))
  const told = () => api.sent.filter(({ chat_id }) => chat_id === chat).map(({ text }) => text)
  const inbox = async () =>
    (await desk.person.call(listNotifications, {})).items
      .filter(({ kind }) => kind === 'organization')
      .map(({ title, body, link }) => ({ title, body, link }))
  const titles = async () => (await inbox()).map(({ title }) => title)

  beforeAll(async () => {
    api = await startTelegramApi()
    desk = await openDesk({ engine, env: botEnv(api) })
    at('2026-11-20')
    const someone = api.person('someone')
    someone.says('hi')
    chat = someone.id
    const { app } = desk.server
    await storeReceiver(app, app.db, instantOf('2026-11-20', '00:00'), {
      ...{ uid: desk.person.uid, channel: 'telegram', address: String(chat), same: String(chat) },
      ...{ name: '@someone', config: {} },
    })
  })
  afterAll(async () => {
    await desk.server.close()
    await api.close()
  })
  beforeEach(async () => {
    const { db } = desk.server.app
    await db.deleteFrom('notifications').execute()
    await db.deleteFrom('memberships').execute()
    organization = await insertOrganization(db, `浪花 ${++count}`)
    await insertMember(db, organization, desk.stranger.uid, { role: 'admin' })
    at('2026-11-27')
  })

  /** A strategy that a group of its own gives to the person until this day. */
  async function given(name: string, ends_on: string | null, starts_on = '2020-01-01') {
    const { app } = desk.server
    await insertMember(app.db, organization, desk.person.uid, {})
    const strategy = await desk.stranger.call(
      createStrategy,
      { kind: 'futures', name, settings: { product_code: 'TXF' } } as StrategyInput,
      { 'lb-org-id': organization },
    )
    await regiven(strategy.id, ends_on, starts_on)
    return strategy
  }
  async function regiven(id: string, ends_on: string | null, starts_on: string) {
    const { app } = desk.server
    const group = await insertGroup(app.db, organization, `群組 ${++count}`, desk.person.uid)
    const days = { starts_on, ends_on }
    await giveStrategy(app, { id: group, organization_id: organization }, [desk.person.uid, id], days)
    return group
  }

  test('seven, three and one day before, once each: the inbox at midnight, the phone in the morning', async () => {
    const { app } = desk.server
    const { id } = await given('台指突破', '2026-12-04')
    expect(await remindOfEnds(app)).toBe(1)
    expect(await remindOfEnds(app)).toBe(1)
    expect(await inbox()).toEqual([
      {
        title: '「台指突破」還可以看 7 天',
        body: `到 2026/12/04 為止。要繼續看，請聯絡「浪花 ${count - 1}」的管理者`,
        link: `/strategies/${id}?org=${organization}`,
      },
    ])
    const before = told().length
    await app.notifier.catchUp()
    expect(told()).toHaveLength(before)
    at('2026-11-27', '08:00')
    await app.notifier.catchUp()
    expect(told().slice(before)).toEqual([expect.stringContaining('「台指突破」還可以看 7 天')])
    for (const day of ['2026-11-28', '2026-12-01', '2026-12-02', '2026-12-03', '2026-12-04', '2026-12-05']) {
      at(day)
      await remindOfEnds(app)
    }
    // Gone with the access, like everything that names the strategy.
    expect(await titles()).toEqual([])
    at('2026-12-04')
    expect(await titles()).toEqual([1, 3, 7].map((days) => `「台指突破」還可以看 ${days} 天`))
  })

  test('several that end the same day are one; one that another group goes on giving is none', async () => {
    const { app } = desk.server
    await given('甲', '2026-11-30')
    await given('乙', '2026-11-30')
    await regiven((await given('丙', '2026-11-30')).id, null, '2026-12-01')
    await given('丁', '2026-12-10')
    expect(await remindOfEnds(app)).toBe(1)
    const [one] = await inbox()
    expect(one?.title).toMatch(/^「浪花 \d+」有 2 個策略還可以看 3 天$/)
    expect(one?.link).toBe(`/strategies?org=${organization}`)
    expect(JSON.stringify(one)).not.toMatch(/[甲乙丙丁]/)
  })

  test('what ends with the membership is said by its reminder; an admin needs no group', async () => {
    const { app } = desk.server
    const { db } = app
    await given('戊', '2026-11-30')
    const update = (columns: object) =>
      db.updateTable('memberships').set(columns).where('user_id', '=', desk.person.uid).execute()
    await update({ expires_on: '2026-11-30' })
    expect(await remindOfEnds(app)).toBe(1)
    expect(await titles()).toEqual([expect.stringContaining('的資格還有 3 天')])
    await update({ expires_on: null, role: 'admin' })
    expect(await remindOfEnds(app)).toBe(0)
  })

  test('what was renewed in the night rings nobody in the morning', async () => {
    const { app } = desk.server
    const strategy = await given('己', '2026-11-30')
    await app.db
      .updateTable('memberships')
      .set({ expires_on: '2026-12-04' })
      .where('user_id', '=', desk.person.uid)
      .execute()
    expect(await remindOfEnds(app)).toBe(2)
    await regiven(strategy.id, null, '2020-01-01')
    await app.db
      .updateTable('memberships')
      .set({ expires_on: '2027-12-04' })
      .where('user_id', '=', desk.person.uid)
      .execute()
    const before = told().length
    // The chat heard something at eight already, in the test above.
    at('2026-11-27', '08:01')
    await app.notifier.catchUp()
    expect(told()).toHaveLength(before)
    const reasons = await app.db
      .selectFrom('notification_deliveries')
      .select('reason')
      .where('channel', '=', 'telegram')
      .where('state', '=', 'skipped')
      .execute()
    expect(reasons.map(({ reason }) => reason)).toEqual(['已經延長，不必提醒', '已經延長，不必提醒'])
  })
})
