// The sender's own count of its messages (domain §5.5): which numbers are missing between those that came.

export interface Sequence {
  /** The newest number. */
  last: number
  /** The highest that came, at most RECENT_MOST, rising: they say whether it is a count. Older rows have none. */
  recent?: readonly number[]
  /** Rising, at most MISSING_MOST. */
  missing: readonly number[]
  /** When the last of them was found missing, or that it is no count, ISO; null while all is as it should be. */
  since: string | null
}

/** Numbers that are named; further ones are not looked for. */
const MISSING_MOST = 100
/** A larger jump, forward or back, is a count begun anew. */
const JUMP_MOST = 1_000
const RECENT_MOST = 9
/** So many steps between them say that it is no count; fewer may be losses. */
const JUDGED_FROM = 4

/** The number in a message's text; null where it is none. */
export function sequenceNumber(text: string | undefined): number | null {
  const plain = text?.trim().replace(/\.0+$/, '') ?? ''
  return /^\d{1,15}$/.test(plain) ? Number(plain) : null
}

/** What is known after one more number came, at `at`. */
export function sequenceOn(known: Sequence | null, n: number, at: string): Sequence {
  if (known === null) return { last: n, recent: [n], missing: [], since: null }
  const { last, missing, since } = known
  if (n === last) return known
  const begins = n < last && !missing.includes(n) && (n === 1 || last - n > JUMP_MOST)
  if (begins) return { last: n, recent: [n], missing: [], since: null }
  const before = known.recent ?? [last]
  // One that came before comes once more.
  if (before.includes(n)) return known
  const recent = [...before, n].sort((a, b) => a - b).slice(-RECENT_MOST)
  const next = { last: Math.max(last, n), recent }
  const steps = stepsOf(recent)
  // Most have to follow on each other, and two of them before any is missed: a time or a price is no count.
  if (isNoCount(next)) return { ...next, missing: [], since: isNoCount(known) ? since : at }
  if (steps.single === 0) return { ...next, missing: [], since: null }
  if (n < last) {
    const left = missing.filter((one) => one !== n)
    return { ...next, missing: left, since: left.length > 0 ? since : null }
  }
  if (n === last + 1) return { ...next, missing, since: missing.length > 0 ? since : null }
  if (n - last > JUMP_MOST) return { ...next, missing: [], since: null }
  const between = Array.from({ length: n - last - 1 }, (_, i) => last + 1 + i)
  const all = [...missing, ...between].slice(-MISSING_MOST)
  return { ...next, missing: all, since: at }
}

/** Whether most of the numbers of late do not follow on each other: what is missing between them cannot be told. */
export function isNoCount({ recent = [] }: Pick<Sequence, 'recent'>): boolean {
  const { single, wider } = stepsOf(recent)
  return single + wider >= JUDGED_FROM && wider > single
}

function stepsOf(recent: readonly number[]): { single: number; wider: number } {
  const steps = recent.slice(1).map((n, i) => n - (recent[i] as number))
  const single = steps.filter((step) => step === 1).length
  return { single, wider: steps.length - single }
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
