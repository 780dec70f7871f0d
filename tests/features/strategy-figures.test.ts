// What the overview makes of the figures: periods, the trades behind a figure, words. The chart has its own file.

import { describe, expect, it } from 'vitest'
import type { Statistics } from '#contract/statistics.ts'
import {
  linesOf,
  type PictureLevel,
  shortMoney,
  shortPercent,
} from '#features/strategy/detail/overview/days.ts'
import { fromOf, legiblePeriod } from '#features/strategy/detail/overview/periods.ts'
import { behindOf, figureText, inputsOf, written } from '#features/strategy/detail/overview/words.ts'
import { costOf, matches, nameOf, quantityOf } from '#features/strategy/detail/trades/words.ts'
import type { Trade } from '#trading/record.ts'
import { equityCurve, summarise } from '../support/summarise.ts'

const trade = (net: number, n: number, more: Partial<Trade> = {}): Trade => {
  const day = `2026-06-${String(n).padStart(2, '0')}`
  const at = `${day}T02:00:00.000Z`
  const prices = { entry_price: 22_000, exit_price: 22_000, gross: net, fee: 0, tax: 0, slippage: 0 }
  const ids = { id: `t${n}`, round_trip_id: `r${n}`, entry_signal_id: `e${n}`, exit_signal_id: `x${n}` }
  const rest = { return_pct: null, holding_minutes: 0, day_trade: true, max_run_up: null, max_drawdown: null }
  const what = { symbol: 'MXF', contract: 'C1', side: 'long' as const, quantity: 1 }
  return {
    ...ids,
    ...what,
    ...prices,
    ...rest,
    entry_at: at,
    exit_at: at,
    exit_trading_date: day,
    net,
    ...more,
  }
}

describe('periods', () => {
  const at = (text: string) => Date.parse(`${text}+08:00`)
  it('begin with a day of Taipei', () => {
    const now = at('2026-11-20T00:30:00')
    expect(fromOf('7d', now)).toBe('2026-11-14')
    expect(fromOf('1m', now)).toBe('2026-10-21')
    expect(fromOf('3m', now)).toBe('2026-08-21')
    expect(fromOf('year', now)).toBe('2026-01-01')
    expect(fromOf('1y', now)).toBe('2025-11-21')
    expect(fromOf('all', now)).toBe(null)
  })
  it('know short months and the turn of the year', () => {
    expect(fromOf('1m', at('2026-03-31T12:00:00'))).toBe('2026-03-01')
    expect(fromOf('3m', at('2027-01-15T12:00:00'))).toBe('2026-10-16')
    expect(fromOf('1y', at('2028-02-29T12:00:00'))).toBe('2027-03-01')
  })

  it('the longest in which the steps can be told apart', () => {
    const now = at('2026-11-20T12:00:00')
    const daily = (days: number) =>
      Array.from({ length: days }, (_, ago) => new Date(now - ago * 86_400_000).toISOString())
    expect(legiblePeriod(daily(40), 60, now)).toBe('all')
    // 7, 31, 92 and 200 of them
    expect(legiblePeriod(daily(200), 60, now)).toBe('1m')
    expect(legiblePeriod(daily(200), 100, now)).toBe('3m')
    // nowhere few enough, or long ago
    expect(legiblePeriod(daily(200), 5, now)).toBe('7d')
    expect(legiblePeriod(daily(200).slice(120), 60, now)).toBe('year')
    expect(legiblePeriod([], 60, now)).toBe('all')
  })
})

