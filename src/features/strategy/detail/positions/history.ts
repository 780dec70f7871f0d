// How a position came to be, from the records at hand: each change once, in the order in which the records were folded.
import type { SignalRecord } from '#contract/signal.ts'
import { compareKeys, keyOf, secondOf, sortKey } from '#trading/fold/state.ts'
import type { FoldTerms } from '#trading/terms.ts'

type Told = Pick<
  SignalRecord,
  | 'id'
  | 'symbol'
  | 'symbol_name'
  | 'contract'
  | 'asset'
  | 'action'
  | 'occurred_at'
  | 'received_at'
  | 'price'
  | 'derived'
>

/** One change of one position; signed, lots or shares. */
export interface PositionChange<T extends Told = Told> {
  record: T
  before: number
  after: number
}

/** The changes of each position, oldest first, by the key of the fold. `records` in any order; what did nothing is no change. */
export function changesOf<T extends Told>(
  records: readonly T[],
  rule: Pick<FoldTerms, 'contract_rule'>,
): Map<string, PositionChange<T>[]> {
  const moved = records.filter(({ derived }) => derived.position_before !== derived.position_after)
  const sorted = moved
    .map((record) => ({ record, sort: sortKey(record) }))
    .sort((a, b) => compareKeys(a.sort, b.sort))
  const by_key = Map.groupBy(sorted, ({ record }) => keyOf(record, rule))
  return new Map(
    [...by_key].map(([key, own]) => {
      const changes: PositionChange<T>[] = []
      const seconds = [...Map.groupBy(own, ({ sort }) => secondOf(sort)).values()]
      for (const second of seconds) {
        const left = second.map(({ record }) => record)
        // within a second reported positions may have turned records around: the one that goes on from here comes next
        while (left.length > 0) {
          const here = changes.at(-1)?.after
          const next = left.findIndex(({ derived }) => derived.position_before === here)
          const [record] = left.splice(Math.max(0, next), 1) as [T]
          const { position_before: before, position_after: after } = record.derived
          changes.push({ record, before, after })
        }
      }
      return [key, changes]
    }),
  )
}

export interface StepPoint {
  /** Place on the chart's time axis: seconds of Taipei's wall clock, each later than the one before. */
  time: number
  /** ISO. */
  at: string
  position: number
  /** Which change leads here; null at both ends. */
  change: PositionChange | null
}

const TAIPEI_S = 8 * 3_600

/** What is drawn: what was held as the period began, each change, and what is held now. Empty without a change in it. */
export function stepPoints(changes: readonly PositionChange[], from_ms: number, now: number): StepPoint[] {
  const shown = changes.filter(({ record }) => Date.parse(record.occurred_at) >= from_ms)
  const [first, last] = [shown[0], shown.at(-1)]
  if (!first || !last) return []
  const points: StepPoint[] = []
  const add = (ms: number, position: number, change: PositionChange | null) => {
    const wanted = Math.floor(ms / 1000) + TAIPEI_S
    const time = Math.max(wanted, (points.at(-1)?.time ?? Number.NEGATIVE_INFINITY) + 1)
    points.push({ time, at: new Date(ms).toISOString(), position, change })
  }
  const begin = Date.parse(first.record.occurred_at)
  add(begin - 1000, first.before, null)
  for (const change of shown) add(Date.parse(change.record.occurred_at), change.after, change)
  add(Math.max(now, Date.parse(last.record.occurred_at)), last.after, null)
  return points
}

/** At most `most` round positions to name beside the line, 0 and the ends of what was held among them. */
export function levels(points: readonly StepPoint[]): number[] {
  const held = points.map(({ position }) => position)
  return [...new Set([Math.max(0, ...held), 0, Math.min(0, ...held)])]
}
