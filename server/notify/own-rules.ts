// What people want to be told of single stocks: their own rules for a strategy (domain §8.1), beside its bell.
import type { SignalRecord } from '#contract/signal.ts'
import { isPointer } from '#trading/fold/sequence.ts'
import { ASSET_FACTS, assetOf } from '#trading/kinds.ts'
import type { NormalSignal } from '#trading/record.ts'
import { hasLimits, ruled, volumeOf } from '#trading/stock-rules.ts'
import type { Db, StrategyRow } from '../db/schema.ts'
import { ownRulesOf, Passes } from '../record/stock-rules.ts'

/**
 * Who of these is told of a record by their own rules, in the transaction that tells; what a limit counts is noted. A void or
 * correction is told to whom the rules would tell of what it points at, limits aside.
 */
export async function ownRules(
  db: Db,
  strategy: StrategyRow,
  record: SignalRecord,
  uids: readonly string[],
): Promise<(uid: string) => boolean> {
  if (ASSET_FACTS[assetOf(strategy)].rules === null) return () => true
  const by_person = await ownRulesOf(db, strategy, uids)
  if (by_person.size === 0) return () => true
  const all = [...by_person.values()].flat()
  const pointer = isPointer(record)
  const { id: signal_id, symbol, action, received_at: at } = record
  const passes = await Passes.of(db, pointer ? [] : all, [symbol], at)
  const asks_volume = all.some(({ match }) => match.min_volume !== null)
  const signal = { ...record, volume: asks_volume ? await volumeIn(db, record) : null }
  const wanting = new Set<string>()
  for (const uid of uids) {
    const rules = by_person.get(uid) ?? []
    const { rule, result } = ruled(rules, signal, { at, told: passes.told(record), held: 0 })
    if (result !== 'record_notify') continue
    wanting.add(uid)
    if (rule && !pointer && hasLimits(rule)) passes.add({ rule_id: rule.id, signal_id, symbol, action, at })
  }
  await passes.store(db)
  return (uid) => wanting.has(uid)
}

/** 張 traded, as its message said. */
async function volumeIn(db: Db, { delivery_id }: SignalRecord): Promise<number | null> {
  if (delivery_id === null) return null
  const found = await db
    .selectFrom('deliveries')
    .select('normal')
    .where('id', '=', delivery_id)
    .executeTakeFirst()
  return found?.normal == null ? null : volumeOf(JSON.parse(found.normal) as NormalSignal)
}
