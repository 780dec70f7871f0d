// What the device keeps for the first page, laid out before it is drawn: one paint instead of three.
import type { QueryClient } from '@tanstack/react-query'
import { type Clock, sleep } from '../clock.ts'
import type { Ctx } from '../context.ts'
import type { Answers } from './answers.ts'
import { earlyRows } from './early.ts'

/** The first paint waits no longer for the device. */
const RESTORE_MS = 1_000

export interface Restored {
  /** The device's first rows are at hand; false when there are none, or they were not asked for. */
  found: Promise<boolean>
  /** Resolves when that is known, or the time is over. */
  done: Promise<void>
}

/**
 * Call in the turn in which a visit begins; `wanted` tells whether it still lasts and acts in that context: an access may have
 * ended while the device was read. Neither promise rejects.
 */
export function restoreFirst(
  answers: Answers,
  query: QueryClient,
  clock: Clock,
  wanted: (ctx: Ctx) => boolean,
): Restored {
  const found = earlyRows().then((rows) => {
    if (rows && wanted(rows.ctx)) answers.lay(rows, query)
    return rows !== null
  })
  return { found, done: Promise.race([found.then(() => undefined), sleep(clock, RESTORE_MS)]) }
}
