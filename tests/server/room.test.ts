// One account, or one person with as many organizations as allowed, writes for an hour as fast as the limits allow: what is stored
// stays under the figure of docs/running.md, and the messages of others come in. Every table has an owner and a bound.
import { randomBytes, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAnnouncement, deleteAnnouncement, updateAnnouncement } from '#contract/announcement.ts'
import type { Endpoint, InputOf, OutputOf } from '#contract/endpoint.ts'
import type { ApiError } from '#contract/errors.ts'
import { createGroup, deleteGroup, setGroupStrategies, updateGroup } from '#contract/group.ts'
import { cancelInvite, createInvites } from '#contract/invitation.ts'
import { createLink, updateLink } from '#contract/join.ts'
import {
  ANSWERS_PER_ACCOUNT_BYTES,
  DELIVERIES_PER_OWNER,
  EVENTS_PER_OWNER,
  MESSAGES_PER_OWNER_BYTES,
  ORGANIZATIONS_LED,
  REFUSED_PER_OWNER_BYTES,
} from '#contract/limits.ts'
import { sendManualFutures } from '#contract/manual.ts'
import { updateMember } from '#contract/membership.ts'
import { createOrganization } from '#contract/organization.ts'
import { updateName } from '#contract/profile.ts'
import { listSessions } from '#contract/session.ts'
import { createStockSetting, deleteStockSetting } from '#contract/stock-signal-setting.ts'
import {
  createStrategy,
  deleteStrategy,
  getStrategy,
  type Strategy,
  type StrategyInput,
  updateStrategy,
  updateStrategyNotify,
} from '#contract/strategy.ts'
import { readOrganizationUsage, readUsage } from '#contract/usage.ts'
import {
  createWebhook,
  deleteWebhook,
  listDeliveries,
  rotateWebhook,
  testWebhook,
  type Webhook,
} from '#contract/webhook.ts'
import type { Schema } from '#server/db/schema.ts'
import { newId } from '#server/ids.ts'
import { roomOf } from '#server/usage/rooms.ts'
import { TABLES, type Trimmed } from '#server/usage/tables.ts'
import { senderTo } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { insertMember } from '#tests/support/organizations.ts'
import { type Person, send, signUp } from '#tests/support/people.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { ROOT } from '#tests/support/sources.ts'
import { sized } from '#tests/support/tier.ts'

/** What one person can leave behind in an hour at the default limits: docs/running.md. */
const HOUR_BYTES = 3 * 1024 ** 3
/** So much of the hour is tried, with as much of the bounds. */
const SHARE = sized(0.0005, 0.01)
/** Calls of a person in an hour, and messages of one room: server/http/limits.ts, HOOK_RATE_PER_MINUTE and HOOK_BURST. */
const CALLS = Math.ceil(1_200 * 60 * SHARE)
const MESSAGES = Math.ceil((600 * 60 + 3_000) * SHARE)
const MANUAL = Math.ceil(120 * 60 * SHARE)
/** What cannot be a part: the account itself, the first of each kind, and what is written before a room is looked at again. */
const BASE_BYTES = 1024 ** 2

const LARGE = (action: string) =>
  JSON.stringify({ symbol: 'MXF1!', action, qty: 1, price: 46_500, id: randomUUID(), note: noise(60_000) })
/** Text that nothing makes smaller. */
const noise = (signs: number) => randomBytes(signs).toString('base64').slice(0, signs)

describe('the list of tables', () => {
  test('running.md says the figure', () => {
    const page = readFileSync(join(ROOT, 'docs/running.md'), 'utf8')
    const figure = /最多多出 \*\*(\d+) GB\*\*/.exec(page)
    expect(Number(figure?.[1]) * 1024 ** 3).toBe(HOUR_BYTES)
  })
})

