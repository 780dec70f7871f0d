// 2,000 deliveries with 30 % faults over two processes, one of them killed every few seconds (quality.md): none is lost, none goes astray.
import { describe, expect, test } from 'vitest'
import { onPostgres } from '#tests/support/engines.ts'
import { manyDeliveries } from '#tests/support/many-deliveries.ts'

describe.runIf(onPostgres())('two processes that deliver', () => {
  test('each is delivered or given up with a reason, to whom it belongs, and not after access has ended', async () => {
    const people = 40
    const signals = 18
    const result = await manyDeliveries({
      ...{ people, signals, kill_every_ms: 5_000 },
      ...{ faults: 0.3, gone: 2, leaving: 4, shows: 0.7 },
    })
    // Those who left after 10 of the signals are not told of the others; who answered 410 is not written to again.
    expect(result.planned_well).toBe(38 * 18 - 4 * 8)
    expect(result).toMatchObject({ unexplained: 0, to_others: 0, never: 0, after_end: 0 })
    expect(result.confirmed + result.dead + result.skipped).toBe(result.planned)
    expect(result.planned).toBeGreaterThan(1_900)
    expect(result.confirmed).toBeGreaterThan(1_200)
    // LINE comes where the device says nothing, and hardly anywhere else: only what was on its way as the device spoke.
    expect(result.both).toBeGreaterThan(0)
    expect(result.both).toBeLessThan(result.planned_by.push * 0.8)
    expect(result.after_shown).toBeLessThan(result.planned_by.line * 0.05)
    // Only what was on its way as a process was killed may come again: two messages that wait to be noted, and those of which the
    // answer is late. Twelve a kill are many of those, and few where a claim is no claim. The rate is measured where there are
    // enough of them (npm run bench -- deliveries).
    expect(result.twice_messages).toBeLessThanOrEqual(result.kills * 12)
  })
})
