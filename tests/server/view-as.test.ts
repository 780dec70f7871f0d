// An admin looks at what a member sees (LB-View-As, docs/decisions/access.md): every reading call of the organization answers as it answers the
// member, but for what is the person's alone; everything else is refused.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mayBeAsMember, readAccessLog } from '#contract/access.ts'
import { getAnnouncement, listAnnouncements } from '#contract/announcement.ts'
import { getDashboard } from '#contract/dashboard.ts'
import type { Endpoint, InputOf, OutputOf } from '#contract/endpoint.ts'
import { addGroupMembers, setGroupStrategies, updateGroupMember } from '#contract/group.ts'
import { ENDPOINTS } from '#contract/index.ts'
import { removeMember, updateMember } from '#contract/membership.ts'
import { createOrganization, getOrganization, updateOrganization } from '#contract/organization.ts'
import { correctSignal, getSignal, listStrategySignals, voidSignal } from '#contract/signal.ts'
import { createStrategy, getStrategy, listStrategies, updateStrategyNotify } from '#contract/strategy.ts'
import { describeEngines } from '../support/engines.ts'
import { TRIALS } from '../support/matrix.ts'
import { type Office, openOffice } from '../support/office.ts'
import { insertMember, insertOrganization } from '../support/organizations.ts'
import { type Person, send, signUp } from '../support/people.ts'
import { fc } from '../support/property.ts'
import { makeThings } from '../support/things.ts'
import { sized } from '../support/tier.ts'
import type { Things } from '../support/trial.ts'
import { watchRows } from '../support/undo.ts'

const NOBODY = '01890000-0000-7000-8000-000000000000'
type Json = Record<string, unknown>

/** One group open for good and one that begins tomorrow, in it somebody for some days; figures of one's own. */
const EXAMPLE = {
  groups: [
    { from: -3, until: 4 },
    { from: 1, until: 2 },
  ] as [{ from: number; until: number }, { from: number; until: number }],
  ...{ shares: false, place: { from: -1, until: 3 } },
}

/** What is the person's alone, taken out of an answer; `of` is what was taken. */
function without(told: unknown, of: Json[]): unknown {
  if (Array.isArray(told)) return told.map((one) => without(one, of))
  if (typeof told !== 'object' || told === null) return told
  const rest: Json = {}
  for (const [key, value] of Object.entries(told)) {
    if (key === 'my_notify' || key === 'deliveries_to_me' || key === 'steps' || key === 'found_in')
      of.push({ [key]: value })
    else if (key === 'todos') {
      const todos = value as { kind: string }[]
      of.push({ todos: todos.filter(({ kind }) => kind === 'verify_email') })
      rest[key] = todos.filter(({ kind }) => kind !== 'verify_email')
    } else rest[key] = without(value, of)
  }
  return rest
}

