// The call of the log of access: pages, filters, what is refused, and what of erased people, groups and strategies is still said.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readAccessLog } from '#contract/access.ts'
import type { InputOf } from '#contract/endpoint.ts'
import {
  addGroupMembers,
  createGroup,
  deleteGroup,
  removeGroupMember,
  setGroupStrategies,
  updateGroupMember,
} from '#contract/group.ts'
import { removeMember, updateMember } from '#contract/membership.ts'
import { deleteAccount } from '#contract/profile.ts'
import { deleteStrategy } from '#contract/strategy.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { type Office, openOffice } from '#tests/support/office.ts'
import { PASSWORD, type Person, signUp } from '#tests/support/people.ts'

describeEngines('the log of access', (engine) => {
  let office: Office
  let member: Person
  let group: { id: string }
  let strategy: { id: string; name: string }
  beforeAll(async () => {
    office = await openOffice(engine)
    const { admin, inside } = office
    office.pass(60_000)
    strategy = await office.strategy('浪花一號')
    office.pass(60_000)
    group = await inside(admin, createGroup, { name: '早鳥班' })
    await inside(admin, setGroupStrategies, { id: group.id, strategies: [{ strategy_id: strategy.id }] })
    office.pass(60_000)
    member = await office.join('甲成員', { group_ids: [group.id], expires_on: office.day(30) })
  })
  afterAll(() => office.server.close())

  type Question = Omit<InputOf<typeof readAccessLog>, 'id'>
  const ask = (question: Question = {}, person = office.admin) =>
    office.inside(person, readAccessLog, { id: office.organization.id, ...question })
  const now = () => new Date(office.server.app.now()).toISOString()
  const asked = async (query: string) => {
    const answer = await office.server.request(
      `/api/v1/organizations/${office.organization.id}/access-log?${query}`,
      {
        headers: {
          authorization: `Bearer ${office.admin.token}`,
          'lb-org-id': office.organization.id,
        },
      },
    )
    return (await answer.json()) as { error: { code: number; fields?: Record<string, string> } }
  }

  test('says who could see what and by what, and the changes newest first with who made them', async () => {
    const { admin } = office
    const { rows, items, at, recorded_since } = await ask()
    const of = { id: member.uid, name: '甲成員' }
    const what = { id: strategy.id, name: '浪花一號' }
    const days = { visible_from: office.day(), valid_until: office.day(30) }
    const via = { id: group.id, name: '早鳥班' }
    expect(at).toBe(now())
    expect(recorded_since).toBe(items.at(-1)?.at)
    expect(rows).toEqual(
      [
        {
          ...{ user: { id: admin.uid, name: '林站長' }, strategy: what, role: 'admin' },
          ...{ visible_from: null, valid_until: null, via_group: null, via_groups: [] },
        },
        {
          user: of,
          strategy: what,
          role: 'member',
          ...days,
          via_group: via,
          via_groups: [{ ...via, ...days }],
        },
      ].sort((a, b) => (a.user.id < b.user.id ? -1 : 1)),
    )
    expect(items.map(({ kind, fact, actor }) => [kind, fact, actor?.name])).toEqual(
      expect.arrayContaining([
        ['granted', 'place', '甲成員'],
        ['granted', 'membership', '甲成員'],
        ['granted', 'gift', '林站長'],
        ['granted', 'strategy', '林站長'],
        ['granted', 'membership', '林站長'],
      ]),
    )
  })

  test('a change says what it was before and what it is now', async () => {
    const { admin, inside } = office
    office.pass(60_000)
    const was = office.day()
    await inside(admin, updateGroupMember, { id: group.id, user_id: member.uid, ends_on: office.day(7) })
    const [newest] = (await ask()).items
    expect(newest).toMatchObject({
      ...{ kind: 'changed', fact: 'place', user: { name: '甲成員' }, group: { name: '早鳥班' } },
      before: { role: null, starts_on: was, ends_on: office.day(30) },
      after: { role: null, starts_on: was, ends_on: office.day(7) },
    })
  })

  test('both lists come in pages of any size, and each goes on by itself', async () => {
    const whole = await ask({ limit: 200 })
    const first = await ask({ limit: 1 })
    expect(first.rows).toEqual(whole.rows.slice(0, 1))
    expect(first.items).toEqual(whole.items.slice(0, 1))
    const rows = await ask({ limit: 1, after: first.next_after as string })
    expect([rows.rows, rows.next_after, rows.items]).toEqual([whole.rows.slice(1, 2), null, []])
    let before = first.next_before
    const items = [...first.items]
    while (before !== null) {
      const page = await ask({ limit: 1, before })
      expect(page.rows).toEqual([])
      items.push(...page.items)
      before = page.next_before
    }
    expect(items).toEqual(whole.items)
  })

  test('before the first note nothing is known: no rows, no changes, and since when there are any', async () => {
    const { recorded_since } = await ask()
    const before = new Date(Date.parse(recorded_since as string) - 1).toISOString()
    expect(await ask({ at: before })).toMatchObject({ at: before, recorded_since, rows: [], items: [] })
    expect((await ask({ at: recorded_since as string })).items).not.toEqual([])
  })

  test('asked by person, strategy or both, and of strangers nothing but the id', async () => {
    const stranger = await signUp(office.server, '不相干的人')
    const { rows, user } = await ask({ user_id: member.uid })
    expect([rows.length, user?.name]).toEqual([1, '甲成員'])
    const own = await ask({ user_id: member.uid, strategy_id: strategy.id })
    expect([own.rows.length, own.strategy?.name]).toEqual([1, '浪花一號'])
    expect(own.items.every((one) => (one.user?.id ?? member.uid) === member.uid)).toBe(true)
    expect(await ask({ user_id: stranger.uid })).toMatchObject({
      ...{ rows: [], items: [], user: { id: stranger.uid, name: null } },
    })
  })

  test('what cannot be read is refused in Chinese, at its field', async () => {
    const later = new Date(office.server.app.now() + 1_000).toISOString()
    const bad: [query: string, field: string, text: string][] = [
      [`at=${later}`, 'at', '這個時刻還沒有到，請選現在或更早'],
      ['at=2026-03-10', 'at', '時間要用 ISO 8601 UTC，含毫秒'],
      ['user_id=1', 'user_id', '編號格式不正確'],
      ['strategy_id=1', 'strategy_id', '編號格式不正確'],
      ['before=nothing', 'before', '游標不正確，請從頭讀取'],
      ['after=nothing', 'after', '游標不正確，請從頭讀取'],
      ['limit=0', 'limit', '至少 1 筆'],
      ['limit=201', 'limit', '一次最多 200 筆'],
    ]
    for (const [query, field, text] of bad)
      expect([query, (await asked(query)).error]).toMatchObject([
        query,
        { code: 4220, fields: { [field]: text } },
      ])
  })

  test('a cursor of another organization is none here', async () => {
    const other = await openOffice(engine)
    try {
      const { items } = await other.inside(other.admin, readAccessLog, { id: other.organization.id })
      expect(items).toHaveLength(1)
      await expect(ask({ before: items[0]?.id as string })).rejects.toMatchObject({ code: 4220 })
    } finally {
      await other.server.close()
    }
  })

  test('only admins of this organization read it', async () => {
    const stranger = await signUp(office.server, '外人')
    await expect(ask({}, member)).rejects.toMatchObject({ code: 4030 })
    await expect(ask({}, stranger)).rejects.toMatchObject({ code: 4031 })
    await expect(office.admin.call(readAccessLog, { id: office.organization.id })).rejects.toMatchObject({
      code: 4030,
    })
    const id = '01890000-0000-7000-8000-000000000000'
    await expect(office.inside(office.admin, readAccessLog, { id })).rejects.toMatchObject({ code: 4040 })
  })

  test('a day that passes ends access without a note, and what made it end is still the newest change', async () => {
    const { admin, inside } = office
    const two = await office.join('乙成員')
    await inside(admin, addGroupMembers, { id: group.id, user_ids: [two.uid], ends_on: office.day(1) })
    const of = { user_id: two.uid }
    expect((await ask(of)).rows).toHaveLength(1)
    const [made] = (await ask(of)).items
    office.pass(2 * 86_400_000)
    const after = await ask(of)
    expect([after.rows, after.items[0]]).toEqual([[], made])
  })

  test('a group that is gone keeps its name; a person who gave the account up and an erased strategy have none', async () => {
    const { admin, inside, server } = office
    const at = now()
    const gone = await office.join('丙成員', { group_ids: [group.id] })
    office.pass(60_000)
    const seen = now()
    office.pass(60_000)
    await gone.call(deleteAccount, { password: PASSWORD })
    await inside(admin, removeGroupMember, { id: group.id, user_id: member.uid })
    await inside(admin, deleteGroup, { id: group.id })
    await inside(admin, deleteStrategy, { ...strategy, keep_records: false })
    await server.app.jobs.settled('erase')
    const then = await ask({ at: seen, user_id: gone.uid })
    expect(then.rows).toMatchObject([
      {
        ...{ user: { id: gone.uid, name: '已刪除的使用者' }, strategy: { id: strategy.id, name: null } },
        via_group: { name: '早鳥班' },
      },
    ])
    expect((await ask({ user_id: gone.uid })).rows).toEqual([])
    const told = JSON.stringify([then, await ask({ at }), await ask({ limit: 200 })])
    for (const word of ['丙成員', gone.email, '浪花一號']) expect(told).not.toContain(word)
    office.pass(60_000)
    await inside(admin, removeMember, { id: office.organization.id, user_id: member.uid })
    expect((await ask({ user_id: member.uid })).items[0]).toMatchObject({
      ...{ kind: 'ended', fact: 'membership', actor: { name: '林站長' }, after: null },
    })
  })

  test('ownership handed on: the new admin sees everything from then on, who stepped down what groups give', async () => {
    const { admin, inside, organization } = office
    const made = await office.strategy('交接策略')
    const second = await office.join('丁管理者', { role: 'admin' })
    const before = now()
    office.pass(60_000)
    await inside(second, updateMember, { id: organization.id, user_id: admin.uid, role: 'member' })
    const who = async (at: string) =>
      (await ask({ at, strategy_id: made.id }, second)).rows.map(({ user }) => user.id).sort()
    expect(await who(before)).toEqual([admin.uid, second.uid].sort())
    expect(await who(now())).toEqual([second.uid])
  })
})
