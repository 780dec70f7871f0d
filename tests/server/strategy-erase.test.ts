// What is left of strategies when they are deleted with their records, their organization dissolved or their owner's account given up: a mark is planted in every
// text of every table, and looked for afterwards.
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAnnouncement } from '#contract/announcement.ts'
import { addGroupMembers, createGroup, deleteGroup, setGroupStrategies } from '#contract/group.ts'
import { createOrganization, deleteOrganization } from '#contract/organization.ts'
import { deleteAccount } from '#contract/profile.ts'
import { deleteStrategy, updateStrategyNotify } from '#contract/strategy.ts'
import { newId } from '#server/ids.ts'
import { type ErasurePart, NAMING, OF_STRATEGY, OF_WEBHOOK, ofScope } from '#server/record/erase.ts'
import { tablesOf } from '#tests/support/tables.ts'
import { describeEngines } from '../support/engines.ts'
import { insertMember, insertRequest } from '../support/organizations.ts'
import { PASSWORD, type Person, signUp } from '../support/people.ts'
import {
  count,
  found,
  furnish,
  MARK,
  OF_ORGANIZATION,
  OF_PEOPLE,
  plant,
  plantEvents,
  spread,
  toldPeople,
} from '../support/planted.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { files } from '../support/sources.ts'

const [DISSOLVE, ERASING] = ['server/organization/routes.ts', 'server/record/erase.ts']

/** Jobs about strategies, or what they hang on. */
async function owed(server: TestServer): Promise<number> {
  const { rows } = await sql<{ n: unknown }>`select count(*) as n from jobs where key <> ''`.execute(
    server.app.db,
  )
  return Number(rows[0]?.n)
}

/** Every table that names an organization, and what takes its rows along when the organization is dissolved. */
const ENDS_WITH_ORGANIZATION: Record<string, string> = {
  ...{ memberships: DISSOLVE, invites: DISSOLVE, invite_links: DISSOLVE, join_requests: DISSOLVE },
  ...{ strategy_groups: ERASING, announcements: ERASING, notifications: ERASING, access_changes: ERASING },
  access_standing: 'access_changes',
  gone_groups: 'organizations',
}

