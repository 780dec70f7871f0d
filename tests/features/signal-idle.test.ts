// A record that moved nothing, as the rows show it: what it asked for and why nothing came of it.
import { describe, expect, it } from 'vitest'
import type { SignalRecord } from '#contract/signal.ts'
import { rowOf } from '#text/row.ts'
import { ACTIONS } from '#trading/record.ts'

describe('what did nothing', () => {
  const idle = (change: Partial<Omit<SignalRecord, 'derived'>>, none_reason: string) =>
    ({
      source: 'webhook',
      asset: 'futures',
      symbol: 'TMF',
      symbol_name: '微型臺指期貨',
      contract: '202612',
      quantity: 1,
      unit: 'lot',
      target_position: null,
      price: 46_541,
      trading_date: '2026-11-20',
      occurred_at: '2026-11-20T02:24:00.000Z',
      received_at: '2026-11-20T02:24:00.412Z',
      flags: [],
      ...change,
      derived: { status: 'ok', effect: 'none', none_reason, price_used: 46_541, realised_pnl: null },
    }) as unknown as SignalRecord
  const said = (one: SignalRecord) => {
    const { seal, solid, action, quantity, unit, states } = rowOf(one, null)
    return [`${seal} ${action} ${quantity}${unit}`, solid, states.map(({ text }) => text)]
  }
  // domain §7.5: columns: action, change of the position, amount, price, result, note, state
  it('says what it asked for, hollow, and why nothing moved; whatever else is said comes behind', () => {
    expect(said(idle({ action: 'long_exit', quantity: 1 }, '無多單可平'))).toEqual([
      '多 多單出場 1口',
      false,
      ['未動作：無多單可平'],
    ])
    expect(said(idle({ action: 'short_entry', flags: ['asks_short'] }, '還沒回答這個策略做不做空'))).toEqual([
      '空 空單進場 1口',
      false,
      ['未動作：做空待回答'],
    ])
    const told = idle({ action: 'close_all', quantity: null, flags: ['late', 'off_tick'] }, '無部位可平')
    expect(said(told)).toEqual([
      '平 全部平倉 全部',
      false,
      ['未動作：無部位可平', expect.stringContaining('延遲')],
    ])
    const wished = idle({ action: 'target', quantity: null, target_position: -2 }, '策略只做多')
    expect(said(wished)).toEqual(['標 目標部位 2口', false, ['未動作：策略只做多']])
  })
  it('no action is without a seal of its own', () => {
    for (const action of ACTIONS) expect(rowOf(idle({ action }, 'x'), null).seal, action).toMatch(/^[^無]$/u)
  })
})
