// What a member of an organization reads: the days of membership, group and strategy decide, everywhere and at once.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getDashboard } from '#contract/dashboard.ts'
import { exportSignals, getSignal, listStrategySignals, signalFeed, strategyChain } from '#contract/signal.ts'
import { getStatistics } from '#contract/statistics.ts'
import {
  createStrategy,
  deleteStrategy,
  getStrategy,
  listStrategies,
  type Strategy,
} from '#contract/strategy.ts'
import { listWebhooks } from '#contract/webhook.ts'
import { endMembership } from '#server/access/membership.ts'
import { inTransaction } from '#server/events/append.ts'
import { newId } from '#server/ids.ts'
import { hookPath, refused } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { giveStrategy, insertMember, insertOrganization } from '#tests/support/organizations.ts'
import { type Person, send, signUp } from '#tests/support/people.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { openStream } from '#tests/support/stream.ts'

/** 10:00 in Taipei on a Friday. */
const START = Date.parse('2026-11-20T02:00:00.000Z')
const BEFORE = '2026-11-18T15:59:59.999Z'
const FIRST_INSTANT = '2026-11-18T16:00:00.000Z'

describeEngines('member access', (engine) => {
  let server: TestServer
  let admin: Person
  let member: Person
  let organization = ''
  let group = ''
  let given: Strategy
  let other: Strategy
  const clock = { now: START }
  const inside = () => ({ 'lb-org-id': organization })
  const db = () => server.app.db

  beforeAll(async () => {
    server = await startServer({ engine, overrides: { now: () => clock.now } })
    admin = await signUp(server, '社長')
    member = await signUp(server, '社員')
    organization = await insertOrganization(db(), '訊號社')
    await insertMember(db(), organization, admin.uid, { role: 'admin' })
    await insertMember(db(), organization, member.uid, { starts_on: '2026-11-01' })
    given = await make('給人的')
    other = await make('不給人的')
    // Flat again before the member's first day, so that its own trades stand alone.
    await fire(given, 'buy', 23_000, '2026-11-17T02:00:00.000Z')
    await fire(given, 'sell', 23_100, BEFORE)
    await fire(given, 'buy', 23_200, FIRST_INSTANT)
    await fire(given, 'sell', 23_250, '2026-11-20T01:30:00.000Z')
    await fire(other, 'buy', 23_000, '2026-11-20T01:30:00.000Z')
    group = newId()
    const at = new Date(START).toISOString()
    await db()
      .insertInto('strategy_groups')
      .values({
        id: group,
        organization_id: organization,
        name: '甲組',
        name_key: '甲組',
        description: '',
        created_at: at,
        updated_at: at,
      })
      .execute()
  })
  afterAll(() => server.close())

  const make = (name: string) =>
    admin.call(createStrategy, { kind: 'futures', name, settings: { product_code: 'TXF' } }, inside())

  async function fire(strategy: Strategy, action: string, price: number, time: string): Promise<void> {
    const body = JSON.stringify({ symbol: 'TXF1!', action, quantity: 1, price, time })
    const answer = await server.request(hookPath(strategy), { method: 'POST', body })
    if (answer.status !== 200) throw new Error(await answer.text())
  }
  const give = (strategy: Strategy, starts_on: string, ends_on: string | null) =>
    giveStrategy(server.app, { id: group, organization_id: organization }, [member.uid, strategy.id], {
      starts_on,
      ends_on,
    })
  const feed = (query: Record<string, unknown> = {}) =>
    member.call(signalFeed, { limit: 100, ...query }, inside())

  test('without a group a member sees nothing of the organization', async () => {
    expect(await feed()).toMatchObject({ items: [], access: [] })
    expect((await member.call(listStrategies, {}, inside())).items).toEqual([])
    for (const call of [getStrategy, getStatistics, strategyChain, listStrategySignals])
      expect((await refused(member.call(call, { id: given.id }, inside()))).code).toBe(4040)
  })

  describe('from its first day on', () => {
    beforeAll(() => give(given, '2026-11-19', '2026-11-30'))

    test('records since that day 00:00 in Taipei, of that strategy only', async () => {
      const { items, access, lease_until } = await feed()
      expect(items.map(({ occurred_at }) => occurred_at)).toEqual([FIRST_INSTANT, '2026-11-20T01:30:00.000Z'])
      expect(access).toEqual([
        { strategy_id: given.id, visible_from: '2026-11-19', valid_until: '2026-11-30', chain_seq: 4 },
      ])
      expect(lease_until).toBe('2026-11-27T02:00:00.000Z')
      const listed = await member.call(listStrategySignals, { id: given.id }, inside())
      expect(listed.items.map(({ chain_seq }) => chain_seq)).toEqual([4, 3])
      expect((await feed({ latest: 'true', limit: 1 })).items[0]?.chain_seq).toBe(4)
    })

    test('one record: seen with its place, without the message it came from; an older one is unknown', async () => {
      const { items } = await admin.call(listStrategySignals, { id: given.id }, inside())
      const by_seq = new Map(items.map((item) => [item.chain_seq, item.id]))
      const seen = await member.call(getSignal, { id: by_seq.get(3) as string }, inside())
      expect(seen).toMatchObject({ chain_seq: 3, delivery: null, delivery_id: null })
      const older = refused(member.call(getSignal, { id: by_seq.get(2) as string }, inside()))
      expect((await older).code).toBe(4040)
    })

    test('the chain and the export begin there, with the hash before as their anchor', async () => {
      const whole = await admin.call(strategyChain, { id: given.id }, inside())
      const part = await member.call(strategyChain, { id: given.id }, inside())
      expect(part.items).toEqual(whole.items.slice(2))
      expect(part.anchor).toBe(whole.items[1]?.hash)
      const answer = await send(
        server,
        exportSignals,
        { id: given.id, format: 'json' },
        {
          ...inside(),
          authorization: `Bearer ${member.token}`,
        },
      )
      const file = (await answer.json()) as { anchor: string; records: { chain_seq: number }[] }
      expect(file.anchor).toBe(whole.items[1]?.hash)
      expect(file.records.map(({ chain_seq }) => chain_seq)).toEqual([3, 4])
    })

    test('figures are of the whole record, trades only those it could follow', async () => {
      const shared = await member.call(getStatistics, { id: given.id }, inside())
      expect(shared).toMatchObject({ basis: 'full', summary: { trade_count: 2 } })
      expect(shared.trades.map(({ entry_price }) => entry_price)).toEqual([23_200])
      const [listed] = (await member.call(listStrategies, {}, inside())).items
      expect(listed).toMatchObject({
        id: given.id,
        access: { visible_from: '2026-11-19', valid_until: '2026-11-30' },
        groups: [{ id: group, name: '甲組' }],
        summary: { trade_count: 2 },
        signal_count: 4,
        can: [],
      })
    })

    test('where the organization keeps its figures, they begin with the access, and money is covered', async () => {
      await db()
        .updateTable('organizations')
        .set({ share_statistics: 0 })
        .where('id', '=', organization)
        .execute()
      const own = await member.call(getStatistics, { id: given.id }, inside())
      expect(own).toMatchObject({ basis: 'visible', summary: { trade_count: 1 }, initial_capital: 500_000 })
      const [listed] = (await member.call(listStrategies, {}, inside())).items
      expect(listed?.summary.trade_count).toBe(1)
      expect(listed?.signal_count).toBe(2)
      expect(listed?.curve.at(-1)).toBe(500_000 + (own.summary.net_profit as number))
      const board = await member.call(getDashboard, {}, inside())
      expect(board).toMatchObject({
        today: { realised_pnl: null },
        month: { realised_pnl: null, sparkline: [] },
      })
      expect((await admin.call(getStatistics, { id: given.id }, inside())).basis).toBe('full')
      await db()
        .updateTable('organizations')
        .set({ share_statistics: 1 })
        .where('id', '=', organization)
        .execute()
    })

    test('nothing of webhooks, and nothing of another strategy', async () => {
      expect((await refused(member.call(listWebhooks, {}, inside()))).code).toBe(4030)
      expect((await refused(member.call(getStrategy, { id: other.id }, inside()))).code).toBe(4040)
    })
  })

  test('a day that passes ends it, without anybody touching anything', async () => {
    await give(given, '2026-11-19', '2026-11-20')
    const today = await feed()
    expect(today.items).toHaveLength(2)
    expect(today.lease_until).toBe('2026-11-27T02:00:00.000Z')
    clock.now = Date.parse('2026-11-20T16:00:00.000Z')
    const tomorrow = await feed({ access_version: today.access_version })
    expect(tomorrow).toMatchObject({ items: [], access: [] })
    expect(tomorrow.access_version).not.toBe(today.access_version)
    clock.now = START
  })

  test('a strategy taken away with its records kept stays readable until the access ends', async () => {
    const gone = await make('會被拿走的')
    await fire(gone, 'buy', 23_000, '2026-11-20T01:00:00.000Z')
    await give(gone, '2026-11-19', null)
    await admin.call(deleteStrategy, { id: gone.id, name: gone.name }, inside())
    expect((await feed({ strategy_id: gone.id })).items).toHaveLength(1)
    expect((await refused(admin.call(getStrategy, { id: gone.id }, inside()))).code).toBe(4040)
  })

  test('one that is erased goes: the member hears through the access, not as a deletion', async () => {
    const gone = await make('會被抹去的')
    await fire(gone, 'buy', 23_000, '2026-11-20T01:00:00.000Z')
    await give(gone, '2026-11-19', null)
    const reader = await openStream(server, member.token)
    await admin.call(deleteStrategy, { id: gone.id, name: gone.name, keep_records: false }, inside())
    const heard = await reader.until(1)
    expect(heard.map(({ kind }) => kind)).toEqual(['membership'])
    expect((await feed()).access).toEqual([])
    await reader.close()
  })

  test('the open stream follows: what is given is heard, the rest is not, and after the end nothing', async () => {
    await give(given, '2026-11-19', null)
    const reader = await openStream(server, member.token)
    await fire(other, 'sell', 23_010, '2026-11-20T01:40:00.000Z')
    await fire(given, 'buy', 23_260, '2026-11-20T01:41:00.000Z')
    const heard = await reader.until(1)
    expect(heard.map(({ kind }) => kind)).toEqual(['signal'])
    expect(heard[0]?.data).toMatchObject({ strategy_id: given.id })

    await give(other, '2026-11-20', null)
    expect((await reader.until(2)).at(-1)).toMatchObject({ kind: 'membership', data: { change: 'groups' } })
    await fire(given, 'sell', 23_270, '2026-11-20T01:42:00.000Z')
    await fire(other, 'buy', 23_020, '2026-11-20T01:43:00.000Z')
    expect((await reader.until(3)).at(-1)).toMatchObject({ kind: 'signal', data: { strategy_id: other.id } })

    // The end and a signal in one breath: the signal belongs to nobody's stream any more.
    let after: Promise<void> = Promise.resolve()
    await inTransaction(server.app, async (tx) => {
      await endMembership(tx, organization, member.uid, 'removed')
      tx.afterCommit(() => {
        after = inTransaction(server.app, (next) =>
          next.append(`o:${organization}`, 'strategy', { id: other.id, change: 'updated' }),
        )
      })
    })
    await after
    await fire(other, 'sell', 23_030, '2026-11-20T01:44:00.000Z')
    expect((await reader.until(4)).at(-1)).toMatchObject({
      kind: 'context-revoked',
      data: { organization_id: organization, reason: 'removed' },
    })
    await new Promise((next) => setTimeout(next, 100))
    expect(reader.events).toHaveLength(4)
    expect((await refused(feed())).code).toBe(4031)
    await reader.close()
  })
})
