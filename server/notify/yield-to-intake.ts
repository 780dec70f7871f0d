// The intake comes first: while it is pressed, who plans and all channels that send take a thirtieth of the time together, in
// small portions (docs/decisions/notifications.md).
import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../context.ts'

const SHARE = 30
const MOST_MS = 3_000
/** The rest ends when the crowd does. */
const LOOK_MS = 100
/** What was begun is a part of the work, as far as it ends so soon: the rest of it is waiting for others. */
const ENDS_MS = 250

declare module '../context.ts' {
  interface App {
    /** Whether messages come faster than strategies fire: what else there is to do can wait. */
    readonly pressed: () => boolean
  }
}

/** When the next of them may work, on the clock of the process. */
const free_at = new WeakMap<App['pressed'], number>()

/** Rests after work that took so long, with the messages it has `begun`, if signals crowd at the intake; longer if others worked, too. */
export async function yieldToIntake(
  { pressed }: Pick<App, 'pressed'>,
  began: number,
  begun: Iterable<Promise<unknown>> = [],
): Promise<void> {
  if (!pressed()) return
  await Promise.race([Promise.allSettled(begun), sleep(ENDS_MS, undefined, { ref: false })])
  const now = performance.now()
  const due = Math.max(now, free_at.get(pressed) ?? 0) + (now - began) * (SHARE - 1)
  const until = Math.min(now + MOST_MS, due)
  free_at.set(pressed, until)
  let left = until - now
  for (; left > 0 && pressed(); left = until - performance.now()) await sleep(Math.min(LOOK_MS, left))
  // The crowd is gone: the next one begins anew.
  if (left > 0) free_at.delete(pressed)
}
