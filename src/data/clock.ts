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
