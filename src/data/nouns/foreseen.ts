// A strategy as the reader of entries wants it, and the positions that an entry would meet: what is kept here, led on by what waits.
import type { OutboxRow } from '#contract/outbox.ts'
import type { SignalRecord } from '#contract/signal.ts'
import type { Strategy } from '#contract/strategy.ts'
import { symbolName } from '#trading/costs.ts'
import { compareKeys, keyOf, type OpenKey, positionOf, sortKey } from '#trading/fold/state.ts'
import { averageOf } from '#trading/fold/step.ts'
import { type Foreseen, foresee, openAtAverage, orderFacts } from '#trading/foresee.ts'
import { assetOf, unitOf } from '#trading/kinds.ts'
import { type ManualEntry, readManual } from '#trading/manual.ts'
import type { PayloadStrategy } from '#trading/reader/shape.ts'
import type { Tables } from '#trading/tables.ts'
import { type FoldTerms, termsOf } from '#trading/terms.ts'
import { termsPart } from './figures.ts'
import { entryOf } from './manual.ts'

/** What decides how an entry is read. */
export function readingOf(strategy: Strategy): PayloadStrategy {
  const { kind, settings } = strategy
  const futures = 'product_code' in settings ? settings : null
  return {
    kind,
    product_code: futures?.product_code ?? null,
    contract_rule: futures?.contract_rule ?? null,
    contract_month: futures?.contract_month ?? null,
    symbols: 'symbols' in settings ? settings.symbols : [],
    unit: unitOf(strategy),
    direction: strategy.direction,
    quantity_mode: strategy.quantity_mode,
    default_quantity: strategy.default_quantity,
    on_symbol_mismatch: strategy.on_symbol_mismatch,
    late_after_s: strategy.late_after_s,
    max_position: strategy.max_position,
  }
}

export const foldTerms = (strategy: Strategy, closed_days: readonly string[], table: Tables): FoldTerms =>
  termsOf(termsPart(strategy), new Set(closed_days), table)

/** One entry over the positions before it; null when it could not be read (it is refused when it is sent). */
export function foreseen(
  entry: ManualEntry,
  strategy: Strategy,
  around: { terms: FoldTerms; open: readonly OpenKey[]; now: string },
): Foreseen | null {
  const read = readManual(entry, readingOf(strategy), around)
  if ('faults' in read) return null
  return foresee(around.open, orderFacts(read.order, { id: 'next', asset: assetOf(strategy) }), around.terms)
}

/**
 * What each waiting entry would do when its turn comes, by its key, and the positions after all of them; one that cannot be read
 * does nothing here. `records` of the strategy on this device: an entry of earlier stands before them.
 */
export function foreseenAll(
  strategy: Strategy,
  waiting: readonly OutboxRow[],
  around: { terms: FoldTerms; now: string; records: readonly SignalRecord[] },
): { each: Map<string, Foreseen['derived']>; open: OpenKey[] } {
  const { terms, now, records } = around
  const entries = waiting.map((row) => ({ row, entry: entryOf(row) }))
  const each = new Map<string, Foreseen['derived']>()
  let { open, steps } = rewound(strategy, entries, terms, now, records)
  for (const step of steps) {
    if ('record' in step) {
      open = foresee(open, priced(step.record), terms).open
      continue
    }
    const then = foreseen(step.entry, strategy, { terms, open, now })
    if (!then) continue
    open = then.open
    if (step.row) each.set(step.row.key, then.derived)
  }
  return { each, open }
}

/** The positions that an entry of an earlier moment meets: what came since, recorded or waiting, comes after it. */
export function metBy(
  entry: ManualEntry,
  strategy: Strategy,
  waiting: readonly OutboxRow[],
  { terms, now, records }: { terms: FoldTerms; now: string; records: readonly SignalRecord[] },
): OpenKey[] {
  const entries = [...waiting.map((row) => ({ row, entry: entryOf(row) })), { row: null, entry }]
  let { open, steps } = rewound(strategy, entries, terms, now, records)
  for (const step of steps) {
    if ('entry' in step && step.entry === entry) break
    open =
      'record' in step
        ? foresee(open, priced(step.record), terms).open
        : (foreseen(step.entry, strategy, { terms, open, now })?.open ?? open)
  }
  return open
}

// A waiting entry of earlier than what is recorded (補一筆) meets the position of its own moment, and what came since comes after it, as on the server.

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

// The strategy as it will stand when what waits here has arrived: position and count (a refused entry takes its part back by leaving the outbox).

/** The same object when nothing of it waits. `records` of the strategy on this device. */
export function withPendingSignals(
  strategy: Strategy,
  waiting: readonly OutboxRow[],
  closed_days: readonly string[],
  table: Tables,
  records: readonly SignalRecord[],
): Strategy {
  const own = waiting.filter(({ params }) => params['strategy_id'] === strategy.id)
  if (own.length === 0) return strategy
  const newest = own.at(-1)?.created_at ?? strategy.updated_at
  const terms = foldTerms(strategy, closed_days, table)
  const { open } = foreseenAll(strategy, own, { terms, now: newest, records })
  const touched = new Set(own.map((row) => entryOf(row).symbol.trim().toUpperCase()))
  const rest = strategy.positions.filter(({ symbol }) => !touched.has(symbol))
  const laid = open
    .filter(({ symbol }) => touched.has(symbol))
    .map((one) => ({
      symbol: one.symbol,
      symbol_name: symbolName(one.symbol, assetOf(strategy)),
      contract: one.contract,
      quantity: positionOf(one),
      avg_price: averageOf(one),
      ref_price: one.ref_price,
      ref_at: one.ref_at,
      // of a price that nobody has confirmed there is nothing to value it by
      unrealised_pnl: null,
      waits: true,
    }))
  return { ...strategy, signal_count: strategy.signal_count + own.length, positions: [...rest, ...laid] }
}
