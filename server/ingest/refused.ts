// Messages that became no signal are kept to be read again: how many bytes of them an owner has here, and what is let go in time.
import { sql } from 'kysely'
import { REFUSED_PER_OWNER_BYTES } from '#contract/limits.ts'
import type { Db, DeliveryRow } from '../db/schema.ts'

const WITHOUT_SIGNAL: readonly string[] = ['rejected', 'ignored', 'duplicate']

type Sized = Pick<DeliveryRow, 'outcome' | 'test'> & { bytes: number | null }

function counted({ outcome, test, bytes }: Sized): number {
  return test === 0 && WITHOUT_SIGNAL.includes(outcome) ? (bytes ?? 0) : 0
}

/** What a delivery takes of its owner's room: the bytes of its body, nothing when it stands for a signal or was a test. */
export function refusedBytes({ outcome, test, body }: DeliveryRow): number {
  return counted({ outcome, test, bytes: body === null ? 0 : Buffer.byteLength(body) })
}

/** Bytes that these owners have, by scope; an owner without any is absent. */
export async function refusedOf(db: Db, scopes: readonly string[]): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('webhooks')
    .innerJoin('strategies', 'strategies.id', 'webhooks.strategy_id')
    .select((eb) => ['strategies.scope', eb.fn.sum('webhooks.refused_bytes').as('bytes')])
    .where('strategies.scope', 'in', scopes)
    .groupBy('strategies.scope')
    .execute()
  return new Map(rows.map(({ scope, bytes }) => [scope, Number(bytes)]))
}

/** Takes the body of what has no room left with its owner; verdict, reason and hash stay. Asks nothing when all became signals. */
export async function keepWithinRoom(
  db: Db,
  told: readonly { row: DeliveryRow; scope: string }[],
): Promise<void> {
  const takers = told.filter(({ row }) => refusedBytes(row) > 0)
  if (takers.length === 0) return
  const used = await refusedOf(db, [...new Set(takers.map(({ scope }) => scope))])
  for (const { row, scope } of takers) {
    const after = (used.get(scope) ?? 0) + refusedBytes(row)
    if (after > REFUSED_PER_OWNER_BYTES) row.body = null
    else used.set(scope, after)
  }
}

/** Deletes deliveries received before; gives how many. Their owners have the room again in the same commit. */
export async function forgetDeliveries(db: Db, before: string, at_once: number): Promise<number> {
  let gone = 0
  for (;;) {
    const page = await db
      .selectFrom('deliveries')
      .select(['id', 'webhook_id'])
      .where('received_at', '<', before)
      .limit(at_once)
      .execute()
    // One webhook in a transaction: two of them at once would wait for each other crosswise with a commit of the intake.
    for (const [webhook_id, own] of Map.groupBy(page, (row) => row.webhook_id))
      gone += await forget(
        db,
        webhook_id,
        own.map(({ id }) => id),
      )
    if (page.length < at_once) return gone
  }
}

function forget(db: Db, webhook_id: string, ids: readonly string[]): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const rows = await tx
      .deleteFrom('deliveries')
      .where('id', 'in', ids)
      .returning(['outcome', 'test', sql<number | null>`octet_length(body)`.as('bytes')])
      .execute()
    const bytes = rows.reduce((sum, row) => sum + counted(row), 0)
    if (bytes > 0)
      await tx
        .updateTable('webhooks')
        .set((eb) => ({ refused_bytes: eb('refused_bytes', '-', bytes) }))
        .where('id', '=', webhook_id)
        .execute()
    return rows.length
  })
}
