// A list of records as plain, never changed arrays: newest first by (occurred_at, seq), each id once.
import type { SignalRecord } from '#contract/signal.ts'
import type { Ctx } from '../context.ts'

/** The record of a device's row: without the context it is filed under. */
export function plain<T extends SignalRecord & { ctx: Ctx }>({ ctx: _ctx, ...record }: T): Omit<T, 'ctx'> {
  return record
}

/** Negative when `a` stands before `b`. */
export function newestFirst(a: SignalRecord, b: SignalRecord): number {
  // ISO instants of one form compare as text; no Date is made.
  if (a.occurred_at !== b.occurred_at) return a.occurred_at > b.occurred_at ? -1 : 1
  if (a.seq !== b.seq) return b.seq - a.seq
  return a.id === b.id ? 0 : a.id > b.id ? -1 : 1
}

/** Where `record` stands, or would stand, in `items`. */
function place(items: readonly SignalRecord[], record: SignalRecord): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (newestFirst(items[middle] as SignalRecord, record) < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** A copy with `record` in its place. */
export function insert(items: readonly SignalRecord[], record: SignalRecord): SignalRecord[] {
  const at = place(items, record)
  return items.toSpliced(at, 0, record)
}

/** A copy without `record` (which must be the one held). */
export function without(items: readonly SignalRecord[], record: SignalRecord): SignalRecord[] {
  const at = place(items, record)
  return items[at]?.id === record.id ? items.toSpliced(at, 1) : items.filter(({ id }) => id !== record.id)
}

/** All of them sorted; for many at once. */
export function sorted(records: Iterable<SignalRecord>): SignalRecord[] {
  return [...records].sort(newestFirst)
}
