// What voids and corrections are about: when the original fired, and at what price.
import type { SignalRecord } from '#contract/signal.ts'
import { isPointer } from '#trading/fold/sequence.ts'
import type { Db } from '../db/schema.ts'
import { presentSignal } from '../record/present.ts'
import type { Original } from './words.ts'

/** The original of each of these records; null for what points at none. */
export async function originalsOf(
  db: Db,
  records: readonly SignalRecord[],
): Promise<(record: SignalRecord) => Original | null> {
  const ids = records.flatMap((record) => (isPointer(record) ? (record.refers_to ?? []) : []))
  const rows =
    ids.length === 0
      ? []
      : await db
          .selectFrom('signals')
          .selectAll()
          .where('id', 'in', [...new Set(ids)])
          .execute()
  const found = new Map(rows.map((row) => [row.id, presentSignal(row, { edit: false })]))
  return ({ refers_to }) => found.get(refers_to ?? '') ?? null
}
