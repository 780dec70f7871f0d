// What waits to be sent, laid over a strategy: each entry's own move, what stands at the end, and no value that nobody confirmed.
import { describe, expect, test } from 'vitest'
import type { OutboxRow } from '#contract/outbox.ts'
import type { SignalRecord } from '#contract/signal.ts'
import type { Strategy } from '#contract/strategy.ts'
import { foldTerms, foreseenAll, metBy, withPendingSignals } from '#data/nouns/foreseen.ts'
import { entryOf } from '#data/nouns/manual.ts'
import { unvalued } from '#text/signal.ts'
import { positionOf } from '#trading/fold/state.ts'
import { averageOf } from '#trading/fold/step.ts'
import { fold } from '#trading/fold.ts'
import type { Facts } from '#trading/record.ts'
import { tables } from '#trading/tables.ts'
import { record } from '../../trading/records.ts'

const NOW = '2026-11-20T02:00:00.000Z'
const stocks = (positions: Strategy['positions']) =>
  ({
    id: 's1',
    kind: 'stock',
    direction: 'long',
    allow_pyramiding: true,
    allow_reversal: true,
    quantity_mode: 'signal',
    default_quantity: 1,
    max_position: 10,
    slippage_ticks: 0,
    initial_capital: 1_000_000,
    on_symbol_mismatch: 'reject',
    late_after_s: 120,
    updated_at: NOW,
    signal_count: 3,
    positions,
    settings: {
      symbols: [],
      unit: 'board_lot',
      commission_rate: 0.001425,
      commission_discount: 0.6,
      min_fee: 20,
      odd_lot_min_fee: 1,
      allow_day_trade: false,
    },
  }) as unknown as Strategy

const held = (symbol: string, quantity: number): Strategy['positions'][number] => ({
  symbol,
  symbol_name: symbol,
  contract: null,
  quantity,
  avg_price: 1_000,
  ref_price: 1_010,
  ref_at: NOW,
  unrealised_pnl: 9_000,
})

const entry = (key: string, action: string, symbol: string, quantity: number | null): OutboxRow =>
  ({
    key,
    endpoint: 'signal.manual-stock',
    params: { strategy_id: 's1' },
    body: { action, symbol, quantity, unit: 'board_lot', price: 1_020, occurred_at: NOW },
    created_at: NOW,
  }) as unknown as OutboxRow

const around = (strategy: Strategy, records: readonly SignalRecord[]) => ({
  terms: foldTerms(strategy, [], tables()),
  now: NOW,
  records,
})

describe('what waits', () => {
  const strategy = stocks([held('2330', 2_000), held('2603', 1_000)])
  const waiting = [
    entry('a', 'long_entry', '2330', 1),
    entry('b', 'long_exit', ' 2330', 2),
    entry('c', 'long_exit', '2454', null),
  ]

  test('each row tells its own move, in order; what will do nothing says why', () => {
    const { each } = foreseenAll(strategy, waiting, around(strategy, []))
    const moves = [...each].map(([key, one]) => [key, one.position_before, one.position_after])
    expect(moves).toEqual([
      ['a', 2_000, 3_000],
      ['b', 3_000, 1_000],
      ['c', 0, 0],
    ])
    expect(each.get('c')?.none_reason).toBeTruthy()
  })

  test('the position after it has no value and says why; the others keep theirs', () => {
    const { positions, signal_count } = withPendingSignals(strategy, waiting, [], tables(), [])
    expect(signal_count).toBe(6)
    const said = new Map(positions.map((one) => [one.symbol, one]))
    expect(said.get('2330')).toMatchObject({ quantity: 1_000, unrealised_pnl: null })
    expect(unvalued(said.get('2330') as (typeof positions)[number])).toBe('含待送出的訊號')
    expect(said.get('2603')).toEqual(held('2603', 1_000))
  })

  test('a position that the server knows keeps its own reason', () => {
    expect(unvalued({ ...held('2330', 1_000), unrealised_pnl: null })).toBe('沒有報價')
    expect(unvalued({ avg_price: null, unrealised_pnl: null })).toBe('進場價還沒確定')
  })

  test('nothing of it waits: the same object', () => {
    expect(withPendingSignals(strategy, [], [], tables(), [])).toBe(strategy)
  })
})

