// Which records of the device are others than they were, as far as newer records tell: a void, a correction, one that came late, a
// price that bears an earlier one out.
import type { SignalRecord } from '#contract/signal.ts'
import { isSignal } from '#trading/day.ts'

/** The original as a void or correction leaves it, until the server's own figures are here. */
export function marked(original: SignalRecord, { source }: Pick<SignalRecord, 'source'>): SignalRecord {
  const status = source === 'void' ? 'voided' : 'corrected'
  return { ...original, derived: { ...original.derived, status } }
}

/**
 * From which place of its chain on each strategy has figures that the server has computed anew. `held` newest first, with
 * `told` among them: what the server has just told is as it is now.
 */
export function changedFrom(
  held: readonly SignalRecord[],
  told: readonly SignalRecord[],
): Map<string, number> {
  const fresh = new Set(told.map(({ id }) => id))
  const originals = new Set(told.flatMap(({ refers_to }) => refers_to ?? []))
  const strategies = new Map<string, SignalRecord[]>()
  for (const { strategy_id } of told) strategies.set(strategy_id, [])
  for (const record of held) strategies.get(record.strategy_id)?.push(record)
  const found = new Map<string, number>()
  for (const [strategy_id, own] of strategies) {
    const ids = new Set(own.map(({ id }) => id))
    // of something older than what is held, or untold: everything here may stand on it
    const unknown = told.some(
      (one) =>
        one.strategy_id === strategy_id &&
        !isSignal(one) &&
        (one.refers_to === null || !ids.has(one.refers_to)),
    )
    let low = Number.POSITIVE_INFINITY
    let from = doubtBefore(
      own,
      ({ id, price }) => originals.has(id) || (fresh.has(id) && price !== null),
      fresh,
    )
    for (const { id, chain_seq } of own) {
      low = Math.min(low, chain_seq)
      // a lower place and a later time: this one came late, and those stand on it
      if (unknown || originals.has(id) || (fresh.has(id) && low < chain_seq)) from = Math.min(from, low)
    }
    if (own.some(({ id, chain_seq }) => chain_seq >= from && !fresh.has(id))) found.set(strategy_id, from)
  }
  return found
}

/**
 * The lowest place of a price that what changed after it may bear out, or no longer (domain §5.3, rule 11): the last one of its symbol
 * before the change, where it is in doubt or far from the one before it.
 */
function doubtBefore(
  own: readonly SignalRecord[],
  changed: (record: SignalRecord) => boolean,
  fresh: ReadonlySet<string>,
): number {
  const last = new Map<string, { record: SignalRecord; price: number; doubted: boolean }>()
  let from = Number.POSITIVE_INFINITY
  for (const record of own.toReversed().filter(isSignal)) {
    const was = last.get(record.symbol)
    if (was?.doubted && changed(record) && !fresh.has(was.record.id))
      from = Math.min(from, was.record.chain_seq)
    const price = record.derived.price_used ?? record.price
    if (price === null || record.derived.status === 'voided') continue
    const far = was !== undefined && Math.abs(price - was.price) * 5 > was.price
    last.set(record.symbol, { record, price, doubted: far || record.flags.includes('price_suspect') })
  }
  return from
}
