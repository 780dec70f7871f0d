// A silent source of an organization: for its admins, in the organization's name; members hear nothing of how messages come.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AppEvent } from '#contract/events.ts'
import { addGroupMembers, createGroup, setGroupStrategies } from '#contract/group.ts'
import { listNotifications } from '#contract/notification.ts'
import { getStrategy, type Strategy, updateStrategy } from '#contract/strategy.ts'
import { SilenceWatch } from '#server/notify/silence.ts'
import { heardBy } from '#server/stream/feeder.ts'
import { hookPath } from '../support/desk.ts'
import { describeEngines } from '../support/engines.ts'
import { type Office, openOffice } from '../support/office.ts'
import type { Person } from '../support/people.ts'

describeEngines('a silent source of an organization', (engine) => {
  let office: Office
  let member: Person
  let strategy: Strategy
  beforeAll(async () => {
    office = await openOffice(engine)
    member = await office.join('陳意安')
    strategy = await office.strategy('早盤突破')
    const group = await office.inside(office.admin, createGroup, { name: '早盤' })
    await office.inside(office.admin, addGroupMembers, { id: group.id, user_ids: [member.uid] })
    await office.inside(office.admin, setGroupStrategies, {
      id: group.id,
      strategies: [{ strategy_id: strategy.id }],
    })
    const silence_alarm = { enabled: true, max_gap_minutes: 30 }
    await office.inside(office.admin, updateStrategy, { id: strategy.id, silence_alarm })
  })
  afterAll(() => office.server.close())

  test('admins are told and see the warning; a member is told nothing and shown none', async () => {
    const watch = new SilenceWatch(office.server.app)
    await watch.look()
    const body = JSON.stringify({ symbol: 'TXF1!', action: 'buy', qty: 1, price: 23_000 })
    expect((await office.server.request(hookPath(strategy), { method: 'POST', body })).status).toBe(200)
    for (let i = 0; i < 9; i++) {
      office.pass(240_000)
      await watch.look()
    }
    await office.server.app.notifier.catchUp()
    const alarms = async (person: Person) =>
      (await person.call(listNotifications, {})).items.filter(({ kind }) => kind === 'alarm')
    expect(await alarms(office.admin)).toMatchObject([
      {
        organization_id: office.organization.id,
        strategy_id: strategy.id,
        link: `/strategies/${strategy.id}?org=${office.organization.id}`,
      },
    ])
    expect(await alarms(member)).toEqual([])
    const seen = (person: Person) => office.inside(person, getStrategy, { id: strategy.id })
    expect([(await seen(office.admin)).warnings, (await seen(member)).warnings]).toEqual([['silent'], []])
    const scope = `o:${office.organization.id}` as const
    const [data] = await office.told(scope, 'silence')
    const event = { seq: 1, scope, at: '', kind: 'silence', data } as unknown as AppEvent
    expect(heardBy({ edit: true, access: null, shares: true }, event)).toBe(event)
    expect(heardBy({ edit: false, access: new Map(), shares: true }, event)).toBeNull()
  })
})
