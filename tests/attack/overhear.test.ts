// What the stream of a member of an organization carries, live and caught up with: nothing that only its admins may know.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addGroupMembers, createGroup, setGroupStrategies } from '#contract/group.ts'
import { createInvites } from '#contract/join.ts'
import { updateMember } from '#contract/membership.ts'
import { updateOrganization } from '#contract/organization.ts'
import { getSignal, signalFeed } from '#contract/signal.ts'
import type { Strategy } from '#contract/strategy.ts'
import { hookPath, refused } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { type Office, openOffice } from '#tests/support/office.ts'
import type { Person } from '#tests/support/people.ts'
import { openStream } from '#tests/support/stream.ts'

describeEngines('attack: listening', (engine) => {
  let office: Office
  let member: Person
  let strategy: Strategy
  beforeAll(async () => {
    office = await openOffice(engine)
    member = await office.join('竊聽的人')
    strategy = await office.strategy()
    const { id } = await office.inside(office.admin, createGroup, { name: '甲組' })
    await office.inside(office.admin, setGroupStrategies, { id, strategy_ids: [strategy.id] })
    await office.inside(office.admin, addGroupMembers, { id, user_ids: [member.uid] })
  })
  afterAll(() => office.server.close())

  const fire = (price: number) =>
    office.server.request(hookPath(strategy), {
      method: 'POST',
      body: JSON.stringify({ symbol: 'TXF1!', action: 'buy', quantity: 1, price }),
    })
  const scope = () => `o:${office.organization.id}`

  test('which delivery a record came from, live or later', async () => {
    const admin = await openStream(office.server, office.admin.token)
    const live = await openStream(office.server, member.token)
    const cursor = live.cursor()
    await fire(23_000)
    await live.until(1)
    await admin.until(1)
    const later = await openStream(office.server, member.token, cursor)
    await later.until(1)
    const [heard, caught_up] = [live, later].map((reader) =>
      reader.events.find(({ kind }) => kind === 'signal'),
    )
    const told = admin.events.find(({ kind }) => kind === 'signal')
    await Promise.all([live.close(), later.close(), admin.close()])
    expect(told?.data).toMatchObject({ delivery_id: expect.any(String) })
    const { items } = await office.inside(member, signalFeed, { latest: true })
    const { timeline, delivery, deliveries_to_me, ...record } = await office.inside(member, getSignal, {
      id: items[0]?.id as string,
    })
    expect([timeline.steps, delivery]).toEqual([[], null])
    expect(deliveries_to_me).toEqual([])
    // Exactly what every other call tells a member of this record.
    expect(heard?.data).toEqual(record)
    expect(caught_up?.data).toEqual(record)
  })

  test('the address of whoever is no admin any more', async () => {
    const { id } = office.organization
    const former = await office.join('從前的管理者', { role: 'admin' })
    const span = { starts_on: office.day(-5), expires_on: office.day(-1) }
    await office.inside(office.admin, updateMember, { id, user_id: former.uid, ...span })
    const error = await refused(office.inside(member, createGroup, { name: '不准' }))
    expect([error.code, error.details.granted_by]).toEqual([
      4030,
      [{ name: office.admin.name, email: office.admin.email }],
    ])
  })

  test('that somebody is invited', async () => {
    const live = await openStream(office.server, member.token)
    await office.inside(office.admin, createInvites, {
      id: office.organization.id,
      emails: ['secret@example.com'],
    })
    await office.inside(office.admin, updateOrganization, {
      id: office.organization.id,
      introduction: '新的',
    })
    await live.until(1)
    const heard = live.events.filter((event) => event.scope === scope()).map(({ data }) => data)
    await live.close()
    expect(heard).toEqual([{ id: office.organization.id, change: 'updated' }])
  })
})