describeEngines('what is left of strategies', (engine) => {
  describe.each(['dissolved', 'account given up', 'deleted', 'deleted in an organization'] as const)(
    '%s',
    (ending) => {
      let server: TestServer
      let person: Person
      beforeAll(async () => {
        server = await startServer({ engine })
        person = await signUp(server, '林柏翰')
      })
      afterAll(() => server.close())

      test('of the strategy only empty rows, of its record nothing', async () => {
        const { db } = server.app
        const inside = ending === 'dissolved' || ending === 'deleted in an organization'
        const alone = ending.startsWith('deleted')
        const made = inside ? await person.call(createOrganization, { name: '海風投顧' }) : null
        const headers = made ? { 'lb-org-id': made.id } : undefined
        const things = await furnish(server, person, headers)
        const people = [person]
        if (made && things.group_id) {
          const { group_id: id, strategy_id } = things
          const [admin, member] = [await signUp(server, '副站長'), await signUp(server, '會員')]
          people.push(admin, member)
          await insertMember(db, made.id, admin.uid, { role: 'admin' })
          await insertMember(db, made.id, member.uid)
          await person.call(setGroupStrategies, { id, strategy_ids: [strategy_id] }, headers)
          await person.call(addGroupMembers, { id, user_ids: [admin.uid, member.uid] }, headers)
          await admin.call(updateStrategyNotify, { id: strategy_id, enabled: true }, headers)
          await insertRequest(db, made.id, (await signUp(server, '申請者')).uid, '您好')
          if (!alone)
            await person.call(
              createAnnouncement,
              { id: made.id, title: MARK, body: MARK, tags: [], group_ids: [] },
              headers,
            )
        }
        await server.app.notifier.catchUp()
        await spread(server, person, things.strategy_id, headers)
        expect(await toldPeople(server)).toEqual(people.map(({ uid }) => uid).toSorted())
        // nothing is proved about a table that had nothing of the strategy
        for (const { table } of NAMING)
          if (inside || !['group_strategies', 'access_changes'].includes(table))
            expect([table, await count(server, table)]).not.toEqual([table, 0])
        // deleting a group writes the last one, below
        if (ending === 'dissolved')
          for (const table of Object.keys(ENDS_WITH_ORGANIZATION))
            if (table !== 'gone_groups') expect([table, await count(server, table)]).not.toEqual([table, 0])
        const scope = made ? `o:${made.id}` : `p:${person.uid}`
        // What the server does by the time is nobody's, and waits here.
        await db.deleteFrom('jobs').where('key', '=', '').execute()
        if (alone) await plantEvents(server, scope)
        await plant(server, engine, alone ? '' : scope)
        // By its name its people are told that it is no more.
        await db.updateTable('organizations').set({ name: '海風投顧' }).execute()
        const planted = await found(server)
        for (const one of [
          'strategies.note',
          'signals.facts',
          'messages.body',
          'signals.body',
          'snapshots.state',
          'snapshots.data',
          'notifications.title',
          'notification_deliveries.device_label',
          'events.data',
        ])
          expect(planted).toContain(one)

        if (alone) {
          const { name } = await db.selectFrom('strategies').select('name').executeTakeFirstOrThrow()
          await person.call(deleteStrategy, { id: things.strategy_id, name, keep_records: false }, headers)
        } else if (made) {
          const group = await person.call(createGroup, { name: '收掉的' }, headers)
          await person.call(deleteGroup, { id: group.id }, headers)
          await person.call(deleteOrganization, { id: made.id, name: '海風投顧' }, headers)
        } else {
          await person.call(deleteAccount, { password: PASSWORD })
          await expect
            .poll(async () => (await db.selectFrom('users').select('erased_at').execute()).at(0)?.erased_at)
            .toBeTruthy()
        }
        await server.app.jobs.settled('erase')
        const left = (await found(server)).filter(
          (one) => !OF_PEOPLE.test(one) && !(alone && OF_ORGANIZATION.test(one)),
        )
        if (alone) {
          expect(left).toEqual([])
          for (const { table } of NAMING)
            if (table !== 'access_changes') expect([table, await count(server, table)]).toEqual([table, 0])
          expect([await count(server, 'strategies'), await owed(server)]).toEqual([0, 0])
          return
        }
        expect(left).toEqual(['strategies.chain_hash'])
        if (made)
          for (const table of Object.keys(ENDS_WITH_ORGANIZATION))
            expect([table, await count(server, table)]).toEqual([table, 0])
        expect(await count(server, 'strategies')).toBe(1)
        expect(await count(server, 'webhooks')).toBe(1)
        expect(await owed(server)).toBe(0)
        for (const { table, fate } of NAMING)
          if (fate === 'delete') expect([table, await count(server, table)]).toEqual([table, 0])
        // Neither numbers tell how it traded.
        const numbers = await db
          .selectFrom('strategies')
          .innerJoin('webhooks', 'webhooks.strategy_id', 'strategies.id')
          .select(['initial_capital', 'max_position', 'slippage_ticks', 'accepted', 'rejected', 'enabled'])
          .execute()
        expect(numbers.map((row) => Object.values(row).map(Number))).toEqual([[0, 0, 0, 0, 0, 0]])
      })
    },
  )

  describe('the way', () => {
    let server: TestServer
    beforeAll(async () => {
      server = await startServer({ engine })
    })
    afterAll(() => server.close())

    test('many records and messages go in small steps, all of them; those of others stay', async () => {
      const { db } = server.app
      const [person, other] = [await signUp(server, '林柏翰'), await signUp(server, '鄰居')]
      await furnish(server, other)
      const { strategy_id } = await furnish(server, person)
      for (const table of ['signals', 'messages'] as const) {
        const rows = await db.selectFrom(table).selectAll().where('strategy_id', '=', strategy_id).execute()
        for (let n = 1; n <= 5; n++)
          await db
            .insertInto(table)
            .values({
              ...rows[0],
              id: newId(),
              ...(table === 'signals' && { seq: 100 + n, chain_seq: 100 + n }),
            } as never)
            .execute()
      }
      const before = await count(server, 'messages')
      for await (const first of ofScope(db, `p:${person.uid}`, 2))
        for (let part: ErasurePart | null = first; part !== null; ) part = await (part as ErasurePart)(db)
      expect(await db.selectFrom('signals').select('strategy_id').execute()).toHaveLength(1)
      expect(before - (await count(server, 'messages'))).toBe(7)
      expect(
        (await db.selectFrom('strategies').select(['id', 'name']).execute()).map(({ id, name }) => [
          id === strategy_id,
          name,
        ]),
      ).toEqual(
        expect.arrayContaining([
          [true, ''],
          [false, '一件'],
        ]),
      )
    })

    test('no table that names a strategy or a webhook is forgotten, and no column of the two', async () => {
      const tables = await tablesOf(server.app.db)
      const columns = (of: string) =>
        tables.find(({ name }) => name === of)?.columns.map(({ name }) => name) ?? []
      const naming = tables
        .map(({ name }) => name)
        .filter((name) => columns(name).some((one) => one === 'strategy_id' || one === 'webhook_id'))
      expect(NAMING.map(({ table }) => table as string).toSorted()).toEqual(naming.toSorted())
      expect(Object.keys(OF_STRATEGY).toSorted()).toEqual(columns('strategies').toSorted())
      expect(Object.keys(OF_WEBHOOK).toSorted()).toEqual(columns('webhooks').toSorted())
    })

    test('no table that names an organization is forgotten when it is dissolved', async () => {
      const tables = await tablesOf(server.app.db)
      const naming = tables
        .filter(({ columns }) => columns.some(({ name }) => name === 'organization_id'))
        .map(({ name }) => name)
      expect(
        Object.keys(ENDS_WITH_ORGANIZATION).toSorted(),
        'tables that name an organization: a row of ENDS_WITH_ORGANIZATION, and a line in dissolve.ts or erasing.ts',
      ).toEqual(naming.toSorted())
      for (const [table, by] of Object.entries(ENDS_WITH_ORGANIZATION))
        if (by.endsWith('.ts'))
          expect(files.find(({ path }) => path === by)?.text).toMatch(
            new RegExp(`(?:deleteFrom|someRows)\\('${table}'`),
          )
    })
  })
})
