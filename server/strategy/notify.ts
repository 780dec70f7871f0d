// What one person wants to hear of a strategy.
import type { ParsedInputOf } from '#contract/endpoint.ts'
import type { Overwritten } from '#contract/notification.ts'
import type { updateStrategyNotify } from '#contract/strategy.ts'
import { editedAt, editorOf, type FieldEdit, settle } from '../access/edits.ts'
import { isSeenByOther } from '../access/organization.ts'
import { type BellState, bellOf, bellUntold, bellUntouched, mayEdit } from '../access/strategies.ts'
import type { Actor, Tx } from '../context.ts'
import type { Db, StrategyRow } from '../db/schema.ts'

type Named = Pick<StrategyRow, 'id' | 'created_by'>

/** The person's settings of several strategies, by strategy; the default where nothing is stored. */
export async function notifyOf(
  db: Db,
  actor: Pick<Actor, 'uid' | 'caller' | 'identity'>,
  strategies: readonly Named[],
): Promise<(strategy: Named) => BellState> {
  if (isSeenByOther(actor)) return ({ id }) => bellUntold(id)
  const listener = { uid: actor.uid, edits: mayEdit(actor) }
  const ids = strategies.map(({ id }) => id)
  const rows = await db
    .selectFrom('strategy_notify')
    .selectAll()
    .where('uid', '=', actor.uid)
    .where('strategy_id', 'in', ids)
    .execute()
  const found = new Map(rows.map((row) => [row.strategy_id, bellOf(row)]))
  return (strategy) => found.get(strategy.id) ?? bellUntouched(listener, strategy)
}

/**
 * Lays the given fields over what is stored. Of two devices the later edit of a field stands, whichever comes later; the other is
 * given back. Those of one session come one after the other.
 */
export async function writeNotify(
  tx: Tx,
  actor: Pick<Actor, 'uid' | 'sid' | 'identity'>,
  strategy: Named,
  { id, edited_at, ...changes }: ParsedInputOf<typeof updateStrategyNotify>,
): Promise<BellState & { overwritten: Overwritten[] }> {
  const { uid } = actor
  const row = await tx.db
    .selectFrom('strategy_notify')
    .selectAll()
    .where('uid', '=', uid)
    .where('strategy_id', '=', id)
    .executeTakeFirst()
  const before = row ? bellOf(row) : bellUntouched({ uid, edits: mayEdit(actor) }, strategy)
  const edits = JSON.parse(row?.edits ?? '{}') as Record<string, FieldEdit | undefined>
  const { stands, lost: overwritten } = settle(
    { edit: (field) => edits[field], value: (field) => before[field as keyof BellState] },
    changes,
    { at: editedAt(edited_at, tx.at), came: tx.at },
    await editorOf(tx.db, actor),
  )
  const given = Object.fromEntries(Object.entries(changes).filter(([field]) => field in stands))
  const after: BellState = { ...before, ...given }
  const columns = {
    enabled: after.enabled ? 1 : 0,
    channels: after.channels && JSON.stringify(after.channels),
    actions: after.actions,
    important: after.important ? 1 : 0,
    updated_at: tx.at,
    edits: JSON.stringify({ ...edits, ...stands }),
  }
  await tx.db
    .insertInto('strategy_notify')
    .values({ strategy_id: id, uid, ...columns })
    .onConflict((conflict) => conflict.columns(['strategy_id', 'uid']).doUpdateSet(columns))
    .execute()
  await tx.append(`p:${uid}`, 'setting', { change: 'strategy-notify' })
  return { ...after, overwritten }
}
