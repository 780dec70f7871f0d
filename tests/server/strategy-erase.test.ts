// What is left of strategies when they are deleted with their records, their organization dissolved or their owner's account given up: a mark is planted in every
// text of every table, and looked for afterwards.
import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setGroupStrategies } from '#contract/group.ts'
import { createOrganization, deleteOrganization } from '#contract/organization.ts'
import { deleteAccount } from '#contract/profile.ts'
import { deleteStrategy } from '#contract/strategy.ts'
import { newId } from '#server/ids.ts'
import { NAMING, OF_STRATEGY, OF_WEBHOOK } from '#server/record/erase.ts'
import { ofScope, type Part } from '#server/record/erasing.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { PASSWORD, type Person, signUp } from '#tests/support/people.ts'
import { type Engine, startServer, type TestServer } from '#tests/support/server.ts'
import { makeThings } from '#tests/support/things.ts'

const MARK = 'PLANTED'
/** Not planted: what rows are found by and told apart by, instants and days, a sign-in's secrets, names of files, our own state. */
const FOUND_BY =
  /^(id|uid|sid|key|account|model|scope|kind|role|status|fact|owner_type|avatar|logo|name_key)$|(_id|_ids|_at|_on|_by|_until|_date|_hash|_links)$/
const OURS = new Set(['ground', 'counters', 'kysely_migration', 'kysely_migration_lock'])
/** A hash of what is gone tells nothing; but nothing else that ends in these letters is a key either. */
const PLANTED_TOO = new Set([
  'strategies.chain_hash',
  'webhooks.secret_hash',
  'signals.hash',
  'signals.prev_hash',
])
/** Of living people, not of strategies; answers of calls are kept for their repetition. */
const OF_PEOPLE = /^(users|sessions|identities|idempotency)\./

