/* The records of a list cut into trading days, each with its count and what was realised on it. */
import type { SignalRecord } from '#contract/signal.ts'
import { amountSum, beside, isSignal, realisedOf } from '#trading/day.ts'

/** One line of the list: a day's header or a record. `count` signals; voids and corrections speak about one; `realised` whole day in NT$, null when nothing was closed. */
export type ListEntry =
  | {
      kind: 'day'
      key: string
      day: string
      count: number
      voids: number
      corrections: number
      realised: number | null
      /** Something of the evening's session is among them: a stock has none. */
      night: boolean
    }
  | { kind: 'record'; key: string; record: SignalRecord; at: number }

/**
 * Newest trading day first; inside a day the order given (newest first). The evening's night session already belongs to
 * the next trading day while a stock still trades on this one, so days can interleave and are sorted here.
 */
export function entriesOf(records: readonly SignalRecord[]): ListEntry[] {
  const days = new Map<string, SignalRecord[]>()
  for (const record of records) {
    const day = days.get(record.trading_date)
    if (day) day.push(record)
    else days.set(record.trading_date, [record])
  }
  const entries: ListEntry[] = []
  let at = 0
  for (const [day, own] of [...days].sort(([a], [b]) => (a < b ? 1 : a > b ? -1 : 0))) {
    const amounts = own.flatMap((record) => realisedOf(record) ?? [])
    entries.push({
      kind: 'day',
      key: `day ${day}`,
      day,
      count: own.filter(isSignal).length,
      ...beside(own),
      realised: amounts.length > 0 ? amountSum(amounts) : null,
      night: own.some(({ session }) => session === 'night'),
    })
    for (const record of own) entries.push({ kind: 'record', key: record.id, record, at: at++ })
  }
  return entries
}

/** Where each entry starts, in px from the list's top; one more number than entries: the whole height. */
export function startsOf(entries: readonly ListEntry[], row: number, header: number): Float64Array {
  const starts = new Float64Array(entries.length + 1)
  entries.forEach((entry, i) => {
    starts[i + 1] = (starts[i] ?? 0) + (entry.kind === 'day' ? header : row)
  })
  return starts
}

/** Index of the entry that covers that height. */
export function entryAt(starts: Float64Array, y: number): number {
  let [low, high] = [0, Math.max(0, starts.length - 2)]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((starts[middle] ?? 0) <= y) low = middle
    else high = middle - 1
  }
  return low
}
