// Who could see what, for any past moment: what is noted with every change rebuilds each earlier state, on both databases (docs/decisions/access.md).
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ApiError } from '#contract/errors.ts'
import {
  addGroupMembers,
  createGroup,
  deleteGroup,
  removeGroupMember,
  setGroupStrategies,
} from '#contract/group.ts'
import { removeMember, updateMember } from '#contract/membership.ts'
import { deleteOrganization } from '#contract/organization.ts'
import { deleteStrategy } from '#contract/strategy.ts'
import { linkNotes, noteStrategies, noteToday, standAsNoted } from '#server/db/migrations/until-054.ts'
import { endExpired } from '#server/membership/store.ts'
import { describeEngines } from '../support/engines.ts'
import { type Office, openOffice } from '../support/office.ts'
import { insertMember } from '../support/organizations.ts'
import { files } from '../support/sources.ts'

test('what was noted is never changed: later only when it ended, and all of it goes with its organization', () => {
  const touching = files
    .filter(({ path }) => path.startsWith('server/') && !path.includes('/migrations/'))
    .flatMap(({ path, text }) =>
      (
        text.match(/(?:updateTable|deleteFrom|mergeInto)\('access_changes'\)(?:\s*\.set\([^)]*\))?/g) ?? []
      ).map((statement) => `${path}: ${statement}`),
    )
  expect(touching).toEqual([
    "server/access/membership.ts: updateTable('access_changes').set({ over_at: at })",
  ])
})