describeEngines('room', (engine) => {
  let server: TestServer
  let neighbour: Person
  let neighbours: (body: string) => Promise<number>
  let clock_ms = Date.now()

  beforeAll(async () => {
    server = await startServer({ engine, overrides: { room: SHARE, now: () => clock_ms } })
    neighbour = await signUp(server, '隔壁')
    const made = await neighbour.call(createStrategy, input('隔壁的'))
    neighbours = async (body) => (await senderTo(server, made.webhooks?.[0] as Webhook)(body)).status
  })
  afterAll(() => server.close())

  const input = (name: string, over: object = {}) =>
    ({
      kind: 'futures',
      name,
      settings: { product_code: 'MXF' },
      allow_pyramiding: true,
      max_position: 999,
      ...over,
    }) as unknown as StrategyInput
  const settled = () => server.app.room.settled()

  /** Bytes of every column of every row. */
  async function stored(): Promise<number> {
    let sum = 0
    for (const { name, columns } of await server.app.db.introspection.getTables()) {
      const bytes = columns.map((one) => sql`coalesce(octet_length(cast(${sql.ref(one.name)} as text)), 0)`)
      const { rows } = await sql<{ bytes: number | null }>`select sum(${sql.join(bytes, sql` + `)}) as bytes
        from ${sql.table(name)}`.execute(server.app.db)
      sum += Number(rows[0]?.bytes ?? 0)
    }
    return sum
  }

  async function rowsOf(kept: Trimmed, table: string, uid: string): Promise<number> {
    const where = kept.of(await roomOf(server.app.db, `p:${uid}`))
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}
      where ${where ?? sql`1 = 0`}`.execute(server.app.db)
    return Number(rows[0]?.count)
  }

  test('every table has an owner and a bound', async () => {
    const tables = (await server.app.db.introspection.getTables()).map(({ name }) => name)
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
    await server.app.erasures.settled()
  })

  test('what has no room goes: the oldest bodies, whole, while verdict, hash and signal stay', async () => {
    const person = await signUp(server, '很多訊息')
    const strategy = await person.call(createStrategy, input('很多訊息'))
    const hook = senderTo(server, strategy.webhooks?.[0] as Webhook)
    const count = Math.ceil((MESSAGES_PER_OWNER_BYTES * SHARE) / 60_000) + 20
    const bodies = Array.from({ length: count }, () => LARGE('buy'))
    for (const body of bodies) expect((await hook(body)).answer.status).toBe('accepted')
    await settled()
    await server.app.room.lookAtAll()
    const { message_bytes, records, deliveries } = await person.call(readUsage, {})
    expect(message_bytes.used).toBeLessThanOrEqual(MESSAGES_PER_OWNER_BYTES * SHARE)
    expect(message_bytes.used).toBeGreaterThan(MESSAGES_PER_OWNER_BYTES * SHARE - 200_000)
    expect([records, deliveries.used]).toEqual([count, count])
    const kept: (string | null)[] = []
    for (let before: string | undefined; ; ) {
      const page = await person.call(listDeliveries, {
        id: strategy.webhooks?.[0]?.id as string,
        limit: 100,
        ...(before && { before }),
      })
      kept.unshift(...page.items.map(({ body }) => body).reverse())
      if (page.next_before === null) break
      before = page.next_before
    }
    const gone = kept.filter((body) => body === null).length
    expect(gone).toBeGreaterThanOrEqual(10)
    expect(kept).toEqual([...Array(gone).fill(null), ...bodies.slice(gone)])
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
    const count = Math.ceil(DELIVERIES_PER_OWNER * SHARE) + 30
    const { db } = server.app
    await hook('ping')
    const row = await db
      .selectFrom('deliveries')
      .selectAll()
      .where('strategy_id', '=', strategy.id)
      .executeTakeFirstOrThrow()
    const many = Array.from({ length: count - 1 }, () => ({ ...row, id: newId() }))
    for (let i = 0; i < many.length; i += 300)
      await db
        .insertInto('deliveries')
        .values(many.slice(i, i + 300))
        .execute()
    await db.updateTable('webhooks').set({ kept: count }).where('id', '=', row.webhook_id).execute()
    const look = async () => {
      server.app.room.wrote(`p:${person.uid}`, 1)
      await server.app.room.lookAtAll()
      return (await person.call(readUsage, {})).deliveries.used
    }
    expect(await look()).toBe(count)
    clock_ms += 86_500_000
    expect(await look()).toBe(Math.floor(DELIVERIES_PER_OWNER * SHARE))
  })

  test('of each table what is needed least gives way, of its owner alone', async () => {
    const person = await signUp(server, '裝滿的人')
    const other = await signUp(server, '別人')
    await seed(person)
    await seed(other)
    for (const [table, kept] of Object.entries(TABLES)) {
      if (kept.bound !== 'trimmed') continue
      const before = await rowsOf(kept, table, other.uid)
      const most = Math.ceil(kept.most * SHARE)
      await multiply(table as keyof Schema, kept, person.uid, most + 40)
      expect([table, await rowsOf(kept, table, person.uid)]).toEqual([table, most + 40])
      server.app.room.wrote(`p:${person.uid}`, 1)
      await server.app.room.lookAtAll()
      expect([table, await rowsOf(kept, table, person.uid)]).toEqual([table, most])
      expect([table, await rowsOf(kept, table, other.uid)]).toEqual([table, before])
    }
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

  /** So many rows in all, copies of the one that goes first. */
  async function multiply(table: keyof Schema, kept: Trimmed, uid: string, to: number): Promise<void> {
    const { db } = server.app
    const where = kept.of(await roomOf(db, `p:${uid}`))
    const now = new Date(clock_ms).toISOString()
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)} where ${where}
      and ${kept.may?.(now) ?? sql`1 = 1`} order by ${kept.first(now)} limit 1`.execute(db)
    const [row] = rows
    if (!row) throw new Error(`nothing of ${table} may go`)
    const unique = [kept.key.at(-1) as string, 'name_key', 'key', 'address_mark', 'code_hash', 'join_code']
    const lacking = to - (await rowsOf(kept, table, uid))
    const copies = Array.from({ length: lacking }, () => {
      // Older than the row itself, of which gap_answers shows the last.
      const fresh = () => `0-${newId()}`
      return Object.fromEntries(
        Object.entries(row).map(([name, value]) => [
          name,
          unique.includes(name) && typeof value === 'string' ? fresh() : value,
        ]),
      )
    })
    for (let i = 0; i < copies.length; i += 200)
      await db
        .insertInto(table)
        .values(copies.slice(i, i + 200) as never)
        .execute()
  }

  /** Everything that can be written, in one scope; each part takes a number that is new every time. */
  async function attacks(attacker: Person, headers: Record<string, string>) {
    const keyed = <E extends Endpoint>(endpoint: E, given: InputOf<E>): Promise<OutputOf<E>> =>
      attacker.call(endpoint, given, { ...headers, 'idempotency-key': randomUUID() })
    const strategy = await keyed(createStrategy, input(`主 ${newId()}`))
    const stock = await keyed(createStrategy, {
      ...input(`股 ${newId()}`),
      kind: 'stock',
      settings: {},
    } as unknown as StrategyInput)
    const webhook = strategy.webhooks?.[0] as Webhook
    const hook = senderTo(server, webhook)
    const own: Record<string, readonly [times: number, (n: number) => Promise<unknown>]> = {
      note: [CALLS, (n) => keyed(updateStrategy, { id: strategy.id, note: noise(19_990) + n })],
      strategies: [
        CALLS / 2,
        async () => {
          const made = await keyed(createStrategy, input(newId(), { note: noise(1_000) }))
          await keyed(deleteStrategy, { id: made.id, name: made.name, keep_records: true })
        },
      ],
      webhooks: [
        CALLS / 2,
        async () => {
          const made = await keyed(createWebhook, { strategy_id: strategy.id, name: newId() } as InputOf<
            typeof createWebhook
          >)
          await keyed(deleteWebhook, { id: made.id })
        },
      ],
      addresses: [
        CALLS / 4,
        () => keyed(rotateWebhook, { id: stock.webhooks?.[0]?.id as string, grace: 'now' }),
      ],
      tests: [CALLS / 4, () => keyed(testWebhook, { id: webhook.id, body: LARGE('buy') })],
      signals: [MESSAGES, () => hook(LARGE('buy'))],
      rubbish: [MESSAGES, () => hook(LARGE('jump'))],
      manual: [
        MANUAL,
        () =>
          keyed(sendManualFutures, {
            ...{ strategy_id: strategy.id, id: newId(), action: 'long_entry', quantity: 1, price: 46_500 },
            product_code: 'MXF',
            ...{ occurred_at: new Date(clock_ms).toISOString(), note: noise(200) },
          } as unknown as InputOf<typeof sendManualFutures>),
      ],
      bell: [
        CALLS / 4,
        (n) => keyed(updateStrategyNotify, { id: strategy.id, enabled: n % 2 === 0 } as never),
      ],
      rules: [
        CALLS / 4,
        async () => {
          const rule = await keyed(createStockSetting, {
            ...{ id: stock.id, applies_to: 'strategy', name: noise(20) },
          } as InputOf<typeof createStockSetting>)
          await keyed(deleteStockSetting, { id: stock.id, setting_id: rule.id })
        },
      ],
    }
    return { own, strategy, keyed }
  }

  async function attacksOn(organization_id: string, attacker: Person, member: Person) {
    const headers = { 'lb-org-id': organization_id }
    const { own, strategy, keyed } = await attacks(attacker, headers)
    await insertMember(server.app.db, organization_id, member.uid)
    const id = organization_id
    const group = await keyed(createGroup, { name: '常駐' })
    const link = await keyed(createLink, { id } as InputOf<typeof createLink>)
    return {
      ...own,
      groups: [
        CALLS / 4,
        async () => {
          const made = await keyed(createGroup, { name: newId() })
          await keyed(updateGroup, { id: made.id, name: newId() })
          await keyed(deleteGroup, { id: made.id })
        },
      ],
      gifts: [
        Math.ceil(2_500 * SHARE),
        async () => {
          await keyed(setGroupStrategies, {
            id: group.id,
            strategies: [{ strategy_id: strategy.id }],
          } as never)
          await keyed(setGroupStrategies, { id: group.id, strategies: [] } as never)
        },
      ],
      dates: [
        CALLS / 4,
        (n: number) =>
          keyed(updateMember, {
            ...{ id, user_id: member.uid, expires_on: `20${40 + (n % 50)}-01-01` },
          } as InputOf<typeof updateMember>),
      ],
      announcements: [
        CALLS / 4,
        async () => {
          const made = await keyed(createAnnouncement, { id, title: newId(), body: noise(19_000) } as InputOf<
            typeof createAnnouncement
          >)
          const which = { id, announcement_id: made.id }
          await keyed(updateAnnouncement, { ...which, body: noise(19_000) })
          await keyed(deleteAnnouncement, which)
        },
      ],
      links: [
        CALLS / 10,
        (n: number) => keyed(updateLink, { id, link_id: link.id, enabled: n % 2 === 0 } as never),
      ],
      invites: [
        Math.ceil(30 * SHARE),
        async () => {
          const emails = Array.from({ length: 50 }, () => `${randomUUID()}@example.com`)
          const sent = await keyed(createInvites, { id, emails })
          // The newest: others may have given way already.
          const last = sent.at(-1)?.invite
          if (last) await keyed(cancelInvite, { id, invite_id: last.id })
        },
      ],
    } satisfies typeof own
  }

  /** Runs them in turns for the hour; a refusal in words is one of the answers. */
  async function anHour(
    { uid }: Person,
    all: readonly Awaited<ReturnType<typeof attacks>>['own'][],
  ): Promise<void> {
    const works = all.flatMap((own) =>
      Object.values(own).map(([times, run]) => ({ times: Math.ceil(times / all.length), run, done: 0 })),
    )
    const rounds = Math.max(...works.map(({ times }) => times))
    for (let round = 0; round < rounds; round++) {
      clock_ms += (3_600_000 * SHARE) / rounds
      for (const work of works) {
        // Evenly over the hour.
        for (; work.done < Math.ceil((work.times * (round + 1)) / rounds); work.done++)
          await work.run(work.done).catch((error: ApiError) => {
            if (error.code !== 4220 || !error.text?.includes('滿了')) throw error
          })
      }
      if (round % 20 === 0)
        expect(
          await neighbours(JSON.stringify({ symbol: 'MXF1!', action: 'buy', qty: 1, price: round + 1 })),
        ).toBe(200)
    }
    await server.app.notifier.catchUp()
    await settled()
    server.app.room.wrote(`p:${uid}`, 1)
    await server.app.room.lookAtAll()
    await server.app.erasures.settled()
  }

  async function within(person: Person, before: number): Promise<void> {
    const used = await person.call(readUsage, {})
    expect(used.message_bytes.used).toBeLessThanOrEqual(MESSAGES_PER_OWNER_BYTES * SHARE)
    expect(used.refused_bytes.used).toBeLessThanOrEqual(REFUSED_PER_OWNER_BYTES * SHARE)
    expect(used.answer_bytes.used).toBeLessThanOrEqual(ANSWERS_PER_ACCOUNT_BYTES * SHARE)
    expect(used.events.used).toBeLessThanOrEqual(EVENTS_PER_OWNER * SHARE)
    for (const [table, kept] of Object.entries(TABLES))
      if (kept.bound === 'trimmed')
        expect([table, await rowsOf(kept, table, person.uid)]).toEqual([
          table,
          expect.toSatisfy((rows: number) => rows <= Math.max(Math.ceil(kept.most * SHARE), 100)),
        ])
    const bytes = (await stored()) - before
    console.info(
      `${engine}: ${(bytes / 1024 ** 2).toFixed(1)} MB of ${((HOUR_BYTES * SHARE) / 1024 ** 2).toFixed(1)} MB`,
    )
    expect(bytes).toBeLessThan(HOUR_BYTES * SHARE + BASE_BYTES)
  }

  test('an hour of one account', { timeout: sized(120_000, 3_600_000) }, async () => {
    const attacker = await signUp(server, '攻擊的人')
    const before = await stored()
    const { own, strategy } = await attacks(attacker, {})
    await anHour(attacker, [
      {
        ...own,
        names: [CALLS / 4, (n) => attacker.call(updateName, { name: `名字 ${n}` })],
      },
    ])
    await within(attacker, before)
    // What stays whole: the record, the strategy, the sign-in.
    const { chain_head } = await attacker.call(getStrategy, { id: strategy.id })
    const { count } = await server.app.db
      .selectFrom('signals')
      .select(({ fn }) => fn.countAll().as('count'))
      .where('strategy_id', '=', strategy.id)
      .executeTakeFirstOrThrow()
    expect(Number(count)).toBe(chain_head.chain_seq)
    expect(chain_head.chain_seq).toBeGreaterThanOrEqual(MESSAGES + MANUAL)
    expect((await attacker.call(listSessions, {})).length).toBeGreaterThan(0)
  })

  test('an hour of a person with as many organizations as allowed', {
    timeout: sized(120_000, 3_600_000),
  }, async () => {
    const [attacker, member] = [await signUp(server, '帶很多組織的人'), await signUp(server, '成員')]
    const before = await stored()
    const organizations: string[] = []
    for (let n = 0; n < ORGANIZATIONS_LED; n++)
      organizations.push((await attacker.call(createOrganization, { name: `社 ${n}` })).id)
    const attacked = organizations.slice(0, sized(2, ORGANIZATIONS_LED))
    await anHour(attacker, await Promise.all(attacked.map((id) => attacksOn(id, attacker, member))))
    await within(attacker, before)
    // What the organizations use is the person's, and each shows its part of it.
    const whole = await attacker.call(readUsage, {})
    let records = 0
    for (const id of organizations)
      records += (await attacker.call(readOrganizationUsage, { id }, { 'lb-org-id': id })).records
    expect(records).toBe(whole.records)
  })
})
