// Rewriting what folding says about stored records; their facts, hashes and numbers are never touched.
import { sql } from 'kysely'
import type { DerivedWithFlags, Flag } from '#trading/record.ts'
import { FLAGS } from '#trading/record.ts'
import type { Db, StoredRecord } from '../db/schema.ts'
import { partsOf } from '../parts.ts'

/** Flags that folding decides; the others came with the record's reading and stay. */
const FOLD_FLAGS: ReadonlySet<Flag> = new Set([
  'out_of_order',
  'position_gap',
  'off_tick',
  'price_suspect',
  'outside_session',
  'over_max_position',
])
/** Five parameters a row: stays below every engine's limit. */
const BATCH = 200

/** The columns of a record that folding owns, as they are stored. */
export type DerivedChange = Pick<StoredRecord, 'id' | 'derived' | 'flags' | 'effect' | 'realised_pnl'>

/** The flags of a record: those of its reading, then those of its fold, in the order of wire §6. */
function mergeFlags(read: readonly Flag[], folded: readonly Flag[]): Flag[] {
  const all = new Set([...read.filter((flag) => !FOLD_FLAGS.has(flag)), ...folded])
  return FLAGS.filter((flag) => all.has(flag))
}

/** What a record's fold-owned columns should hold. `stored.flags` is the JSON column. */
export function withFoldFlags(
  stored: Pick<StoredRecord, 'id' | 'flags'>,
  derived: DerivedWithFlags,
): DerivedChange {
  const { flags, ...figures } = derived
  return {
    id: stored.id,
    derived: JSON.stringify(figures),
    flags: JSON.stringify(mergeFlags(JSON.parse(stored.flags) as Flag[], flags)),
    effect: derived.effect,
    realised_pnl: derived.realised_pnl,
  }
}

/** True when a record already holds what folding says (key order aside). */
export function sameAsStored(
  stored: Pick<StoredRecord, 'flags' | 'derived'>,
  change: DerivedChange,
): boolean {
  // Order is no difference.
  const flags = (text: string) => (JSON.parse(text) as Flag[]).sort().join()
  if (stored.flags !== change.flags && flags(stored.flags) !== flags(change.flags)) return false
  if (stored.derived === change.derived) return true
  const [a, b] = [JSON.parse(stored.derived), JSON.parse(change.derived)] as Record<string, unknown>[]
  return Object.keys(b ?? {}).every((key) => a?.[key] === b?.[key])
}

/** Writes changed records, many per statement: a changed fee can touch every record of a year. */
export async function rewriteDerived(db: Db, changes: readonly DerivedChange[]): Promise<void> {
  for (const some of partsOf(changes, BATCH)) {
    const rows = some.map(
      (c) =>
        sql`(${c.id}, ${c.derived}, ${c.flags}, ${c.effect}, cast(${c.realised_pnl} as double precision))`,
    )
    // column1… are the names both engines give to the columns of VALUES.
    await sql`update signals set derived = v.column2, flags = v.column3, effect = v.column4, realised_pnl = v.column5
      from (values ${sql.join(rows)}) as v where signals.id = v.column1`.execute(db)
  }
}
