// The bell that nobody touched (ruling A15): what every screen shows of it is what comes.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listNotifications } from '#contract/notification.ts'
import {
  createStrategy,
  getStrategy,
  listStrategies,
  type Strategy,
  updateStrategyNotify,
} from '#contract/strategy.ts'
import { stillRelevant } from '#server/notify/still-relevant.ts'
import { insideOf } from '#server/stream/notification.ts'
import { hookPath } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { type Office, openOffice } from '#tests/support/office.ts'
import { giveStrategy, insertGroup } from '#tests/support/organizations.ts'
import { type Person, signUp } from '#tests/support/people.ts'

describeEngines('the untouched bell', (engine) => {
  let office: Office
  let second: Person
  let member: Person
  let strategy: Strategy
  beforeAll(async () => {
    office = await openOffice(engine)
    second = await office.join('另一位管理者', { role: 'admin' })
    member = await office.join('成員')
    strategy = await office.strategy()
    const { id: organization_id } = office.organization
    const id = await insertGroup(office.server.app.db, organization_id, '甲組', member.uid)
    const days = { starts_on: '2020-01-01', ends_on: null }
    await giveStrategy(office.server.app, { id, organization_id }, [member.uid, strategy.id], days)
  })
  afterAll(() => office.server.close())

  let count = 0
  const fire = async (of: Strategy) => {
    const [action, id] = [++count % 2 === 1 ? 'buy' : 'sell', `s${count}`]
    const body = JSON.stringify({ id, symbol: 'TXF1!', action, quantity: 1, price: 23_000 })
    expect((await office.server.request(hookPath(of), { method: 'POST', body })).status).toBe(200)
    await office.server.app.notifier.catchUp()
  }
  /** What the page of the strategy and the settings say. */
  const shown = async (person: Person, { id }: Strategy) => {
    const { enabled } = (await office.inside(person, getStrategy, { id })).my_notify
    const { items } = await office.inside(person, listStrategies, {})
    expect(items.find((one) => one.id === id)?.my_notify.enabled).toBe(enabled)
    return enabled
  }
  const inbox = async (person: Person) =>
    (await person.call(listNotifications, {})).items.filter(({ kind }) => kind === 'signal').length
  /** Whether one more signal comes. */
  const comes = async (person: Person, of: Strategy) => {
    const before = await inbox(person)
    await fire(of)
    return (await inbox(person)) > before
  }
  const turn = (person: Person, changes: Partial<Strategy['my_notify']>) =>
    office.inside(person, updateStrategyNotify, { id: strategy.id, ...changes })

  test('who made it and a member hear by default, and see the bell on', async () => {
    for (const person of [office.admin, member]) {
      expect(await shown(person, strategy)).toBe(true)
      expect(await comes(person, strategy)).toBe(true)
    }
  })

  test('another admin hears nothing and sees the bell off, until it is switched on, and after it is switched off', async () => {
    const both = async () => [await shown(second, strategy), await comes(second, strategy)]
    expect(await both()).toEqual([false, false])
    // Something else of the bell is not the bell.
    expect(await turn(second, { important: true })).toMatchObject({ enabled: false, important: true })
    expect(await both()).toEqual([false, false])
    expect(await turn(second, { enabled: true })).toMatchObject({ enabled: true, important: true })
    expect(await both()).toEqual([true, true])
    expect(await turn(second, { enabled: false })).toMatchObject({ enabled: false })
    expect(await both()).toEqual([false, false])
  })

  test('asked again before it is sent, it is the bell that is shown then', async () => {
    const { app } = office.server
    const bellNow = async () => {
      const rows = await app.db
        .selectFrom('notifications')
        .selectAll()
        .where('uid', '=', member.uid)
        .execute()
      const { due } = await stillRelevant(app, rows.map(insideOf))
      return due.find(({ matter }) => matter.kind === 'signal')?.bell?.enabled
    }
    await fire(strategy)
    expect([await bellNow(), await shown(member, strategy)]).toEqual([true, true])
    const role = (to: 'admin' | 'member') =>
      app.db.updateTable('memberships').set({ role: to }).where('user_id', '=', member.uid).execute()
    await role('admin')
    expect([await bellNow(), await shown(member, strategy)]).toEqual([false, false])
    await role('member')
  })

  test('the owner of a personal strategy hears', async () => {
    const owner = await signUp(office.server, '自己')
    const input = { kind: 'futures', name: '自己的', settings: { product_code: 'TXF' } } as const
    const own = await owner.call(createStrategy, input)
    expect(own.my_notify.enabled).toBe(true)
    const before = await inbox(owner)
    await fire(own)
    expect(await inbox(owner)).toBe(before + 1)
  })
})
