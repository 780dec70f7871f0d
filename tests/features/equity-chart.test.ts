// What the equity chart draws: the same figures as the table, from the day the strategy began, in one unit, without overlap.

import { TickMarkType, type UTCTimestamp } from 'lightweight-charts'
import { describe, expect, it } from 'vitest'
import type { Statistics } from '#contract/statistics.ts'
import { tickText } from '#features/strategy/detail/chart-frame.ts'
import {
  axisOf,
  type DayPoint,
  dayPoints,
  deepest,
  deepestText,
  drawnFall,
  equityText,
  fallText,
  ticks,
} from '#features/strategy/detail/overview/days.ts'
import { figureText } from '#features/strategy/detail/overview/words.ts'
import { addDays, instantOf, isTradingDay } from '#trading/calendar.ts'
import type { Trade } from '#trading/record.ts'
import { statisticsOf } from '#trading/statistics/report.ts'
import { fc } from '../support/property.ts'

const trade = (net: number, n: number, exit: string, entry = exit): Trade => ({
  id: `t${String(n).padStart(6, '0')}`,
  round_trip_id: `r${n}`,
  symbol: 'MXF',
  contract: 'C1',
  side: 'long',
  quantity: 1,
  entry_signal_id: `e${n}`,
  entry_at: entry,
  entry_price: 22_000,
  exit_signal_id: `x${n}`,
  exit_at: exit,
  exit_price: 22_000,
  exit_trading_date: exit.slice(0, 10),
  gross: net,
  fee: 0,
  tax: 0,
  slippage: 0,
  net,
  return_pct: null,
  holding_minutes: 0,
  day_trade: true,
  max_run_up: null,
  max_drawdown: null,
})
/** 10:00 in Taipei. */
const morning = (day: string) => instantOf(day, '10:00')
const figuresOf = (trades: Trade[], initial_capital: number | null, from: string | null = null) =>
  statisticsOf(trades, { initial_capital, chain_seq: 1, from }) as Statistics

/** Histories on weekdays of 2026, several trades a day, with amounts large enough to lose the capital. */
const histories = fc.record({
  capital: fc.oneof(fc.integer({ min: 1, max: 2_000_000 }), fc.constant(null)),
  trades: fc.array(
    fc.record({ net: fc.integer({ min: -300_000, max: 300_000 }), day: fc.integer({ min: 0, max: 60 }) }),
    { minLength: 1, maxLength: 60 },
  ),
  from: fc.oneof(fc.constant(null), fc.integer({ min: 0, max: 60 })),
})
const weekday = (n: number) => {
  let day = addDays('2026-06-01', n)
  while (!isTradingDay(day)) day = addDays(day, 1)
  return day
}

