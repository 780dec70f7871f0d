// The price fence: golden numbers of what is near, what bears a price out, and what a price in doubt does and does not do.

import { expect, test } from 'vitest'
import { addDays, isTradingDay, msOf } from '#trading/calendar.ts'
import { type FoldedInSlices, foldBack, foldInSlices } from '#trading/fold/run.ts'
import { isPointer, isSuspect, PRICES_MOST, prepare } from '#trading/fold/sequence.ts'
import { EMPTY_TALLY } from '#trading/fold/state.ts'
import { EMPTY_STATE, type FoldState, fold, foldKept, foldOn } from '#trading/fold.ts'
import type { Facts } from '#trading/record.ts'
import type { FoldTerms } from '#trading/terms.ts'
import { fc } from '../support/property.ts'
import { sized } from '../support/tier.ts'
import { build, disorders, draft, termsArb } from './histories.ts'
import { futuresTerms, idOf, record, stockTerms } from './records.ts'

const MXF = futuresTerms('MXF')

/** Prices of one position, one after the other, each a minute later; which of them are in doubt at the end. */
function suspects(prices: readonly (number | null)[], terms: FoldTerms = MXF, rest: Partial<Facts> = {}) {
  const facts = prices.map((price, i) => record(i + 1, i % 2 ? 'sell' : 'buy', 1, price, rest))
  const { derived } = fold(facts, terms)
  return facts
    .filter(({ id }) => derived.get(id)?.flags.includes('price_suspect'))
    .map(({ chain_seq }) => chain_seq)
}

const stock = (symbol: string): Partial<Facts> => ({ asset: 'stock', symbol, contract: null, unit: 'share' })

// domain §5.3: twice the daily limit within five trading days: what is inside, beyond, and without a limit
test.each<[string, number, number, boolean, FoldTerms, Partial<Facts>]>([
  ['20 % up is inside', 46_500, 55_800, false, MXF, {}],
  ['one tick more is not', 46_500, 55_801, true, MXF, {}],
  ['20 % down is inside', 46_500, 37_200, false, MXF, {}],
  ['one tick less is not', 46_500, 37_199, true, MXF, {}],
  ['a digit too many', 46_500, 465_000, true, MXF, {}],
  ['a digit too few', 46_500, 4_650, true, MXF, {}],
  ['a share', 1_085, 1_302, false, stockTerms(), stock('2330')],
  ['a share beyond', 1_085, 1_302.5, true, stockTerms(), stock('2330')],
  ['to the last decimal', 0.1, 0.12, false, stockTerms(), stock('2330')],
  ['a fund', 58.35, 70.02, false, stockTerms(), stock('0050')],
  ['a fund beyond', 58.35, 70.05, true, stockTerms(), stock('0050')],
  ['a leveraged fund moves twice as far', 100, 140, false, stockTerms(), stock('00631L')],
  ['and no further', 100, 140.05, true, stockTerms(), stock('00631L')],
  ['a bond fund has no limit', 30, 300, false, stockTerms(), stock('00679B')],
  ['nor has a warrant', 1, 10, false, stockTerms(), stock('030001')],
])('twice the daily limit: %s', (_, last, price, suspect, terms, rest) => {
  expect(suspects([last, price], terms, rest)).toEqual(suspect ? [2] : [])
})

// domain §5.3: the next price bears a suspect one out or leaves it in doubt; a suspect one is no reference
test.each<[string, (number | null)[], number[]]>([
  ['the first price is believed', [465_000], []],
  ['a next one near it bears it out', [46_500, 60_000, 60_010], []],
  ['a next one far from it leaves it in doubt', [46_500, 465_000, 46_510], [2]],
  ['one that has no price says nothing', [46_500, 60_000, null, 60_010], []],
  ['a suspect price is no reference', [46_500, 465_000, 46_510, 465_000], [2, 4]],
  ['the last good one stays the reference', [46_500, 465_000, 55_801], [2, 3]],
  ['what was borne out is one', [46_500, 60_000, 60_010, 46_500], [4]],
  ['between the two it is near both', [100, 121, 110], []],
  ['an absurd first price holds up one record', [465_000, 46_500, 46_510, 46_520], []],
  ['two different absurd ones', [46_500, 465_000, 4_650, 46_500], [2, 3]],
  ['two alike bear each other out', [46_500, 465_000, 465_010, 46_500], [4]],
])('the next price decides: %s', (_, prices, expected) => {
  expect(suspects(prices)).toEqual(expected)
})

