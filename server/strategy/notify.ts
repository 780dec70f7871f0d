// What one person wants to hear of a strategy.
import type { ParsedInputOf } from '#contract/endpoint.ts'
import type { updateStrategyNotify } from '#contract/strategy.ts'
import { type Bell, bellOf, bellUntouched } from '../access/bell.ts'
import type { Tx } from '../context.ts'
import type { Db } from '../db/schema.ts'

/** The person's settings of several strategies, by strategy; the default where nothing is stored. */
export async function notifyOf(db: Db, uid: string, ids: readonly string[]): Promise<(id: string) => Bell> {
  if (ids.length === 0) return bellUntouched
  const rows = await db
    .selectFrom('strategy_notify')
    .selectAll()
    .where('uid', '=', uid)
    .where('strategy_id', 'in', ids)
    .execute()
  const found = new Map(rows.map((row) => [row.strategy_id, bellOf(row)]))
  return (id) => found.get(id) ?? bellUntouched(id)
}

/** Lays the given fields over what is stored. */
export async function writeNotify(
  tx: Tx,
  uid: string,
  { id, ...changes }: ParsedInputOf<typeof updateStrategyNotify>,
): Promise<Bell> {
  const before = (await notifyOf(tx.db, uid, [id]))(id)
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
  const after: Bell = { ...before, ...given }
  const columns = {
    enabled: after.enabled ? 1 : 0,
    channels: after.channels && JSON.stringify(after.channels),
    actions: after.actions,
    important: after.important ? 1 : 0,
    updated_at: tx.at,
  }
  await tx.db
    .insertInto('strategy_notify')
    .values({ strategy_id: id, uid, ...columns })
    .onConflict((conflict) => conflict.columns(['strategy_id', 'uid']).doUpdateSet(columns))
    .execute()
  await tx.append(`p:${uid}`, 'setting', { change: 'strategy-notify' })
  return after
}
