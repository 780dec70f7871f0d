// From which day on a member reads everything: what the first screen of a device may reckon by itself, and what it leaves to the server.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getDashboard } from '#contract/dashboard.ts'
import { addGroupMembers, createGroup, setGroupStrategies } from '#contract/group.ts'
import { updateMember } from '#contract/membership.ts'
import { updateStrategy } from '#contract/strategy.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { type Office, openOffice } from '#tests/support/office.ts'

describeEngines("a member's first screen", (engine) => {
  let office: Office
  beforeAll(async () => {
    office = await openOffice(engine)
  })
  afterAll(() => office.server.close())

  test('says the latest day that a strategy is read from, an archived seventh one too; an admin reads everything', async () => {
    const { admin, inside, join, day, strategy } = office
    const member = await join('王早')
    const { id: organization } = office.organization
    await inside(admin, updateMember, { id: organization, user_id: member.uid, starts_on: day(-60) })
    const readsFrom = async (person = member) => (await inside(person, getDashboard, {})).reads_from
    expect(await readsFrom()).toBeNull()
    const give = async (starts_on: string, strategy_ids: string[]) => {
      const { id } = await inside(admin, createGroup, { name: `自 ${starts_on}` })
      const strategies = strategy_ids.map((strategy_id) => ({ strategy_id, starts_on }))
      await inside(admin, setGroupStrategies, { id, strategies })
      await inside(admin, addGroupMembers, { id, user_ids: [member.uid], starts_on })
    }
    const first = await Promise.all(Array.from({ length: 6 }, async () => (await strategy()).id))
    await give(day(-30), first)
    expect(await readsFrom()).toBe(day(-30))
    const late = await strategy('晚來的')
    await give(day(-3), [late.id])
    expect(await readsFrom()).toBe(day(-3))
    await inside(admin, updateStrategy, { id: late.id, status: 'archived' })
    const seen = await inside(member, getDashboard, {})
    expect(seen.strategies.map(({ id }) => id)).not.toContain(late.id)
    expect(seen.reads_from).toBe(day(-3))
    expect(await readsFrom(admin)).toBeNull()
  })
})