describeEngines('access changes', (engine) => {
  let office: Office
  beforeAll(async () => {
    office = await openOffice(engine)
  })
  afterAll(() => office.server.close())
  const db = () => office.server.app.db

  /** The tables as they stand, one line a row. */
  async function stands(): Promise<string[]> {
    const of = office.organization.id
    const memberships = await db()
      .selectFrom('memberships')
      .selectAll()
      .where('organization_id', '=', of)
      .execute()
    const places = await db()
      .selectFrom('group_members as m')
      .innerJoin('strategy_groups as g', 'g.id', 'm.group_id')
      .select(['m.user_id', 'm.group_id', 'm.starts_on', 'm.ends_on'])
      .where('g.organization_id', '=', of)
      .execute()
    const gifts = await db()
      .selectFrom('group_strategies as s')
      .innerJoin('strategy_groups as g', 'g.id', 's.group_id')
      .select(['s.strategy_id', 's.group_id', 's.starts_on', 's.ends_on'])
      .where('g.organization_id', '=', of)
      .execute()
    const strategies = await db()
      .selectFrom('strategies')
      .select('id')
      .where('scope', '=', `o:${of}`)
      .where('deleted_at', 'is', null)
      .execute()
    return [
      ...strategies.map(({ id }) => ['strategy', '', '', id, '', '', '']),
      ...memberships.map((m) => ['membership', m.user_id, '', '', m.role, m.starts_on, m.expires_on]),
      ...places.map((p) => ['place', p.user_id, p.group_id, '', '', p.starts_on, p.ends_on]),
      ...gifts.map((g) => ['gift', '', g.group_id, g.strategy_id, '', g.starts_on, g.ends_on]),
    ]
      .map((line) => line.join('|'))
      .sort()
  }

  /** The same, from the notes of up to this moment alone. */
  async function noted(moment: string): Promise<string[]> {
    const rows = await db()
      .selectFrom('access_changes')
      .selectAll()
      .where('organization_id', '=', office.organization.id)
      .where('at', '<=', moment)
      .orderBy('at')
      .orderBy('id')
      .execute()
    const last = new Map<string, string | null>()
    for (const { fact, user_id, group_id, strategy_id, role, starts_on, ends_on, gone } of rows) {
      const key = [fact, user_id, group_id, strategy_id].join('|')
      last.set(key, gone ? null : `${key}|${role ?? ''}|${starts_on ?? ''}|${ends_on ?? ''}`)
    }
    return [...last.values()].filter((line) => line !== null).sort()
  }

  test('each moment is rebuilt from the notes: joined, given, moved, taken away', async () => {
    const { admin, inside, organization } = office
    const moments: { at: string; stood: string[] }[] = []
    const mark = async () => {
      moments.push({ at: new Date(office.server.app.now()).toISOString(), stood: await stands() })
      office.pass(60_000)
    }
    await mark()
    const group = await inside(admin, createGroup, { name: '甲群' })
    const other = await inside(admin, createGroup, { name: '乙群' })
    const [first, second] = [await office.strategy('甲策略'), await office.strategy('乙策略')]
    const give = (id: string, ...ids: string[]) =>
      inside(admin, setGroupStrategies, { id, strategies: ids.map((strategy_id) => ({ strategy_id })) })
    const steps: (() => Promise<unknown>)[] = [
      () => give(group.id, first.id), // nobody is in it yet
      () => give(other.id, first.id, second.id),
    ]
    for (const step of steps) {
      await step()
      await mark()
    }
    const one = await office.join('甲成員', { group_ids: [group.id, other.id] })
    await mark()
    const two = await office.join('乙成員')
    await mark()
    const user = { id: organization.id, user_id: one.uid }
    const more: (() => Promise<unknown>)[] = [
      () =>
        inside(admin, addGroupMembers, {
          id: group.id,
          user_ids: [one.uid, two.uid],
          ends_on: office.day(30),
        }),
      () => inside(admin, updateMember, { ...user, expires_on: office.day(90) }),
      () => inside(admin, updateMember, { ...user, role: 'admin' }),
      () => give(other.id, second.id),
      () => inside(admin, removeGroupMember, { id: other.id, user_id: one.uid }),
      () => inside(admin, deleteStrategy, { id: second.id, name: second.name, keep_records: false }),
      () => inside(admin, deleteGroup, { id: group.id }),
      () => inside(admin, removeMember, { id: organization.id, user_id: two.uid }),
    ]
    for (const step of more) {
      await step()
      await mark()
    }
    for (const [i, { at, stood }] of moments.entries()) expect([i, await noted(at)]).toEqual([i, stood])
    expect(moments.map(({ stood }) => stood.length)).toEqual([1, 4, 6, 9, 10, 11, 11, 11, 10, 9, 7, 4, 3])
  })

  test('a database of before begins with what stands on that day', async () => {
    const { admin, inside } = office
    const group = await inside(admin, createGroup, { name: '丙群' })
    const given = await office.strategy('丙策略')
    await office.join('丙成員', { group_ids: [group.id] })
    await inside(admin, setGroupStrategies, { id: group.id, strategies: [{ strategy_id: given.id }] })
    await db().deleteFrom('access_changes').execute()
    const at = new Date(office.server.app.now()).toISOString()
    await noteToday(db(), at)
    await standAsNoted(db() as never)
    await noteStrategies(db() as never)
    await linkNotes(db() as never)
    expect(await noted(at)).toEqual(await stands())
    office.pass(60_000)
    await inside(admin, deleteGroup, { id: group.id })
    expect(await noted(new Date(office.server.app.now()).toISOString())).toEqual(await stands())
  })

  test('given and taken away again and again: what a change is compared with does not grow, and the notes lead to it', async () => {
    const { admin, inside, organization } = office
    const group = await inside(admin, createGroup, { name: '丁群' })
    const given = [await office.strategy('丁策略'), await office.strategy('戊策略')]
    const standing = async () => {
      const query = db().selectFrom('access_standing').select('change_id')
      return (await query.where('organization_id', '=', organization.id).orderBy('change_id').execute())
        .length
    }
    const give = (ids: string[]) =>
      inside(admin, setGroupStrategies, {
        id: group.id,
        strategies: ids.map((strategy_id) => ({ strategy_id })),
      })
    const before = (await stands()).length
    for (let n = 0; n < 6; n++) {
      await give(given.map(({ id }) => id))
      expect([await standing(), (await stands()).length]).toEqual([before + 2, before + 2])
      await give([])
      expect([await standing(), (await stands()).length]).toEqual([before, before])
    }
    const kept = await db().selectFrom('access_standing').selectAll().orderBy('change_id').execute()
    await db().deleteFrom('access_standing').execute()
    await standAsNoted(db() as never)
    expect(await db().selectFrom('access_standing').selectAll().orderBy('change_id').execute()).toEqual(kept)
  })

  test('giving is rationed by what is noted of it for good, taking away never', async () => {
    const { admin, inside, server } = office
    const group = await inside(admin, createGroup, { name: '己群' })
    const given = [await office.strategy('己策略'), await office.strategy('庚策略')]
    const give = (ids: string[]) =>
      inside(admin, setGroupStrategies, {
        id: group.id,
        strategies: ids.map((strategy_id) => ({ strategy_id })),
      })
    const spent: unknown[] = []
    const { limits } = server.app
    const take = vi.spyOn(limits, 'take').mockImplementation(async (name, _key, turns = 1) => {
      if (name !== 'access_given') return
      spent.push(turns)
      if (turns > 1) throw new ApiError(4290, { retry_after_s: 60 })
    })
    try {
      await give([given[0]?.id as string])
      const stood = await stands()
      await expect(give([])).resolves.toEqual([])
      await expect(give(given.map(({ id }) => id))).rejects.toMatchObject({ code: 4290 })
      expect(await stands()).toEqual(
        stood.filter((line) => line.startsWith('strategy') || !line.includes(given[0]?.id as string)),
      )
      expect(spent).toEqual([1, 0, 2])
    } finally {
      take.mockRestore()
    }
  })

  test('each note says whose call made it, or that it came about by itself', async () => {
    const { admin, inside, organization, server } = office
    const member = await office.join('辛成員')
    const second = await office.join('壬管理者', { role: 'admin' })
    const of = { id: organization.id, user_id: member.uid }
    const by = async () => {
      const rows = await db()
        .selectFrom('access_changes')
        .select(['fact', 'gone', 'changed_by'])
        .where('user_id', '=', member.uid)
        .orderBy('at')
        .orderBy('id')
        .execute()
      return rows.map(({ fact, gone, changed_by }) => [fact, gone, changed_by])
    }
    expect(await by()).toEqual([['membership', 0, member.uid]])
    office.pass(1_000)
    await inside(admin, updateMember, { ...of, expires_on: office.day(1) })
    office.pass(1_000)
    const group = await inside(second, createGroup, { name: '癸群' })
    await inside(second, addGroupMembers, { id: group.id, user_ids: [member.uid] })
    office.pass(1_000)
    await inside(admin, deleteGroup, { id: group.id })
    office.pass(1_000)
    await inside(second, removeMember, of)
    const all = [
      ['membership', 0, member.uid],
      ['membership', 0, admin.uid],
      ['place', 0, second.uid],
      ['place', 1, admin.uid],
      ['membership', 1, second.uid],
    ]
    expect(await by()).toEqual(all)
    // A change of the database that no call made, found when the server tells of an end by itself.
    await insertMember(db(), organization.id, member.uid, { expires_on: office.day(-1) })
    office.pass(1_000)
    await endExpired(server.app)
    expect(await by()).toEqual([...all, ['membership', 0, 'system']])
  })

  test('what changes nothing is not noted again', async () => {
    const { admin, inside, organization } = office
    const count = () =>
      db().selectFrom('access_changes').select(db().fn.countAll<number>().as('n')).executeTakeFirst()
    const before = await count()
    await inside(admin, updateMember, { id: organization.id, user_id: admin.uid, role: 'admin' })
    await inside(admin, createGroup, { name: '空群' })
    expect(await count()).toEqual(before)
  })

  test('a dissolved organization leaves no account of its people', async () => {
    const { admin, inside, organization } = office
    await inside(admin, deleteOrganization, { id: organization.id, name: organization.name })
    await office.server.app.jobs.settled('erase')
    const rows = await db()
      .selectFrom('access_changes')
      .select('id')
      .where('organization_id', '=', organization.id)
      .execute()
    expect(rows).toEqual([])
  })
})
