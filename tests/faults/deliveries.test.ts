// 2,000 deliveries with 30 % faults over two processes, one of them killed every few seconds (quality.md): none is lost, none goes astray.
import { describe, expect, test } from 'vitest'
import { manyDeliveries } from '#tests/support/many-deliveries.ts'
import { findPostgres } from '#tests/support/postgres.ts'

describe.skipIf(findPostgres() === null)('two processes that deliver', () => {
  test('each is delivered or given up with a reason, to whom it belongs, and not after access has ended', {
    timeout: 600_000,
  }, async () => {
    const result = await manyDeliveries({
      ...{ people: 40, signals: 50, kill_every_ms: 5_000, faults: 0.3, gone: 2, leaving: 4 },
    })
    // Those who left after 26 of the signals are not told of the others; who answered 410 is not written to again.
    expect(result.planned_well).toBe(38 * 50 - 4 * 24)
    expect(result).toMatchObject({ unexplained: 0, to_others: 0, never: 0, after_end: 0 })
    expect(result.confirmed + result.dead + result.skipped).toBe(result.planned)
    expect(result.confirmed).toBeGreaterThan(1_700)
    // Only what was on its way as a process was killed may come again.
    expect(result.twice).toBeLessThanOrEqual(result.kills * 40)
  })
})
