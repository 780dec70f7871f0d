/* The records around one: the one before it in its chain, and the one that left the position it began with. */
import type { SignalRecord } from '#contract/signal.ts'

/** The record with the chain number before; undefined when the device does not hold it. */
export function previousInChain(
  record: SignalRecord,
  own: readonly SignalRecord[],
): SignalRecord | undefined {
  return own.find((other) => other.chain_seq === record.chain_seq - 1)
}

/** Average price of the position before the record: what the last record of that position left behind. `own` newest first. */
export function averageBefore(record: SignalRecord, own: readonly SignalRecord[]): number | null {
  const at = own.findIndex((other) => other.id === record.id)
  if (at < 0 || record.derived.position_before === 0) return null
  const before = own
    .slice(at + 1)
    .find(
      (other) =>
        other.symbol === record.symbol &&
        other.derived.status !== 'voided' &&
        other.derived.effect !== 'none' &&
        other.derived.position_after === record.derived.position_before,
    )
  return before?.derived.avg_price_after ?? null
}
