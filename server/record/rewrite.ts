// What records out of order change in those stored around them: only the rows from the changed place on are read, compared and written.
import type { Back } from '#trading/fold/trail.ts'
import { bulkUpdate } from '../db/bulk.ts'
import type { Db, StoredRecord } from '../db/schema.ts'
import { partsOf } from '../parts.ts'
import { type DerivedChange, sameAsStored, withFoldFlags } from './derived.ts'
import type { UnitOfWork } from './unit-of-work.ts'

const DERIVED = bulkUpdate(
  'signals',
  { id: 'text', derived: 'text', flags: 'text', effect: 'text', realised_pnl: 'double precision' },
  { id: 'id', key: 'id' },
)

type Stored = DerivedChange & Pick<StoredRecord, 'chain_seq'>

export interface Compared {
  /** All that were folded, as they are now, by id. */
  rows: Map<string, DerivedChange>
  changed: DerivedChange[]
  /** Lowest chain_seq of those that changed; null when none did. */
  changed_from: number | null
}

/** What of the stored columns is no longer what folding says. */
export async function compareRows(db: Db, strategy_id: string, back: Back): Promise<Compared> {
  const compared: Compared = { rows: new Map(), changed: [], changed_from: null }
  for (const stored of await storedRows(db, strategy_id, back)) {
    const derived = back.derived.get(stored.id)
    if (!derived) continue
    const change = withFoldFlags(stored, derived)
    const same = sameAsStored(stored, change)
    compared.rows.set(stored.id, same ? stored : change)
    if (same) continue
    compared.changed.push(change)
    compared.changed_from = Math.min(compared.changed_from ?? stored.chain_seq, stored.chain_seq)
  }
  if (compared.rows.size !== back.derived.size)
    throw new Error(
      `${back.derived.size - compared.rows.size} folded records of ${strategy_id} are not stored`,
    )
  return compared
}

/** Writes them. */
export async function rewriteRows(uow: UnitOfWork, changed: readonly DerivedChange[]): Promise<void> {
  const rows = changed.map(({ id, derived, flags, effect, realised_pnl }) => ({
    id,
    derived,
    flags,
    effect,
    realised_pnl,
  }))
  if (rows.length > 0) await uow.write(DERIVED, rows)
}

/** What came together has numbers close together; records of long ago folded in among new ones are found by their ids. */
async function storedRows(db: Db, strategy_id: string, back: Back): Promise<Stored[]> {
  const query = db
    .selectFrom('signals')
    .select(['id', 'chain_seq', 'derived', 'flags', 'effect', 'realised_pnl'])
    .where('strategy_id', '=', strategy_id)
  const { derived, first_chain_seq, state } = back
  if (state.last_chain_seq - first_chain_seq < 2 * derived.size)
    return query.where('chain_seq', '>=', first_chain_seq).execute()
  const ids = [...derived.keys()]
  const rows: Stored[] = []
  for (const some of partsOf(ids)) rows.push(...(await query.where('id', 'in', some).execute()))
  return rows
}
