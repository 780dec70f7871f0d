// What one person wants to hear of a strategy.
import type { ParsedInputOf } from '#contract/endpoint.ts'
import type { updateStrategyNotify } from '#contract/strategy.ts'
import { type Bell, bellOf, bellUntouched } from '../access/bell.ts'
import type { Actor, Tx } from '../context.ts'
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

/** By field. */
type Edits = Record<string, { readonly at: string; readonly sid: string } | undefined>

/**
 * Lays the given fields over what is stored. Of two devices the later edit of a field stands, whichever comes later (ruling A19);
 * those of one session come one after the other.
 */
export async function writeNotify(
  tx: Tx,
  { uid, sid }: Pick<Actor, 'uid' | 'sid'>,
  { id, edited_at, ...changes }: ParsedInputOf<typeof updateStrategyNotify>,
): Promise<Bell> {
  const row = await tx.db
    .selectFrom('strategy_notify')
    .selectAll()
    .where('uid', '=', uid)
    .where('strategy_id', '=', id)
    .executeTakeFirst()
  const before = row ? bellOf(row) : bellUntouched(id)
  const edits = JSON.parse(row?.edits ?? '{}') as Edits
  const at = edited_at !== undefined && edited_at < tx.at ? edited_at : tx.at
  const given = Object.fromEntries(
    Object.entries(changes).filter(([field, value]) => {
      const known = edits[field]
      return value !== undefined && !(known && known.sid !== sid && known.at > at)
    }),
  )
  for (const field of Object.keys(given)) {
    const known = edits[field]
    edits[field] = { at: known && known.at > at ? known.at : at, sid }
  }
  const after: Bell = { ...before, ...given }
  const columns = {
    enabled: after.enabled ? 1 : 0,
    channels: after.channels && JSON.stringify(after.channels),
    actions: after.actions,
    important: after.important ? 1 : 0,
    updated_at: tx.at,
    edits: JSON.stringify(edits),
  }
  await tx.db
    .insertInto('strategy_notify')
    .values({ strategy_id: id, uid, ...columns })
    .onConflict((conflict) => conflict.columns(['strategy_id', 'uid']).doUpdateSet(columns))
    .execute()
  await tx.append(`p:${uid}`, 'setting', { change: 'strategy-notify' })
  return after
}