describeEngines('a member as an admin sees it', (engine) => {
  let office: Office
  /** By name: in the first group; in both; in none; in none, with an address that is not proven. */
  const members: Record<string, Person> = {}
  const things: Things[] = []
  const strategies: string[] = []

  beforeAll(async () => {
    office = await openOffice(engine)
    const { server, admin, inside, organization } = office
    for (const name of ['甲', '乙', '丙', '丁']) members[name] = await office.join(name)
    const headers = { 'lb-org-id': organization.id }
    for (const mark of ['MARK-ONE', 'MARK-TWO']) things.push(await makeThings(server, admin, mark, headers))
    for (const of of things) {
      const stock = await inside(admin, createStrategy, {
        ...{ kind: 'stock', name: `${of.strategy_name} 股票`, settings: { symbols: ['2330'] } },
      })
      of.stock_id = stock.id
      strategies.push(of.strategy_id, stock.id)
    }
    const [one, two] = things as [Things, Things]
    const user_ids = (...names: string[]) => names.map((name) => members[name]?.uid as string)
    await inside(admin, addGroupMembers, { id: one.group_id ?? '', user_ids: user_ids('甲', '乙') })
    await inside(admin, addGroupMembers, { id: two.group_id ?? '', user_ids: user_ids('乙') })
    for (const of of things)
      await inside(admin, setGroupStrategies, {
        id: of.group_id ?? '',
        strategies: [of.strategy_id, of.stock_id ?? ''].map((strategy_id) => ({ strategy_id })),
      })
    await inside(admin, correctSignal, { id: one.signal_id, price: 23_100 })
    await inside(admin, voidSignal, { id: two.signal_id, reason: '誤發' })
    const bell = { id: one.strategy_id, enabled: true, important: true }
    await inside(members['甲'] as Person, updateStrategyNotify, bell)
    await server.app.db
      .updateTable('users')
      .set({ email_verified: 0 })
      .where('id', '=', members['丁']?.uid ?? '')
      .execute()
    await server.app.notifier.catchUp()
  })
  afterAll(() => office.server.close())

  const member = (name = '甲') => members[name] as Person
  const headersOf = (view_as?: string, organization_id = office.organization.id) => ({
    'lb-org-id': organization_id,
    ...(view_as !== undefined && { 'lb-view-as': view_as }),
  })
  const asMember = <E extends Endpoint>(endpoint: E, input: InputOf<E>, view_as = member().uid) =>
    office.admin.call(endpoint, input, headersOf(view_as)) as Promise<OutputOf<E>>

  /** Status and body of a call, an envelope as the object that it is. */
  async function answer(person: Person, endpoint: Endpoint, input: Json, view_as?: string) {
    const authorization = `Bearer ${person.token}`
    const found = await send(office.server, endpoint, input, { authorization, ...headersOf(view_as) })
    const text = await found.text()
    const file = found.headers.get('content-disposition')
    return { status: found.status, file, told: file === null ? (JSON.parse(text) as unknown) : text }
  }
  const codeOf = async (...call: Parameters<typeof answer>) =>
    ((await answer(...call)).told as { error: { code: number } }).error.code

  /** Every reading call of the organization, with what it may name. */
  function reads(): { endpoint: Endpoint; input: Json }[] {
    const of = { organization_id: office.organization.id }
    const more: Record<string, Json[]> = {
      'announcement.list': [of, { scope: 'organization' }, { ...of, unread: 'true' }],
      'announcement.tags': [{ scope: 'organization' }],
      'announcement.get': things.map(({ announcement_id }) => ({ ...of, id: announcement_id })),
      'strategy.list': [{ sort: 'net_profit' }, { search: 'TWO' }, { grouped: 'true' }],
    }
    return ENDPOINTS.filter((endpoint) => endpoint.method === 'GET' && mayBeAsMember(endpoint)).flatMap(
      (endpoint) => {
        const inputs = [
          ...things.flatMap((one) => (TRIALS[endpoint.name] ?? []).map((trial) => trial.input(one) as Json)),
          ...(more[endpoint.name] ?? []),
        ].filter((input) => mayBeAsMember(endpoint, endpoint.input.parse(input) as object))
        const each = new Map(inputs.map((input) => [JSON.stringify(input), input]))
        return [...each.values()].map((input) => ({ endpoint, input }))
      },
    )
  }

  test('every reading call of the organization answers as it answers the member, whatever the days and shares are', async () => {
    const { admin, inside, organization } = office
    const days = fc.record({ from: fc.integer({ min: -3, max: 2 }), until: fc.integer({ min: 0, max: 4 }) })
    const standing = fc.record({ groups: fc.tuple(days, days), shares: fc.boolean(), place: days })
    await fc.assert(
      fc.asyncProperty(standing, async ({ groups, shares, place }) => {
        const span = ({ from, until }: { from: number; until: number }) => ({
          ...{ starts_on: office.day(from), ends_on: until === 4 ? null : office.day(from + until) },
        })
        for (const [n, of] of things.entries())
          await inside(admin, setGroupStrategies, {
            id: of.group_id ?? '',
            strategies: [of.strategy_id, of.stock_id ?? ''].map((strategy_id) => ({
              ...{ strategy_id, ...span(groups[n] as typeof place) },
            })),
          })
        await inside(admin, updateGroupMember, {
          ...{ id: things[0]?.group_id ?? '', user_id: member('乙').uid, ...span(place) },
        })
        await inside(admin, updateOrganization, { id: organization.id, share_statistics: shares })
        for (const person of Object.values(members)) {
          for (const { endpoint, input } of reads()) {
            const own = await answer(person, endpoint, input)
            const seen = await answer(admin, endpoint, input, person.uid)
            const taken: Json[] = []
            const what = [person.name, endpoint.name, input]
            expect([what, { ...seen, told: without(seen.told, taken) }]).toEqual([
              what,
              { ...own, told: without(own.told, []) },
            ])
            for (const one of taken)
              expect(one).toSatisfy(
                (emptied: Json) =>
                  JSON.stringify(emptied['my_notify'] ?? {}).match(/"enabled":true|"important":true/) ===
                    null &&
                  [emptied['deliveries_to_me'], emptied['steps'], emptied['todos']].every(
                    (list) => list === undefined || (list as unknown[]).length === 0,
                  ) &&
                  !('found_in' in emptied),
              )
          }
        }
      }),
      { numRuns: sized(1, 6), examples: [[EXAMPLE]] },
    )
  })

  test('bell, deliveries and todos of the person are empty, and are there for the person', async () => {
    const [{ strategy_id, signal_id }] = things as [Things]
    const { admin, inside, organization } = office
    await inside(admin, updateOrganization, { id: organization.id, share_statistics: true })
    await inside(admin, setGroupStrategies, {
      ...{
        id: things[0]?.group_id ?? '',
        strategies: [{ strategy_id, starts_on: office.day(-3), ends_on: null }],
      },
    })
    const empty = { strategy_id, enabled: false, channels: [], actions: 'all', important: false }
    expect((await inside(member(), getStrategy, { id: strategy_id })).my_notify.important).toBe(true)
    expect((await asMember(getStrategy, { id: strategy_id })).my_notify).toEqual(empty)
    expect((await asMember(listStrategies, {})).items.map(({ my_notify }) => my_notify)).toEqual([empty])
    expect((await asMember(getDashboard, {})).strategies[0]?.my_notify).toEqual(empty)
    const { items } = await inside(member(), listStrategySignals, { id: strategy_id })
    const of = [signal_id, ...items.map(({ id }) => id)]
    const own = await Promise.all(of.map((id) => inside(member(), getSignal, { id })))
    const seen = await Promise.all(of.map((id) => asMember(getSignal, { id })))
    expect(own.flatMap(({ deliveries_to_me }) => deliveries_to_me)).not.toEqual([])
    expect(own.flatMap(({ timeline }) => timeline.steps)).not.toEqual([])
    expect(
      seen.flatMap(({ deliveries_to_me, timeline }) => [deliveries_to_me, timeline.steps].flat()),
    ).toEqual([])
    const unproven = member('丁')
    expect((await inside(unproven, getDashboard, {})).todos).toMatchObject([{ kind: 'verify_email' }])
    expect((await asMember(getDashboard, {}, unproven.uid)).todos).toEqual([])
  })

  test('calls of the person are refused: nothing of the profile, the inbox or other organizations', async () => {
    const { admin } = office
    const of_person = ENDPOINTS.filter(
      ({ method, who, ...rest }) => method === 'GET' && who !== 'public' && !mayBeAsMember({ who, ...rest }),
    )
    const codes: [string, number][] = []
    for (const endpoint of of_person)
      codes.push([endpoint.name, await codeOf(admin, endpoint, firstInput(endpoint), member().uid)])
    expect(codes).toEqual(of_person.map(({ name }) => [name, 4030]))
    for (const name of ['profile.get', 'profile.export', 'session.list', 'notification.list', 'event.stream'])
      expect(of_person.map((one) => one.name)).toContain(name)

    const { db } = office.server.app
    const elsewhere = await insertOrganization(db, '別家')
    for (const { uid } of [admin, member()]) await insertMember(db, elsewhere, uid, { role: 'admin' })
    const there = { organization_id: elsewhere }
    const theirs = await makeThings(office.server, member(), 'MARK-ELSEWHERE', { 'lb-org-id': elsewhere })
    expect(await codeOf(admin, getOrganization, { id: elsewhere }, member().uid)).toBe(4030)
    for (const input of [{}, { scope: 'platform' }, { scope: 'all' }, there])
      expect(await codeOf(admin, listAnnouncements, input, member().uid)).toBe(4030)
    const { announcement_id: id } = theirs
    expect(await codeOf(admin, getAnnouncement, { id, ...there }, member().uid)).toBe(4030)
    // Where else the member has it is nobody's business.
    const strategy = { id: theirs.strategy_id }
    expect((await answer(member(), getStrategy, strategy)).told).toMatchObject({
      error: { code: 4040, found_in: { organization_id: elsewhere } },
    })
    expect(JSON.stringify((await answer(admin, getStrategy, strategy, member().uid)).told)).not.toContain(
      '別家',
    )
  })

  /** What a call takes, or nothing: it is refused before. */
  function firstInput({ name }: Endpoint): Json {
    return (TRIALS[name]?.[0]?.input(things[0] as Things) ?? {}) as Json
  }

  test('every write is refused and writes nothing', async () => {
    const rows = await watchRows(office.server.app.db, engine)
    // Where Telegram and LINE come in nobody is signed in, and no such header is looked at.
    const doors = ['telegram.updates', 'line.updates']
    const writes = ENDPOINTS.filter(({ method, name }) => method !== 'GET' && !doors.includes(name))
    const codes: [string, number][] = []
    for (const endpoint of writes)
      codes.push([endpoint.name, await codeOf(office.admin, endpoint, firstInput(endpoint), member().uid)])
    expect(codes).toEqual(writes.map(({ name }) => [name, 4032]))
    expect(await rows.changed()).toEqual([])
  })

  test('nobody but an admin of the organization, and nobody but its people of today', async () => {
    const { admin, inside, server, organization } = office
    const stranger = await signUp(server, '外人')
    const gone = await office.join('離開的')
    await inside(admin, removeMember, { id: organization.id, user_id: gone.uid })
    const over = await office.join('到期的')
    await inside(admin, updateMember, { id: organization.id, user_id: over.uid, expires_on: office.day() })
    expect(await codeOf(admin, listStrategies, {}, over.uid)).toBe(0)
    office.pass(86_400_000)
    for (const view_as of [stranger.uid, gone.uid, over.uid, NOBODY, '', 'x', `${member().uid}, ${over.uid}`])
      expect([view_as, await codeOf(admin, listStrategies, {}, view_as)]).toEqual([view_as, 4030])
    expect(await codeOf(member('乙'), listStrategies, {}, member().uid)).toBe(4030)
    expect(await codeOf(stranger, listStrategies, {}, member().uid)).toBe(4031)
    const personal = { 'lb-view-as': member().uid }
    await expect(admin.call(listStrategies, {}, personal)).rejects.toMatchObject({ code: 4030 })
    const other = await stranger.call(createOrganization, { name: '另一家' })
    await expect(stranger.call(listStrategies, {}, headersOf(member().uid, other.id))).rejects.toMatchObject({
      code: 4030,
    })
    await expect(
      stranger.call(getDashboard, {}, headersOf(member().uid)),
      'a stale organization opens nothing',
    ).rejects.toMatchObject({ code: 4030 })
  })

  test('one line an admin, member and hour in the log of access', async () => {
    const { admin, inside, organization, server } = office
    const second = await office.join('副站長', { role: 'admin' })
    // A new hour.
    office.pass(3_600_000)
    const since = new Date(server.app.now()).toISOString()
    for (let n = 0; n < 3; n++) await Promise.all([asMember(getDashboard, {}), asMember(listStrategies, {})])
    await asMember(getDashboard, {}, member('乙').uid)
    await second.call(getDashboard, {}, headersOf(member().uid))
    await expect(asMember(getDashboard, {}, NOBODY)).rejects.toMatchObject({ code: 4030 })
    office.pass(3_600_000)
    await asMember(getDashboard, {})
    const log = async (input: Json = {}) =>
      (await inside(admin, readAccessLog, { id: organization.id, limit: 50, ...input })).items
        .filter(({ at, fact }) => at >= since && fact === 'view')
        .map(({ kind, user, actor, before, after }) => {
          expect([kind, before, after]).toEqual(['viewed', null, null])
          return `${actor?.name} ${user?.name}`
        })
    const [last, ...first] = await log()
    expect(last).toBe('林站長 甲')
    expect(first.toSorted()).toEqual(['副站長 甲', '林站長 乙', '林站長 甲'])
    expect((await log({ user_id: member().uid })).toSorted()).toEqual(['副站長 甲', '林站長 甲', '林站長 甲'])
    expect(await log({ strategy_id: strategies[0] })).toEqual([])
    // None is kept as what holds is: over an organization's bound they go.
    const standing = server.app.db.selectFrom('access_changes').select('id').where('fact', '=', 'view')
    expect(await standing.where('over_at', 'is', null).execute()).toEqual([])
  })

  test('what it costs counts against the admin', async () => {
    const { admin, inside } = office
    const taken: string[] = []
    const { limits } = office.server.app
    const take = limits.take.bind(limits)
    limits.take = (what, who) => {
      taken.push(who)
      return take(what, who)
    }
    for (const { endpoint, input } of reads()) await answer(admin, endpoint, input, member().uid)
    limits.take = take
    expect([...new Set(taken)]).toEqual([admin.uid])
    expect(await inside(member(), getDashboard, {})).toMatchObject({ context: 'organization' })
  })
})