describe('the trades behind a figure', () => {
  const trades = [5, -3, -4, 2, 0, 6, 7, -1].map((net, i) => trade(net, i + 1))
  const nets = (which: Parameters<typeof behindOf>[1]) =>
    behindOf(trades.toReversed(), which).map(({ net }) => net)
  it('newest first', () => {
    expect(nets('all')).toEqual([-1, 7, 6, 0, 2, -4, -3, 5])
    expect(nets('wins')).toEqual([7, 6, 2, 5])
    expect(nets('losses')).toEqual([-1, -4, -3])
    expect(nets('largest_win')).toEqual([7])
    expect(nets('largest_loss')).toEqual([-4])
    expect(nets('win_run')).toEqual([7, 6])
    expect(nets('loss_run')).toEqual([-4, -3])
    expect(nets('fall')).toEqual([-4, -3])
    expect(behindOf([trade(1, 1)], 'fall')).toEqual([])
  })
})

describe('words', () => {
  const summary = summarise([trade(100, 1), trade(50, 2)], { initial_capital: 1_000 })
  it('write what there is and say what there is not', () => {
    expect(figureText('profit_factor', summary, false)).toBe('∞')
    expect(figureText('payoff_ratio', summary, false)).toBe('—')
    expect(figureText('win_rate', summary, false)).toBe('100.00%')
    expect(written(0.0294567139, 'fall', false)).toBe('−2.95%')
    expect(written(15_728, 'loss', false)).toBe('−15,728')
    expect(written(1_205, 'minutes', false)).toBe('20 小時 5 分')
    expect(written(3.3333, 'minutes', false)).toBe('3 分 20 秒')
  })
  it('privacy hides amounts, not shares', () => {
    expect(figureText('net_profit', summary, true)).toBe('••••')
    expect(figureText('total_return', summary, true)).toBe('15.00%')
    const inputs = inputsOf('total_return', summary, { initial_capital: 1_000 }, true)
    expect(inputs.map(({ value }) => value)).toEqual(['••••', '••••'])
  })
  it('a trade has a name, a quantity and a cost', () => {
    expect(nameOf(trade(1, 1))).toBe('小台 近月')
    expect(quantityOf(trade(1, 1, { symbol: '2603', contract: null, quantity: 3_500 }))).toBe('3 張 500 股')
    expect(costOf(trade(1, 1, { fee: 0.1, tax: 0.2, slippage: 0 }))).toBe(0.3)
    expect(matches(trade(0, 1), 'all', 'win')).toBe(false)
    expect(matches(trade(1, 1), 'short', 'all')).toBe(false)
  })
})

it('a month writes in its cell what has room there', () => {
  expect([0.0344, -0.0344, 9.9999, 10, 76.7526].map((pct) => shortPercent(pct))).toEqual([
    '+3.44%',
    '−3.44%',
    '+999.99%',
    '+1,000%',
    '+7,675%',
  ])
  expect([999_999, -999_999, 1_000_000, -1_234_567, 38_376_300, 1_892_500_000].map(shortMoney)).toEqual([
    '+999,999',
    '−999,999',
    '+100萬',
    '−123.5萬',
    '+3,838萬',
    '+18.9億',
  ])
})

describe('a picture to share', () => {
  const figuresOf = (initial_capital: number | null) => {
    const trades = [trade(5_000, 1), trade(-2_345, 2), trade(1_000, 3)]
    const summary = summarise(trades, { initial_capital, excluded_count: 0 })
    return { from: null, initial_capital, summary, curve: equityCurve(trades, initial_capital) } as Statistics
  }
  const textOf = (level: PictureLevel, capital: number | null) =>
    linesOf(level, figuresOf(capital)).flat().join(' ')
  it('says amounts at its first level only', () => {
    expect(textOf('all', 100_000)).toContain('淨損益 +3,655 元')
    for (const capital of [100_000, null]) {
      expect(textOf('shares', capital)).toMatch(/勝率 66\.\d*%.*交易次數 3 筆/)
      expect(textOf('shares', capital)).not.toMatch(/元|3,655|2,345/)
      expect(linesOf('line', figuresOf(capital))).toEqual([])
    }
  })
  it('says how far it fell as the table does', () => {
    expect(textOf('shares', 100_000)).toMatch(/最大回撤 −2\.\d+%/)
    expect(textOf('shares', null)).not.toContain('最大回撤')
  })
})