describe('drawn and written', () => {
  it('agree on the deepest fall, whatever the trades, the capital and the period', () => {
    fc.assert(
      fc.property(histories, ({ capital, trades, from }) => {
        const told = trades.map(({ net, day }, i) => trade(net, i, morning(weekday(day))))
        const figures = figuresOf(told, capital, from === null ? null : weekday(from))
        const points = dayPoints(figures, [])
        if (figures.summary.trade_count === 0) {
          expect(points).toEqual([])
          return
        }
        const low = deepest(points)
        const drawn = low ? -drawnFall(low) : 0
        const { max_drawdown, max_drawdown_pct } = figures.summary
        // the table's share where it has one, else its amount: the same unit in both
        expect(low === null || (low.share === null) === (max_drawdown_pct === null)).toBe(true)
        expect(drawn).toBeCloseTo(max_drawdown_pct ?? max_drawdown, 8)
        if (!low) {
          expect(deepestText(figures, false)).toBeNull()
          return
        }
        const key = max_drawdown_pct === null ? 'max_drawdown' : 'max_drawdown_pct'
        const unit = max_drawdown_pct === null ? ' 元' : ''
        expect(deepestText(figures, false)).toBe(figureText(key, figures.summary, false) + unit)
        expect(Math.max(...points.map(({ fall }) => fall))).toBeCloseTo(max_drawdown, 4)
      }),
      { numRuns: 300 },
    )
  })
  it('also when the deepest share and the deepest amount are two falls, and points are left out', () => {
    // half of a small equity in the beginning, more money and less of it in the end
    const nets = Array.from({ length: 5_000 }, (_, i) =>
      i === 7 ? -600 : i === 4_001 ? -1_500 : i === 4_000 ? 9_000 : 1,
    )
    const figures = figuresOf(
      nets.map((net, i) =>
        trade(
          net,
          i,
          instantOf(weekday(Math.floor(i / 100)), '09:00').replace(
            ':00.000Z',
            `:00.${String(i % 100).padStart(3, '0')}Z`,
          ),
        ),
      ),
      1_000,
    )
    expect(figures.curve.length).toBeLessThanOrEqual(2_000)
    const points = dayPoints(figures, [])
    expect(-(deepest(points)?.share ?? 0)).toBeCloseTo(figures.summary.max_drawdown_pct as number, 10)
    expect(Math.max(...points.map(({ fall }) => fall))).toBe(figures.summary.max_drawdown)
    expect(deepest(points)?.day).toBe(weekday(0))
  })
  it('say which equity they mean', () => {
    const whole = figuresOf([trade(-10, 1, morning('2026-06-01'))], 500_000)
    expect(equityText(whole, false)).toBe('權益＝初始資金 500,000 元＋已實現損益')
    expect(equityText(whole, true, 'long')).toBe('權益＝初始資金＋多單的已實現損益')
    const later = [trade(20, 1, morning('2026-06-01')), trade(-10, 2, morning('2026-06-10'))]
    expect(equityText(figuresOf(later, 100, '2026-06-08'), false)).toBe('權益＝期初權益 120 元＋已實現損益')
    expect(equityText(figuresOf(later, null), false)).toBe('權益＝已實現損益')
    expect(deepestText(figuresOf(later, null), false)).toBe('−10 元')
    expect(deepestText(figuresOf(later, null), true)).toBe('••••')
    expect(fallText({ fall: 10, share: null }, false)).toBe('−10')
  })
})

describe('the curve', () => {
  const days = (points: readonly DayPoint[]) => points.map(({ day, equity, fall }) => [day, equity, fall])
  it('begins with the strategy: the opening of the day of its first entry, then every trading date', () => {
    const trades = [
      trade(10, 1, morning('2026-06-04'), morning('2026-06-02')),
      trade(-11, 2, morning('2026-06-09')),
    ]
    const points = dayPoints(figuresOf(trades, 100), ['2026-06-08'])
    expect(days(points)).toEqual([
      ['2026-06-02', 100, 0],
      ['2026-06-02', 100, 0],
      ['2026-06-03', 100, 0],
      ['2026-06-04', 110, 0],
      ['2026-06-05', 110, 0],
      ['2026-06-09', 99, 11],
    ])
    expect(points.at(-1)?.share).toBeCloseTo(-0.1, 12)
    const times = points.map(({ time }) => time)
    expect(times).toEqual([...new Set(times)].sort((a, b) => a - b))
  })
  it('an entry of the evening begins on the next trading date', () => {
    const figures = figuresOf([trade(5, 1, morning('2026-06-08'), instantOf('2026-06-05', '21:00'))], 100)
    expect(figures.begun_on).toBe('2026-06-08')
  })
  it('of a period begins with the period, and not before the strategy or what may be seen of it', () => {
    const trades = [trade(10, 1, morning('2026-06-03')), trade(5, 2, morning('2026-06-19'))]
    const begun = (from: string | null, more = {}) =>
      statisticsOf(trades, { initial_capital: 100, chain_seq: 1, from, ...more }).begun_on
    expect(begun('2026-01-01')).toBe('2026-06-03')
    expect(begun('2026-06-08')).toBe('2026-06-08')
    // a Sunday
    expect(begun('2026-06-07')).toBe('2026-06-08')
    expect(begun(null, { visible_from: '2026-06-10' })).toBe('2026-06-03')
    expect(
      statisticsOf(trades.slice(1), { initial_capital: 100, chain_seq: 1, visible_from: '2026-06-10' })
        .begun_on,
    ).toBe('2026-06-19')
    const long = [trade(5, 2, morning('2026-06-19'), morning('2026-05-04'))]
    expect(
      statisticsOf(long, { initial_capital: 100, chain_seq: 1, visible_from: '2026-06-10' }).begun_on,
    ).toBe('2026-06-10')
    expect(begun('2026-07-01')).toBe(null)
  })
  it('keeps the deepest fall of a day and its last equity', () => {
    const at = (time: string) => instantOf('2026-06-01', time)
    const trades = [
      trade(-20, 1, at('09:00')),
      trade(25, 2, at('10:00')),
      trade(-5, 3, morning('2026-06-02')),
    ]
    const points = dayPoints(figuresOf(trades, 100), [])
    expect(points[1]).toMatchObject({ day: '2026-06-01', equity: 105, fall: 20, share: -0.2 })
    expect(deepest(points)?.day).toBe('2026-06-01')
    expect(deepest(dayPoints(figuresOf([trade(5, 1, morning('2026-06-01'))], 100), []))).toBe(null)
    expect(dayPoints(figuresOf([], 100), [])).toEqual([])
  })
})

