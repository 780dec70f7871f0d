// Heavy work: so many at a time, so many waiting, and those not for long; the rest is asked to come back.
import type { ApiError } from '#contract/errors.ts'

export interface FewAtOnceOptions {
  /** How many run at the same time. */
  readonly at_once: number
  /** How many may wait for that; the next one is refused. */
  readonly waiting_most: number
  /** Who would wait longer than this, by what the last works took, is refused at once; those who go first are not. */
  readonly patience_ms?: number
  /** What the refused are told. */
  readonly refused: () => ApiError
  /** Milliseconds of a clock that is never set. */
  readonly clock?: () => number
}

/** So many works say how long the next will take: the middle one of them, so that a machine that slept once says nothing. */
const LAST = 9

/** Runs each work when it is its turn and gives its result; throws what `refused` gives when too many wait already. Works that go `first` wait for each other only. */
export function fewAtOnce({
  at_once,
  waiting_most,
  patience_ms = Number.POSITIVE_INFINITY,
  refused,
  clock = () => performance.now(),
}: FewAtOnceOptions) {
  let busy = 0
  const took_ms: number[] = []
  /** What a work takes, of late; nothing is known before the first. */
  const takesMs = () => took_ms.toSorted((a, b) => a - b)[took_ms.length >> 1] ?? 0
  const waiting: (() => void)[] = []
  const ahead: (() => void)[] = []
  const full = (first: boolean) =>
    first
      ? ahead.length >= waiting_most
      : waiting.length >= waiting_most ||
        ((ahead.length + waiting.length + 1) * takesMs()) / at_once > patience_ms
  return async function inTurn<T>(work: () => Promise<T>, first = false): Promise<T> {
    if (busy >= at_once) {
      if (full(first)) throw refused()
      await new Promise<void>((next) => (first ? ahead : waiting).push(next))
    } else busy++
    const began = clock()
    try {
      return await work()
    } finally {
      took_ms.push(clock() - began)
      if (took_ms.length > LAST) took_ms.shift()
      const next = ahead.shift() ?? waiting.shift()
      // The turn is handed on, so that nobody can slip in between.
      if (next) next()
      else busy--
    }
  }
}

/** The same for each account by itself, so that whoever comes with many at once waits for the own ones only. */
export function fewOfEach(options: FewAtOnceOptions) {
  const accounts = new Map<string, { inTurn: ReturnType<typeof fewAtOnce>; count: number }>()
  return async function inTurn<T>(account: string, work: () => Promise<T>): Promise<T> {
    const own = accounts.get(account) ?? { inTurn: fewAtOnce(options), count: 0 }
    accounts.set(account, own)
    own.count++
    try {
      return await own.inTurn(work)
    } finally {
      own.count--
      if (own.count === 0) accounts.delete(account)
    }
  }
}
