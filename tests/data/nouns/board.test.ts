// What the first screen takes from the device's records, and what it leaves to the server's last answer.
import { describe, expect, test } from 'vitest'
import type { Dashboard } from '#contract/dashboard.ts'
import type { SignalRecord } from '#contract/signal.ts'
import type { Strategy } from '#contract/strategy.ts'
import { boardOnDevice, following, newsOf } from '#data/nouns/board.ts'

let n = 0
const record = (trading_date: string, over: object = {}, derived: object = {}) =>
  ({
    id: `r${++n}`,
    source: 'webhook',
    trading_date,
    occurred_at: `${trading_date}T02:00:00.000Z`,
    symbol: 'MXF',
    symbol_name: '小台',
    contract: 'C1',
    price: 46_500,
    flags: [],
    chain_seq: n,
    ...over,
    derived: { status: 'ok', effect: 'close', realised_pnl: 100, position_after: 0, ...derived },
  }) as unknown as SignalRecord
const board = (over: object = {}) =>
  ({
    today: { trading_date: '2026-11-19', signal_count: 9, realised_pnl: 900 },
    month: { realised_pnl: 9_000, sparkline: [9_000] },
    latest: [],
    strategies: [],
    open_strategy_count: 0,
    reads_from: null,
    ...over,
  }) as unknown as Dashboard
const NONE = new Set<string>()
const NOON = '2026-11-20T04:00:00.000Z'

describe('the board of the device', () => {
  test('a day that turned while nobody answered is a new day', () => {
    const items = [record('2026-11-20'), record('2026-11-20', { source: 'void' }), record('2026-11-19')]
    const { board: now } = boardOnDevice(board(), { items, complete: true, total_known: 3 }, NONE, NOON)
    expect(now.today).toEqual({ trading_date: '2026-11-20', signal_count: 1, realised_pnl: 100 })
    expect(now.month.realised_pnl).toBe(300)
    expect(now.month.sparkline.slice(-3)).toEqual([0, 100, 300])
    expect(now.latest).toHaveLength(2)
  })

  test('a holiday only the server knows is not gone back behind', () => {
    const monday = board({ today: { trading_date: '2026-11-23', signal_count: 0, realised_pnl: 0 } })
    const { board: now } = boardOnDevice(monday, { items: [], complete: true, total_known: 0 }, NONE, NOON)
    expect(now.today.trading_date).toBe('2026-11-23')
  })

  test('on a closed day the last session stands there, whatever the answer of the evening before said', () => {
    const saturday = '2026-11-21T04:00:00.000Z'
    const held = { items: [record('2026-11-20'), record('2026-11-19')], complete: true, total_known: 2 }
    const friday = board({ today: { trading_date: '2026-11-23', signal_count: 0, realised_pnl: 0 } })
    const { board: now } = boardOnDevice(friday, held, NONE, saturday)
    expect(now.today).toEqual({ trading_date: '2026-11-20', signal_count: 1, realised_pnl: 100 })
    // of the night before the weekend something came: that is the last session
    const night = { items: [record('2026-11-23'), ...held.items], complete: true, total_known: 3 }
    expect(boardOnDevice(friday, night, NONE, saturday).board.today.trading_date).toBe('2026-11-23')
  })

  test('a device that has nothing yet tells the day by what came with the answer', () => {
    const latest = [record('2026-11-19'), record('2026-11-19', {}, { effect: 'open', realised_pnl: null })]
    const two = board({ latest, today: { trading_date: '2026-11-19', signal_count: 2, realised_pnl: 100 } })
    const nothing = { items: [], complete: false, total_known: 0 }
    const { board: now, day } = boardOnDevice(two, nothing, NONE, '2026-11-19T05:00:00.000Z')
    expect(now.today).toEqual(two.today)
    expect([day.signal_count, day.opened, day.closed, day.line]).toEqual([2, 1, 1, [100, 100]])
    // of nine signals these are a part, and the page can tell
    const nine = boardOnDevice(board({ latest }), nothing, NONE, '2026-11-19T05:00:00.000Z')
    expect(nine.day.signal_count).toBeLessThan(nine.board.today.signal_count)
  })

  test('figures reach back only as far as the records do', () => {
    const few = { items: [record('2026-11-20')], complete: true, total_known: 4_000 }
    expect(boardOnDevice(board(), few, NONE, NOON).board.today.signal_count).toBe(9)
    const today = { items: [record('2026-11-20'), record('2026-11-02')], complete: false, total_known: 5_000 }
    const { board: now } = boardOnDevice(board(), today, NONE, NOON)
    expect([now.today.signal_count, now.month.realised_pnl]).toEqual([1, 9_000])
  })

  test("a month of which only the last days may be read stays the server's: it is over the whole record", () => {
    const items = [record('2026-11-20', { chain_seq: 90 })]
    const held = { items, complete: true, total_known: 1 }
    const monthOf = (over: object) => boardOnDevice(board(over), held, NONE, NOON).board.month.realised_pnl
    expect(monthOf({ reads_from: null })).toBe(100)
    // November begins with the night of Friday 30 October
    expect(monthOf({ reads_from: '2026-10-30' })).toBe(100)
    expect(monthOf({ reads_from: '2026-10-31' })).toBe(9_000)
    expect(monthOf({ reads_from: '2026-11-18' })).toBe(9_000)
    expect(monthOf({ reads_from: undefined }), 'kept by a device before the server said so').toBe(9_000)
  })

  test("the sum of a member's first day is the server's, the count is the list's", () => {
    const held = { items: [record('2026-11-20')], complete: true, total_known: 1 }
    const todayOf = (reads_from: string, trading_date = '2026-11-20') => {
      const today = { trading_date, signal_count: 9, realised_pnl: 900 }
      const { signal_count, realised_pnl } = boardOnDevice(board({ reads_from, today }), held, NONE, NOON)
        .board.today
      return [signal_count, realised_pnl]
    }
    expect(todayOf('2026-11-20')).toEqual([1, 900])
    expect(todayOf('2026-11-19'), 'its night session began on that day').toEqual([1, 100])
    expect(todayOf('2026-11-20', '2026-11-19'), 'an answer of another day').toEqual([1, 100])
  })

  test('money that an organization keeps to itself stays untold', () => {
    const hidden = board({
      today: { trading_date: '2026-11-20', signal_count: 0, realised_pnl: null },
      month: { realised_pnl: null, sparkline: [] },
    })
    const held = { items: [record('2026-11-20')], complete: true, total_known: 1 }
    const { board: now } = boardOnDevice(hidden, held, NONE, NOON)
    expect(now.today).toEqual({ trading_date: '2026-11-20', signal_count: 1, realised_pnl: null })
    expect(now.month).toEqual({ realised_pnl: null, sparkline: [] })
  })
})

test('where the record is not whole, each newer signal tells the position it left', () => {
  const strategy = {
    settings: { contract_rule: 'near' },
    chain_head: { chain_seq: 0 },
    last_signal: null,
    positions: [{ symbol: 'MXF', contract: 'C1', quantity: 2, unrealised_pnl: 500 }],
  } as unknown as Strategy
  const held = record('2026-11-20', {}, { position_after: -1, avg_price_after: 46_400, price_used: 46_500 })
  const moved = following(strategy, newsOf(strategy, [held]))
  expect(moved.positions).toMatchObject([{ quantity: -1, avg_price: 46_400, unrealised_pnl: null }])
  const voided = record('2026-11-20', {}, { status: 'voided' })
  expect(following(strategy, [voided]).positions).toEqual(strategy.positions)
  expect(following(strategy, [record('2026-11-20')]).positions).toEqual([])
})
