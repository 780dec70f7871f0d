// Figures of a strategy with a long record: folding it, summing it up, and what one more trade costs afterwards.

import { fold } from '#trading/fold.ts'
import type { Action, Facts, Trade } from '#trading/record.ts'
import { hoursOf, reportOf, statisticsOf, toEnd } from '#trading/statistics/report.ts'
import { runningOf, runOn } from '#trading/statistics/running.ts'
import { miniCurveOf, partsInSlices, partsOn, summaryOf } from '#trading/statistics/summary.ts'
import { summarise } from '../support/summarise.ts'
import { futuresTerms, idOf, record } from '../trading/records.ts'
import { percentile, report, type Spread, shown, spread } from './figures.ts'

const RECORDS = 100_000
const TRADES = 100_000
const RUNS = 5
const PER_DAY = 80
const DAY_MS = 86_400_000
const START = Date.UTC(2019, 0, 2, 1, 0)
const OPTIONS = { initial_capital: 1_000_000 }

/** Two records a trade, eighty a day, weekdays only: five years of a busy strategy. */
export function busyRecords(count: number): Facts[] {
  const facts: Facts[] = []
  for (let i = 0; i < count; i++) {
    const day = Math.floor(i / PER_DAY)
    const at = new Date(START + (Math.floor(day / 5) * 7 + (day % 5)) * DAY_MS + (i % PER_DAY) * 180_000)
    const long = i % 4 < 2
    const action: Action =
      i % 2 === 0 ? (long ? 'long_entry' : 'short_entry') : long ? 'long_exit' : 'short_exit'
    const price = 20_000 + ((i * 7919) % 401) - 200
    facts.push(
      record(i + 1, action, i % 2 === 0 ? 1 + (i % 3) : null, price, { occurred_at: at.toISOString() }),
    )
  }
  return facts
}

/** Measures and reports `statistics`. */
export async function statistics(): Promise<void> {
  const terms = futuresTerms('MXF')
  const facts = busyRecords(RECORDS)
  const trades = fold(busyRecords(2 * TRADES + 2), terms).trades
  const [many, one] = [trades.slice(0, TRADES), trades[TRADES] as Trade]
  const folding = timed(() => fold(facts, terms))
  const summing = timed(() => summarise(many, OPTIONS))
  const both = timed(() => summarise(fold(facts, terms).trades, OPTIONS))
  const page = timed(() => statisticsOf(fold(facts, terms).trades, { ...OPTIONS, chain_seq: RECORDS }))
  const running = runningOf(many)
  const samples: number[] = []
  for (let i = 0; i < 200; i++) {
    const next = { ...one, id: `${one.id}${i}`, exit_signal_id: idOf(2 * TRADES + 10 + i) }
    const from = performance.now()
    runOn(running, next)
    summaryOf(running, OPTIONS)
    miniCurveOf(running, OPTIONS.initial_capital)
    samples.push(performance.now() - from)
  }
  const after = { p50: percentile(samples, 0.5), p99: percentile(samples, 0.99) }
  const hours = hoursOf(OPTIONS)
  const parts = toEnd(partsInSlices(many, hours))
  const whole = runningOf(many)
  const pages: number[] = []
  for (let i = 0; i < 200; i++) {
    const next = { ...one, id: `${one.id}${i}`, exit_signal_id: idOf(2 * TRADES + 10 + i) }
    const from = performance.now()
    runOn(whole, next)
    if (!partsOn(parts, next, hours)) throw new Error('a trade that closed last was not carried on')
    reportOf(whole, parts, { ...OPTIONS, chain_seq: RECORDS })
    pages.push(performance.now() - from)
  }
  const page_after = { p50: percentile(pages, 0.5), p99: percentile(pages, 0.99) }
  const result = { records: RECORDS, trades: TRADES, folding, summing, both, page, after, page_after }
  const line = `fold ${shown(folding, 'ms')} · summarise ${shown(summing, 'ms')} · both ${shown(both, 'ms')} · fold and the whole page ${shown(page, 'ms')} · one more trade, with its small curve, p50 ${after.p50.toFixed(2)} ms, p99 ${after.p99.toFixed(2)} ms; with the whole page p50 ${page_after.p50.toFixed(2)} ms, p99 ${page_after.p99.toFixed(2)} ms`
  report('statistics', line, result)
}

function timed(what: () => unknown): Spread {
  what()
  return spread(
    Array.from({ length: RUNS }, () => {
      const from = performance.now()
      what()
      return performance.now() - from
    }),
  )
}
