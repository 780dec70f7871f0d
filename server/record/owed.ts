// Notes that a strategy's records are to be folded again: with the commit that made it necessary, so that no stop forgets it.
import type { Db } from '../db/schema.ts'

/** Records up to which a fold is done where it is asked for: some milliseconds. */
export const FOLD_AT_ONCE = 128

/** Notes that all of a strategy's records are to be folded again; `Refolds.soon` does it. `from_seq`: records from there on are news. */
export async function oweFold(
  db: Db,
  strategy_id: string,
  since: string,
  from_seq: number | null = null,
): Promise<void> {
  await db
    .insertInto('owed_folds')
    .values({ strategy_id, since, from_seq })
    .onConflict((conflict) =>
      from_seq === null ? conflict.doNothing() : conflict.column('strategy_id').doUpdateSet({ from_seq }),
    )
    .execute()
}