/** 46,500 at one instant, twice that at another. */
const after = (from: string, to: string, closed_days: ReadonlySet<string> = new Set()) => {
  const facts = [
    record(1, 'buy', 1, 46_500, { occurred_at: from }),
    record(2, 'sell', 1, 93_000, { occurred_at: to }),
  ]
  return fold(facts, { ...MXF, closed_days })
    .derived.get(idOf(2))
    ?.flags.includes('price_suspect')
}

// domain §5.3: twice the daily limit within five trading days: what is inside, beyond, and without a limit
test('five trading days, by the calendar and the trading session', () => {
  const friday = '2026-11-20T02:00:00.000Z'
  expect(after(friday, '2026-11-27T02:00:00.000Z')).toBe(true)
  // The evening of the fifth trading day is of the sixth.
  expect(after(friday, '2026-11-27T05:45:00.000Z')).toBe(true)
  expect(after(friday, '2026-11-27T07:00:00.000Z')).toBe(false)
  expect(after(friday, '2026-11-30T02:00:00.000Z')).toBe(false)
  // Friday's evening is Monday's.
  expect(after('2026-11-20T07:00:00.000Z', '2026-11-30T02:00:00.000Z')).toBe(true)
  const closed = new Set(['2026-11-24', '2026-11-25'])
  expect(after(friday, '2026-12-01T02:00:00.000Z', closed)).toBe(true)
  expect(after(friday, '2026-12-02T02:00:00.000Z', closed)).toBe(false)
})

test('each position has its own prices; under 近月 a month is the same one', () => {
  const other = { symbol: 'TXF' }
  expect(suspects([46_500, 4_650])).toEqual([2])
  const facts = [record(1, 'buy', 1, 46_500), record(2, 'buy', 1, 4_650, other)]
  expect([...fold(facts, MXF).derived.values()].flatMap(({ flags }) => flags)).toEqual([])
  const months = [record(1, 'buy', 1, 46_500), record(2, 'sell', 1, 4_650, { contract: '202612' })]
  expect(fold(months, MXF).derived.get(idOf(2))?.flags).toEqual(['price_suspect'])
  const by_month = futuresTerms('MXF', { contract_rule: 'month' })
  expect(fold(months, by_month).derived.get(idOf(2))?.flags).toEqual([])
})

/** A round trip whose exit has a digit too many. */
const EXIT = [record(1, 'long_entry', 2, 46_500), record(2, 'long_exit', null, 465_000)]

// domain §5.3: a suspect price moves the position and counts nothing; no price moves a position otherwise
test('an exit at a suspect price closes the position; its P&L waits, and nothing counts it', () => {
  const { derived, trades, positions, state } = fold(EXIT, MXF)
  expect(derived.get(idOf(2))).toMatchObject({
    status: 'price_suspect',
    effect: 'close',
    position_before: 2,
    position_after: 0,
    price_used: null,
    realised_pnl: null,
    fee: null,
    tax: null,
    flags: ['price_suspect'],
  })
  expect({ trades, positions }).toEqual({ trades: [], positions: [] })
  expect(state).toMatchObject({ excluded_count: 1, realised: '0' })
  expect(foldKept(EXIT, MXF, { stride: 1, most: 9 }).tally.price_suspect_count).toBe(1)
})

