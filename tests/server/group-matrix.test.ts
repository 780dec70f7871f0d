// All groups in one table, over HTTP on both databases: everybody and everything is in it, with days and states, and nobody else's.
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  addGroupMembers,
  createGroup,
  getGroup,
  getGroupMatrix,
  listGroupMembers,
  listGroupStrategies,
  setGroupStrategies,
} from '#contract/group.ts'
import { updateMember } from '#contract/membership.ts'
import { createOrganization } from '#contract/organization.ts'
import { createStrategy, deleteStrategy, type StrategyInput } from '#contract/strategy.ts'
import { refused } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { type Office, openOffice } from '#tests/support/office.ts'
import { signUp } from '#tests/support/people.ts'

describeEngines('all groups in one table', (engine) => {
  let office: Office
  beforeAll(async () => {
    office = await openOffice(engine)
  })
  afterAll(() => office.server.close())
  const table = () => office.inside(office.admin, getGroupMatrix, {})

  test('without groups: the admin is in it, and strategies are', async () => {
    const strategy = await office.strategy('第一個')
    expect(await table()).toEqual({
      groups: [],
      members: [
        {
          ...{ user_id: office.admin.uid, name: '林站長', avatar: null, role: 'admin' },
          ...{ starts_on: office.day(), expires_on: null, status: 'active' },
        },
      ],
      strategies: [{ strategy_id: strategy.id, name: '第一個', kind: 'futures', status: 'active' }],
      places: [],
      gifts: [],
    })
  })

  test('groups, members and strategies with days and states; who and what is in no group, too', async () => {
    const { admin, inside, day } = office
    const [b, a] = [
      await inside(admin, createGroup, { name: 'B 組' }),
      await inside(admin, createGroup, { name: 'a 組' }),
    ]
    const [one, alone, ending, over] = [
      await office.join('甲'),
      await office.join('沒有群組的'),
      await office.join('資格快到期'),
      await office.join('資格已到期'),
    ]
    const add = (id: string, user_id: string, span: { starts_on?: string; ends_on?: string } = {}) =>
      inside(admin, addGroupMembers, { id, user_ids: [user_id], ...span })
    await add(a.id, one.uid, { starts_on: day(2) })
    await add(b.id, one.uid, { starts_on: day(-9), ends_on: day(-1) })
    await add(a.id, ending.uid)
    await add(a.id, over.uid)
    const member = (user_id: string) => ({ id: office.organization.id, user_id })
    await inside(admin, updateMember, { ...member(ending.uid), expires_on: day(7) })
    await inside(admin, updateMember, { ...member(over.uid), starts_on: day(-3), expires_on: day(-1) })
    const [given, gone] = [await office.strategy('給了的'), await office.strategy('收掉的')]
    await inside(admin, setGroupStrategies, {
      id: a.id,
      strategies: [{ strategy_id: given.id, starts_on: day(-1), ends_on: day(3) }, { strategy_id: gone.id }],
    })
    await inside(admin, deleteStrategy, { id: gone.id, name: gone.name })

    const found = await table()
    expect(found.groups).toEqual([
      { id: a.id, name: 'a 組' },
      { id: b.id, name: 'B 組' },
    ])
    // those whose time is over stand last
    expect(found.members.map(({ user_id, role, status }) => [user_id, role, status])).toEqual([
      [office.admin.uid, 'admin', 'active'],
      ...[one, alone, ending]
        .toSorted((x, y) => (x.name < y.name ? -1 : 1))
        .map(({ uid }) => [uid, 'member', uid === ending.uid ? 'expiring' : 'active']),
      [over.uid, 'member', 'expired'],
    ])
    expect(found.members.find(({ user_id }) => user_id === ending.uid)).toMatchObject({
      expires_on: day(7),
      name: '資格快到期',
    })
    expect(found.strategies.map(({ name }) => name).sort()).toEqual(['第一個', '給了的'].sort())
    const row = (
      user_id: string,
      group_id: string,
      starts_on: string,
      ends_on: string | null,
      state: string,
    ) => ({
      ...{ user_id, group_id, starts_on, ends_on, state },
    })
    const by = (x: { user_id: string; group_id: string }) => `${x.user_id} ${x.group_id}`
    expect(found.places.toSorted((x, y) => (by(x) < by(y) ? -1 : 1))).toEqual(
      [
        row(one.uid, a.id, day(2), null, 'upcoming'),
        row(one.uid, b.id, day(-9), day(-1), 'ended'),
        // by the membership, which ends sooner
        row(ending.uid, a.id, day(), null, 'expiring'),
        row(over.uid, a.id, day(), null, 'ended'),
      ].toSorted((x, y) => (by(x) < by(y) ? -1 : 1)),
    )
    expect(found.places.some(({ user_id }) => user_id === alone.uid)).toBe(false)
    expect(found.gifts).toEqual([
      {
        ...{ group_id: a.id, strategy_id: given.id },
        ...{ starts_on: day(-1), ends_on: day(3), state: 'expiring' },
      },
    ])
    // one group asked by itself says the same
    const { items } = await inside(admin, listGroupMembers, { id: a.id })
    expect(new Map(items.map(({ user_id, state }) => [user_id, state]))).toEqual(
      new Map(
        found.places
          .filter(({ group_id }) => group_id === a.id)
          .map(({ user_id, state }) => [user_id, state]),
      ),
    )
    expect((await inside(admin, listGroupStrategies, { id: a.id })).map(({ state }) => state)).toEqual([
      'expiring',
    ])
  })

  test('of another organization nothing; a member and the personal context are refused', async () => {
    const other = await signUp(office.server, '別的站長')
    const { id } = await other.call(createOrganization, { name: '別的組織' })
    const there = { 'lb-org-id': id }
    const theirs = await other.call(createGroup, { name: '別人的組' }, there)
    const draft = { kind: 'futures', name: '別人的', settings: { product_code: 'TXF' } } as StrategyInput
    const strategy = await other.call(createStrategy, draft, there)
    await other.call(addGroupMembers, { id: theirs.id, user_ids: [other.uid] }, there)
    await other.call(setGroupStrategies, { id: theirs.id, strategy_ids: [strategy.id] }, there)
    const ours = JSON.stringify(await table())
    for (const one of [theirs.id, strategy.id, other.uid]) expect(ours).not.toContain(one)
    const found = await other.call(getGroupMatrix, {}, there)
    expect({
      groups: found.groups.map((one) => one.id),
      members: found.members.map(({ user_id }) => user_id),
      strategies: found.strategies.map(({ strategy_id }) => strategy_id),
      places: found.places.map(({ user_id, group_id }) => [user_id, group_id]),
      gifts: found.gifts.map(({ strategy_id, group_id }) => [strategy_id, group_id]),
    }).toEqual({
      ...{ groups: [theirs.id], members: [other.uid], strategies: [strategy.id] },
      ...{ places: [[other.uid, theirs.id]], gifts: [[strategy.id, theirs.id]] },
    })
    expect(
      (await refused(other.call(getGroupMatrix, {}, { 'lb-org-id': office.organization.id }))).code,
    ).toBe(4031)
    const member = await office.join('只能看的')
    const error = await refused(office.inside(member, getGroupMatrix, {}))
    expect([error.code, error.details.missing]).toEqual([4030, 'organization:manage'])
    expect((await refused(office.admin.call(getGroupMatrix, {}))).code).toBe(4030)
  })

  test('its path is its own: no group is looked for by that name', async () => {
    const answer = await office.server.request('/api/v1/groups/matrix', {
      headers: { authorization: `Bearer ${office.admin.token}`, 'lb-org-id': office.organization.id },
    })
    const said = await answer.text()
    expect([answer.status, said]).toEqual([200, expect.stringContaining('"places":')])
    // and a group by its id is still found
    const [group] = (await table()).groups
    expect(await office.inside(office.admin, getGroup, { id: group?.id as string })).toMatchObject({
      id: group?.id,
    })
  })
})
