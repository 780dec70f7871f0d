// A stored record as it travels: the hashed facts as they are, its place, and what folding says today.
import type { SignalRecord } from '#contract/signal.ts'
import type { StoredRecord } from '../db/schema.ts'

/** A row as a SignalRecord; which delivery it came from is for those who may edit (wire §6). */
export function presentSignal(row: StoredRecord, { edit }: { edit: boolean }): SignalRecord {
  return {
    ...(JSON.parse(row.facts) as SignalRecord),
    seq: row.seq,
    prev_hash: row.prev_hash,
    hash: row.hash,
    webhook_id: row.webhook_id,
    delivery_id: edit ? row.delivery_id : null,
    symbol_name: row.symbol_name,
    trading_date: row.trading_date,
    session: row.session as SignalRecord['session'],
    quiet: row.quiet === 1,
    flags: JSON.parse(row.flags) as SignalRecord['flags'],
    derived: JSON.parse(row.derived) as SignalRecord['derived'],
  }
}
