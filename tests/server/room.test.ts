// Every table has an owner and a bound; what is over it is let go, the least needed first, and a room that is full to all its bounds
// takes no more than docs/running.md says.
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAnnouncement } from '#contract/announcement.ts'
import type { InputOf } from '#contract/endpoint.ts'
import { createGroup, deleteGroup, setGroupStrategies } from '#contract/group.ts'
import { createInvites } from '#contract/join.ts'
import {
  ANNOUNCEMENT_BODY,
  ANNOUNCEMENT_SIGNS_PER_OWNER,
  ANSWERS_PER_ACCOUNT_BYTES,
  CHATS_MOST,
  DELIVERIES_PER_OWNER,
  EVENTS_PER_OWNER,
  GROUP_STRATEGIES_PER_OWNER,
  GROUPS_PER_OWNER,
  IMAGES_PER_OWNER_BYTES,
  MESSAGES_PER_OWNER_BYTES,
  NOTES_PER_OWNER,
  ORIGINAL_PER_OWNER_BYTES,
  PUSH_DEVICES,
  REFUSED_PER_OWNER_BYTES,
  SIGN_INS_PER_ACCOUNT,
  STOCK_RULES_PER_OWNER,
  STRATEGIES_PER_OWNER,
} from '#contract/limits.ts'
import { createOrganization } from '#contract/organization.ts'
import { importOriginalData } from '#contract/original-data.ts'
import { readUsage } from '#contract/profile.ts'
import { createStockSetting } from '#contract/stock-signal-setting.ts'
import {
  createStrategy,
  deleteStrategy,
  type Strategy,
  type StrategyInput,
  updateStrategy,
} from '#contract/strategy.ts'
import {
  createWebhook,
  deleteWebhook,
  listDeliveries,
  rotateWebhook,
  type Webhook,
} from '#contract/webhook.ts'
import type { TableName } from '#server/db/schema.ts'
import { newId } from '#server/ids.ts'
import { roomOf, TABLES, type Trimmed } from '#server/usage/tables.ts'
import { tablesOf } from '#tests/support/tables.ts'
import { senderTo } from '../support/desk.ts'
import { describeEngines } from '../support/engines.ts'
import { type Person, send, signIn, signUp } from '../support/people.ts'
import { strategyInput as input, largeMessage, rowsOf, storedBytes } from '../support/room.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { ROOT } from '../support/sources.ts'
import { sized } from '../support/tier.ts'

/** The account itself, and the first of each kind. */
const BASE_BYTES = 1024 ** 2

