// The newest price that a signal brought and that still counts: what the examples of the cost reckon with.
import type { SignalRecord } from '#contract/signal.ts'
import { isSignal } from '#trading/day.ts'

/** As it was corrected, where it was; null when there is none. `items` newest first. */
export function latestPrice(items: readonly SignalRecord[], symbol: string): number | null {
  const found = items.find(
    (one) =>
      one.symbol === symbol &&
      isSignal(one) &&
      one.derived.status !== 'voided' &&
      one.derived.price_used !== null,
  )
  return found?.derived.price_used ?? null
}
