// Marks planted in every text of every table about a strategy, told to everybody who hears of it, and where they are found.
import { type RawBuilder, sql } from 'kysely'
import { expect } from 'vitest'
import { updateStrategy } from '#contract/strategy.ts'
import { listStrategyWebhooks } from '#contract/webhook.ts'
import { inTransaction } from '#server/events/append.ts'
import { newId } from '#server/ids.ts'
import { insideOf } from '#server/stream/notification.ts'
import type { Person } from './people.ts'
import type { Engine, TestServer } from './server.ts'
import { tablesOf } from './tables.ts'
import { makeThings } from './things.ts'

export const MARK = 'PLANTED'
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
export const OF_PEOPLE = /^(users|sessions|identities|idempotency)\./
/** Of an organization that goes on without the strategy. */
export const OF_ORGANIZATION =
  /^(organizations|strategy_groups|announcements|invites|invite_links|join_requests|memberships|access_changes)\./
/** Events that tell something of a strategy and stand in its owner's scope. */
const TELLING = ['signal', 'signal-voided', 'delivery', 'silence'] as const

async function textColumns(server: TestServer): Promise<{ table: string; column: string }[]> {
  const tables = await tablesOf(server.app.db)
  return tables.flatMap(({ name: table, columns }) =>
    columns
      .filter(({ dataType }) => /text|varchar/i.test(dataType))
      .map(({ name: column }) => ({ table, column })),
  )
}
/** In every row; of events in those of `scope` (and see plantEvents), of inboxes in those about a strategy or its organization: what else people are told is not theirs. */
export async function plant(server: TestServer, engine: Engine, scope: string): Promise<void> {
  const about =
    scope === '' ? sql`strategy_id is not null` : sql`strategy_id is not null or organization_id is not null`
  const unique: RawBuilder<string> = engine === 'sqlite' ? sql`hex(randomblob(6))` : sql`md5(random()::text)`
  for (const { table, column } of await textColumns(server)) {
    if (OURS.has(table) || (FOUND_BY.test(column) && !PLANTED_TOO.has(`${table}.${column}`))) continue
    const rows =
      table === 'events'
        ? sql`where scope = ${scope}`
        : table === 'notifications'
          ? sql`where ${about}`
          : table === 'notification_deliveries'
            ? sql`where notification_id in (select id from notifications where ${about})`
            : sql``
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${MARK} || ${unique} ${rows}`.execute(
      server.app.db,
    )
  }
}
/** Beside what its owner's events say: they are read by what they name. */
export async function plantEvents({ app: { db } }: TestServer, scope: string): Promise<void> {
  const record = await db
    .selectFrom('signals')
    .select('seq')
    .where('scope', '=', scope)
    .executeTakeFirstOrThrow()
  // As it was stored before records told their own.
  await db
    .insertInto('events')
    .values({ scope, seq: record.seq, at: new Date().toISOString(), kind: 'signal', data: '{}' })
    .execute()
  const rows = await db
    .selectFrom('events')
    .selectAll()
    .where('scope', '=', scope)
    .where('kind', 'in', TELLING)
    .execute()
  expect(new Set(rows.map(({ kind }) => kind))).toEqual(new Set(['signal', 'delivery', 'silence']))
  for (const { seq, data } of rows)
    await db
      .updateTable('events')
      .set({ data: JSON.stringify({ ...JSON.parse(data), mark: MARK }) })
      .where('scope', '=', scope)
      .where('seq', '=', seq)
      .execute()
}
export async function found(server: TestServer): Promise<string[]> {
  const all: string[] = []
  for (const { table, column } of await textColumns(server)) {
    const { rows } = await sql`select 1 from ${sql.table(table)} where ${sql.ref(column)} like ${`%${MARK}%`}
      limit 1`.execute(server.app.db)
    if (rows.length > 0) all.push(`${table}.${column}`)
  }
  return all.toSorted()
}
export const count = async (server: TestServer, table: string) => {
  const which = table === 'notifications' ? sql`where strategy_id is not null` : sql``
  const { rows } = await sql<{ n: unknown }>`select count(*) as n from ${sql.table(table)} ${which}`.execute(
    server.app.db,
  )
  return Number(rows[0]?.n)
}
/** A strategy with everything that calls leave behind, and what only time or the person does. */
export async function furnish(server: TestServer, person: Person, headers?: Record<string, string>) {
  const things = await makeThings(server, person, '一件', headers)
  const { strategy_id } = things
  await server.app.db
    .insertInto('strategy_notify')
    .values({
      strategy_id,
      uid: person.uid,
      enabled: 1,
      channels: '["push","in_app"]',
      actions: 'all',
      important: 0,
      updated_at: new Date().toISOString(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await server.app.db
    .insertInto('snapshots')
    .values([
      {
        strategy_id,
        kind: 'state',
        place: 1,
        chain_seq: 1,
        chain_hash: '',
        key: '',
        state: '{}',
        data: '{}',
      },
      {
        strategy_id,
        kind: 'trades',
        place: 1,
        chain_seq: 1,
        chain_hash: '',
        key: '',
        state: '{}',
        data: '[]',
      },
    ])
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await server.app.db
    .insertInto('gap_answers')
    .values({
      ...{ id: newId(), strategy_id, signal_id: things.signal_id, answer: 'ignore' },
      ...{ answered_by: person.uid, answered_at: new Date().toISOString() },
    })
    .execute()
  await server.app.db
    .insertInto('stock_signal_settings')
    .values({
      ...{ id: newId(), strategy_id, uid: person.uid, place: 1, name: MARK, enabled: 1, match: '{}' },
      ...{ result: 'ignore', limits: '{}', quantity_override: null },
      ...{ created_at: new Date().toISOString(), updated_at: new Date().toISOString() },
    })
    .execute()
  const batch_id = newId()
  await server.app.db
    .insertInto('original_batches')
    .values({
      ...{ id: batch_id, strategy_id, scope: `p:${person.uid}`, source: 'csv', file_name: MARK },
      ...{ encoding: 'utf-8', layout: '{}', size: 1, kept_bytes: 1, state: 'done', made: 0, done_at: null },
      ...{ imported: 0, duplicate: 0, ignored_by_rule: 0, invalid: 1, pending: 0 },
      ...{ created_by: person.uid, created_at: new Date().toISOString() },
    })
    .execute()
  await server.app.db
    .insertInto('original_rows')
    .values({
      ...{ id: newId(), strategy_id, batch_id, place: 0, row_no: 2, leg: null, raw: MARK, parsed: null },
      ...{ signal: null, status: 'invalid', error: MARK, signal_id: null, symbol: null, occurred_at: null },
    })
    .execute()
  await server.app.db
    .insertInto('webhook_formats')
    .values({
      ...{ id: newId(), webhook_id: things.webhook_id, state: 'confirmed', shape: MARK, extends: null },
      ...{
        name: MARK,
        format: '{}',
        mapping: null,
        sample_delivery_id: null,
        taken_before: 0,
        created_at: new Date().toISOString(),
      },
      ...{ confirmed_at: new Date().toISOString(), confirmed_by: person.uid },
    })
    .execute()
  return things
}

/** Says the mark in a message of a strategy that is called by it: told to everybody who hears of it, delivered here, on its way there. */
export async function spread(
  server: TestServer,
  person: Person,
  strategy_id: string,
  headers?: Record<string, string>,
): Promise<void> {
  const { db } = server.app
  await person.call(updateStrategy, { id: strategy_id, name: `${MARK} 一件` }, headers)
  const hooks = await person.call(listStrategyWebhooks, { id: strategy_id }, headers)
  const path = new URL(hooks[0]?.url as string).pathname
  const message = { symbol: 'TXF1!', action: 'sell', quantity: 1, price: 23_001, note: MARK }
  await server.request(path, { method: 'POST', body: JSON.stringify(message) })
  await server.app.notifier.catchUp()
  const rows = await db.selectFrom('notifications').selectAll().where('listed', '=', 1).execute()
  const more = rows.map(insideOf).flatMap((row) => [
    { ...row, id: newId(), channel: 'push' as const, state: 'planned' as const, next_at: '2999-01-01' },
    { ...row, id: newId(), channel: 'push' as const, state: 'confirmed' as const, device_label: '手機' },
  ])
  await db.insertInto('notification_deliveries').values(more).execute()
  const scope = headers?.['lb-org-id'] ? (`o:${headers['lb-org-id']}` as const) : (`p:${person.uid}` as const)
  await inTransaction(server.app, (tx) => tx.append(scope, 'silence', { strategy_id, since: tx.at }))
}

/** Who was told of a strategy, by the stored events too. */
export async function toldPeople({ app: { db } }: TestServer): Promise<string[]> {
  const rows = await db
    .selectFrom('notifications')
    .innerJoin('events', (join) =>
      join.onRef('events.seq', '=', 'notifications.seq').on('events.kind', '=', 'notification'),
    )
    .select('uid')
    .distinct()
    .where(sql<boolean>`events.scope = 'p:' || notifications.uid`)
    .where('title', 'like', `%${MARK}%`)
    .where('strategy_id', 'is not', null)
    .execute()
  return rows.map(({ uid }) => uid).toSorted()
}
