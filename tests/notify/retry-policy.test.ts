// What becomes of a delivery after a try.
import { describe, expect, test } from 'vitest'
import { retryPolicy } from '#server/notify/settle.ts'
import { fc } from '../support/property.ts'

const now = Date.parse('2026-11-23T03:00:00.000Z')
const since = new Date(now - 1_000).toISOString()
const first_ms = 2_000
const robot = { confirms: true }
const device = { confirms: false }

describe('after a try', () => {
  test('sent is the last word, or waits for a device to confirm it', () => {
    expect(
      retryPolicy(robot, { kind: 'sent' }, { attempts: 1, since }, now, { chance: 0, first_ms }),
    ).toMatchObject({
      state: 'confirmed',
      next_at: null,
      sent_at: '2026-11-23T03:00:00.000Z',
    })
    expect(
      retryPolicy(device, { kind: 'sent' }, { attempts: 1, since }, now, { chance: 0, first_ms }).state,
    ).toBe('sent')
  })
  test('who says when is believed to the millisecond, up to an hour', () => {
    const said = (after_ms: number) =>
      retryPolicy(robot, { kind: 'again', reason: '太快', after_ms }, { attempts: 1, since }, now, {
        chance: 0.9,
        first_ms,
      })
    expect(said(7_000)).toMatchObject({
      state: 'failed',
      reason: '太快',
      next_at: '2026-11-23T03:00:07.000Z',
    })
    expect(said(9 * 3_600_000).next_at).toBe('2026-11-23T04:00:00.000Z')
  })
  test('a receiver that is lost and a message that is refused are given up at once, with the reason', () => {
    const lost = { kind: 'lost', state: 'blocked', reason: '已封鎖' } as const
    for (const outcome of [lost, { kind: 'refused', reason: '太長' } as const])
      expect(retryPolicy(robot, outcome, { attempts: 1, since }, now, { chance: 0, first_ms })).toMatchObject(
        {
          state: 'dead',
          reason: outcome.reason,
          next_at: null,
        },
      )
  })
  test('any row of failures ends with a reason, the pauses grow, and nothing is tried for ever', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 20 }), (chances) => {
        let at = now
        let pause = 0
        for (const [i, chance] of chances.entries()) {
          const after = retryPolicy(
            robot,
            { kind: 'again', reason: '對方忙碌' },
            { attempts: i + 1, since },
            at,
            { chance, first_ms },
          )
          if (after.state === 'dead') {
            expect(after.reason).toContain('對方忙碌')
            expect(i).toBeGreaterThanOrEqual(5)
            return
          }
          const wait = Date.parse(after.next_at as string) - at
          expect(wait).toBeGreaterThan(0)
          expect(wait).toBeGreaterThan(pause / 2)
          pause = wait
          at += wait
        }
        throw new Error('never given up')
      }),
    )
  })
})
