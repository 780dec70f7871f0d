// Who may be sent to: those that are slow and one person with many leave places for the others.

import { describe, expect, test } from 'vitest'
import { Turns } from '#server/notify/turns.ts'
import { fc } from '#tests/support/property.ts'

const AT = 1_700_000_000_000

describe('turns', () => {
  test('one person holds an eighth; the others have the rest at once', () => {
    const turns = new Turns(64, 2_000)
    const mine = Array.from({ length: 20 }, (_none, n) => turns.take(`mine ${n}`, 'A'))
    expect(mine.filter((turn) => turn === 'taken')).toHaveLength(8)
    expect(turns.take('theirs', 'B')).toBe('taken')
  })

  test('what fails rests longer each time, at most a minute; a success ends it', () => {
    const turns = new Turns(8, 2_000)
    const rest = () => turns.freeAt('r') - AT
    const fail = () => {
      expect(turns.take('r', 'A')).toBe('taken')
      turns.giveBack('r', { failed: true, slow: false, next_at: AT }, AT)
      return rest()
    }
    expect([fail(), fail(), fail(), fail(), fail(), fail(), fail()]).toEqual([
      2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000,
    ])
    expect(turns.take('r', 'A')).toBe('taken')
    turns.giveBack('r', { failed: false, slow: false, next_at: AT }, AT)
    expect(rest()).toBeLessThanOrEqual(0)
  })

  test('however many are slow, a quarter of the places is theirs and the others are never refused for them', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 4, max: 64 }), (failing, at_once) => {
        const turns = new Turns(at_once, 2_000)
        for (let n = 0; n < failing; n++) {
          turns.take(`bad ${n}`, `owner ${n}`)
          turns.giveBack(`bad ${n}`, { failed: true, slow: true, next_at: AT }, AT)
        }
        let held = 0
        for (let n = 0; n < failing; n++) if (turns.take(`bad ${n}`, `owner ${n}`) === 'taken') held++
        expect(held).toBeLessThanOrEqual(Math.max(1, at_once >> 2))
        for (let n = 0; n < at_once - held; n++) expect(turns.take(`good ${n}`, `person ${n}`)).toBe('taken')
      }),
    )
  })
})
