// Every statement that the product sends is explained on a large database: none may look through rows of people whom it does not
// concern. A round of all calls, of messages, of notifications and of what is done by the time.
import { type CompiledQuery, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { onlyReads, route } from '#contract/endpoint.ts'
import { ENDPOINTS } from '#contract/index.ts'
import { createStrategy } from '#contract/strategy.ts'
import { compiled, isPostgres } from '#server/db/bulk.ts'
import type { Db } from '#server/db/schema.ts'
import { EACH } from '#server/db/sqlite.ts'
import { hookPath } from '#tests/support/desk.ts'
import { engines } from '#tests/support/engines.ts'
import { type Statement, statements } from '#tests/support/grown.ts'
import { TRIALS } from '#tests/support/matrix.ts'
import { signUp } from '#tests/support/people.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { clientsFile } from '#tests/support/third-party.ts'
import { sized } from '#tests/support/tier.ts'
import { makeWorld, type World } from '#tests/support/world.ts'

/** Copies of everything that the people of the access matrix have, as other people's. */
const COPIES = Number(process.env['COPIES'] ?? sized(100, 300))

/** The server's own, some rows each however many people there are. */
const OWN = ['ground', 'lineage', 'lineage_heads', 'notify_processes', 'channel_facts', 'guesses', 'jobs']

/** Scans that stay, each for a reason: by a piece of the statement. */
const ACCEPTED: readonly { readonly text: RegExp; readonly why: string }[] = [
  {
    text: /^select "id", "chain_seq", "chain_hash", "deleted_at" from "strategies"$/,
    why: 'once after a start, beside everything else: whether every chain ends as its strategy says',
  },
  {
    text: /^update "notification_deliveries" set "state" = \S+ where state = 'sent'/,
    why: 'an index of what is sent and not confirmed alone',
  },
  {
    text: /"format"."state" = 'waiting' and "webhooks"."asked_at" </,
    why: 'an index of formats that wait to be confirmed alone, each minute',
  },
  { text: /^select min\("publish_at"\)/, why: 'the first of an index of what is to be published alone' },
  { text: /"lease_holder" is not null/, why: 'an index of what is being sent alone' },
  {
    text: /"shown_seq" is not null$/,
    why: 'PostgreSQL: an index of strategies into which a file comes just now',
  },
  {
    text: /^delete from "(binding_codes|codes|sessions|channel_receivers|webhook_formats|tickets|idempotency|stock_rule_passes)" where .* in \(select .* limit \S+\)$/s,
    why: 'housekeeping: each hour, everybody’s, in bites',
  },
  {
    text: /^delete from "receiver_rests" where "noted_at"/,
    why: 'housekeeping: those that failed in the last days',
  },
  {
    text: /^select "id" from "strategies" where "owner_type" = .* "erased_at"/s,
    why: 'housekeeping: accounts that were given up, each hour',
  },
  {
    text: /^select "organization_id", "user_id" from "memberships" where "expires_on" </,
    why: 'each midnight, everybody’s',
  },
  { text: /^select distinct "groups"."organization_id", "member"."user_id"/, why: 'reminders: once a day' },
  {
    text: /select channel from notification_deliveries where next_at <=/,
    why: 'the queue itself: an index of what waits alone',
  },
  {
    text: /^select "id" from "announcements" where "owes" is not null$/,
    why: 'an index of those that owe alone',
  },
  {
    text: /^insert into "users"/,
    why: 'SQLite lists the tables that refer to a person; it looks only where a transaction owes it',
  },
]

/** Columns whose values are somebody's: in a copy they are somebody else's. */
const OF_SOMEBODY =
  /(^|_)(id|uid|by|hash|key|token|code|email|address|scope|owner|holder|slug|of|mark|target|name)$/

/** Writes the copies, all tables of one owner's world consistently. */
async function copyAll(db: Db): Promise<void> {
  const tables = await db.introspection.getTables()
  await db.transaction().execute(async (tx) => {
    if (isPostgres(db)) await sql`set local session_replication_role = replica`.execute(tx)
    else await sql`pragma defer_foreign_keys = on`.execute(tx)
    for (const { name, columns, isView } of tables) {
      if (isView || OWN.includes(name) || name.startsWith('kysely_')) continue
      const values = columns.map((column) => {
        const ref = sql.ref(`one.${column.name}`)
        // Nothing of theirs is due while this looks.
        if (column.name === 'next_at' || column.name === 'due_at')
          return sql`case when ${ref} is null then null else '2099-01-01T00:00:00.000Z' end`
        const text = /text|char/i.test(column.dataType)
        return text && OF_SOMEBODY.test(column.name) ? sql`${ref} || '-' || n.i` : ref
      })
      const names = columns.map((column) => sql.ref(column.name))
      try {
        await sql`insert into ${sql.table(name)} (${sql.join(names)})
          with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(COPIES)})
          select ${sql.join(values)} from ${sql.table(name)} as one cross join n`.execute(tx)
      } catch (error) {
        throw new Error(`copying ${name}: ${(error as Error).message}`)
      }
    }
  })
  // PostgreSQL does it by itself; on SQLite nobody does.
  if (isPostgres(db)) await sql`analyze`.execute(db)
}

/** All calls, those that only read first, by an owner, an admin and a member about their own things. */
async function callAll(server: TestServer, world: World): Promise<void> {
  const last = /delete|leave|logout|end|revoke|dissolve/
  const order = (name: string, reads: boolean) => (reads ? 0 : last.test(name) ? 2 : 1)
  const calls = ENDPOINTS.flatMap((endpoint) =>
    (TRIALS[endpoint.name] ?? []).flatMap((trial) =>
      (['owner', 'admin', 'member'] as const).map((actor) => {
        const input = trial.input(world.things(actor, 'self'))
        return { endpoint, actor, input, place: order(endpoint.name, onlyReads(endpoint, input)) }
      }),
    ),
  ).sort((a, b) => a.place - b.place)
  for (const { endpoint, actor, input } of calls) {
    const { path, rest } = route(endpoint, input)
    const headers = new Headers(world.headers(actor, actor === 'owner' ? 'none' : 'own'))
    const known = Object.entries(rest).filter(([, value]) => value !== undefined && value !== null)
    const query = new URLSearchParams(known.map(([name, value]) => [name, String(value)]))
    const { body = 'json', method } = endpoint
    const bytes = body === 'json' ? null : (rest[body] as Uint8Array<ArrayBuffer>)
    headers.set('content-type', bytes ? 'application/octet-stream' : 'application/json')
    const asked = method === 'GET' && query.size > 0 ? `?${query}` : ''
    const answer = await server.dispatch(`/api/v1${path}${asked}`, {
      method,
      headers,
      ...(method !== 'GET' && { body: bytes ?? JSON.stringify(rest) }),
    })
    if (answer.headers.get('content-type')?.startsWith('text/event-stream')) await answer.body?.cancel()
    else await answer.arrayBuffer()
  }
}

/** A line of a plan that grows with the rows of a table: which table, and how. */
type Scan = { table: string; how: string }

const raw = (text: string, parameters: readonly unknown[]) =>
  compiled(text, parameters as never) as CompiledQuery<never>

async function scansOf(db: Db, { sql: text, parameters }: Statement): Promise<Scan[]> {
  return isPostgres(db) ? scansOfPostgres(db, text, parameters) : scansOfSqlite(db, text, parameters)
}

async function scansOfSqlite(db: Db, text: string, parameters: readonly unknown[]): Promise<Scan[]> {
  const each = text.startsWith(EACH)
  const values = each ? (parameters[0] as readonly unknown[]) : parameters
  const { rows } = await db.executeQuery<{ detail: string }>(
    raw(`explain query plan ${each ? text.slice(EACH.length) : text}`, values),
  )
  return rows.flatMap(({ detail }) => {
    const [, name] = /^SCAN (\w+)/.exec(detail) ?? []
    return name === undefined ? [] : { table: tableOf(text, name), how: detail }
  })
}

/** The table behind a name in a statement. */
function tableOf(text: string, name: string): string {
  const [, table] = new RegExp(`"?(\\w+)"? as "?${name}"?[ ,)]`).exec(`${text} `) ?? []
  return table ?? name
}

interface Node {
  'Node Type': string
  'Relation Name'?: string
  'Index Cond'?: string
  'Index Name'?: string
  Plans?: Node[]
}

async function scansOfPostgres(db: Db, text: string, parameters: readonly unknown[]): Promise<Scan[]> {
  return db.connection().execute(async (one) => {
    // Where an index could serve it does: what is looked through all the same has none.
    const others = ['seqscan', 'hashjoin', 'mergejoin'].map((name) => sql.ref(`enable_${name}`))
    for (const other of others) await sql`set ${other} = off`.execute(one)
    try {
      const { rows } = await one.executeQuery<{ 'QUERY PLAN': { Plan: Node }[] }>(
        raw(`explain (format json) ${text}`, parameters),
      )
      return rows.flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan }) => walk(Plan)))
    } finally {
      for (const other of others) await sql`reset ${other}`.execute(one)
    }
  })
}

