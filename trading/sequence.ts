// The sender's own count of its messages (domain §5.5): which numbers are missing between those that came.

export interface Sequence {
  /** The newest number. */
  last: number
  /** Rising, at most MISSING_MOST. */
  missing: readonly number[]
  /** When the last of them was found missing, ISO; null while none is. */
  since: string | null
}

/** Numbers that are named; further ones are not looked for. */
export const MISSING_MOST = 100
/** A larger jump, forward or back, is a count begun anew. */
const JUMP_MOST = 1_000

/** The number in a message's text; null where it is none. */
export function sequenceNumber(text: string | undefined): number | null {
  const plain = text?.trim().replace(/\.0+$/, '') ?? ''
  return /^\d{1,15}$/.test(plain) ? Number(plain) : null
}

/** What is known after one more number came, at `at`. */
export function sequenceOn(known: Sequence | null, n: number, at: string): Sequence {
  if (known === null) return { last: n, missing: [], since: null }
  const { last, missing, since } = known
  if (missing.includes(n)) {
    const left = missing.filter((one) => one !== n)
    return { last, missing: left, since: left.length > 0 ? since : null }
  }
  if (n === last) return known
  const anew = n < last ? n === 1 || last - n > JUMP_MOST : n - last > JUMP_MOST
  if (anew) return { last: n, missing: [], since: null }
  // One that came before comes once more.
  if (n < last) return known
  if (n === last + 1) return { last: n, missing, since }
  const between = Array.from({ length: n - last - 1 }, (_, i) => last + 1 + i)
  const all = [...missing, ...between].slice(-MISSING_MOST)
  return { last: n, missing: all, since: at }
}

/** `3、4`, `3、7–9`. */
export function missingWords(missing: readonly number[]): string {
  const runs: [number, number][] = []
  for (const n of missing) {
    const run = runs.at(-1)
    if (run && run[1] === n - 1) run[1] = n
    else runs.push([n, n])
  }
  return runs
    .map(([from, to]) => (from === to ? `${from}` : to === from + 1 ? `${from}、${to}` : `${from}–${to}`))
    .join('、')
}
