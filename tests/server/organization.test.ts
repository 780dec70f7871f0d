// Organizations over HTTP on both databases: made, read by their people only, changed, dissolved without a trace.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGroup, deleteGroup, setGroupStrategies } from '#contract/group.ts'
import { createInvites, getInvite } from '#contract/join.ts'
import { leaveOrganization, listAdmins, updateMember } from '#contract/membership.ts'
import {
  createOrganization,
  deleteOrganization,
  getOrganization,
  listMyOrganizations,
  listOrganizationStrategies,
  updateOrganization,
} from '#contract/organization.ts'
import { getProfile } from '#contract/profile.ts'
import { createStrategy, deleteStrategy } from '#contract/strategy.ts'
import { hookPath, refused } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { type Office, openOffice } from '#tests/support/office.ts'
import { insertMember } from '#tests/support/organizations.ts'
import { call, type Person, signUp } from '#tests/support/people.ts'
import { dump } from '#tests/support/tables.ts'

describeEngines('organizations', (engine) => {
  let office: Office
  let member: Person
  let stranger: Person
  beforeAll(async () => {
    office = await openOffice(engine)
    member = await office.join('陳成員')
    stranger = await signUp(office.server, '路人')
  })
  afterAll(() => office.server.close())
  const id = () => office.organization.id

  // spec §1: Its areas are: strategies (futures and stock), webhooks, signals (including manual signals),…
  test('its maker is its admin from today on; a name may be used twice', async () => {
    const again = await stranger.call(createOrganization, { name: '浪花訊號社', introduction: '另一家' })
    expect(again).toMatchObject({ name: '浪花訊號社', introduction: '另一家', my_role: 'admin' })
    expect(again).toMatchObject({ share_statistics: true, requires_review: true, join_code: null })
    expect(again.counts).toEqual({
      members: 1,
      admins: 1,
      strategies: 0,
      groups: 0,
      expiring_7d: 0,
      pending_requests: 0,
    })
    const [mine] = await stranger.call(listMyOrganizations, {})
    expect(mine).toMatchObject({ id: again.id, role: 'admin', starts_on: office.day(), expires_on: null })
    expect(mine).toMatchObject({ status: 'active', days_left: null, member_count: 1, strategy_count: 0 })
    const { organizations } = await stranger.call(getProfile, {})
    expect(organizations.map((one) => one.id)).toEqual([again.id])
  })

  test('an unproven address may make one, too; in an organization nobody makes another', async () => {
    const fresh = await signUp(office.server, '新人', { verify: false })
    await fresh.call(createOrganization, { name: '新的' })
    const error = await refused(office.inside(office.admin, createOrganization, { name: '裡面' }))
    expect([error.code, error.details.missing]).toEqual([4030, 'organization:create'])
  })

  // spec §7: Named operations whose methods, paths, payloads and responses are not shown: invites by email…
  test('whoever belongs to it reads it in any context, more of it as an admin', async () => {
    const all = await office.admin.call(getOrganization, { id: id() })
    expect(all.counts).toMatchObject({ members: 2, admins: 1, strategies: 0, groups: 0 })
    // What was taken away counts no more, with its records or without; a group is one.
    const [kept, gone, stays] = [await office.strategy(), await office.strategy(), await office.strategy()]
    for (const [one, keep_records] of [
      [kept, true],
      [gone, false],
    ] as const)
      await office.inside(office.admin, deleteStrategy, { id: one.id, name: one.name, keep_records })
    const group = await office.inside(office.admin, createGroup, { name: '一群' })
    const more = await office.admin.call(getOrganization, { id: id() })
    expect(more.counts).toMatchObject({ members: 2, admins: 1, strategies: 1, groups: 1 })
    await office.inside(office.admin, deleteGroup, { id: group.id })
    await office.inside(office.admin, deleteStrategy, { id: stays.id, name: stays.name })
    for (const found of [
      await member.call(getOrganization, { id: id() }),
      await office.inside(member, getOrganization, { id: id() }),
    ]) {
      expect(found).toMatchObject({ my_role: 'member', name: office.organization.name })
      for (const hidden of [
        'counts',
        'join_code',
        'join_code_enabled',
        'requires_review',
        'default_member_days',
      ])
        expect(found).not.toHaveProperty(hidden)
    }
    expect(await member.call(listAdmins, { id: id() })).toEqual([
      { name: office.admin.name, email: office.admin.email, avatar: null },
    ])
    for (const endpoint of [getOrganization, listAdmins])
      expect((await refused(stranger.call(endpoint, { id: id() }))).code).toBe(4040)
  })

  // spec §7: Named operations whose methods, paths, payloads and responses are not shown: invites by email…
  test('changed field by field; contact links open only what is safe', async () => {
    const contact_links = [
      {
        label: '客服',
        type: 'line' as const,
        value: '@lingbo',
        children: [{ label: '網站', type: 'url' as const, value: 'https://example.com/a' }],
      },
    ]
    const changed = await office.inside(office.admin, updateOrganization, {
      id: id(),
      contact_links,
      share_statistics: false,
    })
    expect(changed).toMatchObject({ contact_links, share_statistics: false, name: office.organization.name })
    for (const value of ['javascript:alert(1)', 'http://example.com', 'https:///x', '//evil.example']) {
      const error = await refused(
        office.inside(office.admin, updateOrganization, {
          id: id(),
          contact_links: [{ label: 'x', type: 'url', value }],
        }),
      )
      expect([value, error.code]).toEqual([value, 4220])
    }
    const told = (await office.told(`o:${id()}`, 'organization')).filter(({ change }) => change === 'updated')
    await office.inside(office.admin, updateOrganization, { id: id(), share_statistics: false })
    expect(
      (await office.told(`o:${id()}`, 'organization')).filter(({ change }) => change === 'updated'),
    ).toEqual(told)
    const error = await refused(office.inside(member, updateOrganization, { id: id(), name: '我的' }))
    expect([error.code, error.details.missing]).toEqual([4030, 'organization:edit'])
  })

  // spec §3: Other entity kinds known by name only, with fields not shown: Identity, JoinOrganizationList,…
  // spec §7: Named operations whose methods, paths, payloads and responses are not shown: invites by email…
  test('its strategies with their groups: all to the admin, to a member what it reads today', async () => {
    const [one, two] = [await office.strategy('甲策略'), await office.strategy('乙策略')]
    const group = await office.inside(office.admin, createGroup, { name: '甲組' })
    await office.inside(office.admin, setGroupStrategies, { id: group.id, strategy_ids: [one.id] })
    const { items, total } = await office.inside(office.admin, listOrganizationStrategies, { id: id() })
    expect([total, items.map(({ name, groups }) => [name, groups])]).toEqual([
      2,
      [
        [two.name, []],
        [one.name, [{ id: group.id, name: '甲組' }]],
      ],
    ])
    const found = await office.inside(office.admin, listOrganizationStrategies, {
      id: id(),
      search: '甲',
      kind: 'futures',
    })
    expect(found.items.map(({ name }) => name)).toEqual(['甲策略'])
    expect((await office.inside(member, listOrganizationStrategies, { id: id() })).items).toEqual([])
    const guest = await office.join('甲組的人', { group_ids: [group.id] })
    const seen = await office.inside(guest, listOrganizationStrategies, { id: id() })
    expect(seen.items.map(({ name }) => name)).toEqual(['甲策略'])
    const [mine] = await guest.call(listMyOrganizations, {})
    expect(mine).toMatchObject({ role: 'member', strategy_count: 1, member_count: 3 })
  })

  test('a membership that begins later or is over is listed as such, and counts nothing', async () => {
    const person = await office.join('稍後的人')
    const set = (days: Record<string, string | null>) =>
      office.inside(office.admin, updateMember, { id: id(), user_id: person.uid, ...days })
    await set({ starts_on: office.day(3) })
    expect((await person.call(listMyOrganizations, {}))[0]).toMatchObject({
      status: 'upcoming',
      member_count: 0,
    })
    expect((await refused(person.call(getOrganization, { id: id() }))).code).toBe(4040)
    await set({ starts_on: office.day(-9), expires_on: office.day(-1) })
    expect((await person.call(listMyOrganizations, {}))[0]).toMatchObject({
      status: 'expired',
      days_left: 0,
      member_count: 0,
      strategy_count: 0,
      // whom to write to: the admins are not told to somebody who is outside
      contact_email: null,
    })
    await office.inside(office.admin, updateOrganization, { id: id(), contact_email: 'hi@wave.example' })
    expect((await person.call(listMyOrganizations, {}))[0]).toMatchObject({
      contact_email: 'hi@wave.example',
    })
    expect((await person.call(getProfile, {})).organizations).toEqual([])
  })

  test('says beforehand who cannot leave: the only admin on whom it can rest', async () => {
    const boss = await signUp(office.server, '獨自的站長')
    const made = await boss.call(createOrganization, { name: '一人社' })
    const sole = async (who: Person) =>
      (await who.call(listMyOrganizations, {})).find((one) => one.id === made.id)?.sole_admin
    expect(await sole(boss)).toBe(true)
    const second = await signUp(office.server, '第二位')
    await insertMember(office.server.app.db, made.id, second.uid, {
      role: 'admin',
      expires_on: office.day(9),
    })
    expect([await sole(boss), await sole(second)]).toEqual([true, false])
    expect((await refused(boss.call(leaveOrganization, { id: made.id }))).code).toBe(4093)
    const inside = { 'lb-org-id': made.id }
    await boss.call(updateMember, { id: made.id, user_id: second.uid, expires_on: null }, inside)
    expect([await sole(boss), await sole(second)]).toEqual([false, false])
    await boss.call(leaveOrganization, { id: made.id })
    expect(await sole(second)).toBe(true)
  })

  test('dissolved with its name typed again: nothing of it is left but doors that say 410', async () => {
    const boss = await signUp(office.server, '另一位站長')
    const made = await boss.call(createOrganization, { name: 'MARK 社', introduction: 'MARK 介紹' })
    const inside = { 'lb-org-id': made.id }
    const strategy = await boss.call(
      createStrategy,
      { kind: 'futures', name: 'MARK 策略', note: 'MARK 筆記', settings: { product_code: 'TXF' } },
      inside,
    )
    const group = await boss.call(createGroup, { name: 'MARK 組' }, inside)
    await boss.call(setGroupStrategies, { id: group.id, strategy_ids: [strategy.id] }, inside)
    await boss.call(createInvites, { id: made.id, emails: [stranger.email] }, inside)
    const code = await office.code(stranger.email)
    const post = () =>
      office.server.request(hookPath(strategy), {
        method: 'POST',
        body: JSON.stringify({
          symbol: 'TXF1!',
          action: 'buy',
          quantity: 1,
          price: 23_000,
          note: 'MARK 訊號',
        }),
      })
    expect((await post()).status).toBe(200)
    const wrong = await refused(boss.call(deleteOrganization, { id: made.id, name: 'MARK 社團' }, inside))
    expect([wrong.code, wrong.details.fields]).toEqual([4220, { name: '名稱不符，請輸入「MARK 社」' }])

    await boss.call(deleteOrganization, { id: made.id, name: 'MARK 社' }, inside)
    expect(await boss.call(listMyOrganizations, {})).toEqual([])
    expect((await refused(boss.call(getOrganization, { id: made.id }))).code).toBe(4040)
    expect((await refused(call(office.server, getInvite, { code }))).code).toBe(4040)
    expect((await post()).status).toBe(410)
    await office.server.app.jobs.settled('erase')
    expect(await office.told(`p:${boss.uid}`, 'context-revoked')).toEqual([
      { organization_id: made.id, reason: 'dissolved' },
    ])
    const left = [...(await dump(office.server.app.db))]
      // Answers of calls are kept for their repetition; what arrives at a closed door is kept as at any other.
      .filter(([table]) => !['idempotency', 'messages', 'events'].includes(table))
      .flatMap(([table, rows]) => rows.filter((row) => row.includes('MARK')).map((row) => `${table} ${row}`))
    expect(left).toEqual([])
    const rows = await office.server.app.db
      .selectFrom('strategies')
      .innerJoin('webhooks', 'webhooks.strategy_id', 'strategies.id')
      .select(['settings', 'token_cipher'])
      .where('strategies.id', '=', strategy.id)
      .execute()
    // Neither how it traded nor the addresses its scripts sent to.
    expect(rows).toEqual([{ settings: '{}', token_cipher: '' }])
    const signals = await office.server.app.db
      .selectFrom('signals')
      .select('id')
      .where('strategy_id', '=', strategy.id)
      .execute()
    expect(signals).toEqual([])
  })

  test('dates that do not exist are refused', async () => {
    const error = await refused(
      office.inside(office.admin, updateMember, { id: id(), user_id: member.uid, expires_on: '2027-02-30' }),
    )
    expect([error.code, Object.keys(error.details.fields ?? {})]).toEqual([4220, ['expires_on']])
  })
})
