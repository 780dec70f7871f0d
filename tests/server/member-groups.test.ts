// Which groups a member is told of at a strategy: those through which it reads it today, the longest first; an admin of all, by name.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createStrategy, getStrategy, listStrategies, type Strategy } from '#contract/strategy.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { giveStrategy, insertGroup, insertMember, insertOrganization } from '#tests/support/organizations.ts'
import { type Person, signUp } from '#tests/support/people.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

/** 10:00 in Taipei on a Friday. */
const NOW = Date.parse('2026-11-20T02:00:00.000Z')

describeEngines('groups at a strategy', (engine) => {
  let server: TestServer
  let admin: Person
  let member: Person
  let organization = ''
  let strategy: Strategy
  const inside = () => ({ 'lb-org-id': organization })
  beforeAll(async () => {
    server = await startServer({ engine, overrides: { now: () => NOW } })
    admin = await signUp(server, '社長')
    member = await signUp(server, '社員')
    organization = await insertOrganization(server.app.db, '訊號社')
    await insertMember(server.app.db, organization, admin.uid, { role: 'admin' })
    await insertMember(server.app.db, organization, member.uid)
    const input = { kind: 'futures', name: '台指', settings: { product_code: 'TXF' } } as const
    strategy = await admin.call(createStrategy, input, inside())
  })
  afterAll(() => server.close())

  async function give(name: string, starts_on: string, ends_on: string | null): Promise<void> {
    const id = await insertGroup(server.app.db, organization, name, member.uid)
    await giveStrategy(server.app, { id, organization_id: organization }, [member.uid, strategy.id], {
      starts_on,
      ends_on,
    })
  }
  const names = (of: Strategy | undefined) => of?.groups.map(({ name }) => name)

  test('the longest first, none that is over or not begun; in list and page alike', async () => {
    await give('1 短', '2026-11-01', '2026-11-30')
    await give('2 長', '2026-11-01', '2026-12-31')
    await give('3 過了', '2026-10-01', '2026-11-19')
    await give('4 還沒', '2026-11-21', null)
    const listed = (await member.call(listStrategies, {}, inside())).items[0]
    expect([names(listed), listed?.access?.valid_until]).toEqual([['2 長', '1 短'], '2026-12-31'])
    await give('5 不限期', '2026-11-10', null)
    const read = await member.call(getStrategy, { id: strategy.id }, inside())
    expect([names(read), read.access?.valid_until]).toEqual([['5 不限期', '2 長', '1 短'], null])
  })

  test('an admin hears of every group by name', async () => {
    const [listed] = (await admin.call(listStrategies, {}, inside())).items
    expect(names(listed)).toEqual(['1 短', '2 長', '3 過了', '4 還沒', '5 不限期'])
  })

  test('a list under its groups: by group, inside each in the order asked for, over all pages; the last day where it is one', async () => {
    const more = async (name: string, groups: { id: string; until: string | null }[]) => {
      const input = { kind: 'futures', name, settings: { product_code: 'TXF' } } as const
      const { id } = await admin.call(createStrategy, input, inside())
      for (const { id: group_id, until } of groups)
        await server.app.db
          .insertInto('group_strategies')
          .values({
            ...{ group_id, strategy_id: id, starts_on: '2026-11-01', ends_on: until },
            ...{ created_at: '2026-11-01T00:00:00.000Z', updated_at: '2026-11-01T00:00:00.000Z' },
          })
          .execute()
    }
    const swing = await insertGroup(server.app.db, organization, '波段', member.uid)
    const day = await insertGroup(server.app.db, organization, '當沖', member.uid)
    await more('丁', [{ id: day, until: '2026-12-31' }])
    await more('丙', [{ id: swing, until: '2026-11-30' }])
    await more('乙', [
      { id: day, until: '2026-12-31' },
      { id: swing, until: '2026-11-30' },
    ])
    await more('甲', [{ id: swing, until: null }])
    const grouped = { sort: 'name', grouped: 'true', search: '' } as const
    const whole = await member.call(listStrategies, grouped, inside())
    const order = whole.items.map(({ name }) => name)
    expect(whole.sections).toEqual([
      { id: expect.any(String), name: '5 不限期', count: 1, valid_until: null },
      { id: swing, name: '波段', count: 2 },
      { id: day, name: '當沖', count: 2, valid_until: '2026-12-31' },
    ])
    expect([order[0], order.slice(1, 3).sort(), order.slice(3).sort()]).toEqual([
      '台指',
      ['丙', '甲'],
      ['丁', '乙'],
    ])
    const paged: string[] = []
    for (const page of [1, 2, 3]) {
      const part = await member.call(listStrategies, { ...grouped, page, page_size: 2 }, inside())
      expect([part.total, part.sections]).toEqual([5, whole.sections])
      paged.push(...part.items.map(({ name }) => name))
    }
    expect(paged).toEqual(order)
    // by figures that are not told the member's own decide, under its groups as well
    const figures = await member.call(listStrategies, { ...grouped, sort: 'net_profit' }, inside())
    expect(figures.sections).toEqual(whole.sections)
    // an admin's list has none
    const all = await admin.call(listStrategies, grouped, inside())
    expect([all.total, all.sections]).toEqual([5, undefined])
  })
})
