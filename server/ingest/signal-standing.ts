// What stands today of the signals that deliveries made: their facts, the price that counts, and whether a person voided them.
import type { Facts } from '#trading/record.ts'
import type { Db, DeliveryRow } from '../db/schema.ts'

export interface SignalStanding {
  id: string
  facts: Facts
  /** The newest correction's, else its own. */
  price: number | null
  /** By a person: what a replay voids no delivery names any more. */
  voided_by: number | null
}

/** The signals of their own that these deliveries made, by delivery. */
export async function signalStandings(
  db: Db,
  deliveries: readonly DeliveryRow[],
): Promise<ReadonlyMap<string, SignalStanding>> {
  const own = new Map(
    deliveries.flatMap(({ id, signal_id, outcome }) =>
      signal_id === null || outcome === 'duplicate' ? [] : [[signal_id, id] as const],
    ),
  )
  const standing = new Map<string, SignalStanding>()
  if (own.size === 0) return standing
  const ids = [...own.keys()]
  const rows = await db.selectFrom('signals').select(['id', 'facts']).where('id', 'in', ids).execute()
  const pointers = await db
    .selectFrom('signals')
    .select(['refers_to', 'source', 'chain_seq', 'facts'])
    .where('refers_to', 'in', ids)
    .orderBy('chain_seq')
    .execute()
  const pointing = Map.groupBy(pointers, ({ refers_to }) => refers_to)
  for (const { id, facts: text } of rows) {
    const facts = JSON.parse(text) as Facts
    const at_it = pointing.get(id) ?? []
    const corrected = at_it.findLast(({ source }) => source === 'correction')
    standing.set(own.get(id) as string, {
      id,
      facts,
      price: corrected ? (JSON.parse(corrected.facts) as Facts).price : facts.price,
      voided_by: at_it.find(({ source }) => source === 'void')?.chain_seq ?? null,
    })
  }
  return standing
}
