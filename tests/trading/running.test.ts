// Figures carried on from trade to trade are the plain ones to the last digit, whatever the order trades come in.

import { expect, test } from 'vitest'
import { scaled, toNumber } from '#trading/decimal.ts'
import { fold } from '#trading/fold.ts'
import type { Trade } from '#trading/record.ts'
import { hoursOf, reportOf, statisticsOf, toEnd } from '#trading/statistics/report.ts'
import { EMPTY_RUNNING, type Running, runningOf, runOn } from '#trading/statistics/running.ts'
import {
  equityCurveOf,
  miniCurveOf,
  type Parts,
  partsInSlices,
  partsOn,
  type StatsOptions,
  summaryOf,
} from '#trading/statistics/summary.ts'
import { fc } from '../support/property.ts'
import { equityCurve, miniCurve, summarise } from '../support/summarise.ts'
import { sized } from '../support/tier.ts'
import { plainSummary } from './plain-summary.ts'
import { futuresTerms, record } from './records.ts'

const HOUR = 3_600_000
const BASE = Date.UTC(2026, 5, 1)
const WITHOUT_TRADES = { v: 2, rows: [], days: [], minutes: [] }

interface Sketch {
  hours: number
  held: number
  net: number
  fee: number
  slippage: number
  exit: string
}

function trade({ hours, held, net, fee, slippage, exit }: Sketch, n: number): Trade {
  const exit_at = new Date(BASE + hours * HOUR).toISOString()
  return {
    id: `e${String(n).padStart(4, '0')}.${exit}`,
    round_trip_id: 'r',
    symbol: 'MXF',
    contract: 'C1',
    side: 'long',
    quantity: 1,
    entry_signal_id: `e${n}`,
    entry_at: new Date(BASE + hours * HOUR - held * 60_000).toISOString(),
    entry_price: 1,
    exit_signal_id: exit,
    exit_at,
    exit_price: 1,
    // Not every trading date is one by the calendar: a day may have been declared closed later.
    exit_trading_date: exit_at.slice(0, 10),
    gross: net,
    fee,
    tax: 1,
    slippage,
    net,
    return_pct: null,
    holding_minutes: held,
    day_trade: false,
    max_run_up: null,
    max_drawdown: null,
  }
}

/** Few values, so that runs, ties, zeros and equal days come up; some huge ones, beyond what a double adds exactly. */
const amounts = fc.oneof(
  fc.constantFrom(
    0,
    100,
    -100,
    0.1,
    -0.3,
    33.3333,
    900_000_000_000,
    -900_000_000_000,
    9_000_000_000_000,
    -9_000_000_000_000,
    2 ** 53,
  ),
  fc.integer({ min: -50_000_000, max: 50_000_000 }).map((n) => n / 10_000),
)
const sketches = fc.record({
  hours: fc.integer({ min: 0, max: 24 * 60 }),
  // Seconds in minutes, as the fold gives them.
  held: fc.integer({ min: 0, max: 300_000 }).map((seconds) => Number((seconds / 60).toFixed(4))),
  net: amounts,
  fee: fc.constantFrom(0, 50, 0.5),
  slippage: fc.constantFrom(0, 100),
  exit: fc.constantFrom('a', 'b', 'c'),
})
const tradeLists = fc.array(sketches, { maxLength: 60 }).map((list) => list.map(trade))
const optionSets: fc.Arbitrary<StatsOptions> = fc.record({
  initial_capital: fc.constantFrom(null, 0, -5, 100, 500_000.5, 10_000_000),
  closed_days: fc.constantFrom(new Set<string>(), new Set(['2026-06-19', '2026-06-02'])),
  excluded_count: fc.constantFrom(0, 3),
  market: fc.constantFrom('futures' as const, 'stock' as const),
  has_night: fc.boolean(),
  risk_free: fc.constantFrom(0, 0.015),
})
const carried = (trades: readonly Trade[]): Running =>
  trades.reduce((running, one) => runOn(running, one), EMPTY_RUNNING)

