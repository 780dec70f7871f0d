// Links and join codes over HTTP on both databases: who comes in, who has to ask, who is let in no more.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGroup, listGroupMembers } from '#contract/group.ts'
import { joinByCode, listLinks, listMyJoinRequests, rotateJoinCode } from '#contract/join.ts'
import { removeMember, updateMember } from '#contract/membership.ts'
import { getOrganization, listMyOrganizations } from '#contract/organization.ts'
import { refused } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import type { Person } from '#tests/support/people.ts'
import { dump } from '#tests/support/tables.ts'
import { openWaysIn } from '#tests/support/ways-in.ts'

const DAY_MS = 86_400_000

describeEngines('ways in', (engine) => {
  let ways: Awaited<ReturnType<typeof openWaysIn>>
  beforeAll(async () => {
    ways = await openWaysIn(engine)
  })
  afterAll(() => ways.office.server.close())

  // spec §1: Its areas are: strategies (futures and stock), webhooks, signals (including manual signals),…
  // spec §3: Other entity kinds known by name only, with fields not shown: Identity, JoinOrganizationList,…
  // spec §7: Named operations whose methods, paths, payloads and responses are not shown: invites by email…
  test('a link asks first: shown to anybody with it, asked, approved with days and groups, told', async () => {
    const { office, id, person, link, accept, requests, review, look, member } = ways
    const group = await office.inside(office.admin, createGroup, { name: '台指班' })
    const made = await link({ group_ids: [group.id], expires_on: office.day(90) })
    expect(made).toMatchObject({ enabled: true, requires_review: true, used_count: 0, state: 'open' })
    expect(made.url).toBe(`${office.server.url}/my-organizations?invite=${made.code}`)
    expect(await look(made.code)).toEqual({
      kind: 'link',
      organization: { id: id(), name: '浪花訊號社', logo: null, introduction: '' },
      role: 'member',
      requires_review: true,
      state: 'open',
      email_masked: null,
      email: null,
    })
    const who = await person('陳以安')
    const asked = await accept(who, made, '  我是 7 月班的學員 ')
    expect(asked).toMatchObject({ outcome: 'join_request', organization: null })
    expect(asked.join_request).toMatchObject({
      status: 'pending',
      message: '我是 7 月班的學員',
      reason: null,
    })
    expect(await who.call(listMyOrganizations, {})).toEqual([])
    const [mine] = await who.call(listMyJoinRequests, {})
    expect(mine).toEqual(asked.join_request)
    const [request] = (await requests({ status: 'pending' })).items
    expect(request).toMatchObject({
      id: mine?.id,
      user: { id: who.uid, name: '陳以安', email: who.email },
      group_ids: [group.id],
      expires_on: office.day(90),
      decided_by: null,
    })
    const org = await office.inside(office.admin, getOrganization, { id: id() })
    expect(org.counts?.pending_requests).toBe(1)
    expect(await office.told(`o:${id()}`, 'organization')).toContainEqual({
      ...{ id: id(), change: 'join_requests', request_id: mine?.id },
    })
    const done = await review(mine?.id as string, { decision: 'approve' })
    expect(done).toMatchObject({ status: 'approved', decided_by: { id: office.admin.uid } })
    expect(await member(who)).toMatchObject({
      ...{ role: 'member', starts_on: office.day(), expires_on: office.day(90) },
      groups: [{ id: group.id, name: '台指班' }],
    })
    const places = await office.inside(office.admin, listGroupMembers, { id: group.id })
    expect(places.items).toMatchObject([
      { user_id: who.uid, starts_on: office.day(), ends_on: office.day(90) },
    ])
    const noted = await office.server.app.db
      .selectFrom('access_changes')
      .select(['fact', 'changed_by', 'role', 'ends_on'])
      .where('user_id', '=', who.uid)
      .orderBy('fact')
      .execute()
    expect(noted).toEqual([
      { fact: 'membership', changed_by: office.admin.uid, role: 'member', ends_on: office.day(90) },
      { fact: 'place', changed_by: office.admin.uid, role: null, ends_on: office.day(90) },
    ])
    expect(await office.told(`p:${who.uid}`, 'profile')).toContainEqual({ change: 'join_requests' })
    expect((await office.inside(office.admin, listLinks, { id: id() }))[0]?.used_count).toBe(1)
    expect((await refused(accept(who, made))).code).toBe(4094)
  })

  test('codes are long and stand nowhere in plain; the old one leads nowhere once it is changed', async () => {
    const { office, person, link, change, accept, look } = ways
    const made = await link()
    expect(Buffer.from(made.code, 'base64url').length).toBeGreaterThanOrEqual(16)
    const rows = [...(await dump(office.server.app.db)).values()].flat()
    expect(rows.filter((row) => row.includes(made.code))).toEqual([])
    const next = await change(made, { rotate: true })
    expect(next.code).not.toBe(made.code)
    expect((await refused(look(made.code))).code).toBe(4040)
    expect((await refused(accept(await person(), made))).code).toBe(4040)
    expect((await look(next.code)).state).toBe('open')
  })

  test('without review one is inside at once, for as long as the link or the organization gives', async () => {
    const { office, id, person, link, accept, member, settings } = ways
    const until = await link({ requires_review: false, expires_on: office.day(10) })
    const first = await person()
    expect(await accept(first, until)).toMatchObject({
      ...{ outcome: 'member', join_request: null },
      organization: { id: id(), name: '浪花訊號社', role: 'member', expires_on: office.day(10) },
    })
    await settings({ default_member_days: 30 })
    const open = await link({ requires_review: false })
    const second = await person()
    await accept(second, open)
    expect(await member(second)).toMatchObject({ starts_on: office.day(), expires_on: office.day(29) })
    await settings({ default_member_days: null })
    const third = await person()
    await accept(third, open)
    expect(await member(third)).toMatchObject({ role: 'member', expires_on: null })
    const noted = await office.server.app.db
      .selectFrom('access_changes')
      .select(['fact', 'changed_by'])
      .where('user_id', '=', third.uid)
      .execute()
    expect(noted).toEqual([{ fact: 'membership', changed_by: third.uid }])
  })

  test.each([
    ['disabled', '這個邀請已停用，請向組織的管理者確認'],
    ['expired', '這個邀請連結已過期，請組織的管理者給你新的'],
    ['used_up', '這個邀請連結的名額已用完，請洽組織的管理者'],
  ] as const)('a link that is %s lets nobody in and says so', async (state, text) => {
    const { office, id, person, link, change, accept, look } = ways
    const valid_until = new Date(office.server.app.now() + DAY_MS).toISOString()
    const made = await link({ valid_until, max_uses: 1 })
    if (state === 'disabled') await change(made, { enabled: false })
    if (state === 'expired') office.pass(DAY_MS)
    if (state === 'used_up') await accept(await person(), made)
    expect((await look(made.code)).state).toBe(state)
    const failure = await refused(accept(await person(), made))
    expect([failure.code, failure.text]).toEqual([4100, text])
    const listed = await office.inside(office.admin, listLinks, { id: id() })
    expect(listed.find((one) => one.id === made.id)?.state).toBe(state)
    // and is open again when the admin says so
    const again = new Date(office.server.app.now() + DAY_MS).toISOString()
    await change(made, { enabled: true, valid_until: again, max_uses: 2 })
    expect((await look(made.code)).state).toBe('open')
  })

  test('as many come in as a link has uses, however many try at once', async () => {
    const { member, person, link, accept, requests, review } = ways
    const made = await link({ requires_review: false, max_uses: 2 })
    const people = await Promise.all(Array.from({ length: 6 }, () => person()))
    const answers = await Promise.allSettled(people.map((who) => accept(who, made)))
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    const inside = await Promise.all(people.map(member))
    expect(inside.filter(Boolean)).toHaveLength(2)
    const reviewed = await link({ max_uses: 1 })
    const more = await Promise.all(Array.from({ length: 4 }, () => person()))
    const asked = await Promise.allSettled(more.map((who) => accept(who, reviewed)))
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    // A request that is refused gives its use back.
    const open = (await requests({ status: 'pending', page_size: 100 })).items
    const taken = open.find(({ user }) => more.some((who) => who.uid === user.id))
    await review(taken?.id as string, { decision: 'reject' })
    const other = more.find((who) => who.uid !== taken?.user.id) as Person
    expect((await accept(other, reviewed)).outcome).toBe('join_request')
  })

  test('one person asks once, also twice at once; who is a member does not ask', async () => {
    const { office, id, person, link, accept } = ways
    const made = await link()
    const who = await person()
    const other = await link()
    const twice = await Promise.allSettled([accept(who, made), accept(who, made), accept(who, other)])
    expect(twice.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const failure = await refused(accept(who, made))
    expect([failure.code, failure.text]).toEqual([4094, '你的申請還在審核，請等組織的管理者回覆'])
    expect((await who.call(listMyJoinRequests, {})).map(({ status }) => status)).toEqual(['pending'])
    const inside = await refused(accept(office.admin, made))
    expect([inside.code, inside.text]).toEqual([4094, '你已經是這個組織的成員'])
    const upcoming = await office.join('之後才開始')
    await office.inside(office.admin, updateMember, {
      ...{ id: id(), user_id: upcoming.uid, starts_on: office.day(5) },
    })
    expect((await refused(accept(upcoming, made))).code).toBe(4094)
  })

  test('who was a member before comes back only with the word of an admin, whatever the link says', async () => {
    const { office, id, link, accept, review, member } = ways
    const open = await link({ requires_review: false })
    const removed = await office.join('被移除')
    await office.inside(office.admin, removeMember, { id: id(), user_id: removed.uid })
    expect((await accept(removed, open)).outcome).toBe('join_request')
    const over = await office.join('到期了', { expires_on: office.day() })
    office.pass(DAY_MS)
    const { outcome, join_request } = await accept(over, open)
    expect(outcome).toBe('join_request')
    await review(join_request?.id as string, { decision: 'approve', expires_on: office.day(30) })
    expect(await member(over)).toMatchObject({ starts_on: office.day(), expires_on: office.day(30) })
  })

  test('an address that is not proven asks for nothing', async () => {
    const { office, id, person, link, accept, settings } = ways
    const who = await person('還沒驗證', false)
    expect((await refused(accept(who, await link()))).code).toBe(6010)
    await settings({ join_code_enabled: true })
    const { join_code } = await office.inside(office.admin, getOrganization, { id: id() })
    expect((await refused(who.call(joinByCode, { code: join_code as string }))).code).toBe(6010)
    expect(await who.call(listMyJoinRequests, {})).toEqual([])
  })

  test('the join code: made once, typed as people type, turned off, changed', async () => {
    const { office, id, person, look, settings } = ways
    const on = await settings({ join_code_enabled: true })
    const code = on.join_code as string
    expect(code).toMatch(/^[A-HJKMNP-Z2-9]{4}-[A-HJKMNP-Z2-9]{4}$/)
    expect((await settings({ join_code_enabled: false })).join_code).toBe(code)
    expect(await look(code)).toMatchObject({ kind: 'join_code', state: 'disabled' })
    const who = await person()
    expect((await refused(who.call(joinByCode, { code }))).code).toBe(4100)
    await settings({ join_code_enabled: true })
    const typed = ` ${code.toLowerCase().replace('-', ' ')}`
    expect((await look(typed)).organization.id).toBe(id())
    const { join_request } = await who.call(joinByCode, { code: typed, message: '同學' })
    expect(join_request).toMatchObject({ source: 'join_code', message: '同學' })
    const { join_code } = await office.inside(office.admin, rotateJoinCode, { id: id() })
    expect(join_code).not.toBe(code)
    expect((await refused(look(code))).code).toBe(4040)
    expect((await refused((await person()).call(joinByCode, { code }))).code).toBe(4040)
    await settings({ requires_review: false })
    const at_once = await person()
    expect((await at_once.call(joinByCode, { code: join_code })).outcome).toBe('member')
    await settings({ requires_review: true })
  })
})