describe('the axis', () => {
  it('names few round values', () => {
    expect(ticks(500_000, 809_631, 4)).toEqual([500_000, 600_000, 700_000, 800_000])
    expect(ticks(5, 5, 4)).toEqual([5])
  })
  const place = (value: number) => 400 - value / 2_500
  const texts = (low: number, high: number, base: number, last: number, share = false) => {
    const { unit, labels } = axisOf({ range: [low, high], base, last }, '初始資金', place, share)
    return [unit, ...labels.map(({ text }) => text)]
  }
  it('has one unit, and every round value the same decimals', () => {
    expect(texts(500_000, 809_631, 500_000, 799_861)).toEqual(['萬元', '79.99', '初始資金', '60', '70'])
    expect(texts(500_000, 600_000, 500_000, 600_000, true)).toEqual(['', '+20.0%', '初始資金', '+10%'])
    expect(texts(0, 0, 0, 0, true)).toEqual(['', '初始資金'])
    const { unit, labels } = axisOf(
      { range: [2_000, 4_500], base: 2_000, last: 4_321 },
      '初始資金',
      (v) => v / 10,
      false,
    )
    expect([unit, ...labels.map(({ text }) => text)]).toEqual(['元', '4,321', '初始資金', '3,000', '4,000'])
  })
  it('names the base also where sixteen pixels are a billionth less by sums of fractions', () => {
    const [last, base] = [56.26899846103772, 60]
    const place = (value: number) => (value === 2_000 ? last : value === 1_000 ? base : null)
    const { labels } = axisOf({ range: [0, 2_000], base: 1_000, last: 2_000 }, '初始資金', place, false)
    expect(labels.map(({ kind }) => kind)).toContain('base')
  })
  it('never lays one label over another, and keeps the last value at its place', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 3_000_000 }),
        fc.array(fc.integer({ min: -400_000, max: 3_000_000 }), { minLength: 1, maxLength: 30 }),
        fc.boolean(),
        (base, values, share) => {
          const all = [base, ...values]
          const [low, high] = [Math.min(...all), Math.max(...all)]
          const last = values.at(-1) as number
          const at = (value: number) => (high === low ? 120 : 17 + ((high - value) / (high - low)) * 220)
          const { labels } = axisOf({ range: [low, high], base, last }, '初始資金', at, share)
          const heights = labels.map(({ y }) => y).sort((a, b) => a - b)
          for (const [i, y] of heights.slice(1).entries())
            expect(y - (heights[i] as number)).toBeGreaterThan(15.9)
          expect(labels.find(({ kind }) => kind === 'last')?.y).toBe(at(last))
          const named = labels.find(({ kind }) => kind === 'base')
          expect(Math.abs((named?.y ?? -99) - at(base))).toBeLessThan(16.1)
        },
      ),
    )
  })
})

describe('the names under the equity chart', () => {
  it('say the day on which it opens and closes once', () => {
    const { curve, ...rest } = figuresOf([trade(500, 1, morning('2026-06-01'))], 100_000)
    const points = dayPoints({ ...rest, curve, begun_on: '2026-06-01' }, [])
    const names = points.map(({ time }) => tickText(time as UTCTimestamp, TickMarkType.DayOfMonth, false))
    expect(names).toEqual(['', '6/1'])
  })
})
