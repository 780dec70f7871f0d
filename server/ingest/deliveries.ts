// Stores the deliveries of a batch, counts them at their webhooks, and tells those who may edit.
import { sql } from 'kysely'
import type { Tx } from '../context.ts'
import type { DeliveryRow } from '../db/schema.ts'
import { presentDelivery } from '../webhook/present.ts'
import { byScope, type Telling } from './telling.ts'

const COUNTED = ['accepted', 'late', 'duplicate', 'ignored', 'rejected'] as const
type Counted = (typeof COUNTED)[number]

/** A delivery and the scope in which it is told. */
export interface Told {
  row: DeliveryRow
  scope: string
}

/** Inserts deliveries, counts them, and adds their events. */
export async function insertDeliveries(tx: Tx, telling: Telling, told: readonly Told[]): Promise<void> {
  const rows = told.map(({ row }) => row)
  await tx.db.insertInto('deliveries').values(rows).execute()
  await count(tx, rows)
  await tellDeliveries(telling, told)
}

/** Adds one `delivery` event for each, without its body. */
export async function tellDeliveries(telling: Telling, told: readonly Told[]): Promise<void> {
  for (const [scope, own] of byScope(told, (one) => one.scope)) {
    let seq = await telling.number(scope, own.length)
    for (const { row } of own) {
      const { body: _kept, ...data } = presentDelivery(row)
      telling.add(seq++, scope, 'delivery', data)
    }
  }
}

/** Adds the outcomes to the webhooks' counters, one statement for all of them. */
async function count(tx: Tx, rows: readonly DeliveryRow[]): Promise<void> {
  const values = [...Map.groupBy(rows, (row) => row.webhook_id)].map(([webhook_id, own]) => {
    const times = (outcome: Counted) =>
      sql`cast(${own.filter((row) => row.outcome === outcome).length} as integer)`
    const last = (...outcomes: Counted[]) => {
      const row = own.findLast((one) => (outcomes as string[]).includes(one.outcome))
      return sql`cast(${row?.received_at ?? null} as text)`
    }
    return sql`(${webhook_id}, ${sql.join(COUNTED.map(times))}, ${last('accepted', 'late')}, ${last('rejected')}, ${last('duplicate')})`
  })
  await sql`update webhooks set accepted = accepted + v.column2, late = late + v.column3, duplicate = duplicate + v.column4,
    ignored = ignored + v.column5, rejected = rejected + v.column6, last_accepted_at = coalesce(v.column7, last_accepted_at),
    last_rejected_at = coalesce(v.column8, last_rejected_at), last_duplicate_at = coalesce(v.column9, last_duplicate_at)
    from (values ${sql.join(values)}) as v where webhooks.id = v.column1`.execute(tx.db)
}
