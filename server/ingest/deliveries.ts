// Stores the deliveries of a batch, counts them at their webhooks, and tells those who may edit.
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
  for (const [webhook_id, own] of Map.groupBy(rows, (row) => row.webhook_id)) await count(tx, webhook_id, own)
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

async function count(tx: Tx, webhook_id: string, rows: readonly DeliveryRow[]): Promise<void> {
  const sums: Record<Counted, number> = { accepted: 0, late: 0, duplicate: 0, ignored: 0, rejected: 0 }
  const last: { accepted?: string; rejected?: string; duplicate?: string } = {}
  for (const { outcome, received_at } of rows) {
    sums[outcome as Counted] += 1
    if (outcome === 'accepted' || outcome === 'late') last.accepted = received_at
    else if (outcome === 'rejected') last.rejected = received_at
    else if (outcome === 'duplicate') last.duplicate = received_at
  }
  await tx.db
    .updateTable('webhooks')
    .set((eb) => ({
      ...Object.fromEntries(
        COUNTED.filter((name) => sums[name] > 0).map((name) => [name, eb(name, '+', sums[name])]),
      ),
      ...(last.accepted && { last_accepted_at: last.accepted }),
      ...(last.rejected && { last_rejected_at: last.rejected }),
      ...(last.duplicate && { last_duplicate_at: last.duplicate }),
    }))
    .where('id', '=', webhook_id)
    .execute()
}
