// The intake comes first: while it is pressed, who plans and each channel that sends take a thirtieth of the time,
// in larger portions.
import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../context.ts'

const SHARE = 30
const MOST_MS = 3_000
/** The rest ends when the crowd does. */
const LOOK_MS = 100
/** What was begun is a part of the work, as far as it ends so soon: the rest of it is waiting for others. */
const ENDS_MS = 250

/** Rests after work that took so long, with the messages it has `begun`, if signals crowd at the intake. */
export async function breathe(
  { intake }: Pick<App, 'intake'>,
  began: number,
  begun: Iterable<Promise<unknown>> = [],
): Promise<void> {
  if (!intake.pressed) return
  await Promise.race([Promise.allSettled(begun), sleep(ENDS_MS, undefined, { ref: false })])
  const now = performance.now()
  const until = now + Math.min(MOST_MS, (now - began) * (SHARE - 1))
  for (let left = until - now; left > 0 && intake.pressed; left = until - performance.now())
    await sleep(Math.min(LOOK_MS, left))
}