async function textColumns(server: TestServer): Promise<{ table: string; column: string }[]> {
  const tables = await server.app.db.introspection.getTables()
  return tables.flatMap(({ name: table, columns }) =>
    columns
      .filter(({ dataType }) => /text|varchar/i.test(dataType))
      .map(({ name: column }) => ({ table, column })),
  )
}
/** In every row, of events in those of `scope`, of inboxes in those about a strategy: what else people are told is not the strategy's. */
async function plant(server: TestServer, engine: Engine, scope: string): Promise<void> {
  const unique: RawBuilder<string> = engine === 'sqlite' ? sql`hex(randomblob(6))` : sql`md5(random()::text)`
  for (const { table, column } of await textColumns(server)) {
    if (OURS.has(table) || (FOUND_BY.test(column) && !PLANTED_TOO.has(`${table}.${column}`))) continue
    const rows =
      table === 'events'
        ? sql`where scope = ${scope}`
        : table === 'notifications'
          ? sql`where strategy_id is not null`
          : table === 'notification_deliveries'
            ? sql`where notification_id in (select id from notifications where strategy_id is not null)`
            : sql``
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${MARK} || ${unique} ${rows}`.execute(
      server.app.db,
    )
  }
}
async function found(server: TestServer): Promise<string[]> {
  const all: string[] = []
  for (const { table, column } of await textColumns(server)) {
    const { rows } = await sql`select 1 from ${sql.table(table)} where ${sql.ref(column)} like ${`%${MARK}%`}
      limit 1`.execute(server.app.db)
    if (rows.length > 0) all.push(`${table}.${column}`)
  }
  return all.toSorted()
}
const count = async (server: TestServer, table: string) => {
  const which = table === 'notifications' ? sql`where strategy_id is not null` : sql``
  const { rows } = await sql<{ n: unknown }>`select count(*) as n from ${sql.table(table)} ${which}`.execute(
    server.app.db,
  )
  return Number(rows[0]?.n)
}
/** A strategy with everything that calls leave behind, and what only time or the person does. */
async function furnish(server: TestServer, person: Person, headers?: Record<string, string>) {
  const things = await makeThings(server, person, '一件', headers)
  const { strategy_id } = things
  await server.app.db
    .insertInto('strategy_notify')
    .values({
      strategy_id,
      uid: person.uid,
      enabled: 1,
      channels: '["push"]',
      actions: 'all',
      important: 0,
      updated_at: new Date().toISOString(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await server.app.db
    .insertInto('owed_folds')
    .values({ strategy_id, since: new Date().toISOString(), from_seq: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await server.app.db
    .insertInto('fold_marks')
    .values({ strategy_id, chain_seq: 1, last_at: 0, state: '{}', tally: '{}' })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await server.app.db
    .insertInto('fold_chapters')
    .values({
      ...{ strategy_id, chapter: 1, chain_seq: 1, chain_hash: '', key: '', rest_seq: 2, last_at: 0, sum: '' },
      ...{ state: '{}', trades: '[]' },
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await server.app.db
    .insertInto('gap_answers')
    .values({
      ...{ id: newId(), strategy_id, signal_id: things.signal_id, answer: 'ignore' },
      ...{ answered_by: person.uid, answered_at: new Date().toISOString() },
    })
    .execute()
  return things
}

describeEngines('what is left of strategies', (engine) => {
  describe.each(['dissolved', 'account given up', 'deleted'] as const)('%s', (ending) => {
    let server: TestServer
    let person: Person
    beforeAll(async () => {
      server = await startServer({ engine })
      person = await signUp(server, '林柏翰')
    })
    afterAll(() => server.close())

    test('of the strategy only empty rows, of its record nothing', async () => {
      const { db } = server.app
      const inside = ending === 'dissolved'
      const made = inside ? await person.call(createOrganization, { name: '海風投顧' }) : null
      const things = await furnish(server, person, made ? { 'lb-org-id': made.id } : undefined)
      if (made && things.group_id)
        await person.call(
          setGroupStrategies,
          { id: things.group_id, strategy_ids: [things.strategy_id] },
          { 'lb-org-id': made.id },
        )
      await server.app.notifier.catchUp()
      // nothing is proved about a table that had nothing of the strategy
      for (const { table } of NAMING)
        if (inside || !['group_strategies', 'access_changes'].includes(table))
          expect([table, await count(server, table)]).not.toEqual([table, 0])
      // Of a strategy that goes alone the owner's events are read: what they say of it is looked for in strategy-delete.test.ts.
      const alone = ending === 'deleted'
      await plant(server, engine, alone ? '' : made ? `o:${made.id}` : `p:${person.uid}`)
      const planted = await found(server)
      for (const one of [
        'strategies.note',
        'signals.facts',
        'deliveries.body',
        'fold_marks.state',
        'fold_chapters.trades',
        ...(alone ? [] : ['events.data']),
      ])
        expect(planted).toContain(one)

      if (made) {
        const { name } = await db.selectFrom('organizations').select('name').executeTakeFirstOrThrow()
        await person.call(deleteOrganization, { id: made.id, name }, { 'lb-org-id': made.id })
      } else if (alone) {
        const { name } = await db.selectFrom('strategies').select('name').executeTakeFirstOrThrow()
        await person.call(deleteStrategy, { id: things.strategy_id, name, keep_records: false })
      } else {
        await person.call(deleteAccount, { password: PASSWORD })
        await expect
          .poll(async () => (await db.selectFrom('users').select('erased_at').execute()).at(0)?.erased_at)
          .toBeTruthy()
      }
      await server.app.erasures.settled()
      const left = (await found(server)).filter((one) => !OF_PEOPLE.test(one))
      if (alone) {
        expect(left).toEqual([])
        for (const { table } of NAMING) expect([table, await count(server, table)]).toEqual([table, 0])
        expect([await count(server, 'strategies'), await count(server, 'owed_erasures')]).toEqual([0, 0])
        return
      }
      expect(left).toEqual(['strategies.chain_hash'])
      expect(await count(server, 'strategies')).toBe(1)
      expect(await count(server, 'webhooks')).toBe(1)
      expect(await count(server, 'owed_erasures')).toBe(0)
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
  })

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
      for (const table of ['signals', 'deliveries'] as const) {
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
      const before = await count(server, 'deliveries')
      for await (const first of ofScope(db, `p:${person.uid}`, 2))
        for (let part: Part | null = first; part !== null; ) part = await (part as Part)(db)
      expect(await db.selectFrom('signals').select('strategy_id').execute()).toHaveLength(1)
      expect(before - (await count(server, 'deliveries'))).toBe(7)
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
      const tables = await server.app.db.introspection.getTables()
      const columns = (of: string) =>
        tables.find(({ name }) => name === of)?.columns.map(({ name }) => name) ?? []
      const naming = tables
        .map(({ name }) => name)
        .filter((name) => columns(name).some((one) => one === 'strategy_id' || one === 'webhook_id'))
      expect(NAMING.map(({ table }) => table as string).toSorted()).toEqual(naming.toSorted())
      expect(Object.keys(OF_STRATEGY).toSorted()).toEqual(columns('strategies').toSorted())
      expect(Object.keys(OF_WEBHOOK).toSorted()).toEqual(columns('webhooks').toSorted())
    })
  })
})
