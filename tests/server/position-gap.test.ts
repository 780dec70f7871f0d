// A position that the source reported differently (domain §5.3, rule 6; wire §14): what is told, and what each answer leaves behind.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { getDashboard } from '#contract/dashboard.ts'
import { uuidv7 } from '#contract/ids.ts'
import { exportSignals, sendManualFutures, voidSignal } from '#contract/signal.ts'
import { getStatistics } from '#contract/statistics.ts'
import {
  answerGap,
  createStrategy,
  getStrategy,
  type Strategy,
  type StrategyInput,
} from '#contract/strategy.ts'
import { checkExport } from '#server/signal/proof.ts'
import { type Desk, openDesk, refused } from '../support/desk.ts'
import { describeEngines } from '../support/engines.ts'
import { giveStrategy, insertGroup, insertMember, insertOrganization } from '../support/organizations.ts'
import { signUp } from '../support/people.ts'
import { recordsOf } from '../support/record.ts'
import { noHolidays } from '../support/ten-trades.ts'

const START = Date.parse('2026-11-20T09:15:00+08:00')

describeEngines('position gaps', (engine) => {
  let desk: Desk
  let now = START
  beforeAll(async () => {
    desk = await openDesk({ engine, overrides: { now: () => now } })
    noHolidays(desk.server)
  })
  beforeEach(() => {
    now = START
  })
  afterAll(() => desk.server.close())

  const mtx = () => desk.make({ settings: { product_code: 'MXF', fee_per_side: 25 } })
  /** TradingView's own words: where it stood, where it stands. */
  const report = (strategy: Strategy, prev: number, to: number, price: number, symbol = 'MXF1!') => {
    now += 60_000
    return desk.hook(strategy, {
      ...{ symbol, action: to > prev ? 'buy' : 'sell', contracts: Math.abs(to - prev), price },
      ...{ position_size: to, prev_market_position: prev > 0 ? 'long' : 'flat' },
      ...{ prev_market_position_size: prev, timenow: new Date(now).toISOString() },
    })
  }
  /** 平台 1 / 來源 2: a buy at 22,050 between the two was never heard of. */
  const missed = async () => {
    const strategy = await mtx()
    await report(strategy, 0, 1, 22_000)
    const between = new Date(now + 30_000).toISOString()
    const { signal_id } = await report(strategy, 2, 3, 22_100)
    return { strategy, signal_id: signal_id as string, between, at: new Date(now).toISOString() }
  }
  const read = ({ id }: Strategy) => desk.person.call(getStrategy, { id })
  const answer = ({ id }: Strategy, signal_id: string, said: 'add' | 'source' | 'ignore') =>
    desk.person.call(answerGap, { id, signal_id, answer: said })
  const asked = async ({ id }: Strategy) => {
    const { todos } = await desk.person.call(getDashboard, {})
    return todos.some(({ kind, link }) => kind === 'position_gap' && link.includes(id))
  }
  /** How many strategies ask. */
  const asking = async () =>
    (await desk.person.call(getDashboard, {})).todos.find(({ kind }) => kind === 'position_gap')?.count ?? 0

  test('a source that says 近月 and one that says the month are about one position: a fitting report of either ends the question', async () => {
    const strategy = await mtx()
    await report(strategy, 0, 1, 22_000)
    await report(strategy, 2, 3, 22_100)
    expect(await asked(strategy)).toBe(true)
    await report(strategy, 3, 2, 22_150, 'MXF202612')
    expect((await desk.records(strategy))[0]).toMatchObject({
      contract: '202612',
      flags: expect.not.arrayContaining(['position_gap']),
    })
    expect(await asked(strategy)).toBe(false)
    expect((await read(strategy)).position_gaps).toBeUndefined()
  })

  test('domain §5.3, rule 6: keep going with the target, flag on the signal, asked on the strategy (平台 1 / 來源 2)', async () => {
    const { strategy, signal_id, at } = await missed()
    expect(await read(strategy)).toMatchObject({
      warnings: ['position_gap'],
      positions: [{ symbol: 'MXF', quantity: 3 }],
      position_gaps: [
        {
          ...{ signal_id, symbol: 'MXF', contract: 'C1', occurred_at: at },
          ...{ reported: 2, held: 1, after: 3, answer: null },
        },
      ],
    })
    const records = await recordsOf(desk, strategy.id)
    expect(records.map(({ flags }) => flags.includes('position_gap'))).toEqual([false, true])
    expect(await asked(strategy)).toBe(true)
  })

  test.each(['source', 'ignore'] as const)('%s: only the mark, by name and time; no record', async (said) => {
    const { strategy, signal_id } = await missed()
    const before = await read(strategy)
    expect(await answer(strategy, signal_id, said)).toBeNull()
    const after = await read(strategy)
    expect(after.position_gaps).toEqual([
      { ...before.position_gaps?.[0], answer: { is: said, at: new Date(now).toISOString(), by: '王小明' } },
    ])
    expect(after.warnings).toEqual([])
    expect([after.chain_head, after.positions]).toEqual([before.chain_head, before.positions])
    expect(await asked(strategy)).toBe(false)
    expect((await desk.told(strategy.id)).at(-1)).toEqual({ id: strategy.id, change: 'updated' })
    // the flag belongs to what was reported, and stays
    expect((await recordsOf(desk, strategy.id)).at(-1)?.flags).toContain('position_gap')
  })

  test('the last answer counts, the one before stays in the table, the same twice is one', async () => {
    const { strategy, signal_id } = await missed()
    for (const said of ['ignore', 'ignore', 'source', 'source'] as const)
      await answer(strategy, signal_id, said)
    expect((await read(strategy)).position_gaps?.[0]?.answer?.is).toBe('source')
    const rows = await desk.server.app.db
      .selectFrom('gap_answers')
      .select('answer')
      .where('strategy_id', '=', strategy.id)
      .orderBy('id')
      .execute()
    expect(rows).toEqual([{ answer: 'ignore' }, { answer: 'source' }])
  })

  test('an answer is to one report: the next that does not fit asks again, one that fits ends both', async () => {
    const { strategy, signal_id } = await missed()
    await answer(strategy, signal_id, 'ignore')
    const { signal_id: again } = await report(strategy, 5, 6, 22_200)
    expect(await read(strategy)).toMatchObject({
      warnings: ['position_gap'],
      position_gaps: [
        { signal_id: again, reported: 5, held: 3, answer: null },
        { signal_id, answer: { is: 'ignore' } },
      ],
    })
    await report(strategy, 6, 7, 22_300)
    const fits = await read(strategy)
    expect([fits.warnings, fits.position_gaps]).toEqual([[], undefined])
  })

  test('several that nobody answered: each is asked until each is answered, the newest first, ten at most', async () => {
    const { strategy, signal_id } = await missed()
    const { signal_id: second } = await report(strategy, 5, 6, 22_200)
    const asked_for = await asking()
    const ids = async () => (await read(strategy)).position_gaps?.map((gap) => gap.signal_id)
    expect(await ids()).toEqual([second, signal_id])
    await answer(strategy, second as string, 'ignore')
    expect([(await read(strategy)).warnings, await asking()]).toEqual([['position_gap'], asked_for])
    await answer(strategy, signal_id, 'ignore')
    expect([(await read(strategy)).warnings, await asking()]).toEqual([[], asked_for - 1])
    expect((await read(strategy)).position_gaps?.map((gap) => gap.answer?.is)).toEqual(['ignore', 'ignore'])
    const more: unknown[] = []
    for (let n = 0; n < 10; n++)
      more.unshift((await report(strategy, 20 + n * 2, 21 + n * 2, 22_300)).signal_id)
    expect(await ids()).toEqual(more)
  })

  test('what was missing before an older one settles it and leaves the newer', async () => {
    const { strategy, between } = await missed()
    const { signal_id: second } = await report(strategy, 5, 6, 22_200)
    await desk.person.call(sendManualFutures, {
      ...{ strategy_id: strategy.id, id: uuidv7(now, randomBytes(10)), product_code: 'MXF' },
      ...{ action: 'long_entry', quantity: 1, price: 22_050, occurred_at: between, notify: false },
    })
    const left = await read(strategy)
    expect(left.position_gaps?.map((gap) => [gap.signal_id, gap.held])).toEqual([[second, 3]])
  })

  test('a report of one stock that fits leaves the question about another', async () => {
    const strategy = await desk.make({ kind: 'stock', settings: {} } as Partial<StrategyInput>)
    const say = (symbol: string, prev: number, to: number) => {
      now += 60_000
      return desk.hook(strategy, {
        ...{ symbol, action: to > prev ? 'buy' : 'sell', contracts: Math.abs(to - prev), price: 600 },
        ...{ position_size: to, prev_market_position: prev > 0 ? 'long' : 'flat' },
        ...{ prev_market_position_size: prev, timenow: new Date(now).toISOString() },
      })
    }
    await say('2330', 0, 1000)
    const { signal_id } = await say('2330', 2000, 3000)
    await say('2603', 0, 1000)
    await say('2603', 1000, 2000)
    expect((await read(strategy)).position_gaps?.map((gap) => gap.signal_id)).toEqual([signal_id])
    await say('2330', 3000, 4000)
    expect((await read(strategy)).position_gaps).toBeUndefined()
  })

  test('add: nothing is kept; the signal that was missing comes by hand at its time, and all is folded again', async () => {
    const { strategy, signal_id, between } = await missed()
    expect(await answer(strategy, signal_id, 'add')).toBeNull()
    expect((await read(strategy)).warnings).toEqual(['position_gap'])
    await desk.person.call(sendManualFutures, {
      ...{ strategy_id: strategy.id, id: uuidv7(now, randomBytes(10)), product_code: 'MXF' },
      ...{ action: 'long_entry', quantity: 1, price: 22_050, occurred_at: between, notify: false },
    })
    const whole = await read(strategy)
    expect([whole.warnings, whole.position_gaps]).toEqual([[], undefined])
    // (22,000 + 22,050 + 22,100) ÷ 3
    expect(whole.positions).toMatchObject([{ quantity: 3, avg_price: 22_050, unrealised_pnl: 7_500 }])
    expect(whole.chain_head.chain_seq).toBe(3)
  })

  test('source where only the position before was told: a further record leads there, its price is asked for', async () => {
    const strategy = await mtx()
    await report(strategy, 0, 1, 22_000)
    now += 60_000
    const time = new Date(now).toISOString()
    const { signal_id } = await desk.hook(strategy, {
      ...{ symbol: 'MXF1!', action: 'buy', quantity: 1, price: 22_100, time },
      ...{ prev_market_position: 'long', prev_market_position_size: 2 },
    })
    // bought one more, which the source calls its third
    expect((await read(strategy)).positions).toMatchObject([{ quantity: 2 }])
    const made = await answer(strategy, signal_id as string, 'source')
    expect(made).toMatchObject({
      ...{ source: 'manual', action: 'target', target_position: 2, price: null, chain_seq: 3 },
      ...{ occurred_at: new Date(now - 1).toISOString(), created_by: desk.person.uid, quiet: true },
      ...{ note: '部位不一致，以來源為準' },
    })
    const led = await read(strategy)
    expect(led).toMatchObject({ warnings: ['pending_price'], positions: [{ quantity: 3, avg_price: null }] })
    expect(led.position_gaps).toBeUndefined()
    const error = await refused(answer(strategy, signal_id as string, 'source'))
    expect([error.code, error.text]).toEqual([4220, expect.stringContaining('和來源一致')])
    const headers = { authorization: `Bearer ${desk.person.token}` }
    const path = exportSignals.path.replace(':id', strategy.id)
    const file = await (await desk.server.request(`/api/v1${path}?format=json`, { headers })).text()
    expect(checkExport(file)).toMatchObject({ ok: true })
    const { summary } = await desk.person.call(getStatistics, { id: strategy.id })
    expect(summary.trade_count).toBe(0)
  })

  test('refused: one that fits, one that was voided, another strategy’s, a stranger’s, another word', async () => {
    const { strategy, signal_id } = await missed()
    const [first] = await recordsOf(desk, strategy.id)
    const other = await mtx()
    const code = async (of: Strategy, id: string, said: 'source' | 'add' = 'source') =>
      (await refused(answer(of, id, said))).code
    expect(await code(strategy, first?.id as string)).toBe(4220)
    expect(await code(strategy, first?.id as string, 'add')).toBe(4220)
    expect(await code(other, signal_id)).toBe(4040)
    expect(await code(strategy, uuidv7(now, randomBytes(10)))).toBe(4040)
    const foreign = desk.stranger.call(answerGap, { id: strategy.id, signal_id, answer: 'ignore' })
    expect((await refused(foreign)).code).toBe(4040)
    expect((await refused(answer(strategy, signal_id, 'both' as 'add'))).code).toBe(4220)
    await desk.person.call(voidSignal, { id: signal_id, reason: '誤發' })
    expect(await code(strategy, signal_id)).toBe(4220)
    expect((await read(strategy)).warnings).toEqual([])
  })

  test('a member of the organization is told of no mismatch, and answers none', async () => {
    const { db } = desk.server.app
    const organization = await insertOrganization(db, '訊號社')
    await insertMember(db, organization, desk.person.uid, { role: 'admin' })
    const member = await signUp(desk.server, '社員')
    await insertMember(db, organization, member.uid, {})
    const inside = { 'lb-org-id': organization }
    const strategy = await desk.person.call(
      createStrategy,
      { kind: 'futures', name: '給社員看的', settings: { product_code: 'MXF' } } as StrategyInput,
      inside,
    )
    const group = {
      id: await insertGroup(db, organization, '全部', member.uid),
      organization_id: organization,
    }
    const always = { starts_on: '2020-01-01', ends_on: null }
    await giveStrategy(desk.server.app, group, [member.uid, strategy.id], always)
    await report(strategy, 0, 1, 22_000)
    const { signal_id } = await report(strategy, 2, 3, 22_100)
    const own = await desk.person.call(getStrategy, { id: strategy.id }, inside)
    expect([own.warnings, own.position_gaps?.[0]?.signal_id]).toEqual([['position_gap'], signal_id])
    const seen = await member.call(getStrategy, { id: strategy.id }, inside)
    expect([seen.warnings, seen.position_gaps, seen.positions[0]?.quantity]).toEqual([[], undefined, 3])
    const call = member.call(
      answerGap,
      { id: strategy.id, signal_id: signal_id as string, answer: 'ignore' },
      inside,
    )
    expect((await refused(call)).code).toBe(4030)
  })
})
