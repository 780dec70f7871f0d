// Which rows a list draws beyond its edges, however it is scrolled.

import { expect, test } from 'vitest'
import { ahead, type Drawn, OVERSCAN, RESERVE } from '#features/signal/SignalWindow.tsx'
import { fc } from '#tests/support/property.ts'

/** Places that somebody scrolls through: mostly a few rows on, sometimes far away; the list may grow and shrink. */
const walk = fc.array(
  fc.record({
    by: fc.oneof(
      { weight: 6, arbitrary: fc.integer({ min: -3, max: 3 }) },
      fc.integer({ min: -400, max: 400 }),
    ),
    count: fc.constantFrom(null, null, null, null, 1, 5, 40, 400),
    sight: fc.constantFrom(null, null, null, 12, 13),
  }),
  { minLength: 1, maxLength: 60 },
)

test('what is in sight is drawn with a reserve at both edges, and never much more', () => {
  fc.assert(
    fc.property(walk, (steps) => {
      let [at, count, sight] = [0, 400, 13]
      let drawn: Drawn | null = null
      for (const step of steps) {
        count = step.count ?? count
        sight = step.sight ?? sight
        at = Math.max(0, Math.min(count - 1, at + step.by))
        const range = { startIndex: at, endIndex: Math.min(count - 1, at + sight - 1), count }
        drawn = ahead(drawn, range)
        expect(drawn.from).toBeGreaterThanOrEqual(0)
        expect(drawn.to).toBeLessThan(count)
        expect(drawn.from).toBeLessThanOrEqual(Math.max(0, range.startIndex - RESERVE))
        expect(drawn.to).toBeGreaterThanOrEqual(Math.min(count - 1, range.endIndex + RESERVE))
        expect(drawn.to - drawn.from).toBeLessThan(13 + 2 * OVERSCAN)
      }
    }),
  )
})

test('scrolling row by row draws a batch every few rows', () => {
  let drawn: Drawn | null = null
  let batches = 0
  for (let at = 0; at < 200; at++) {
    const next: Drawn = ahead(drawn, { startIndex: at, endIndex: at + 12, count: 1_000 })
    if (next !== drawn) batches++
    drawn = next
  }
  expect(batches).toBe(Math.ceil(200 / (OVERSCAN - RESERVE + 1)))
})