describe('what waits from earlier (補一筆)', () => {
  /** Records as the server tells them, folded from these facts. */
  const told = (facts: readonly Facts[], strategy: Strategy): SignalRecord[] => {
    const { derived } = fold(facts, foldTerms(strategy, [], tables()))
    return facts.map((one) => ({ ...one, derived: derived.get(one.id) }) as unknown as SignalRecord)
  }
  const SHARES = { asset: 'stock', symbol: '2330', contract: null, unit: 'share' } as const
  const at = (minutes: number) => new Date(Date.parse(NOW) - minutes * 60_000).toISOString()
  const missing = (minutes: number, quantity: number) => {
    const row = entry('m', 'buy', '2330', quantity)
    return { ...row, body: { ...row.body, occurred_at: at(minutes) } } as OutboxRow
  }
  const first = record(1, 'buy', 1_000, 1_000, { ...SHARES, occurred_at: at(30) })

  test('before a report of where the source stands: the position of then, and what stands at the end stays', () => {
    const report = record(2, 'target', null, 1_030, {
      ...{ ...SHARES, occurred_at: at(10), target_position: 3_000, reported_prev: 2_000 },
    })
    const strategy = stocks([{ ...held('2330', 3_000), avg_price: 1_020 }])
    const records = told([first, report], strategy)
    const waiting = [missing(20, 1)]
    const { each } = foreseenAll(strategy, waiting, around(strategy, records))
    expect(each.get('m')).toMatchObject({ position_before: 1_000, position_after: 2_000, effect: 'add' })
    // (1,000 + 1,020 + 1,030) ÷ 3
    expect(withPendingSignals(strategy, waiting, [], tables(), records).positions).toMatchObject([
      { symbol: '2330', quantity: 3_000, avg_price: 1_016.6667 },
    ])
    // taken as if it came last it would have been bought onto what the source has already
    expect(withPendingSignals(strategy, waiting, [], tables(), []).positions).toMatchObject([
      { quantity: 4_000 },
    ])
  })

  test('before an ordinary signal it stays part of what is held; one that came after it is folded onto both', () => {
    const exit = record(2, 'sell', 1_000, 1_040, { ...SHARES, occurred_at: at(10) })
    const strategy = stocks([])
    const records = told([first, exit], strategy)
    const now = { ...entry('n', 'long_exit', '2330', 1) }
    const { each, open } = foreseenAll(strategy, [missing(20, 2), now], around(strategy, records))
    expect([...each].map(([key, one]) => [key, one.position_before, one.position_after])).toEqual([
      ['m', 1_000, 3_000],
      ['n', 2_000, 1_000],
    ])
    expect(open.map(positionOf)).toEqual([1_000])
  })

  test('records that do not lead to what is held, and voided ones, are not built upon', () => {
    const exit = record(2, 'sell', 1_000, 1_040, { ...SHARES, occurred_at: at(10) })
    const strategy = stocks([held('2330', 5_000)])
    const records = told([first, exit], strategy)
    const { each } = foreseenAll(strategy, [missing(20, 1)], around(strategy, records))
    expect(each.get('m')).toMatchObject({ position_before: 5_000, position_after: 6_000 })
  })

  // domain §7.6: live preview of the position and the result (case F4)
  test('an entry of an earlier moment meets the position of then: what was closed since is still held', () => {
    const exit = record(2, 'sell', 1_000, 1_040, { ...SHARES, occurred_at: at(10) })
    const strategy = stocks([])
    const records = told([first, exit], strategy)
    const met = (minutes: number, waiting: OutboxRow[] = []) => {
      const one = { ...entryOf(entry('x', 'buy', '2330', 1)), occurred_at: at(minutes) }
      const open = metBy(one, strategy, waiting, around(strategy, records))
      return [positionOf(open[0]), averageOf(open[0] ?? null)]
    }
    expect([met(0), met(20), met(40)]).toEqual([
      [0, null],
      [1_000, 1_000],
      [0, null],
    ])
    // what waits from before it, too
    expect(met(20, [missing(25, 1)])).toEqual([2_000, 1_010])
  })
})