test('an entry at a suspect price opens, and is worth nothing known until it is borne out', () => {
  const facts = [record(1, 'buy', 1, 46_500), record(2, 'sell', 1, 46_600), record(3, 'buy', 1, 4_660)]
  expect(fold(facts, MXF).positions).toMatchObject([
    { quantity: 1, avg_price: null, ref_price: null, unrealised_pnl: null },
  ])
  // Nor does a suspect price mark what was entered before it.
  const held = [record(1, 'buy', 1, 46_500), record(2, 'buy', 1, 46_600), record(3, 'buy', 1, 4_660)]
  expect(fold(held, MXF).positions).toMatchObject([{ quantity: 3, avg_price: null, ref_price: 46_600 }])
})

const correct = (price: number): Facts =>
  record(3, 'long_exit', null, price, { source: 'correction', refers_to: idOf(2) })

// domain §5.3: a correction with the same price confirms, with another corrects
test('a correction with another price corrects it, one with the same price confirms it', () => {
  const corrected = fold([...EXIT, correct(46_600)], MXF)
  expect(corrected.derived.get(idOf(2))).toMatchObject({
    status: 'corrected',
    price_used: 46_600,
    realised_pnl: 2 * (100 * 50 - 2 * 25 - 47 - 47),
    flags: [],
  })
  const confirmed = fold([...EXIT, correct(465_000)], MXF)
  expect(confirmed.derived.get(idOf(2))).toMatchObject({ status: 'ok', price_used: 465_000, flags: [] })
  expect(confirmed.trades).toHaveLength(1)
  expect(confirmed.state.excluded_count).toBe(0)
  // What a person gave is a reference, whatever it is.
  const then = [...EXIT, correct(465_000), record(4, 'buy', 1, 465_100), record(5, 'sell', 1, 46_500)]
  const { derived } = fold(then, MXF)
  expect([4, 5].map((n) => derived.get(idOf(n))?.flags)).toEqual([[], ['price_suspect']])
})

test('the next price bears an exit out: its trade stands where it happened', () => {
  const facts = [
    record(1, 'long_entry', 1, 46_500),
    record(2, 'long_exit', null, 60_000),
    record(3, 'long_entry', 1, 60_010),
    record(4, 'long_exit', null, 60_110),
  ]
  const { trades, derived } = fold(facts, MXF)
  expect(trades.map((trade) => trade.exit_signal_id)).toEqual([idOf(2), idOf(4)])
  expect(derived.get(idOf(2))?.realised_pnl).toBe(13_500 * 50 - 50 - 47 - 60)
})

test('what a price bears out is among what changed, wherever states stand between them', () => {
  const facts = [record(1, 'buy', 1, 46_500), record(2, 'sell', 1, 60_000), record(3, 'buy', 1, null)]
  for (const stride of [1, 9]) {
    const { kept, state } = foldKept(facts, MXF, { stride, most: 9 })
    const back = foldBack(kept, state, [record(4, 'sell', 1, 60_010)], MXF)
    expect(back?.at).toBe(msOf(facts[1]?.occurred_at as string))
    expect(back?.derived.get(idOf(2))?.status).toBe('ok')
  }
})

test('a voided price says nothing, and bears nothing out', () => {
  const voided = (n: number): Facts => record(9, 'buy', 1, null, { source: 'void', refers_to: idOf(n) })
  const facts = [record(1, 'buy', 1, 46_500), record(2, 'buy', 1, 60_000), record(3, 'buy', 1, 60_010)]
  const flags = (all: Facts[]) => [2, 3].map((n) => fold(all, MXF).derived.get(idOf(n))?.flags)
  expect(flags(facts)).toEqual([[], []])
  expect(flags([...facts, voided(3)])).toEqual([['price_suspect'], []])
  expect(flags([...facts, voided(1)])).toEqual([[], []])
})

const HISTORY = fc
  .tuple(
    termsArb,
    fc.array(draft, { minLength: 8, maxLength: 40 }),
    disorders,
    fc.constantFrom(1, 20_000, 90_000),
  )
  .map(([terms, drafts, disorder, pace]) => ({ terms, facts: spread(build(drafts, terms, disorder), pace) }))