function walk(node: Node): Scan[] {
  const under = (node.Plans ?? []).flatMap(walk)
  const kind = node['Node Type']
  const table = node['Relation Name']
  const whole = kind === 'Seq Scan' || (/^Index (Only )?Scan$/.test(kind) && node['Index Cond'] === undefined)
  if (!whole || table === undefined) return under
  return [{ table, how: `${kind} ${node['Index Name'] ?? ''} on ${table}` }, ...under]
}

/** What scans rows of others, with the statement. */
async function findScans(db: Db, all: readonly Statement[], tables: ReadonlySet<string>): Promise<string[]> {
  const found: string[] = []
  for (const one of new Map(all.map((statement) => [statement.sql, statement])).values()) {
    if (!/^(\/\*.*\*\/ )?\s*(select|insert|update|delete|with)\b/i.test(one.sql)) continue
    if (ACCEPTED.some(({ text }) => text.test(one.sql))) continue
    for (const { table, how } of await scansOf(db, one))
      if (tables.has(table) && !OWN.includes(table))
        found.push(`${how} ← ${one.sql.replace(/\s+/g, ' ').slice(0, 400)}`)
  }
  return [...new Set(found)].sort()
}

describe.each(engines())('statements on a large database (%s)', (engine) => {
  let server: TestServer
  let world: World
  let hook: string
  let tables: ReadonlySet<string>
  beforeAll(async () => {
    const at = Date.now()
    server = await startServer({
      engine,
      env: { OAUTH_CLIENTS: clientsFile() },
      overrides: { now: () => at },
    })
    world = await makeWorld(server)
    const sender = await signUp(server, '送訊號的人')
    const settings = { product_code: 'MXF' }
    hook = hookPath(await sender.call(createStrategy, { kind: 'futures', name: '收訊號', settings }))
    await server.app.notifier.catchUp()
    const all = await server.app.db.introspection.getTables()
    tables = new Set(all.flatMap(({ name, isView }) => (isView ? [] : name)))
    await copyAll(server.app.db)
  }, 300_000)
  afterAll(() => server.close())

  test('no call, message, notification or job looks through what is others’', async () => {
    const { app } = server
    const seen = statements()
    try {
      await callAll(server, world)
      const time = new Date(app.now()).toISOString()
      const good = { id: 'one', symbol: 'MXF1!', action: 'buy', qty: 1, price: 23_000, time }
      const late = { ...good, id: 'two', action: 'sell', time: new Date(app.now() - 3_600_000).toISOString() }
      const messages = [good, good, late, { ...good, symbol: '2330' }, { dir: '多', lots: 1 }, 'no message']
      for (const message of messages)
        await server.request(hook, { method: 'POST', body: JSON.stringify(message) })
      await app.notifier.catchUp()
      app.jobs.held.clear()
      await app.jobs.settled()
    } finally {
      seen.stop()
    }
    console.info(`explained (${engine}): ${new Set(seen.list.map((one) => one.sql)).size} statements`)
    expect(await findScans(app.db, seen.list, tables)).toEqual([])
  }, 600_000)

  test('a statement that does is found', async () => {
    const { db } = server.app
    const seen = statements()
    try {
      await db.selectFrom('signals').select('id').where('action', '=', 'nothing').execute()
      await db.selectFrom('messages').selectAll().where('reason_code', '=', 'nothing').execute()
      await db.selectFrom('strategies').select('id').where('id', '=', 'nothing').execute()
    } finally {
      seen.stop()
    }
    expect(await findScans(db, seen.list, tables)).toHaveLength(2)
  })
})
