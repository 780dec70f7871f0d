// A group copied, over HTTP on both databases: what comes along with which days, what does not, and who hears of it.
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { readAccessLog } from '#contract/access.ts'
import { ApiError } from '#contract/errors.ts'
import {
  addGroupMembers,
  copyGroup,
  createGroup,
  listGroupMembers,
  listGroupStrategies,
  listGroups,
  setGroupStrategies,
  updateGroup,
} from '#contract/group.ts'
import { removeMember, updateMember } from '#contract/membership.ts'
import { createOrganization } from '#contract/organization.ts'
import { deleteStrategy, listStrategies } from '#contract/strategy.ts'
import { refused } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { type Office, openOffice } from '#tests/support/office.ts'
import { type Person, signUp } from '#tests/support/people.ts'

describeEngines('a group copied', (engine) => {
  let office: Office
  let count = 0
  beforeAll(async () => {
    office = await openOffice(engine)
  })
  afterAll(() => office.server.close())
  const make = () =>
    office.inside(office.admin, createGroup, { name: `群組 ${++count}`, description: `說明 ${count}` })
  const add = (id: string, who: Person, span: { starts_on?: string; ends_on?: string | null } = {}) =>
    office.inside(office.admin, addGroupMembers, { id, user_ids: [who.uid], ...span })
  const give = (
    id: string,
    strategies: { strategy_id: string; starts_on?: string; ends_on?: string | null }[],
  ) => office.inside(office.admin, setGroupStrategies, { id, strategies })
  const copy = (id: string, name = `複本 ${++count}`) => office.inside(office.admin, copyGroup, { id, name })
  const reads = async (person: Person) =>
    (await office.inside(person, listStrategies, {})).items.map(({ name }) => name)
  const days = ({ starts_on, ends_on }: { starts_on: string; ends_on: string | null }) => [starts_on, ends_on]
  const inCopy = async (id: string) => {
    const { items } = await office.inside(office.admin, listGroupMembers, { id })
    const strategies = await office.inside(office.admin, listGroupStrategies, { id })
    return {
      members: new Map(items.map((one) => [one.user_id, days(one)])),
      strategies: new Map(strategies.map((one) => [one.strategy_id, days(one)])),
    }
  }

  test('description, members and strategies come along, each with its own days; what is over does not', async () => {
    const group = await make()
    const [now, later, ending, over] = [
      await office.join('在裡面'),
      await office.join('還沒開始'),
      await office.join('今天到期'),
      await office.join('昨天結束'),
    ]
    await add(group.id, now, { starts_on: office.day(-40) })
    await add(group.id, later, { starts_on: office.day(3), ends_on: office.day(30) })
    await add(group.id, ending, { starts_on: office.day(-9), ends_on: office.day() })
    await add(group.id, over, { starts_on: office.day(-9), ends_on: office.day(-1) })
    const [a, b, c, gone] = [
      await office.strategy(),
      await office.strategy(),
      await office.strategy(),
      await office.strategy('收掉的'),
    ]
    await give(group.id, [
      { strategy_id: a.id, starts_on: office.day(-30), ends_on: office.day(20) },
      { strategy_id: b.id, starts_on: office.day(5) },
      { strategy_id: c.id, starts_on: office.day(-30), ends_on: office.day(-1) },
      { strategy_id: gone.id },
    ])
    await office.inside(office.admin, deleteStrategy, { id: gone.id, name: gone.name })

    const made = await copy(group.id, '  台指班 第二期  ')
    expect(made).toMatchObject({
      name: '台指班 第二期',
      description: group.description,
      member_count: 3,
      strategy_count: 2,
    })
    expect(made.id).not.toBe(group.id)
    expect(await inCopy(made.id)).toEqual({
      members: new Map([
        [now.uid, [office.day(-40), null]],
        [later.uid, [office.day(3), office.day(30)]],
        [ending.uid, [office.day(-9), office.day()]],
      ]),
      strategies: new Map([
        [a.id, [office.day(-30), office.day(20)]],
        [b.id, [office.day(5), null]],
      ]),
    })
    // the first one is as it was
    const { members, strategies } = await inCopy(group.id)
    expect([members.size, strategies.size]).toEqual([4, 3])
    // what was taken away is no fact of the copy either: its records stay with whoever had them (C27)
    const rows = await office.server.app.db
      .selectFrom('group_strategies')
      .select('strategy_id')
      .where('group_id', '=', made.id)
      .execute()
    expect(rows.map(({ strategy_id }) => strategy_id).sort()).toEqual([a.id, b.id].sort())
  })

  test('whoever is no member any more, or whose membership is over, stays behind', async () => {
    const group = await make()
    const [left, expired] = [await office.join('離開的'), await office.join('到期的')]
    await add(group.id, left)
    await add(group.id, expired)
    const of = (user: Person) => ({ id: office.organization.id, user_id: user.uid })
    await office.inside(office.admin, removeMember, of(left))
    await office.inside(office.admin, updateMember, {
      ...of(expired),
      starts_on: office.day(-2),
      expires_on: office.day(-1),
    })
    const made = await copy(group.id)
    expect([made.member_count, (await inCopy(made.id)).members.size]).toEqual([0, 0])
  })

  test('a member reads on through the copy when the first one ends, and everybody concerned is told once', async () => {
    const group = await make()
    const strategy = await office.strategy('經由複本')
    const reader = await office.join('讀者')
    const empty = await make()
    await add(group.id, reader)
    await give(group.id, [{ strategy_id: strategy.id }])
    const told = async (scope: string, kind: string) => (await office.told(scope, kind)).length
    const [mine, ours] = [`p:${reader.uid}`, `o:${office.organization.id}`]
    const before = [await told(mine, 'membership'), await told(ours, 'membership'), await told(ours, 'group')]
    const made = await copy(group.id)
    const after = [await told(mine, 'membership'), await told(ours, 'membership'), await told(ours, 'group')]
    expect(after.map((n, at) => n - (before[at] ?? 0))).toEqual([1, 1, 1])
    expect((await office.told(ours, 'group')).at(-1)).toEqual({ id: made.id, change: 'created' })
    expect((await office.told(mine, 'membership')).at(-1)).toMatchObject({
      user_id: reader.uid,
      change: 'groups',
    })
    // nobody in it, nothing given: a group was made and that is all
    await copy(empty.id)
    expect(await told(ours, 'membership')).toBe(after[1])

    await office.inside(office.admin, setGroupStrategies, { id: group.id, strategies: [] })
    expect(await reads(reader)).toEqual(['經由複本'])
    expect((await office.inside(reader, listGroups, {})).items.map(({ id }) => id)).toContain(made.id)
  })

  test('the log of access has what the copy gives, and to whom, by whose call', async () => {
    const group = await make()
    const strategy = await office.strategy()
    const reader = await office.join('被記下的')
    await add(group.id, reader, { starts_on: office.day(-3), ends_on: office.day(9) })
    await give(group.id, [{ strategy_id: strategy.id, starts_on: office.day(-5) }])
    office.pass(60_000)
    const made = await copy(group.id)
    const log = await office.inside(office.admin, readAccessLog, { id: office.organization.id })
    const noted = log.items.filter((one) => one.group?.id === made.id)
    expect(
      noted.map(({ fact, kind, actor, user, strategy: of, after }) => ({
        ...{ fact, kind, by: actor?.id, whose: user?.id ?? of?.id },
        ...{ from: after?.starts_on, to: after?.ends_on },
      })),
    ).toEqual(
      expect.arrayContaining([
        {
          ...{ fact: 'place', kind: 'granted', by: office.admin.uid, whose: reader.uid },
          ...{ from: office.day(-3), to: office.day(9) },
        },
        {
          ...{ fact: 'gift', kind: 'granted', by: office.admin.uid, whose: strategy.id },
          ...{ from: office.day(-5), to: null },
        },
      ]),
    )
    expect(noted).toHaveLength(2)
  })

  test('a name that is taken, a name that is none, and a group that is not there: nothing is made', async () => {
    const group = await make()
    await add(group.id, await office.join('留著的'))
    const groups = () => office.count('strategy_groups')
    const before = await groups()
    const taken = await refused(copy(group.id, group.name.toUpperCase()))
    expect([taken.code, taken.details.fields]).toEqual([4090, { name: '這個名稱已經用過，請換一個' }])
    const none = await refused(copy(group.id, '   '))
    expect([none.code, none.details.fields]).toEqual([4220, { name: '請輸入群組名稱' }])
    expect((await refused(copy(group.id, '長'.repeat(61)))).code).toBe(4220)
    expect((await refused(copy(office.admin.uid))).code).toBe(4040)
    expect(await groups()).toBe(before)
  })

  test('of another organization: not there; a member may not, and by the personal context nobody', async () => {
    const group = await make()
    const member = await office.join('只能看的', { group_ids: [group.id] })
    const other = await signUp(office.server, '別的站長')
    const { id } = await other.call(createOrganization, { name: '別的組織' })
    const input = { id: group.id, name: '拿走' }
    expect((await refused(other.call(copyGroup, input, { 'lb-org-id': id }))).code).toBe(4040)
    const error = await refused(office.inside(member, copyGroup, input))
    expect([error.code, error.details.missing]).toEqual([4030, 'group:create'])
    expect((await refused(office.admin.call(copyGroup, input))).code).toBe(4030)
    expect(await office.count('strategy_groups', { name: '拿走' })).toBe(0)
  })

  test('what is noted for good is rationed here too; refused, nothing of it stands', async () => {
    const group = await make()
    await add(group.id, await office.join('第一位'))
    await give(group.id, [{ strategy_id: (await office.strategy()).id }])
    const spent: unknown[] = []
    const take = vi
      .spyOn(office.server.app.limits, 'take')
      .mockImplementation(async (name, _key, turns = 1) => {
        if (name !== 'access_given') return
        spent.push(turns)
        throw new ApiError(4290, { retry_after_s: 60 })
      })
    try {
      expect((await refused(copy(group.id, '太多了'))).code).toBe(4290)
    } finally {
      take.mockRestore()
    }
    expect(spent).toEqual([2])
    expect(await office.count('strategy_groups', { name: '太多了' })).toBe(0)
  })

  test('two at once under one name: one is made', async () => {
    const group = await make()
    const results = await Promise.allSettled([copy(group.id, '同一個'), copy(group.id, '同一個')])
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    // and a later rename of the first one is its own
    await office.inside(office.admin, updateGroup, { id: group.id, description: '只有原來的' })
    const { items } = await office.inside(office.admin, listGroups, { search: '同一個' })
    expect(items.map(({ description }) => description)).toEqual([group.description])
  })
})