/** The same over seconds, days or weeks. */
function spread(facts: Facts[], pace: number): Facts[] {
  const from = Date.UTC(2026, 10, 20, 2)
  const at = (instant: string) => new Date(from + (msOf(instant) - from) * pace).toISOString()
  return facts.map((one) => ({ ...one, occurred_at: at(one.occurred_at) }))
}

// domain §5.3: a suspect price moves the position and counts nothing; no price moves a position otherwise
test('prices move no position: whatever they are, each record does what it would at any other price', () => {
  let doubted = 0
  fc.assert(
    fc.property(HISTORY, ({ terms, facts }) => {
      const moves = (all: readonly Facts[]) =>
        [...fold(all, terms).derived].map(([id, one]) => [
          id,
          one.effect,
          one.none_reason,
          one.position_before,
          one.position_after,
        ])
      const calm = facts.map((one) => ({ ...one, price: one.price === null ? null : 450 }))
      expect(moves(facts)).toEqual(moves(calm))
      doubted += [...fold(facts, terms).derived.values()].filter(
        (one) => one.status === 'price_suspect',
      ).length
    }),
    { numRuns: sized(150, 600) },
  )
  expect(doubted).toBeGreaterThan(sized(150, 600))
})

/** The rule as it is written, over the whole list: slow, and without any state. */
function plainly(facts: readonly Facts[], terms: FoldTerms): Set<string> {
  const { items } = prepare(facts, terms)
  // All that these histories trade moves 10 % a day.
  const near = (a: number, b: number) => 5 * Math.round(Math.abs(a - b) * 1e4) <= Math.round(a * 1e4)
  const day = (at: string) => taipeiTradingDay(at, terms)
  const recent = (a: string, b: string) => daysBetween(day(a), day(b)) <= 5
  const found = new Set<string>()
  for (const key of new Set(items.map((one) => one.key))) {
    const own = items.filter((one) => one.key === key && !one.voided && one.price !== null)
    let good: (typeof own)[number] | null = null
    own.forEach((one, i) => {
      const price = one.price as number
      const next = own[i + 1]
      const far =
        good !== null &&
        !one.corrected &&
        !near(good.price as number, price) &&
        recent(good.facts.occurred_at, one.facts.occurred_at)
      if (far && !(next && near(price, next.price as number))) found.add(one.facts.id)
      else good = one
    })
  }
  return found
}

function taipeiTradingDay(at: string, { asset }: FoldTerms): string {
  const local = new Date(msOf(at) + 8 * 3_600_000)
  let on = local.toISOString().slice(0, 10)
  // An evening of a trading day is of the next day; a stock has none.
  if (asset === 'futures' && local.getUTCHours() >= 15 && isTradingDay(on)) on = addDays(on, 1)
  while (!isTradingDay(on)) on = addDays(on, 1)
  return on
}

function daysBetween(from: string, to: string): number {
  let days = 0
  for (let on = from; on < to; on = addDays(on, 1)) if (isTradingDay(addDays(on, 1))) days += 1
  return days
}

// domain §5.3: the next price bears a suspect one out or leaves it in doubt; a suspect one is no reference
test('what folding doubts is what the rule says, read plainly over the whole list', () => {
  const seen = { doubted: 0, borne: 0 }
  fc.assert(
    fc.property(HISTORY, ({ terms, facts }) => {
      const { items } = prepare(facts, terms)
      const doubted = items.filter(isSuspect).map(({ facts: { id } }) => id)
      expect(new Set(doubted)).toEqual(plainly(facts, terms))
      seen.doubted += doubted.length
      seen.borne += items.filter(({ known }) => known?.doubt?.borne).length
    }),
    { numRuns: sized(300, 1_500) },
  )
  expect(Math.min(seen.doubted, seen.borne)).toBeGreaterThan(sized(200, 1_000))
})

