// Quiet hours with a moving clock: over midnight, on some days only, over a year of days against a second writing of the rule.

import { expect, test } from 'vitest'
import { addDays, instantOf, taipei } from '#trading/calendar.ts'
import { type QuietHours, quietUntil } from '#trading/silence.ts'
import { fc } from '../support/property.ts'

const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7]
const night: QuietHours = { enabled: true, from: '22:30', to: '07:30', days: EVERY_DAY }

test.each([
  // Friday evening to Saturday morning.
  ['2026-11-20', '22:29', null],
  ['2026-11-20', '22:30', '2026-11-20T23:30:00.000Z'],
  ['2026-11-21', '00:00', '2026-11-20T23:30:00.000Z'],
  ['2026-11-21', '07:29', '2026-11-20T23:30:00.000Z'],
  ['2026-11-21', '07:30', null],
])('over midnight: %s %s', (day, time, until) => {
  expect(quietUntil(night, instantOf(day, time))).toBe(until)
})

test('the day is the one on which the quiet time begins', () => {
  const weekend = { ...night, days: [6] }
  expect(quietUntil(weekend, instantOf('2026-11-20', '23:00'))).toBeNull()
  expect(quietUntil(weekend, instantOf('2026-11-21', '23:00'))).toBe(instantOf('2026-11-22', '07:30'))
  expect(quietUntil(weekend, instantOf('2026-11-22', '07:00'))).toBe(instantOf('2026-11-22', '07:30'))
  expect(quietUntil(weekend, instantOf('2026-11-22', '23:00'))).toBeNull()
})

test('switched off it is never quiet; the same time twice is a whole day', () => {
  expect(quietUntil({ ...night, enabled: false }, instantOf('2026-11-21', '00:00'))).toBeNull()
  const always = { ...night, from: '00:00', to: '00:00' }
  expect(quietUntil(always, instantOf('2026-11-21', '12:00'))).toBe(instantOf('2026-11-22', '00:00'))
})

test('whole days in a row end once; hours that never end let go once a day', () => {
  const weekend = { ...night, from: '00:00', to: '00:00', days: [6, 7] }
  expect(quietUntil(weekend, instantOf('2026-11-21', '09:00'))).toBe(instantOf('2026-11-23', '00:00'))
  const evening = { ...night, from: '18:00', to: '18:00', days: [5, 6, 7] }
  expect(quietUntil(evening, instantOf('2026-11-20', '19:00'))).toBe(instantOf('2026-11-23', '18:00'))
  const always = { ...night, from: '09:00', to: '09:00' }
  expect(quietUntil(always, instantOf('2026-11-20', '19:00'))).toBe(instantOf('2026-11-21', '09:00'))
})

/** Minute by minute: is a minute of the day inside a time that began on this or the day before. */
function isQuiet({ from, to, days }: QuietHours, at: string): boolean {
  const { date, time, weekday } = taipei(at)
  const minute = time.slice(0, 5)
  const iso = ((weekday + 6) % 7) + 1
  const before = ((iso + 5) % 7) + 1
  const over = to <= from
  void date
  if (days.includes(iso) && (over ? minute >= from : minute >= from && minute < to)) return true
  return over && days.includes(before) && minute < to
}

const two = (n: number) => String(n).padStart(2, '0')
const clock = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map(([h, m]) => `${two(h)}:${two(m)}`)
const hours = fc.record({
  enabled: fc.constant(true),
  from: clock,
  to: clock,
  days: fc.uniqueArray(fc.integer({ min: 1, max: 7 })),
})

test('any quiet time, any minute of a year: as the plain rule says, and its end is the first loud minute', () => {
  fc.assert(
    fc.property(hours, fc.integer({ min: 0, max: 365 }), clock, (quiet, n, time) => {
      const at = instantOf(addDays('2026-01-01', n), time)
      const until = quietUntil(quiet, at)
      expect(until !== null).toBe(isQuiet(quiet, at))
      if (until === null) return
      expect(until > at).toBe(true)
      const last = new Date(Date.parse(until) - 60_000).toISOString()
      expect(isQuiet(quiet, last)).toBe(true)
      const endless = quiet.from === quiet.to && quiet.days.length === 7
      if (!endless) expect(isQuiet(quiet, until)).toBe(false)
    }),
  )
})
