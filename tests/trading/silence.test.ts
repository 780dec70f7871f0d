// Open minutes between two instants, over nights, weekends, closed days and ends of months; and what a record teaches of its gaps.
import { describe, expect, test } from 'vitest'
import { fc } from '#tests/support/property.ts'
import { instantOf, tradingSessionAt } from '#trading/calendar.ts'
import { GAPS_LEAST, hoursOf, LEARNED_LEAST, openMs, usualMinutes } from '#trading/silence.ts'

/** Friday and Monday around a weekend are holidays. */
const closed_days = new Set(['2026-09-25', '2026-09-28'])
const NIGHTS = { market: 'futures', has_night: true, closed_days } as const
const DAYS = { ...NIGHTS, has_night: false }
const STOCKS = { market: 'stock', has_night: false, closed_days } as const
const ms = (words: string) => {
  const [day = '', time = ''] = words.split(' ')
  return Date.parse(instantOf(day, time))
}

test.each([
  // within one trading session, and over its edges
  [NIGHTS, '2026-11-20 09:00', '2026-11-20 10:30', 90],
  [NIGHTS, '2026-11-20 08:00', '2026-11-20 08:45', 0],
  [NIGHTS, '2026-11-20 08:00', '2026-11-20 14:59', 300],
  [NIGHTS, '2026-11-20 13:00', '2026-11-20 16:00', 45 + 60],
  // the night goes over midnight; a whole day has both
  [NIGHTS, '2026-11-18 23:30', '2026-11-19 00:30', 60],
  [NIGHTS, '2026-11-18 10:00', '2026-11-19 10:00', 225 + 840 + 75],
  [DAYS, '2026-11-18 10:00', '2026-11-19 10:00', 225 + 75],
  // Friday's night ends on Saturday; then nothing until Monday morning
  [NIGHTS, '2026-11-20 22:00', '2026-11-21 12:00', 420],
  [NIGHTS, '2026-11-21 05:00', '2026-11-23 08:45', 0],
  [NIGHTS, '2026-11-22 00:00', '2026-11-23 09:00', 15],
  // the eve of a holiday has its night, the holiday has neither, and Tuesday is the next day
  [NIGHTS, '2026-09-24 13:45', '2026-09-29 09:45', 840 + 60],
  [DAYS, '2026-09-24 13:45', '2026-09-29 09:45', 60],
  [NIGHTS, '2026-09-25 05:00', '2026-09-29 08:45', 0],
  // stocks have no night
  [STOCKS, '2026-11-20 13:00', '2026-11-23 09:30', 90 + 30],
  // never backwards
  [NIGHTS, '2026-11-20 10:00', '2026-11-20 09:00', 0],
  [NIGHTS, '2026-11-20 10:00', '2026-11-20 10:00', 0],
  // a month that is over says nothing more, and its last day ends at 13:30
  [{ ...NIGHTS, contract: '202611' }, '2026-11-18 13:00', '2026-11-20 13:00', 30],
  [{ ...NIGHTS, contract: '202612' }, '2026-11-18 13:00', '2026-11-18 16:00', 105],
])('%j %s → %s: %i open minutes', (hours, from, to, minutes) => {
  expect(openMs(ms(from), ms(to), hours) / 60_000).toBe(minutes)
})

describe('for any instants', () => {
  const START = ms('2026-09-21 00:00')
  const instant = fc.integer({ min: 0, max: 14 * 86_400 }).map((second) => START + second * 1000)
  const hours = fc.constantFrom(NIGHTS, DAYS, STOCKS, { ...NIGHTS, contract: '202609W4' })

  test('the parts make the whole, no more time than there was passes, and later is never less', () => {
    fc.assert(
      fc.property(fc.tuple(instant, instant, instant), hours, (three, of) => {
        const [a, b, c] = three.toSorted((x, y) => x - y) as [number, number, number]
        expect(openMs(a, b, of) + openMs(b, c, of)).toBe(openMs(a, c, of))
        expect(openMs(a, c, of)).toBeGreaterThanOrEqual(openMs(a, b, of))
        expect(openMs(a, c, of)).toBeLessThanOrEqual(c - a)
        expect(openMs(c, a, of)).toBe(0)
      }),
    )
  })

  test('a second counts just when the records of that second are of a trading session', () => {
    fc.assert(
      fc.property(instant, hours, (at, of) => {
        const inside = [at, at + 1000].map(
          (one) => tradingSessionAt(new Date(one).toISOString(), of).session !== 'closed',
        )
        // At an edge the last second belongs to the session, and the time after it to none.
        if (inside[0] === inside[1]) expect(openMs(at, at + 1000, of)).toBe(inside[0] ? 1000 : 0)
      }),
    )
  })
})

test('the hours are those of the product, by night only where the strategy trades by night', () => {
  const of = (settings: object) => hoursOf({ kind: 'futures', settings }, closed_days)
  expect(of({ product_code: 'TXF', session: 'day_night' })).toMatchObject({ has_night: true, contract: null })
  expect(of({ product_code: 'TXF', session: 'day' })).toMatchObject({ has_night: false })
  expect(of({ product_code: 'CDF', session: 'day_night' })).toMatchObject({ has_night: false })
  const month = { product_code: 'TXF', contract_rule: 'month', contract_month: '202611' }
  expect(of(month)).toMatchObject({ contract: '202611' })
  expect(of({ ...month, contract_rule: 'near' })).toMatchObject({ contract: null })
  expect(hoursOf({ kind: 'xq-stock', settings: {} }, closed_days)).toEqual(STOCKS)
})

describe('what a record teaches', () => {
  /** Signals so many minutes apart, from the morning of a day on. */
  const every = (minutes: number, count: number, from = '2026-11-18 09:00') =>
    Array.from({ length: count }, (_, i) => ms(from) + i * minutes * 60_000)

  test('nothing before there are enough gaps', () => {
    expect(usualMinutes(every(10, GAPS_LEAST), NIGHTS)).toBeNull()
    expect(usualMinutes(every(10, GAPS_LEAST + 1), NIGHTS)).toBe(LEARNED_LEAST)
    expect(usualMinutes([], NIGHTS)).toBeNull()
  })

  test('half as much again as its long gaps, in open minutes', () => {
    // 09:00 each day of three weeks, without nights: 300 open minutes apart, weekends too.
    const days = Array.from({ length: 30 }, (_, i) => ms('2026-10-12 09:00') + i * 86_400_000)
    expect(
      usualMinutes(
        days.filter((at) => ![0, 6].includes(new Date(at).getUTCDay())),
        DAYS,
      ),
    ).toBe(450)
    expect(usualMinutes(every(40, 30), NIGHTS)).toBe(60)
  })

  test('one outage among a hundred is not what is usual', () => {
    const regular = every(30, 120, '2026-11-16 15:00')
    const with_outage = [...regular.slice(0, 60), ...regular.slice(60).map((at) => at + 86_400_000)]
    expect(usualMinutes(with_outage, NIGHTS)).toBe(usualMinutes(regular, NIGHTS))
  })

  test('what goes off together is one: fifty products at once every day teach nothing, or a day', () => {
    const days = Array.from({ length: 8 }, (_, i) => ms('2026-11-16 09:00') + i * 86_400_000)
    const bursts = days.flatMap((at) => Array.from({ length: 50 }, (_, i) => at + i * 100))
    expect(usualMinutes(bursts, DAYS)).toBeNull()
  })
})
