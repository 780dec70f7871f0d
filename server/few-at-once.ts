// Heavy work: so many at a time, so many waiting, the rest is asked to come back.
import { ApiError } from '#contract/errors.ts'

export interface FewAtOnceOptions {
  /** How many run at the same time. */
  readonly at_once: number
  /** How many may wait for that; the next one is refused. */
  readonly waiting_most: number
  /** What the refused are told. */
  readonly text: string
}

/** Runs each work when it is its turn and gives its result; throws ApiError 5030 when too many wait already. Works that go `first` wait for each other only. */
export function fewAtOnce({ at_once, waiting_most, text }: FewAtOnceOptions) {
  let busy = 0
  const waiting: (() => void)[] = []
  const ahead: (() => void)[] = []
  return async function inTurn<T>(work: () => Promise<T>, first = false): Promise<T> {
    const line = first ? ahead : waiting
    if (busy >= at_once) {
      if (line.length >= waiting_most) throw new ApiError(5030, { retry_after_s: 5, text })
      await new Promise<void>((next) => line.push(next))
    } else busy++
    try {
      return await work()
    } finally {
      const next = ahead.shift() ?? waiting.shift()
      // The turn is handed on, so that nobody can slip in between.
      if (next) next()
      else busy--
    }
  }
}
