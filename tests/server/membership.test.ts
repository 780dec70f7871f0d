// Members over HTTP on both databases: listed, renewed, removed, leaving; the last admin stays; ends are told once.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ApiError } from '#contract/errors.ts'
import { acceptInvite, createInvites, listInvites } from '#contract/join.ts'
import {
  leaveOrganization,
  listMembers,
  removeMember,
  updateMember,
  updateMembers,
} from '#contract/membership.ts'
import { createOrganization, getOrganization } from '#contract/organization.ts'
import { listStrategies } from '#contract/strategy.ts'
import { afterMidnight } from '#server/job-kinds.ts'
import { endExpired } from '#server/membership/store.ts'
import { refused } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { type Office, openOffice } from '#tests/support/office.ts'
import { insertMember } from '#tests/support/organizations.ts'
import { type Person, signUp } from '#tests/support/people.ts'
import { SOAK } from '#tests/support/tier.ts'

const DAY_MS = 86_400_000
/** As the screens write a day. */
const shown = (day: string) => day.replaceAll('-', '/')

describeEngines('members', (engine) => {
  let office: Office
  let member: Person
  beforeAll(async () => {
    office = await openOffice(engine)
    member = await office.join('陳成員')
  })
  afterAll(() => office.server.close())
  const id = () => office.organization.id
  const manage = <E extends typeof updateMember>(
    user_id: string,
    over: Partial<Parameters<Person['call']>[1]>,
  ) => office.inside(office.admin, updateMember as E, { id: id(), user_id, ...over } as never)
  const list = async (query: Record<string, unknown> = {}) =>
    (await office.inside(office.admin, listMembers, { id: id(), ...query })).items.map(({ name }) => name)

  // spec §1: Its areas are: strategies (futures and stock), webhooks, signals (including manual signals),…
  // spec §3: Other entity kinds known by name only, with fields not shown: Identity, JoinOrganizationList,…
  test('listed with role, dates and state; searched and filtered; admins first', async () => {
    const people = { 快到期: office.day(7), 還久: office.day(8), 過期了: office.day(-1) }
    for (const [name, expires_on] of Object.entries(people)) {
      const person = await signUp(office.server, name)
      await insertMember(office.server.app.db, id(), person.uid, { expires_on })
    }
    const later = await signUp(office.server, '之後的')
    await insertMember(office.server.app.db, id(), later.uid, { starts_on: office.day(1) })
    const { items, total } = await office.inside(office.admin, listMembers, { id: id(), page_size: 100 })
    expect([total, items[0]]).toMatchObject([
      6,
      { name: '林站長', role: 'admin', status: 'active', days_left: null },
    ])
    expect(await list({ status: 'expiring' })).toEqual(['快到期'])
    expect(await list({ status: 'expired' })).toEqual(['過期了'])
    expect(await list({ status: 'upcoming' })).toEqual(['之後的'])
    expect((await list({ status: 'active' })).sort()).toEqual(['林站長', '還久', '陳成員'].sort())
    expect(await list({ role: 'admin' })).toEqual(['林站長'])
    expect(await list({ search: '到期' })).toEqual(['快到期'])
    expect(await list({ search: member.email.toUpperCase() })).toEqual(['陳成員'])
    expect(await list({ search: '%' })).toEqual([])
    expect(await list({ page: 2, page_size: 5 })).toHaveLength(1)
    // who is counted as a member stands first, whose time is over last: on every page
    expect(items.map(({ status }) => status).slice(-2)).toEqual(['upcoming', 'expired'])
    expect(await list({ page: 2, page_size: 5 })).toEqual(['過期了'])
  })

  test('renewed after the end; an end before the start is refused in words', async () => {
    const person = await office.join('續約的')
    const over = await manage(person.uid, { starts_on: office.day(-20), expires_on: office.day(-1) })
    expect(over).toMatchObject({ status: 'expired', days_left: 0 })
    expect((await refused(office.inside(person, listStrategies, {}))).code).toBe(4031)
    expect(await office.told(`p:${person.uid}`, 'context-revoked')).toEqual([
      { organization_id: id(), reason: 'expired' },
    ])
    const again = await manage(person.uid, { expires_on: office.day(30) })
    expect(again).toMatchObject({ status: 'active', days_left: 30, starts_on: office.day(-20) })
    expect((await office.inside(person, listStrategies, {})).items).toEqual([])
    const told = await office.told(`p:${person.uid}`, 'membership')
    expect(told.at(-1)).toMatchObject({ change: 'added', user_id: person.uid })
    expect(told.at(-1)?.['access_version']).not.toBe(0)
    const error = await refused(manage(person.uid, { expires_on: office.day(-21) }))
    expect(error.details.fields).toEqual({
      expires_on: `到期日不能早於開始的日子（${shown(office.day(-20))}）`,
    })
  })

  test('several at once, or none of them', async () => {
    const [one, two] = [await office.join('甲'), await office.join('乙')]
    const rows = await office.inside(office.admin, updateMembers, {
      id: id(),
      user_ids: [one.uid, two.uid],
      expires_on: office.day(5),
    })
    expect(rows.map(({ status, days_left }) => [status, days_left])).toEqual([
      ['expiring', 5],
      ['expiring', 5],
    ])
    const stranger = await signUp(office.server, '路人')
    const error = await refused(
      office.inside(office.admin, updateMembers, {
        id: id(),
        user_ids: [one.uid, stranger.uid],
        expires_on: office.day(50),
      }),
    )
    expect(error.details.fields).toEqual({ 'user_ids.1': '這個人不是組織的成員，請重新整理' })
    expect((await list({ status: 'expiring' })).filter((name) => name === '甲')).toHaveLength(1)
  })

  test('promoted and set back: the next call already counts it', async () => {
    const person = await office.join('升降的')
    expect((await refused(office.inside(person, listMembers, { id: id() }))).code).toBe(4030)
    await manage(person.uid, { role: 'admin' })
    expect((await office.inside(person, listMembers, { id: id() })).total).toBeGreaterThan(1)
    await manage(person.uid, { role: 'member' })
    expect((await refused(office.inside(person, listMembers, { id: id() }))).code).toBe(4030)
    const told = await office.told(`o:${id()}`, 'membership')
    expect(told.filter(({ user_id }) => user_id === person.uid).map(({ change }) => change)).toEqual([
      'added',
      'updated',
      'updated',
    ])
  })

  // spec §7: Named operations whose methods, paths, payloads and responses are not shown: invites by email…
  test('removed: access ends at once, and an older invitation does not bring it back', async () => {
    const person = await office.join('被移除的')
    await office.server.app.db
      .updateTable('invites')
      .set({ status: 'pending', answered_at: null })
      .where('email', '=', person.email)
      .execute()
    await office.inside(office.admin, removeMember, { id: id(), user_id: person.uid })
    expect((await refused(office.inside(person, listStrategies, {}))).code).toBe(4031)
    expect(await office.told(`p:${person.uid}`, 'context-revoked')).toEqual([
      { organization_id: id(), reason: 'removed' },
    ])
    const { items } = await office.inside(office.admin, listInvites, { id: id(), status: 'cancelled' })
    expect(items.map(({ email }) => email)).toContain(person.email)
    expect(
      (await refused(office.inside(office.admin, removeMember, { id: id(), user_id: person.uid }))).code,
    ).toBe(4040)
  })

  test('leaving works in any context, also when the time is over', async () => {
    const person = await office.join('離開的')
    await person.call(leaveOrganization, { id: id() })
    expect(await office.told(`p:${person.uid}`, 'context-revoked')).toEqual([
      { organization_id: id(), reason: 'left' },
    ])
    expect((await refused(person.call(leaveOrganization, { id: id() }))).code).toBe(4040)
    const over = await office.join('過期才離開')
    await manage(over.uid, { starts_on: office.day(-2), expires_on: office.day(-1) })
    await over.call(leaveOrganization, { id: id() })
    expect(await list({ search: '過期才離開' })).toEqual([])
  })

  describe('the last admin', () => {
    test('cannot step down, be removed, leave, get an end or begin later; neither when the other admin has an end', async () => {
      const second = await office.join('有期限的管理者', { role: 'admin', expires_on: office.day(100) })
      const { uid } = office.admin
      const tries: (() => Promise<unknown>)[] = [
        () => manage(uid, { role: 'member' }),
        () => manage(uid, { expires_on: office.day(10) }),
        () => manage(uid, { starts_on: office.day(1) }),
        () =>
          office.inside(office.admin, updateMembers, {
            id: id(),
            user_ids: [uid],
            expires_on: office.day(10),
          }),
        () => office.inside(office.admin, removeMember, { id: id(), user_id: uid }),
        () => office.inside(second, removeMember, { id: id(), user_id: uid }),
        () => office.admin.call(leaveOrganization, { id: id() }),
      ]
      const before = await office.told(`o:${id()}`, 'membership')
      for (const attempt of tries) expect((await refused(attempt())).code).toBe(4093)
      expect(await office.told(`o:${id()}`, 'membership')).toEqual(before)
      await manage(second.uid, { expires_on: null })
      await office.admin.call(leaveOrganization, { id: id() })
      await office.inside(second, createInvites, { id: id(), emails: [office.admin.email], role: 'admin' })
      await office.admin.call(acceptInvite, { code: await office.code(office.admin.email) })
      expect((await office.admin.call(getOrganization, { id: id() })).my_role).toBe('admin')
    })

    test.runIf(SOAK && engine === 'postgres')(
      'whoever waits too long for a turn is told to come again',
      async () => {
        const { app } = office.server
        const person = await office.join('等太久')
        const change = () =>
          manage(person.uid, { expires_on: office.day(9) }).catch((error: ApiError) => error)
        const waited = await app.db.transaction().execute(async (held) => {
          await held.selectFrom('organizations').select('id').where('id', '=', id()).forUpdate().execute()
          return change()
        })
        expect(waited).toMatchObject({ code: 5030 })
        // at once, or when a busy machine has let go of what waited
        await expect.poll(change).not.toBeInstanceOf(ApiError)
      },
    )

    test('stays when fifty requests at once would take every admin away', async () => {
      const boss = await signUp(office.server, '站長')
      const { id: own } = await boss.call(createOrganization, { name: '競賽社' })
      const inside = { 'lb-org-id': own }
      const admins = [boss]
      for (const name of ['二', '三', '四', '五']) {
        const person = await signUp(office.server, name)
        await insertMember(office.server.app.db, own, person.uid, { role: 'admin' })
        admins.push(person)
      }
      const attempt = (i: number): Promise<unknown> => {
        const by = admins[i % 5] as Person
        const whom = admins[(i * 3 + 1) % 5] as Person
        const base = { id: own, user_id: whom.uid }
        if (i % 4 === 0) return by.call(leaveOrganization, { id: own })
        if (i % 4 === 1) return by.call(removeMember, base, inside)
        if (i % 4 === 2) return by.call(updateMember, { ...base, role: 'member' }, inside)
        return by.call(updateMember, { ...base, expires_on: office.day(3) }, inside)
      }
      // Fifty take turns behind one lock, and PostgreSQL lets nobody wait for longer than 1.8 s (55P03): 5030 then, and the
      // caller comes again, as the app does. On a busy machine that happens; that it never ends must not.
      const answer = async (i: number, times = 1): Promise<number> => {
        const code = await attempt(i).then(
          () => 0,
          (error: { code: number }) => error.code,
        )
        return code === 5030 && times < 10 ? answer(i, times + 1) : code
      }
      const codes = await Promise.all(Array.from({ length: 50 }, (_, i) => answer(i)))
      expect(codes.filter((code) => ![0, 4093, 4031, 4030, 4040].includes(code))).toEqual([])
      const rows = await office.server.app.db
        .selectFrom('memberships')
        .selectAll()
        .where('organization_id', '=', own)
        .where('role', '=', 'admin')
        .where('expires_on', 'is', null)
        .execute()
      expect(rows.length).toBeGreaterThanOrEqual(1)
      expect(codes.filter((code) => code === 0).length).toBeGreaterThan(0)
    })
  })

  test('an end is told once, just after midnight in Taipei, and again after a renewal', async () => {
    const person = await office.join('今天最後一天')
    await manage(person.uid, { expires_on: office.day() })
    const { app } = office.server
    const revoked = () => office.told(`p:${person.uid}`, 'context-revoked')
    await endExpired(app)
    expect(await revoked()).toEqual([])
    expect(afterMidnight(Date.parse('2026-03-10T15:59:59.000Z'))).toBe('2026-03-10T16:00:01.000Z')
    expect(afterMidnight(Date.parse('2026-03-10T16:00:00.000Z'))).toBe('2026-03-11T16:00:01.000Z')
    office.pass(Date.parse(afterMidnight(app.now())) - app.now())
    expect((await Promise.all([endExpired(app), endExpired(app)])).reduce((a, b) => a + b)).toBeGreaterThan(0)
    expect(await endExpired(app)).toBe(0)
    expect(await revoked()).toEqual([{ organization_id: id(), reason: 'expired' }])
    expect(await list({ search: '今天最後一天', status: 'expired' })).toHaveLength(1)
    await manage(person.uid, { expires_on: office.day(1) })
    office.pass(2 * DAY_MS)
    await endExpired(app)
    expect(await revoked()).toHaveLength(2)
  })
})
