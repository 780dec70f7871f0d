// Strategy groups over HTTP on both databases: names, dates, who sees what, and everybody concerned is told.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getDashboard } from '#contract/dashboard.ts'
import {
  addGroupMembers,
  createGroup,
  deleteGroup,
  getGroup,
  listGroupMembers,
  listGroupStrategies,
  listGroups,
  removeGroupMember,
  setGroupStrategies,
  updateGroup,
  updateGroupMember,
  updateGroupMembers,
} from '#contract/group.ts'
import { listMembers, updateMember } from '#contract/membership.ts'
import { getOrganization } from '#contract/organization.ts'
import { deleteStrategy, listStrategies } from '#contract/strategy.ts'
import { refused } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { type Office, openOffice } from '#tests/support/office.ts'
import { type Person, signUp } from '#tests/support/people.ts'

describeEngines('groups', (engine) => {
  let office: Office
  let one: Person
  let two: Person
  let count = 0
  beforeAll(async () => {
    office = await openOffice(engine)
    one = await office.join('甲成員')
    two = await office.join('乙成員', { expires_on: '2026-12-31' })
  })
  afterAll(() => office.server.close())
  const make = (name = `群組 ${++count}`) => office.inside(office.admin, createGroup, { name })
  const add = (id: string, who: Person[], span: { starts_on?: string; ends_on?: string | null } = {}) =>
    office.inside(office.admin, addGroupMembers, { id, user_ids: who.map(({ uid }) => uid), ...span })
  const give = (
    id: string,
    strategies: { strategy_id: string; starts_on?: string; ends_on?: string | null }[],
  ) => office.inside(office.admin, setGroupStrategies, { id, strategies })
  const reads = async (person: Person) =>
    (await office.inside(person, listStrategies, {})).items.map(({ name }) => name)
  const changes = async (person: Person) =>
    (await office.told(`p:${person.uid}`, 'membership')).filter(({ change }) => change === 'groups').length

  test('a name is taken once in an organization, whatever its case', async () => {
    const group = await make('Alpha 組')
    expect(group).toMatchObject({ name: 'Alpha 組', description: '', member_count: 0, strategy_count: 0 })
    const error = await refused(make('ALPHA 組'))
    expect([error.code, error.details.fields]).toEqual([4090, { name: '這個名稱已經用過，請換一個' }])
    const other = await make('Beta 組')
    const rename = (name: string) => office.inside(office.admin, updateGroup, { id: other.id, name })
    expect((await refused(rename('alpha 組'))).code).toBe(4090)
    expect(await rename('BETA 組')).toMatchObject({ name: 'BETA 組' })
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => make('同名')))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const found = await office.inside(office.admin, listGroups, { search: 'beta' })
    expect(found.items.map(({ name }) => name)).toEqual(['BETA 組'])
    expect(
      (await office.told(`o:${office.organization.id}`, 'group')).filter(({ id }) => id === other.id),
    ).toEqual([
      { id: other.id, change: 'created' },
      { id: other.id, change: 'updated' },
    ])
  })

  test('a member sees its groups, itself in them, and of their strategies what it reads today', async () => {
    const group = await make()
    const later = await make()
    const hidden = await make()
    const [now, soon] = [await office.strategy('今天的'), await office.strategy('明天的')]
    await add(group.id, [one, two])
    await add(later.id, [one], { starts_on: office.day(1) })
    await add(hidden.id, [one], { starts_on: office.day(-2), ends_on: office.day(-1) })
    await give(group.id, [{ strategy_id: now.id }, { strategy_id: soon.id, starts_on: office.day(1) }])
    expect(await reads(one)).toEqual(['今天的'])
    const { items } = await office.inside(one, listGroups, {})
    expect(items.map(({ id }) => id).sort()).toEqual([group.id, later.id].sort())
    expect(await office.inside(one, getGroup, { id: group.id })).toMatchObject({
      member_count: 1,
      strategy_count: 1,
    })
    expect(await office.inside(office.admin, getGroup, { id: group.id })).toMatchObject({
      member_count: 2,
      strategy_count: 2,
    })
    const mine = await office.inside(one, listGroupMembers, { id: group.id })
    expect([mine.total, mine.items.map(({ user_id }) => user_id)]).toEqual([1, [one.uid]])
    const all = await office.inside(office.admin, listGroupMembers, { id: group.id })
    expect(all.items.map(({ user_id, member_expires_on }) => [user_id, member_expires_on]).sort()).toEqual(
      [
        [one.uid, null],
        [two.uid, '2026-12-31'],
      ].sort(),
    )
    expect((await office.inside(one, listGroupStrategies, { id: group.id })).map(({ name }) => name)).toEqual(
      ['今天的'],
    )
    for (const endpoint of [getGroup, listGroupMembers, listGroupStrategies])
      expect((await refused(office.inside(one, endpoint, { id: hidden.id }))).code).toBe(4040)
    for (const [endpoint, missing] of [
      [deleteGroup, 'group:delete'],
      [updateGroup, 'group:edit'],
    ] as const) {
      const error = await refused(office.inside(one, endpoint, { id: group.id }))
      expect([error.code, error.details.missing]).toEqual([4030, missing])
    }
    expect((await refused(office.admin.call(getGroup, { id: group.id }))).code).toBe(4030)
  })

  test('only people and strategies of the organization, each named where it stands', async () => {
    const group = await make()
    const stranger = await signUp(office.server, '路人')
    const error = await refused(add(group.id, [one, stranger]))
    expect([error.code, error.details.fields]).toEqual([
      4220,
      { 'user_ids.1': '這個人不是組織的成員，請重新整理' },
    ])
    expect((await office.inside(office.admin, listGroupMembers, { id: group.id })).total).toBe(0)
    const own = await office.strategy()
    const refusal = await refused(give(group.id, [{ strategy_id: own.id }, { strategy_id: one.uid }]))
    expect(refusal.details.fields).toEqual({ 'strategies.1.strategy_id': '這個策略不在組織裡，請重新整理' })
    const twice = await refused(
      office.inside(office.admin, setGroupStrategies, { id: group.id, strategy_ids: [own.id, own.id] }),
    )
    expect(twice.details.fields).toEqual({ 'strategy_ids.1': '同一個策略只要列一次' })
    const turned = await refused(
      give(group.id, [{ strategy_id: own.id, starts_on: office.day(3), ends_on: office.day(1) }]),
    )
    expect(turned.details.fields).toEqual({
      'strategies.0.ends_on': `結束的日子不能早於開始的日子（${office.day(3).replaceAll('-', '/')}）`,
    })
    const both = await refused(
      office.inside(office.admin, setGroupStrategies, { id: group.id, strategies: [], strategy_ids: [] }),
    )
    expect(both.details.fields).toEqual({ strategies: '策略的名單只能用一種寫法' })
  })

  // spec §1: Its areas are: strategies (futures and stock), webhooks, signals (including manual signals),…
  // spec §7: Named operations whose methods, paths, payloads and responses are not shown: invites by email…
  test('dates of members, one and several; what is not given stays', async () => {
    const group = await make()
    await add(group.id, [one], { starts_on: office.day(-10), ends_on: office.day(3) })
    const [kept] = await add(group.id, [one])
    expect(kept).toMatchObject({ starts_on: office.day(-10), ends_on: office.day(3), state: 'expiring' })
    const dates = { id: group.id, user_id: one.uid }
    expect(await office.inside(office.admin, updateGroupMember, { ...dates, ends_on: null })).toMatchObject({
      starts_on: office.day(-10),
      ends_on: null,
      state: 'active',
    })
    const refusal = await refused(
      office.inside(office.admin, updateGroupMember, { ...dates, ends_on: office.day(-11) }),
    )
    expect(Object.keys(refusal.details.fields ?? {})).toEqual(['ends_on'])
    await add(group.id, [two])
    const rows = await office.inside(office.admin, updateGroupMembers, {
      id: group.id,
      user_ids: [one.uid, two.uid],
      ends_on: office.day(20),
    })
    expect(rows.map(({ starts_on, ends_on }) => [starts_on, ends_on]).sort()).toEqual([
      [office.day(-10), office.day(20)],
      [office.day(), office.day(20)],
    ])
    await office.inside(office.admin, removeGroupMember, { id: group.id, user_id: two.uid })
    const not_in = { id: group.id, user_id: two.uid }
    const removed = await refused(office.inside(office.admin, removeGroupMember, not_in))
    const changed = await refused(
      office.inside(office.admin, updateGroupMember, { ...not_in, ends_on: null }),
    )
    expect([removed.code, changed.code]).toEqual([4040, 4040])
    const missing = await refused(
      office.inside(office.admin, updateGroupMembers, { id: group.id, user_ids: [two.uid], ends_on: null }),
    )
    expect(missing.details.fields).toEqual({ 'user_ids.0': '這位成員不在這個群組，請重新整理' })
  })

  // spec §7: Named operations whose methods, paths, payloads and responses are not shown: invites by email…
  test('the list of strategies is replaced; what stays keeps its first day', async () => {
    const group = await make()
    const [a, b, c] = [await office.strategy(), await office.strategy(), await office.strategy()]
    await give(group.id, [
      { strategy_id: a.id, starts_on: office.day(-30), ends_on: office.day(30) },
      { strategy_id: b.id },
    ])
    const after = await office.inside(office.admin, setGroupStrategies, {
      id: group.id,
      strategy_ids: [a.id, c.id],
    })
    expect(new Map(after.map((row) => [row.strategy_id, [row.starts_on, row.ends_on, row.state]]))).toEqual(
      new Map([
        [a.id, [office.day(-30), office.day(30), 'active']],
        [c.id, [office.day(), null, 'active']],
      ]),
    )
  })

  test('a strategy taken away stays readable through a later change of the list (C27)', async () => {
    const group = await make()
    const [gone, next] = [await office.strategy('收掉的'), await office.strategy()]
    const reader = await office.join('讀者', { group_ids: [group.id] })
    await give(group.id, [{ strategy_id: gone.id }])
    await office.inside(office.admin, deleteStrategy, { id: gone.id, name: gone.name })
    expect(await office.inside(office.admin, listGroupStrategies, { id: group.id })).toEqual([])
    await give(group.id, [{ strategy_id: next.id }])
    expect((await reads(reader)).sort()).toEqual(['收掉的', next.name].sort())
    expect((await refused(give(group.id, [{ strategy_id: gone.id }]))).code).toBe(4220)
  })

  test('every change reaches those it concerns, with another access version; no change tells nobody', async () => {
    const group = await make()
    const strategy = await office.strategy()
    const reader = await office.join('聽者')
    const start = await changes(reader)
    await add(group.id, [reader])
    await give(group.id, [{ strategy_id: strategy.id }])
    const versions = (await office.told(`p:${reader.uid}`, 'membership'))
      .slice(-2)
      .map((one) => one['access_version'])
    expect(new Set(versions).size).toBe(2)
    expect(await changes(reader)).toBe(start + 2)
    await add(group.id, [reader])
    await give(group.id, [{ strategy_id: strategy.id }])
    expect(await changes(reader)).toBe(start + 2)
    await office.inside(office.admin, updateGroup, { id: group.id, description: '說明' })
    expect(await changes(reader)).toBe(start + 2)
    await office.inside(office.admin, deleteGroup, { id: group.id })
    expect(await changes(reader)).toBe(start + 3)
    expect(await reads(reader)).toEqual([])
    expect((await office.told(`o:${office.organization.id}`, 'group')).at(-1)).toEqual({
      id: group.id,
      change: 'deleted',
    })
  })

  test('counts what ends soon, by the place or by the membership', async () => {
    const group = await make()
    const [place, membership, over] = [
      await office.join('群組快到期'),
      await office.join('成員快到期', { expires_on: office.day(7) }),
      await office.join('已經過期'),
    ]
    await add(group.id, [membership, over])
    await add(group.id, [place], { ends_on: office.day(2) })
    await office.inside(office.admin, updateMember, {
      id: office.organization.id,
      user_id: over.uid,
      starts_on: office.day(-2),
      expires_on: office.day(-1),
    })
    // one who is not in yet is not about to leave, even when the days are few
    const coming = await office.join('還沒開始')
    await add(group.id, [coming], { starts_on: office.day(2), ends_on: office.day(5) })
    const counted = await office.inside(office.admin, getGroup, { id: group.id })
    expect(counted).toMatchObject({ member_count: 3, expiring_count: 2 })
    // every place that says how many says the same, by the same days
    const { items } = await office.inside(office.admin, listGroupMembers, { id: group.id })
    expect(items.filter(({ state }) => state === 'expiring')).toHaveLength(counted.expiring_count)
    // who is not counted any more stands last
    expect(items.map(({ state }) => state === 'ended')).toEqual([false, false, false, true])
    const id = office.organization.id
    const { total } = await office.inside(office.admin, listMembers, { id, status: 'expiring' })
    const { counts } = await office.inside(office.admin, getOrganization, { id })
    const { organization } = await office.inside(office.admin, getDashboard, {})
    expect(total).toBeGreaterThan(0)
    expect([counts?.expiring_7d, organization?.expiring_7d]).toEqual([total, total])
    expect(organization?.members).toBe(counts?.members)
  })
})
