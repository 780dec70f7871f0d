// A strategy as the reader of entries wants it, and the positions that an entry would meet: what is kept here, led on by what waits.
import type { OutboxRow } from '#contract/outbox.ts'
import type { SignalRecord } from '#contract/signal.ts'
import type { Strategy } from '#contract/strategy.ts'
import type { OpenKey } from '#trading/fold/state.ts'
import { type Foreseen, foresee, orderFacts } from '#trading/foresee.ts'
import { assetOf, unitOf } from '#trading/kinds.ts'
import { type ManualEntry, readManual } from '#trading/manual.ts'
import type { PayloadStrategy } from '#trading/reader/shape.ts'
import type { Tables } from '#trading/tables.ts'
import { type FoldTerms, termsOf } from '#trading/terms.ts'
import { termsPart } from './figures.ts'
import { priced, rewound } from './foreseen-late.ts'
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