function toEnd<T>(steps: Generator<undefined, T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

test('from any cut: the same as folding all, or an instant before which to take it up', () => {
  const limits = { stride: 2, most: 16 }
  const ways = { on: 0, back: 0 }
  fc.assert(
    fc.property(HISTORY, fc.nat({ max: 1_000 }), ({ terms, facts }, some) => {
      const first = facts.slice(0, some % facts.length)
      const { cuts } = toEnd(foldInSlices(first, terms, limits, { slice: 1, every: 1 })) as FoldedInSlices
      const all = fold(facts, terms)
      const ids = new Set(facts.filter((one) => !isPointer(one)).map(({ id }) => id))
      for (const cut of cuts) {
        const at = cut.state.last?.at ?? 0
        const later = (one: Facts) => Math.floor(msOf(one.occurred_at) / 1000) > Math.floor(at / 1000)
        // What is true of a cut only while nothing that came since happened before its end, or points there.
        const news = facts.slice(first.length)
        const points = (one: Facts) => {
          const target = facts.find(({ id }) => id === one.refers_to)
          return target !== undefined && ids.has(target.id) && later(target)
        }
        if (!news.every((one) => (isPointer(one) ? points(one) : later(one)))) continue
        const rest = facts.filter((one) => isPointer(one) || later(one))
        const from = {
          state: JSON.parse(JSON.stringify(cut.state)) as typeof cut.state,
          trades: cut.trades,
          tally: EMPTY_TALLY,
        }
        const folded = toEnd(foldInSlices(rest, terms, limits, { from, slice: 3 }))
        if (typeof folded === 'number') {
          ways.back += 1
          expect(folded).toBeLessThanOrEqual(at)
          continue
        }
        ways.on += 1
        expect(folded.trades).toEqual(all.trades.slice(cut.trades))
        expect({ ...folded.state, last_chain_seq: 0 }).toEqual({ ...all.state, last_chain_seq: 0 })
      }
    }),
    { numRuns: sized(200, 1_000) },
  )
  expect(Math.min(ways.on, ways.back)).toBeGreaterThan(sized(15, 75))
})

test('so many positions are remembered, those priced last; who is forgotten is believed again', () => {
  const terms = stockTerms()
  const one = (n: number, symbol: string, price: number) =>
    record(n, 'buy', 1, price, {
      ...stock(symbol),
      occurred_at: new Date(Date.UTC(2026, 10, 20, 2) + n * 1000).toISOString(),
    })
  const many = Array.from({ length: PRICES_MOST + 50 }, (_, i) => one(i + 1, String(1_101 + i), 100))
  const { state } = fold(many, terms)
  expect(state.prices).toHaveLength(PRICES_MOST)
  expect(state.prices.at(-1)?.key).toBe(String(1_100 + many.length))
  const next = many.length + 1
  const flags = (symbol: string) =>
    fold([...many, one(next, symbol, 1_000)], terms).derived.get(idOf(next))?.flags
  expect(flags('1101')).toEqual([])
  expect(flags(String(1_100 + many.length))).toEqual(['price_suspect'])
})

test('record by record over more positions than are remembered: what folding all gives', () => {
  const terms = stockTerms()
  let refolds = 0
  const record_of = fc.tuple(fc.nat({ max: PRICES_MOST + 20 }), fc.constantFrom(100, 101, 102, 1_000))
  fc.assert(
    fc.property(fc.array(record_of, { minLength: 300, maxLength: 300 }), (drafts) => {
      const facts = drafts.map(([symbol, price], i) =>
        record(i + 1, 'buy', 1, price, stock(String(1_101 + symbol))),
      )
      let state: FoldState = EMPTY_STATE
      facts.forEach((one, i) => {
        const on = foldOn(state, one, terms)
        if (on.kind === 'refold') refolds += 1
        state = on.kind === 'refold' ? fold(facts.slice(0, i + 1), terms).state : on.state
      })
      expect(state).toEqual(fold(facts, terms).state)
    }),
    { numRuns: sized(5, 40) },
  )
  expect(refolds).toBeGreaterThan(0)
})