describeEngines('room', (engine) => {
  /** So much of the bounds is filled. */
  const share = sized(0.0005, engine === 'sqlite' ? 1 : 0.1)
  let server: TestServer
  let clock_ms = Date.now()

  beforeAll(async () => {
    server = await startServer({ engine, overrides: { room: share, now: () => clock_ms } })
  })
  afterAll(() => server.close())

  const settled = () => server.app.room.settled()

  test('every table has an owner and a bound', async () => {
    const tables = (await tablesOf(server.app.db)).map(({ name }) => name)
    expect(Object.keys(TABLES).sort()).toEqual(tables.sort())
  })

  // The attack of issue 38: 82,962 bytes a call before.
  test('an answer kept for a key holds what is needed to answer again', async () => {
    const person = await signUp(server, '鑰匙')
    const strategy = await person.call(createStrategy, input('很長的'))
    const note = '字'.repeat(20_000)
    const key = randomUUID()
    const again = () =>
      send(
        server,
        updateStrategy,
        { id: strategy.id, note },
        {
          authorization: `Bearer ${person.token}`,
          'idempotency-key': key,
        },
      )
    const [first, second] = [await (await again()).text(), await (await again()).text()]
    expect(second).toBe(first)
    const { bytes } = await server.app.db
      .selectFrom('idempotency')
      .select(sql<number>`octet_length(body) + octet_length(fingerprint) + 300`.as('bytes'))
      .where('key', '=', key)
      .executeTakeFirstOrThrow()
    console.info(`${engine}: ${bytes} bytes a call`)
    expect(bytes).toBeLessThan(1_000)
    // Made new, it is shown again with the addresses of its webhooks.
    const headers = { authorization: `Bearer ${person.token}`, 'idempotency-key': randomUUID() }
    const create = async () =>
      (await (await send(server, createStrategy, input('新的', { note }), headers)).json()) as {
        error: { code: number }
        result: Strategy | null
      }
    const made = await create()
    expect(await create()).toEqual(made)
    const { id } = made.result as Strategy
    await person.call(deleteStrategy, { id, name: '新的', keep_records: false })
    expect((await create()).error.code).toBe(4040)
    await server.app.jobs.settled('erase')
  })

  test('what has no room goes: the oldest bodies, whole, while verdict, hash and signal stay', async () => {
    const person = await signUp(server, '很多訊息')
    const strategy = await person.call(createStrategy, input('很多訊息'))
    const webhook = strategy.webhooks?.[0] as Webhook
    const hook = senderTo(server, webhook)
    const old = largeMessage('buy')
    await hook(old)
    const size = Buffer.byteLength(old)
    const olds = Math.ceil((MESSAGES_PER_OWNER_BYTES * share) / size)
    await copies('messages', sql`where webhook_id = ${webhook.id}`, olds - 1, ['id'])
    await recount(webhook)
    const bodies = Array.from({ length: 20 }, () => largeMessage('buy'))
    for (const body of bodies) expect((await hook(body)).answer.status).toBe('accepted')
    const count = olds + bodies.length
    await settled()
    await server.app.room.lookAtAll()
    const { message_bytes, records, deliveries } = await person.call(readUsage, {})
    expect(message_bytes.used).toBeLessThanOrEqual(MESSAGES_PER_OWNER_BYTES * share)
    expect(message_bytes.used).toBeGreaterThan(MESSAGES_PER_OWNER_BYTES * share - 200_000)
    expect([records, deliveries.used]).toEqual([1 + bodies.length, count])
    const rows = await server.app.db
      .selectFrom('deliveries')
      .select(sql<number | null>`octet_length(body)`.as('bytes'))
      .where('strategy_id', '=', strategy.id)
      .orderBy('id')
      .execute()
    const gone = rows.findIndex(({ bytes }) => bytes !== null)
    expect(gone).toBeGreaterThanOrEqual(10)
    expect(rows.slice(gone).map(({ bytes }) => bytes)).toEqual(Array(count - gone).fill(size))
    const newest = await person.call(listDeliveries, { id: webhook.id, limit: 3 })
    expect(newest.items.map(({ body }) => body)).toEqual(bodies.slice(-3).reverse())
    const { sum } = await server.app.db
      .selectFrom('deliveries')
      .select(sql<number>`sum(octet_length(body))`.as('sum'))
      .where('strategy_id', '=', strategy.id)
      .executeTakeFirstOrThrow()
    expect(Number(sum)).toBe(message_bytes.used)
  })

  test('deliveries of the last day stay, by them a repeated message is known; older ones give way', async () => {
    const person = await signUp(server, '很多筆')
    const strategy = await person.call(createStrategy, input('很多筆'))
    const hook = senderTo(server, strategy.webhooks?.[0] as Webhook)
    const count = Math.ceil(DELIVERIES_PER_OWNER * share) + 30
    const { db } = server.app
    await hook('ping')
    const row = await db
      .selectFrom('deliveries')
      .selectAll()
      .where('strategy_id', '=', strategy.id)
      .executeTakeFirstOrThrow()
    await copies('messages', sql`where id = ${row.id}`, count - 1, ['id'])
    await recount(strategy.webhooks?.[0] as Webhook)
    const look = async () => {
      server.app.room.wrote(`p:${person.uid}`, 1)
      await server.app.room.lookAtAll()
      return (await person.call(readUsage, {})).deliveries.used
    }
    expect(await look()).toBe(count)
    clock_ms += 86_500_000
    expect(await look()).toBe(Math.floor(DELIVERIES_PER_OWNER * share))
  })

  test('of each table what is needed least gives way, of its owner alone', async () => {
    const person = await signUp(server, '裝滿的人')
    const other = await signUp(server, '別人')
    await seed(person)
    await seed(other)
    for (const [table, kept] of Object.entries(TABLES)) {
      if (kept.bound !== 'trimmed') continue
      const before = await rowsOf(server, kept, table, other.uid)
      const most = Math.ceil(kept.most * share)
      await multiply(table as TableName, kept, person.uid, most + 40)
      expect([table, await rowsOf(server, kept, table, person.uid)]).toEqual([table, most + 40])
      server.app.room.wrote(`p:${person.uid}`, 1)
      await server.app.room.lookAtAll()
      expect([table, await rowsOf(server, kept, table, person.uid)]).toEqual([table, most])
      expect([table, await rowsOf(server, kept, table, other.uid)]).toEqual([table, before])
    }
  })

  test('notifications that wait to be sent go last, and yet go: a receiver that is never there fills no disk', async () => {
    const person = await signUp(server, '收不到的人')
    await seed(person)
    const kept = TABLES.notifications as Trimmed
    const most = Math.ceil(kept.most * share)
    await multiply('notifications', kept, person.uid, most + 40)
    const { db } = server.app
    const at = new Date(clock_ms).toISOString()
    const waits = (where: RawBuilder<SqlBool>) =>
      sql`insert into notification_deliveries (id, notification_id, uid, channel, receiver_id, state, attempts, rank, created_at, next_at)
        select 'w' || id, id, uid, 'push', '', 'planned', 0, 0, ${at}, ${at} from notifications
        where uid = ${person.uid} and ${where}`.execute(db)
    const [half] = (
      await sql<{
        id: string
      }>`select id from notifications where uid = ${person.uid} order by id limit 1 offset 20`.execute(db)
    ).rows
    const early = sql<SqlBool>`id < ${half?.id}`
    await waits(early)
    const look = async () => {
      server.app.room.wrote(`p:${person.uid}`, 1)
      await server.app.room.lookAtAll()
      return rowsOf(server, kept, 'notifications', person.uid)
    }
    expect(await look()).toBe(most)
    const waiting = async () => {
      const { rows } = await sql<{ count: number }>`select count(*) as count from notification_deliveries
        where uid = ${person.uid} and next_at is not null`.execute(db)
      return Number(rows[0]?.count)
    }
    // Younger ones went instead.
    const first = Math.min(most, 20)
    expect(await waiting()).toBe(first)
    await waits(sql<SqlBool>`not ${early}`)
    await multiply('notifications', kept, person.uid, most + 5)
    await waits(
      sql<SqlBool>`not exists (select 1 from notification_deliveries as d where d.notification_id = notifications.id)`,
    )
    expect(await look()).toBe(most)
    expect(await waiting()).toBe(most)
  })

  test('who does nothing but sign in is looked at, too', async () => {
    const person = await signUp(server, '一直登入的人')
    const near = { request: server.dispatch, mails: () => server.mails() }
    const most = Math.ceil(SIGN_INS_PER_ACCOUNT * share)
    // As many as are counted before a room is looked at.
    const between = 650 * Math.max(share, 0.05)
    for (let n = 0; n < most + between; n++) await signIn(near, person.email)
    await settled()
    const { count } = await server.app.db
      .selectFrom('sessions')
      .select(({ fn }) => fn.countAll().as('count'))
      .where('uid', '=', person.uid)
      .executeTakeFirstOrThrow()
    expect(Number(count)).toBeLessThan(most + between)
  })

  /** One row of every table that is trimmed, which may go. */
  async function seed(person: Person): Promise<void> {
    const { db } = server.app
    const uid = person.uid
    const [at, over] = ['2020-01-01T00:00:00.000Z', '2020-01-02T00:00:00.000Z']
    const strategy = await person.call(createStrategy, input('底'))
    const stock = await person.call(createStrategy, {
      ...input('股'),
      kind: 'stock',
      settings: {},
    } as unknown as StrategyInput)
    const rule = await person.call(createStockSetting, {
      id: stock.id,
      applies_to: 'strategy',
      name: '規則',
    } as InputOf<typeof createStockSetting>)
    const { id: organization_id } = await person.call(createOrganization, { name: '底社' })
    const inside = { 'lb-org-id': organization_id }
    const group = await person.call(createGroup, { name: '組' }, inside)
    await person.call(deleteGroup, { id: group.id }, inside)
    await person.call(createInvites, { id: organization_id, emails: [`${randomUUID()}@example.com`] }, inside)
    const webhook = await person.call(createWebhook, { strategy_id: strategy.id, name: '多的' } as InputOf<
      typeof createWebhook
    >)
    await person.call(deleteWebhook, { id: webhook.id })
    await person.call(rotateWebhook, { id: strategy.webhooks?.[0]?.id as string, grace: 'now' })
    await db
      .updateTable('webhook_tokens')
      .set({ valid_until: over })
      .where('webhook_id', '=', strategy.webhooks?.[0]?.id as string)
      .where('valid_until', 'is not', null)
      .execute()
    await person.call(deleteStrategy, {
      id: (await person.call(createStrategy, input('沒了'))).id,
      name: '沒了',
      keep_records: true,
    })
    await db
      .insertInto('password_resets')
      .values({ token_hash: newId(), uid, created_at: at, expires_at: over, used_at: null })
      .execute()
    await db
      .insertInto('tickets')
      .values({
        ...{ id_hash: newId(), kind: 'mail', uid, provider: null, subject: null, binding_hash: null },
        ...{ created_at: at, expires_at: over, used_at: null, sid: null, receiver_id: null },
      })
      .execute()
    await db
      .insertInto('oidc_rows')
      .values({
        ...{ model: 'AccessToken', id_hash: newId(), grant_hash: null, uid_hash: null, account: uid },
        ...{ client_id: null, payload: '', created_at: at, expires_at: over, consumed_at: null },
      })
      .execute()
    await db
      .insertInto('channel_receivers')
      .values({
        ...{ id: newId(), uid, channel: 'push', state: 'gone', name: null, address: '', config: null },
        ...{ address_mark: newId(), sid: null, created_at: at, last_ok_at: null, reason: null },
        ...{ doubted: 0, bound_sid: null },
      })
      .execute()
    await db
      .insertInto('binding_codes')
      .values({
        ...{ code_hash: newId(), uid, channel: 'telegram', code: '', created_at: at, expires_at: over },
        ...{ used_at: null, reason: null, claim: null, sid: null },
      })
      .execute()
    await db
      .insertInto('notifications')
      .values({
        ...{ id: newId(), uid, seq: 1, key: newId(), kind: 'signal', organization_id: null },
        ...{ strategy_id: null, signal_id: null, announcement_id: null, title: '', body: '', link: '' },
        ...{ listed: 1, created_at: at, read_at: at },
      })
      .execute()
    await db
      .insertInto('join_requests')
      .values({
        ...{ id: newId(), organization_id, user_id: uid, source: 'join_code', link_id: null },
        ...{ group_ids: '[]', expires_on: null, message: '', status: 'cancelled', reason: null },
        ...{ decided_by: null, decided_at: null, expires_at: over, created_at: at, updated_at: at },
      })
      .execute()
    await db
      .insertInto('stock_rule_passes')
      .values({ rule_id: rule.id, signal_id: newId(), symbol: '2330', action: 'buy', at })
      .execute()
    const signal_id = newId()
    for (let n = 0; n < 2; n++)
      await db
        .insertInto('gap_answers')
        .values({
          ...{ id: newId(), strategy_id: strategy.id, signal_id, answer: 'ignore' },
          ...{ answered_by: uid, answered_at: at },
        })
        .execute()
    await db
      .updateTable('access_changes')
      .set({ over_at: over })
      .where('organization_id', '=', organization_id)
      .where('fact', '=', 'membership')
      .execute()
  }

  /** Copies of deliveries count for their webhook as if they had come. */
  async function recount({ id }: Webhook): Promise<void> {
    const sum = (outcome: string, what: RawBuilder<unknown>) =>
      sql`(select coalesce(sum(${what}), 0) from deliveries where webhook_id = ${id} and outcome ${sql.raw(outcome)})`
    const bytes = sql`octet_length(body)`
    await sql`update webhooks set kept = ${sum('is not null', sql`1`)}, signal_bytes = ${sum("= 'accepted'", bytes)},
      refused_bytes = ${sum("= 'rejected'", bytes)} where id = ${id}`.execute(server.app.db)
  }

  /** So many rows in all, copies of the one that goes first. */
  async function multiply(table: TableName, kept: Trimmed, uid: string, to: number): Promise<void> {
    const { db } = server.app
    const where = kept.of(await roomOf(db, `p:${uid}`))
    const now = new Date(clock_ms).toISOString()
    const which = sql`where ${where} and ${kept.may?.(now) ?? sql`1 = 1`} order by ${kept.first(now)}`
    const unique = [kept.key.at(-1) as string, 'name_key', 'key', 'address_mark', 'code_hash', 'join_code']
    await copies(table, which, to - (await rowsOf(server, kept, table, uid)), unique)
  }

  /** Copies of the first such row, made by the database: `unique` columns are others in each, `over` is what others have instead. */
  async function copies(
    table: TableName,
    which: RawBuilder<unknown>,
    count: number,
    unique: readonly string[],
    over: Readonly<Record<string, RawBuilder<unknown>>> = {},
    beside?: RawBuilder<unknown>,
  ): Promise<void> {
    if (count <= 0) return
    const { db } = server.app
    // What stood with its record, too.
    const from = table === 'messages' ? 'deliveries' : table
    const { rows } = await sql<
      Record<string, unknown>
    >`select * from ${sql.table(from)} ${which} limit 1`.execute(db)
    const [row] = rows
    if (!row) throw new Error(`nothing of ${table} to copy`)
    // Older than the row itself, of which gap_answers shows the last.
    const fresh = sql`'0-' || ${sql.lit(newId())} || cast(n.i as text)`
    const shownAs = (name: string) =>
      over[name] ?? (unique.includes(name) && typeof row[name] === 'string' ? fresh : sql.ref(`one.${name}`))
    const names = Object.keys(row)
    await sql`insert into ${sql.table(table)} (${sql.join(names.map((name) => sql.ref(name)))})
      with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(count)})
      select ${sql.join(names.map(shownAs))}
      from (select * from ${sql.table(from)} ${which} limit 1) as one${beside ? sql`, ${beside}` : sql``}, n`.execute(
      db,
    )
  }

  test('a room that is full to all its bounds takes what running.md says, and no more after a look', async () => {
    const page = readFileSync(join(ROOT, 'docs/running.md'), 'utf8')
    const most_bytes =
      Number(/裝滿的空間，訊號紀錄另計，最多 \*\*([\d.]+) GB\*\*/.exec(page)?.[1]) * 1024 ** 3
    const { app } = server
    const { db } = app
    const before = await storedBytes(server)
    const person = await signUp(server, '什麼都滿的人')
    const part = (most: number) => Math.floor(most * share)
    const mine = sql`where uid = ${person.uid}`
    await seed(person)

    // Messages, and what follows from each.
    const strategy = await person.call(createStrategy, input('滿'))
    const webhook = strategy.webhooks?.[0] as Webhook
    const hook = senderTo(server, webhook)
    // What is taken, and what is refused: no order has such a price.
    for (const price of [46_500, -1]) await hook(largeMessage('buy', price))
    await app.notifier.catchUp()
    const of = (outcome: string) => sql`where webhook_id = ${webhook.id} and outcome = ${outcome}`
    const large = Buffer.byteLength(largeMessage('buy'))
    const [signals, refused] = [part(MESSAGES_PER_OWNER_BYTES / large), part(REFUSED_PER_OWNER_BYTES / large)]
    await copies('messages', of('accepted'), signals - 1, ['id'])
    await copies('messages', of('rejected'), refused - 1, ['id'])
    const bare = part(DELIVERIES_PER_OWNER) - signals - refused
    await copies('messages', of('rejected'), bare, ['id'], { body: sql`null` })
    await recount(webhook)
    const scope = `p:${person.uid}`
    const longest = sql`where scope = ${scope} order by length(data) desc`
    const { last } = await db
      .selectFrom('counters')
      .select('seq as last')
      .where('scope', '=', scope)
      .executeTakeFirstOrThrow()
    const events = part(EVENTS_PER_OWNER) - Number(last)
    await copies('events', longest, events, [], { seq: sql`${sql.lit(Number(last))} + n.i` })
    await sql`update counters set seq = seq + ${Math.max(0, events)} where scope = ${scope}`.execute(db)

    // What somebody lays down.
    const own = sql`where id = ${strategy.id}`
    const strategies = part(STRATEGIES_PER_OWNER) - 10
    const note = sql.lit('字'.repeat(Math.floor(NOTES_PER_OWNER / STRATEGIES_PER_OWNER)))
    await copies('strategies', own, strategies, ['id', 'name', 'name_key'], { note })
    const organization = await db
      .selectFrom('memberships')
      .select('organization_id as id')
      .where('user_id', '=', person.uid)
      .executeTakeFirstOrThrow()
    const inside = sql`where organization_id = ${organization.id}`
    const header = { 'lb-org-id': organization.id }
    await person.call(
      createAnnouncement,
      { id: organization.id, title: '公告', body: '。' } as InputOf<typeof createAnnouncement>,
      header,
    )
    const body = sql.lit('字'.repeat(ANNOUNCEMENT_BODY - 10))
    await copies('announcements', inside, part(ANNOUNCEMENT_SIGNS_PER_OWNER / ANNOUNCEMENT_BODY), ['id'], {
      body,
    })
    const group = await person.call(createGroup, { name: '滿' }, header)
    const shown = await person.call(createStrategy, input('給的'), header)
    await person.call(
      setGroupStrategies,
      { id: group.id, strategies: [{ strategy_id: shown.id }] } as never,
      header,
    )
    await copies('strategy_groups', sql`where id = ${group.id}`, part(GROUPS_PER_OWNER) - 1, [
      'id',
      'name',
      'name_key',
    ])
    const gift = sql`where group_id = ${group.id}`
    const each = Math.floor(GROUP_STRATEGIES_PER_OWNER / GROUPS_PER_OWNER)
    const others = sql`(select id from strategy_groups ${inside} and id <> ${group.id}) as g,
      (select id as strategy_id from strategies where scope = ${scope} limit ${sql.lit(each)}) as s`
    await copies(
      'group_strategies',
      gift,
      1,
      [],
      { group_id: sql`g.id`, strategy_id: sql`s.strategy_id` },
      others,
    )
    const rules = sql`where strategy_id in (select id from strategies where scope = ${scope})`
    await copies('stock_signal_settings', rules, part(STOCK_RULES_PER_OWNER) - 1, ['id'])
    const xq = await person.call(createStrategy, {
      ...{ kind: 'xq-stock', name: 'XQ', settings: { xq_script_name: '突破' } },
    } as StrategyInput)
    const file = new TextEncoder().encode(
      `代碼,動作,價格,張數,時間,備註\n2330,買進,900,1,2026/03/02 09:00:00,${'長'.repeat(600)}\n`,
    )
    await person.call(importOriginalData, {
      id: xq.id,
      file: file as Uint8Array<ArrayBuffer>,
      name: '長.csv',
    })
    await app.jobs.settled('import')
    const brought = await person.call(readUsage, {})
    const rows = part(ORIGINAL_PER_OWNER_BYTES / brought.original_bytes.used) - 1
    await copies('original_rows', sql`where strategy_id = ${xq.id}`, rows, ['id'])
    await sql`update original_batches set kept_bytes = kept_bytes * ${sql.lit(rows + 1)} where strategy_id = ${xq.id}`.execute(
      db,
    )
    const picture = {
      name: `${'0'.repeat(40)}.webp`,
      size: part(IMAGES_PER_OWNER_BYTES),
      scope,
      kind: 'note',
      uid: person.uid,
    }
    await db
      .insertInto('files')
      .values({ ...picture, created_at: new Date(clock_ms).toISOString(), unused_since: null } as never)
      .execute()

    // Of the account.
    const answer = await person.call(
      updateStrategy,
      { id: xq.id, note: '答' },
      { 'idempotency-key': randomUUID() },
    )
    expect(answer.note).toBe('答')
    const kept_answers = await sql<{
      bytes: number
    }>`select sum(bytes) as bytes from idempotency ${mine}`.execute(db)
    const answers = part(ANSWERS_PER_ACCOUNT_BYTES / Number(kept_answers.rows[0]?.bytes)) - 1
    await copies('idempotency', mine, answers, ['key'])
    for (const [table, kept] of Object.entries(TABLES))
      if (kept.bound === 'trimmed')
        await multiply(table as TableName, kept, person.uid, Math.ceil(kept.most * share))
    // Each notification to as many devices and chats as one may have.
    const told = sql`(select id from notifications ${mine}) as told`
    const fan_out = PUSH_DEVICES + 2 * CHATS_MOST
    const to = {
      id: sql`told.id || '-' || cast(n.i as text)`,
      notification_id: sql`told.id`,
      receiver_id: sql`'r' || cast(n.i as text)`,
    }
    await copies('notification_deliveries', mine, fan_out, [], to, told)

    app.room.wrote(`p:${person.uid}`, 1)
    await app.room.lookAtAll()
    const usage = await person.call(readUsage, {})
    const lines = Object.entries(usage).flatMap(([line, one]) =>
      typeof one === 'number' ? [] : [{ line, ...one }],
    )
    for (const { line, used, most } of lines)
      expect([line, used / most]).toEqual([
        line,
        expect.toSatisfy((part: number) => part <= Math.max(share, 5 / most)),
      ])
    const bytes = (await storedBytes(server)) - before + picture.size
    console.info(
      `${engine}: full ${(bytes / 1024 ** 2).toFixed(1)} MB of ${((most_bytes * share) / 1024 ** 2).toFixed(1)} MB`,
    )
    expect(bytes).toBeLessThan(most_bytes * share + BASE_BYTES)
  })
})
