// The worked example and the edge vectors of domain §6.2, with an empty holiday calendar (ruling C4).

import { expect, test } from 'vitest'
import { equityCurve, miniCurve, summarise } from '#tests/support/summarise.ts'
import { TEN_MONTHS, TEN_ROWS, TEN_SUMMARY } from '#tests/support/ten-trades.ts'
import { curveOfDays } from '#trading/day.ts'
import { fold } from '#trading/fold.ts'
import type { Facts, Trade } from '#trading/record.ts'
import { dailyTable, distributionOf, monthlyTable, yearlyTable } from '#trading/statistics/report.ts'
import { runningOf } from '#trading/statistics/running.ts'
import { partition } from '#trading/statistics/summary.ts'
import { futuresTerms, record } from './records.ts'

const C = 500_000
const utc = (local: string) => new Date(Date.parse(`${local.replace(' ', 'T')}:00+08:00`)).toISOString()
const facts: Facts[] = TEN_ROWS.flatMap(([side, lots, entered, entry, left, exit], i) => [
  record(2 * i + 1, `${side}_entry`, lots, entry, { occurred_at: utc(entered) }),
  record(2 * i + 2, `${side}_exit`, null, exit, { occurred_at: utc(left) }),
])
const { trades } = fold(facts, futuresTerms('MXF', { fee_per_side: 25 }))
const options = { initial_capital: C }

test('the ten trades: net, equity, drawdown, minutes, trading date', () => {
  const curve = equityCurve(trades, C)
  const rows = trades.map((t, i) => [
    t.net,
    curve[i]?.equity,
    curve[i]?.drawdown,
    t.holding_minutes,
    t.exit_trading_date,
  ])
  expect(rows).toEqual(TEN_ROWS.map((r) => r.slice(6)))
})
test('the summary', () => {
  expect(summarise(trades, options)).toEqual(TEN_SUMMARY)
  expect(summarise(trades, { ...options, risk_free: 0.015 }).sharpe).toBe(2.3137160915)
  expect(summarise(trades.toReversed(), options)).toEqual(summarise(trades, options))
})
test('a holiday inside the range changes the Sharpe ratio', () => {
  const closed_days = new Set(['2026-06-19'])
  expect(summarise(trades, { ...options, closed_days }).sharpe).not.toBe(TEN_SUMMARY.sharpe)
})
test('long, short, day and night', () => {
  const parts = partition(trades, { has_night: true })
  expect(summarise(parts.long, options)).toMatchObject({
    trade_count: 6,
    win_count: 3,
    net_profit: 15242,
    // 28,124 / 12,882; the page prints …3665, which its own table does not give.
    profit_factor: 2.1832013662,
  })
  expect(summarise(parts.short, options)).toMatchObject({
    trade_count: 4,
    win_count: 3,
    net_profit: 16774,
    profit_factor: 6.893886156,
  })
  expect([parts.day.length, parts.night.length]).toEqual([8, 2])
})
test('months and years by exit trading date', () => {
  expect(monthlyTable(runningOf(trades).days, C)).toEqual(TEN_MONTHS)
  expect(yearlyTable(runningOf(trades).days, C)).toEqual([
    { year: '2026', net: 32016, pct: 0.064032, trades: 10 },
  ])
  const gap = monthlyTable(runningOf([trade(10, '2026-11-02'), trade(20, '2027-01-04')]).days, C)
  expect(gap.map((r) => [r.month, r.net, r.trades])).toEqual([
    ['2026-11', 10, 1],
    ['2026-12', 0, 0],
    ['2027-01', 20, 1],
  ])
})

test('each day with its long and short trades apart, and results in bins with a border at 0', () => {
  const long = trades.filter(({ side }) => side === 'long')
  const daily = dailyTable(runningOf(trades).days, runningOf(long).days)
  const sum = (of: 'net' | 'long' | 'short' | 'trades') => daily.reduce((total, row) => total + row[of], 0)
  expect([sum('net'), sum('long'), sum('short'), sum('trades')]).toEqual([32016, 15242, 16774, 10])
  const bins = distributionOf(trades)
  expect(bins.reduce((n, bin) => n + bin.long + bin.short, 0)).toBe(10)
  expect(bins.length).toBeLessThanOrEqual(18)
  expect(bins.some(({ from }) => from === 0)).toBe(true)
  for (const [at, bin] of bins.entries()) expect(bin.from).toBe(bins[at - 1]?.to ?? bin.from)
  // tenths that binary floats do not add up, and one result only
  const tenths = [trade(0.1, '2026-06-02', 1), trade(0.2, '2026-06-02', 2)]
  expect(dailyTable(runningOf(tenths).days, [])[0]).toMatchObject({ net: 0.3, long: 0, short: 0.3 })
  expect(distributionOf([trade(-5)])).toEqual([{ from: -5, to: -4, long: 1, short: 0 }])
  expect(distributionOf([])).toEqual([])
})

