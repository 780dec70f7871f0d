// Who may be sent to: those that are slow and one person with many leave places for the others.

import { describe, expect, test } from 'vitest'
import { backoffMs, failedOf } from '#server/limits/backoff.ts'
import { InFlight } from '#server/limits/concurrency.ts'
import { fc } from '#tests/support/property.ts'

const AT = 1_700_000_000_000

describe('in flight', () => {
  test('one person holds an eighth; the others have the rest at once', () => {
    const in_flight = new InFlight(64)
    const mine = Array.from({ length: 20 }, (_none, n) => in_flight.take(`mine ${n}`, 'A'))
    expect(mine.filter((turn) => turn === 'taken')).toHaveLength(8)
    expect(in_flight.take('theirs', 'B')).toBe('taken')
  })

  test('what fails rests longer each time, at most a minute; what is long ago counts no more', () => {
    expect([0, 1, 2, 3, 4, 5, 6].map((before) => backoffMs(before, 2_000))).toEqual([
      2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000,
    ])
    const rest = { asked_until: null, failed: 3, rests_until: null, noted_at: new Date(AT).toISOString() }
    expect([failedOf(null, AT), failedOf(rest, AT + 60_000), failedOf(rest, AT + 3_600_000)]).toEqual([
      0, 3, 0,
    ])
  })

  test('however many are slow, a quarter of the places is theirs and the others are never refused for them', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 4, max: 64 }), (failing, at_once) => {
        const in_flight = new InFlight(at_once)
        for (let n = 0; n < failing; n++) {
          in_flight.take(`bad ${n}`, `owner ${n}`)
          in_flight.giveBack(`bad ${n}`, { slow: true, next_at: AT }, AT)
        }
        let held = 0
        for (let n = 0; n < failing; n++) if (in_flight.take(`bad ${n}`, `owner ${n}`) === 'taken') held++
        expect(held).toBeLessThanOrEqual(Math.max(1, at_once >> 2))
        for (let n = 0; n < at_once - held; n++)
          expect(in_flight.take(`good ${n}`, `person ${n}`)).toBe('taken')
      }),
    )
  })
})
