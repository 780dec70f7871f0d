// What is due as soon as a new day has begun in Taipei.
import { addDays, instantOf, taipei } from '#trading/calendar.ts'
import type { App } from './context.ts'

/** Clocks of timers and of the day differ by a little: never before the day has begun. */
const AFTER_MS = 1_000
/** What failed is tried again soon, not only the next day. */
const AGAIN_MS = 60_000

/** Milliseconds from `now_ms` until just after the next midnight in Taipei. */
export function untilMidnight(now_ms: number): number {
  const tomorrow = addDays(taipei(new Date(now_ms).toISOString()).date, 1)
  return Date.parse(instantOf(tomorrow, '00:00')) - now_ms + AFTER_MS
}

/** Runs `work` now and just after each midnight in Taipei, until the returned function is called (it waits for a running one). */
export function everyDay(
  app: Pick<App, 'now' | 'log'>,
  name: string,
  work: () => Promise<unknown>,
): () => Promise<void> {
  let running: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  const again = (in_ms: number) => {
    if (stopped) return
    timer = setTimeout(run, in_ms)
    timer.unref()
  }
  const run = () => {
    running = work().then(
      (done) => {
        app.log.debug({ done }, name)
        again(untilMidnight(app.now()))
      },
      (error: unknown) => {
        app.log.error({ err: error }, name)
        again(AGAIN_MS)
      },
    )
  }
  run()
  return () => {
    stopped = true
    clearTimeout(timer)
    return running
  }
}
