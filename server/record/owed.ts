// Notes that a strategy's records are to be folded again: with the commit that made it necessary, so that no stop forgets it.
import type { Db, StrategyRow } from '../db/schema.ts'
import { enqueue, waitingJob } from '../jobs/table.ts'

/** Records up to which a fold is done where it is asked for: some milliseconds. */
export const FOLD_AT_ONCE = 128

/** Notes that all of a strategy's records are to be folded again (refolds.ts); `from_seq`: records from there on are news, said by who holds the strategy. */
export async function oweFold(
  db: Db,
  { id, scope }: Pick<StrategyRow, 'id' | 'scope'>,
  from_seq: number | null = null,
): Promise<void> {
  const known = from_seq === null ? undefined : await waitingJob(db, 'refold', id)
  const data = { from_seq: lower(from_seq, known?.from_seq ?? null) }
  const replace = from_seq === null ? 'keep' : 'replace'
  await enqueue(db, { kind: 'refold', key: id, owner: scope, data }, replace)
}

export function lower(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other)
}