test('days of many strategies as one curve: what it came to, and how far below its highest', () => {
  const days = new Map([
    ['2026-06-03', -0.3],
    ['2026-06-02', 0.1],
    ['2026-06-04', 0.5],
  ])
  expect(curveOfDays(days)).toEqual([
    { trading_date: '2026-06-02', equity: 0.1, drawdown: 0 },
    { trading_date: '2026-06-03', equity: -0.2, drawdown: 0.3 },
    { trading_date: '2026-06-04', equity: 0.3, drawdown: 0 },
  ])
})

function trade(net: number, day = '2026-06-02', n = 1): Trade {
  const at = utc(`${day} 10:0${n}`)
  return {
    ...(trades[0] as Trade),
    id: `${day}-${n}`,
    entry_at: at,
    exit_at: at,
    exit_trading_date: day,
    gross: net,
    fee: 0,
    tax: 0,
    net,
    holding_minutes: 0,
  }
}
test('edge vectors', () => {
  const none = summarise([], options)
  expect(none).toMatchObject({
    trade_count: 0,
    win_rate: null,
    net_profit: 0,
    profit_factor: null,
    profit_factor_reason: 'no_trades',
    expectancy: null,
    max_drawdown: 0,
    recovery_factor: null,
    sharpe: null,
    avg_holding_minutes: null,
    underwater_days: 0,
  })
  expect(summarise([trade(100)], options)).toMatchObject({
    profit_factor: null,
    profit_factor_reason: 'no_loss',
    max_drawdown: 0,
    recovery_factor: null,
    sharpe: null,
    win_rate: 1,
  })
  expect(summarise([trade(-100)], options)).toMatchObject({
    profit_factor: 0,
    payoff_ratio: null,
    expectancy_r: -1,
    avg_win: null,
    largest_win: null,
  })
  const three = [trade(100, '2026-06-02', 1), trade(0, '2026-06-02', 2), trade(-100, '2026-06-02', 3)]
  expect(summarise(three, options)).toMatchObject({
    win_rate: 0.3333333333,
    profit_factor: 1,
    max_consecutive_wins: 1,
    max_consecutive_losses: 1,
    even_count: 1,
  })
  expect(summarise([trade(0)], options)).toMatchObject({ profit_factor: null, profit_factor_reason: null })
  const same = ['2026-06-02', '2026-06-03', '2026-06-04'].map((day) => trade(0.1, day))
  expect(summarise(same, options).sharpe).toBe(null)
  expect(summarise([trade(-100)], { initial_capital: null })).toMatchObject({
    max_drawdown: 100,
    max_drawdown_pct: null,
    total_return: null,
  })
})
test('a trade that closed outside of any session is neither of the day nor of the night', () => {
  const closed_days = new Set(['2026-09-25'])
  const at = (local: string, more = {}) => ({ ...(trades[0] as Trade), exit_at: utc(local), ...more })
  const sunday = at('2026-06-07 10:00')
  const break_ = at('2026-06-02 14:10')
  const holiday = at('2026-09-25 10:00')
  const eve = at('2026-09-25 04:00')
  const over = at('2026-06-17 13:40', { contract: '202606' })
  const day = at('2026-06-17 13:40')
  const parts = partition([sunday, break_, holiday, eve, over, day], { has_night: true, closed_days })
  expect([parts.day, parts.night]).toEqual([[day], [eve]])
  expect(parts.long.length).toBe(6)
})
test('the largest share lost and the largest amount lost are independent', () => {
  const nets = [-50, 950, -100].map((net, i) => trade(net, '2026-06-02', i))
  expect(summarise(nets, { initial_capital: 100 })).toMatchObject({
    max_drawdown: 100,
    max_drawdown_pct: 0.5,
  })
})
test('curves: thirty points for a card, at most the limit for a chart, deepest and last kept', () => {
  const mini = miniCurve(trades, C)
  expect([mini.length, mini[0], mini[29]]).toEqual([30, C, 532016])
  expect(miniCurve([], C)).toEqual(Array.from({ length: 30 }, () => C))
  const long = Array.from({ length: 5000 }, (_, i) => ({
    ...trade(i === 2501 ? -9999 : 1),
    id: String(i).padStart(5, '0'),
  }))
  const curve = equityCurve(long, C)
  expect(curve.length).toBeLessThanOrEqual(2000)
  expect(Math.max(...curve.map((p) => p.drawdown))).toBe(9999)
  expect(curve.at(-1)?.equity).toBe(C + 4999 - 9999)
})
