// A waiting entry of earlier than what is recorded (補一筆) meets the position of its own moment, and what came since comes after it, as on the server.
import type { OutboxRow } from '#contract/outbox.ts'
import type { SignalRecord } from '#contract/signal.ts'
import type { Strategy } from '#contract/strategy.ts'
import { compareKeys, keyOf, type OpenKey, positionOf, sortKey } from '#trading/fold/state.ts'
import { foresee, openAtAverage } from '#trading/foresee.ts'
import type { ManualEntry } from '#trading/manual.ts'
import type { FoldTerms } from '#trading/terms.ts'

/** A waiting entry (without a row: one that is being entered), or a record that happened after the first of them. */
export type LateStep =
  | { at: number; row: OutboxRow | null; entry: ManualEntry }
  | { at: number; record: SignalRecord }

export interface Rewound {
  /** What was held of these positions before the first step, and all others as they stand. */
  open: OpenKey[]
  /** In the order of time. */
  steps: LateStep[]
}

/** `waiting` oldest first; `records` of the strategy on this device. Where they do not lead to what is held now, nothing is rewound. */
export function rewound(
  strategy: Strategy,
  waiting: readonly { row: OutboxRow | null; entry: ManualEntry }[],
  terms: FoldTerms,
  now: string,
  records: readonly SignalRecord[],
): Rewound {
  let open = openAtAverage(strategy.positions, now, terms)
  const entries = waiting.map((one) => ({ ...one, at: Date.parse(one.entry.occurred_at) }))
  const since: LateStep[] = []
  const by_key = Map.groupBy(entries, ({ entry }) => keyOfEntry(entry, terms))
  for (const [key, own] of by_key) {
    const moment = Math.min(...own.map(({ at }) => at))
    const told = records.filter((one) => moves(one) && keyOf(one, terms) === key)
    const [later, before] = parted(told, moment)
    const then = later[0] && standing(later[0], before.at(-1), now, terms)
    if (!then) continue
    const held = open.find((one) => one.key === key)
    const led = later.reduce((on, record) => foresee(on, priced(record), terms).open, then)
    if (positionOf(led.find((one) => one.key === key)) !== positionOf(held)) continue
    open = [...open.filter((one) => one.key !== key), ...then]
    since.push(...later.map((record) => ({ at: Date.parse(record.occurred_at), record })))
  }
  // entries of one moment go in the order in which they were entered, after what is recorded
  return { open, steps: [...since, ...entries].sort((a, b) => a.at - b.at) }
}

const keyOfEntry = ({ symbol, contract }: ManualEntry, terms: FoldTerms) =>
  keyOf({ symbol: symbol.trim().toUpperCase(), contract: contract ?? null }, terms)

const moves = ({ source, derived }: SignalRecord) =>
  source !== 'void' && source !== 'correction' && derived.status !== 'voided'

/** What happened after the moment, and what did not; each in the order of the fold. */
function parted(told: readonly SignalRecord[], moment: number): [SignalRecord[], SignalRecord[]] {
  const sorted = told
    .map((record) => ({ record, sort: sortKey(record) }))
    .sort((a, b) => compareKeys(a.sort, b.sort))
  const part = (wanted: boolean) =>
    sorted.filter(({ sort }) => sort.at > moment === wanted).map(({ record }) => record)
  return [part(true), part(false)]
}

/** As it is applied: at the price that counts. */
export const priced = (record: SignalRecord): SignalRecord => ({
  ...record,
  price: record.derived.price_used,
})

/** The position before a record, at the average that the one before it left, where that is known. */
function standing(
  { symbol, contract, derived }: SignalRecord,
  before: SignalRecord | undefined,
  now: string,
  terms: FoldTerms,
): OpenKey[] {
  const quantity = derived.position_before
  if (quantity === 0) return []
  const known = before?.derived.position_after === quantity ? before : undefined
  const avg_price = known?.derived.avg_price_after ?? null
  return openAtAverage(
    [{ symbol, contract, quantity, avg_price, ref_at: known?.occurred_at ?? null }],
    now,
    terms,
  )
}
