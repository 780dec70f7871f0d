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
})
