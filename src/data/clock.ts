// Time, handed in: tests bring their own, so that nothing has to wait.

/** Milliseconds since 1970, and one-shot timers. */
export interface Clock {
  now(): number
  /** Runs `work` once after `ms`; gives a function that cancels it. */
  after(ms: number, work: () => void): () => void
}

export const system_clock: Clock = {
  now: () => Date.now(),
  after(ms, work) {
    const timer = setTimeout(work, ms)
    return () => clearTimeout(timer)
  },
}

/** Resolves after `ms`, or at once when `signal` aborts. */
export function sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const done = () => {
      cancel()
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const cancel = clock.after(ms, done)
    signal?.addEventListener('abort', done)
  })
}

/** No line is so slow: then one of the clocks was set, and what was measured before counts no more. */
const STEP_MS = 60_000

/** The server's clock minus ours, ms: the median of the last five measurements since a clock was set; before the first what was kept (0 when nothing was). */
export function createOffset(kept_ms = 0): { add(ms: number): void; ms(): number } {
  let last: number[] = []
  const median = () => last.toSorted((a, b) => a - b)[last.length >> 1] ?? kept_ms
  return {
    add(ms) {
      if (Math.abs(ms - median()) > STEP_MS) last = []
      last.push(ms)
      if (last.length > 5) last.shift()
    },
    ms: median,
  }
}