test('one after the other, in any order, looked at in between or not: the plain figures', () => {
  fc.assert(
    fc.property(tradeLists, optionSets, fc.boolean(), (trades, options, look) => {
      let running: Running = EMPTY_RUNNING
      trades.forEach((one, n) => {
        running = runOn(running, one)
        const seen = look ? summaryOf(running, options) : null
        if (seen) expect(seen).toEqual(plainSummary(trades.slice(0, n + 1), options))
      })
      expect(summaryOf(running, options)).toEqual(plainSummary(trades, options))
      expect(summarise(trades.toReversed(), options)).toEqual(plainSummary(trades, options))
      expect(miniCurveOf(running, options.initial_capital)).toEqual(
        miniCurve(trades, options.initial_capital),
      )
    }),
    { numRuns: 300 },
  )
})
test('what is carried is JSON: written down and read back it goes on the same', () => {
  fc.assert(
    fc.property(tradeLists, tradeLists, optionSets, (before, after, options) => {
      const stored = JSON.parse(JSON.stringify(carried(before))) as Running
      expect(stored).toEqual(carried(before))
      expect(summaryOf(after.reduce(runOn, stored), options)).toEqual(
        plainSummary([...before, ...after], options),
      )
    }),
    { numRuns: 100 },
  )
})
test('trades of a fold carried on give what the fold gives at once', () => {
  const actions = ['buy', 'sell', 'long_exit', 'short_entry', 'close_all'] as const
  const facts = Array.from({ length: sized(400, 250_000) }, (_, i) =>
    record(i + 1, actions[(i * 7) % 5] ?? 'buy', 1 + (i % 3), 22_000 + ((i * 389) % 211)),
  )
  const { trades } = fold(facts, futuresTerms('MXF'))
  expect(trades.length).toBeGreaterThan(sized(100, 100_000))
  const options = { initial_capital: 500_000 }
  expect(carried(trades)).toEqual(runningOf(trades))
  expect(summaryOf(carried(trades), options)).toEqual(plainSummary(trades, options))
  const mini = miniCurveOf(carried(trades), 500_000)
  expect([mini.length, mini[0], mini[29]]).toEqual([30, 500_000, equityCurve(trades, 500_000).at(-1)?.equity])
})
test('nothing is counted of a trade that is refused, and the empty start stays empty', () => {
  const good = trade({ hours: 1, held: 1, net: 5, fee: 0, slippage: 0, exit: 'a' }, 1)
  const running = runningOf([good])
  for (const wrong of [{ net: 0.00001 }, { tax: Number.NaN }, { holding_minutes: Number.NaN }])
    expect(() => runOn(running, { ...good, ...wrong })).toThrow(RangeError)
  expect(running).toEqual(runningOf([good]))
  expect(EMPTY_RUNNING).toMatchObject(WITHOUT_TRADES)
})
test('sides, sessions and curve carried on are those made anew of all trades, and anew of them when one closed earlier', () => {
  fc.assert(
    fc.property(
      tradeLists,
      tradeLists,
      optionSets,
      fc.integer({ min: 3, max: 9 }),
      (before, after, own, limit) => {
        const sided = [...before, ...after].map(
          (one, n) => ({ ...one, id: `t${n}`, side: n % 3 ? 'long' : 'short' }) as const,
        )
        const options = { ...own, chain_seq: 1 }
        let parts: Parts | null = toEnd(partsInSlices(sided.slice(0, before.length), hoursOf(options)))
        const running = runningOf(sided.slice(0, before.length))
        for (const one of sided.slice(before.length)) {
          runOn(running, one)
          if (parts && !partsOn(parts, one, hoursOf(options))) parts = null
        }
        parts ??= toEnd(partsInSlices(sided, hoursOf(options)))
        expect(reportOf(running, parts, options)).toEqual(statisticsOf(sided, options))
        for (const [side, count] of [
          ['long', sided.filter((one) => one.side === 'long').length],
          ['short', sided.filter((one) => one.side === 'short').length],
        ] as const)
          expect(parts.of[side].count).toBe(count)
        // Of nothing there is no share.
        const capital = own.initial_capital
        if (capital !== null && capital > 0)
          expect(equityCurveOf(parts.sorted, running, capital, limit)).toEqual(
            plainCurve(parts.sorted, capital, limit),
          )
      },
    ),
    { numRuns: 150 },
  )
})

/** Point by point, with all that is thrown away afterwards. */
function plainCurve(sorted: readonly Trade[], capital: number, limit: number) {
  let equity = scaled(capital)
  let peak = equity
  const all = sorted.map(({ exit_at, exit_trading_date: trading_date, net }) => {
    equity += scaled(net)
    if (equity > peak) peak = equity
    const fall = peak - equity
    const point = { at: exit_at, trading_date, equity: toNumber(equity), drawdown: toNumber(fall) }
    return { point, peak, fall }
  })
  if (all.length <= limit) return all.map(({ point }) => point)
  let [deepest, steepest] = [0, 0]
  const place = (i: number) => all[i] as (typeof all)[number]
  for (const i of all.keys()) {
    const { fall, peak: from } = place(i)
    if (fall > place(deepest).fall) deepest = i
    if (fall * place(steepest).peak > place(steepest).fall * from) steepest = i
  }
  const kept = new Set([deepest, steepest, all.length - 1])
  for (let i = 0; i < limit - 3; i++) kept.add(Math.floor((i * all.length) / (limit - 3)))
  return [...kept].sort((a, b) => a - b).map((i) => all[i]?.point)
}
