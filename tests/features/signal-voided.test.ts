// What was voided keeps its action, in its row and under the filters; and an average is written one way.
import { describe, expect, it } from 'vitest'
import type { SignalRecord } from '#contract/signal.ts'
import { matcher } from '#features/signal/search.ts'
import { averageText, rowOf } from '#text/row.ts'

/** Five lots at 46,541, voided. */
function record(
  change: Partial<Omit<SignalRecord, 'derived'>>,
  derived: Partial<SignalRecord['derived']>,
): SignalRecord {
  return {
    source: 'webhook',
    asset: 'futures',
    symbol: 'TMF',
    symbol_name: '微型臺指期貨',
    contract: '202612',
    action: 'buy',
    quantity: 5,
    unit: 'lot',
    target_position: null,
    reason: null,
    note: null,
    external_id: null,
    price: 46_541,
    trading_date: '2026-11-20',
    occurred_at: '2026-11-20T02:24:00.000Z',
    received_at: '2026-11-20T02:24:00.412Z',
    flags: [],
    ...change,
    derived,
  } as unknown as SignalRecord
}

describe('what was voided', () => {
  // domain §7.5: columns: action, change of the position, amount, price, result, note, state
  it('a voided row keeps its action and change, whatever the message called it', () => {
    const idle = { effect: 'none', none_reason: '已作廢', realised_pnl: null, status: 'voided' } as const
    const voided = (change: Parameters<typeof record>[0], position_before: number) => {
      const row = rowOf(record(change, { ...idle, price_used: null, position_before }), null)
      expect(row).toMatchObject({ price: '46,541', pnl: null, voided: true, states: [{ text: '已作廢' }] })
      return `${row.seal}${row.solid ? '' : '空心'} ${row.action} ${row.before} → ${row.after}`
    }
    const to = (target_position: number) => ({ action: 'target', target_position }) as const
    expect(voided({ action: 'short_exit' }, -5)).toBe('空空心 平倉 −5 → 0')
    expect(voided(to(2), 0)).toBe('多 多單進場 0 → +2')
    expect(voided(to(0), 2)).toBe('多空心 平倉 +2 → 0')
    expect(voided(to(-2), 2)).toBe('空 反手做空 +2 → −2')
    expect(voided(to(3), 2)).toBe('多 加碼 +2 → +3')
    expect(voided({ action: 'buy', quantity: 2 }, 0)).toBe('多 多單進場 0 → +2')
    expect(voided({ action: 'sell', quantity: 1 }, 2)).toBe('多空心 減碼 +2 → +1')
    expect(voided({ action: 'short_entry', quantity: 1 }, 2)).toBe('空 反手做空 +2 → −1')
    expect(voided({ action: 'exit', quantity: 9 }, -2)).toBe('空空心 平倉 −2 → 0')
    expect(voided({ action: 'close_all', quantity: null }, 2)).toBe('多空心 平倉 +2 → 0')
    expect(voided({ action: 'add', quantity: 1 }, -2)).toBe('空 加碼 −2 → −3')
    expect(voided({ action: 'reverse', quantity: null }, -2)).toBe('多 反手做多 −2 → +2')
    expect(voided({ action: 'reverse', quantity: null, reason: 'to_long' }, 2)).toBe(
      '反空心 反手 null → null',
    )
    expect(voided({ action: 'long_exit' }, 0)).toBe('多空心 多單出場 null → null')
  })
  it('a voided one is found under what its row says', () => {
    const one = record(
      { action: 'target', target_position: 2 },
      { effect: 'none', status: 'voided', position_before: 0 },
    )
    const finds = (search: Parameters<typeof matcher>[0]) => matcher(search, new Map())?.(one)
    expect([finds({ effect: 'open' }), finds({ side: 'long' }), finds({ text: '多單進場' })]).toEqual([
      true,
      true,
      true,
    ])
    expect([finds({ effect: 'none' }), finds({ side: 'short' })]).toEqual([false, false])
  })
})

describe('an average', () => {
  it('is written with the decimals of its tick, two at most where it lies between', () => {
    const of = (asset: 'futures' | 'stock', symbol: string, value: number) =>
      averageText({ asset, symbol, trading_date: '2026-11-20' }, value)
    expect(of('futures', 'MXF', 46525)).toBe('46,525')
    expect(of('futures', 'MXF', 46525.3333)).toBe('46,525.33')
    expect(of('futures', 'MXF', 46525.5)).toBe('46,525.5')
    expect(of('futures', 'MXF', 46525.001)).toBe('46,525')
    expect(of('futures', 'EXF', 1205.3)).toBe('1,205.30')
    expect(of('stock', '2884', 28.3524)).toBe('28.35')
    expect(of('stock', '2330', 1085)).toBe('1,085')
  })
})
