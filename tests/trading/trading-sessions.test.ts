// The running trading session and the next opening, by the calendar; against tradingSessionAt, which the records are judged by.

import { expect, test } from 'vitest'
import { fc } from '#tests/support/property.ts'
import { instantOf, tradingSessionAt } from '#trading/calendar.ts'
import { tradingSessionNow } from '#trading/day.ts'

const FUTURES = { market: 'futures', has_night: true } as const
/** 2026-09-25 and 09-28 are holidays around a weekend. */
const closed_days = new Set(['2026-09-25', '2026-09-28'])

test.each([
  // day, time, session, ends, next
  ['2026-09-24', '08:44:59', 'closed', null, 'day 2026-09-24 08:45'],
  ['2026-09-24', '10:00:00', 'day', '2026-09-24 13:45', 'night 2026-09-24 15:00'],
  ['2026-09-24', '14:00:00', 'closed', null, 'night 2026-09-24 15:00'],
  // the eve of a holiday has its night, and the market stays closed from its end to the Tuesday after
  ['2026-09-24', '22:00:00', 'night', '2026-09-25 05:00', 'day 2026-09-29 08:45'],
  ['2026-09-25', '04:00:00', 'night', '2026-09-25 05:00', 'day 2026-09-29 08:45'],
  ['2026-09-25', '10:00:00', 'closed', null, 'day 2026-09-29 08:45'],
  ['2026-09-25', '21:00:00', 'closed', null, 'day 2026-09-29 08:45'],
  ['2026-09-27', '03:00:00', 'closed', null, 'day 2026-09-29 08:45'],
  ['2026-09-28', '15:30:00', 'closed', null, 'day 2026-09-29 08:45'],
  // Monday's small hours belong to a Sunday without a night
  ['2026-11-23', '04:37:00', 'closed', null, 'day 2026-11-23 08:45'],
])('%s %s: %s', (day, time, session, ends, next) => {
  const told = tradingSessionNow(instantOf(day, time), { ...FUTURES, closed_days })
  const at = (words: string) => {
    const [date = '', hour = ''] = words.split(' ')
    return instantOf(date, hour)
  }
  expect(told.session).toBe(session)
  expect(told.ends_at).toBe(ends === null ? null : at(ends))
  expect(told.next).toEqual({ session: next.split(' ')[0], at: at(next.slice(next.indexOf(' ') + 1)) })
})

test('stocks and products without a night open in the morning only', () => {
  const evening = instantOf('2026-09-24', '20:00:00')
  expect(tradingSessionNow(evening, { ...FUTURES, has_night: false, closed_days })).toEqual({
    session: 'closed',
    ends_at: null,
    next: { session: 'day', at: instantOf('2026-09-29', '08:45') },
  })
  expect(
    tradingSessionNow(instantOf('2026-09-24', '14:00:00'), { market: 'stock', has_night: false }),
  ).toMatchObject({
    session: 'day',
    ends_at: instantOf('2026-09-24', '14:30'),
    next: { session: 'day', at: instantOf('2026-09-25', '09:00') },
  })
  const all_year = new Set(
    Array.from({ length: 900 }, (_, n) => new Date(Date.UTC(2026, 0, 1 + n)).toISOString().slice(0, 10)),
  )
  expect(tradingSessionNow(evening, { ...FUTURES, closed_days: all_year }).next).toBeNull()
})

test('ends and openings are where tradingSessionAt changes its mind', () => {
  const hours = { ...FUTURES, closed_days }
  const from = Date.parse('2026-09-21T00:00:00Z')
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 14 * 86_400 }), (second) => {
      const at = new Date(from + second * 1000).toISOString()
      const { session, ends_at, next } = tradingSessionNow(at, hours)
      const then = (instant: string, ms: number) =>
        tradingSessionAt(new Date(Date.parse(instant) + ms).toISOString(), hours).session
      expect(session).toBe(tradingSessionAt(at, hours).session)
      if (ends_at !== null) {
        expect(then(ends_at, 0)).toBe(session)
        expect(then(ends_at, 1000)).toBe('closed')
      }
      if (!next) throw new Error('the market opens again')
      expect(then(next.at, 0)).toBe(next.session)
      expect(then(next.at, -1000)).toBe('closed')
    }),
  )
})
