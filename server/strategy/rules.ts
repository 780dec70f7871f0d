// Who may see and change which strategies. One gate: everything that reads strategies or their signals goes through it.
import { type SelectQueryBuilder, sql } from 'kysely'
import { ApiError } from '#contract/errors.ts'
import { may } from '#contract/permissions.ts'
import type { Actor, App } from '../context.ts'
import type { Db, Schema, StrategyRow } from '../db/schema.ts'

declare const authorized: unique symbol
/** Something the caller may change now: made only by the checks of this room, the only thing update and delete accept. */
export type Authorized<T> = T & { readonly [authorized]: true }

/** True when the caller may change what this context shows; decides also what of a record is told. */
export function mayEdit(actor: Pick<Actor, 'identity'>): boolean {
  return may(actor.identity, 'strategy:edit')
}

/**
 * The strategies an actor sees, as the start of a query. A member sees what its groups give (ruling A9): as long as there
 * are no groups that is nothing, whatever the header says.
 */
export function visibleStrategies(
  db: Db,
  actor: Pick<Actor, 'identity' | 'scope'>,
): SelectQueryBuilder<Schema, 'strategies', object> {
  const own = db
    .selectFrom('strategies')
    .where('strategies.scope', '=', actor.scope)
    .where('strategies.deleted_at', 'is', null)
  return mayEdit(actor) ? own : own.where(sql<boolean>`1 = 0`)
}

/** A strategy the actor sees; 4040 for one that does not exist, is deleted or belongs to others. */
export async function findStrategy(db: Db, actor: Actor, id: string): Promise<StrategyRow> {
  const row = await visibleStrategies(db, actor)
    .where('strategies.id', '=', id)
    .selectAll()
    .executeTakeFirst()
  if (!row) throw new ApiError(4040)
  return row
}

/**
 * A strategy the actor may change, locked until the transaction ends: other changes, and the intake of other processes on
 * one PostgreSQL, take turns. SQLite has one writer anyway.
 */
export async function holdStrategy(
  app: Pick<App, 'engine'>,
  db: Db,
  actor: Actor,
  id: string,
  permission: 'strategy:edit' | 'strategy:delete',
): Promise<Authorized<StrategyRow>> {
  if (!may(actor.identity, permission)) throw new ApiError(4030, { missing: permission })
  const query = visibleStrategies(db, actor).where('strategies.id', '=', id).selectAll()
  const row = await (app.engine === 'postgres' ? query.forUpdate() : query).executeTakeFirst()
  if (!row) throw new ApiError(4040)
  return row as Authorized<StrategyRow>
}
