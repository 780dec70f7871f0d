// A position left open in a month that is over: flagged, proposed, and closed only by somebody who fills in the settlement price.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { exportSignals, getSignal, strategyChain, voidSignal } from '#contract/signal.ts'
import { getStatistics } from '#contract/statistics.ts'
import {
  getStrategy,
  listStrategies,
  type Strategy,
  settleExpiry,
  updateStrategy,
} from '#contract/strategy.ts'
import { checkExport } from '#server/signal/proof.ts'
import { type Desk, openDesk, refused } from '../support/desk.ts'
import { describeEngines } from '../support/engines.ts'
import { recordsOf } from '../support/record.ts'
import { openStream } from '../support/stream.ts'
import { noHolidays } from '../support/ten-trades.ts'

const taipei = (local: string) => Date.parse(`${local.replace(' ', 'T')}+08:00`)
const ENTERED = taipei('2026-11-10 09:00:00')
const END = '2026-11-18T05:30:00.000Z'
const AFTER = taipei('2026-11-18 13:30:01')

describeEngines('expiry', (engine) => {
  let desk: Desk
  let now = ENTERED
  beforeAll(async () => {
    desk = await openDesk({ engine, overrides: { now: () => now } })
    noHolidays(desk.server)
  })
  beforeEach(() => {
    now = ENTERED
  })
  afterAll(() => desk.server.close())

  const month = (over: Record<string, unknown> = {}) =>
    desk.make({
      settings: {
        product_code: 'MXF',
        contract_rule: 'month',
        contract_month: '202611',
        fee_per_side: 25,
        ...over,
      },
      initial_capital: 500_000,
    })
  const say = (strategy: Strategy, over: Record<string, unknown> = {}) =>
    desk.hook(strategy, {
      symbol: 'MXF202611',
      action: 'long_entry',
      quantity: 2,
      price: 22_000,
      time: new Date(now).toISOString(),
      ...over,
    })
  const read = ({ id }: Strategy) => desk.person.call(getStrategy, { id })
  const settle = ({ id }: Strategy, over: Record<string, unknown> = {}) =>
    desk.person.call(settleExpiry, { id, contract: '202611', settlement_price: 22_100, ...over })

  test('flagged from the end on, never closed by itself; the price closes it at 13:30 of the last day', async () => {
    const strategy = await month()
    await say(strategy)
    now = Date.parse(END)
    expect(await read(strategy)).toMatchObject({ warnings: [], positions: [{ quantity: 2 }] })
    now = AFTER
    const left = await read(strategy)
    expect(left).toMatchObject({
      warnings: ['expired'],
      positions: [{ quantity: 2 }],
      expiries: [
        {
          symbol: 'MXF',
          symbol_name: '小台',
          contract: '202611',
          quantity: 2,
          avg_price: 22_000,
          ended_at: END,
        },
      ],
    })
    expect((await desk.person.call(listStrategies, {})).items[0]).toMatchObject({ warnings: ['expired'] })

    now = taipei('2026-11-20 10:00:00')
    const stream = await openStream(desk.server, desk.person.token)
    const record = await settle(strategy)
    expect(record).toMatchObject({
      source: 'system',
      action: 'close_all',
      symbol: 'MXF',
      contract: '202611',
      price: 22_100,
      occurred_at: END,
      received_at: '2026-11-20T02:00:00.000Z',
      trading_date: '2026-11-18',
      session: 'day',
      symbol_name: '小台',
      flags: [],
      quiet: true,
      created_by: desk.person.uid,
      chain_seq: 2,
      // 100 points × 50 × 2, less four fees of 25 and taxes of 22 a side and lot (22,000 and 22,100 × 50 × 0.00002).
      derived: { effect: 'close', position_before: 2, position_after: 0, realised_pnl: 9_812 },
    })
    const closed = await read(strategy)
    expect(closed).toMatchObject({ warnings: [], positions: [] })
    expect(closed.expiries).toBeUndefined()
    expect(closed.summary).toMatchObject({ trade_count: 1, net_profit: 9_812, max_holding_minutes: 11_790 })
    const { trades } = await desk.person.call(getStatistics, { id: strategy.id })
    expect(trades).toMatchObject([{ exit_at: END, exit_price: 22_100, exit_trading_date: '2026-11-18' }])
    expect((await stream.until(1)).map(({ kind, data }) => [kind, data])).toEqual([['signal', record]])
    await stream.close()
  })

  test('the record stands in lists, in its chain, in both exports, and is proved', async () => {
    const strategy = await month()
    await say(strategy, { action: 'short_entry' })
    now = AFTER
    const record = await settle(strategy, { settlement_price: 22_001.5 })
    const [first, second] = await recordsOf(desk, strategy.id)
    expect(second).toEqual(record)
    expect(second?.prev_hash).toBe(first?.hash)
    const one = await desk.person.call(getSignal, { id: record.id })
    expect(one).toMatchObject({ delivery: null, timeline: { fired_at: END, clock_ahead: false } })
    const { items, head } = await desk.person.call(strategyChain, { id: strategy.id })
    expect([items[1]?.hash, head?.hash]).toEqual([record.hash, record.hash])
    const file = async (format: 'csv' | 'json') => {
      const headers = { authorization: `Bearer ${desk.person.token}` }
      const path = exportSignals.path.replace(':id', strategy.id)
      return (await desk.server.request(`/api/v1${path}?format=${format}`, { headers })).text()
    }
    const line = (await file('csv')).split('\r\n')[2]
    for (const cell of [
      '2026-11-18 13:30:00.000',
      '系統',
      '202611',
      '全部平倉',
      '平倉',
      '22001.5',
      '以最後結算價',
    ])
      expect(line).toContain(cell)
    expect(checkExport(await file('json'))).toMatchObject({ ok: true })
  })

  test('a second time there is nothing left open: refused with a sentence, nothing stored', async () => {
    const strategy = await month()
    await say(strategy)
    now = AFTER
    const both = await Promise.allSettled([settle(strategy), settle(strategy), settle(strategy)])
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const error = await refused(settle(strategy, { settlement_price: 1 }))
    expect([error.code, error.text]).toEqual([4220, expect.stringContaining('沒有留下未平倉的部位')])
    expect(await recordsOf(desk, strategy.id)).toHaveLength(2)
  })

  test('refused: still trading, another month, no such month, a wrong price, stock, others', async () => {
    const strategy = await month()
    await say(strategy)
    const why = async (over: Record<string, unknown>, of = strategy) => {
      const error = await refused(settle(of, over))
      return [error.code, error.details.fields ?? error.text]
    }
    now = Date.parse(END)
    expect(await why({})).toEqual([4220, '202611 還在交易，2026/11/18 13:30 到期之後才能以結算價平倉'])
    now = AFTER
    expect(await why({ contract: '202612' })).toEqual([4220, expect.stringContaining('還在交易')])
    expect(await why({ contract: '202610' })).toEqual([4220, expect.stringContaining('沒有留下')])
    expect(await why({ symbol: 'TXF' })).toEqual([4220, expect.stringContaining('大台 202611 沒有留下')])
    expect(await why({ contract: '202602W5' })).toEqual([4220, { contract: '沒有這個合約月份' }])
    // What is no month has no address.
    expect((await why({ contract: 'C1' }))[0]).toBe(4040)
    for (const settlement_price of [0, -1, 1.00001, 10_000_000])
      expect((await why({ settlement_price }))[0]).toBe(4220)
    const stock = await desk.make({ kind: 'stock', settings: {} })
    expect(await why({}, stock)).toEqual([4220, expect.stringContaining('股票')])
    const { id } = strategy
    const foreign = { id, contract: '202611', settlement_price: 22_100 }
    expect((await refused(desk.stranger.call(settleExpiry, foreign))).code).toBe(4040)
    expect(await read(strategy)).toMatchObject({ warnings: ['expired'], positions: [{ quantity: 2 }] })
  })

  test('an entry of the very end is not closed at the end: it has to be voided first', async () => {
    const strategy = await month()
    await say(strategy)
    now = Date.parse(END)
    const entry = await say(strategy, { quantity: 1 })
    now = AFTER
    expect((await refused(settle(strategy))).text).toBe(
      '有 1 筆進場發生在 202611 到期（2026/11/18 13:30）之後，結算價平不掉：請先作廢那幾筆',
    )
    await desk.person.call(voidSignal, { id: entry.signal_id as string, reason: '到期後的進場' })
    expect(await settle(strategy)).toMatchObject({ derived: { position_before: 2, position_after: 0 } })
  })

  test('two products in one month are told apart by their symbol', async () => {
    const strategy = await month()
    await desk.person.call(updateStrategy, { id: strategy.id, on_symbol_mismatch: 'accept' })
    await say(strategy)
    await say(strategy, { symbol: 'TXF202611', quantity: 1 })
    now = AFTER
    expect((await read(strategy)).expiries?.map(({ symbol, quantity }) => [symbol, quantity])).toEqual([
      ['MXF', 2],
      ['TXF', 1],
    ])
    expect((await refused(settle(strategy))).details.fields?.['symbol']).toContain('MXF、TXF')
    expect(await settle(strategy, { symbol: 'txf' })).toMatchObject({
      symbol: 'TXF',
      derived: { effect: 'close' },
    })
    expect((await read(strategy)).expiries).toMatchObject([{ symbol: 'MXF' }])
    expect(await settle(strategy)).toMatchObject({ symbol: 'MXF' })
    expect(await read(strategy)).toMatchObject({ warnings: [], positions: [] })
  })

  test('near: continuous positions roll on; one whose last word was a month that ended is left in it', async () => {
    const near = { contract_rule: 'near', contract_month: null }
    const [rolling, stuck] = [await month(near), await month(near)]
    await say(rolling, { symbol: 'MXF1!' })
    await say(stuck)
    now = AFTER
    expect((await read(rolling)).warnings).toEqual([])
    expect(await read(stuck)).toMatchObject({
      warnings: ['expired'],
      positions: [{ contract: 'C1' }],
      expiries: [{ contract: '202611' }],
    })
    expect((await refused(settle(rolling))).text).toContain('沒有留下')
    expect(await settle(stuck)).toMatchObject({ derived: { effect: 'close', position_after: 0 } })
    expect(await read(stuck)).toMatchObject({ warnings: [], positions: [] })
  })

  test('a message from before the end that comes later is folded in before it; a voided settlement opens the question again', async () => {
    const strategy = await month()
    await say(strategy)
    now = AFTER
    const record = await settle(strategy)
    await say(strategy, { action: 'long_exit', quantity: 1, time: '2026-11-17T02:00:00.000Z' })
    const [, settled, late] = await recordsOf(desk, strategy.id)
    expect(late?.derived).toMatchObject({ effect: 'reduce', position_after: 1 })
    expect(settled?.derived).toMatchObject({ effect: 'close', position_before: 1, position_after: 0 })
    await desk.person.call(voidSignal, { id: record.id, reason: '結算價打錯' })
    expect(await read(strategy)).toMatchObject({ warnings: ['expired'], expiries: [{ quantity: 1 }] })
    expect(await settle(strategy, { settlement_price: 22_050 })).toMatchObject({ price: 22_050 })
    expect((await read(strategy)).positions).toEqual([])
  })

  test('read anew after a restart: memory gone, the same is left open', async () => {
    const strategy = await month()
    await say(strategy)
    now = AFTER
    desk.server.app.fold_cache.clear()
    expect((await read(strategy)).warnings).toEqual(['expired'])
    desk.server.app.fold_cache.clear()
    expect(await settle(strategy)).toMatchObject({ derived: { effect: 'close' } })
    desk.server.app.fold_cache.clear()
    expect((await read(strategy)).warnings).toEqual([])
  })
})
