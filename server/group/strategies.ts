// The strategies of a group replaced: what stays keeps its dates unless they are given.
import type { ParsedInputOf } from '#contract/endpoint.ts'
import { invalid } from '#contract/errors.ts'
import type { setGroupStrategies } from '#contract/group.ts'
import { taipei } from '#trading/calendar.ts'
import { tellAccess } from '../access/membership.ts'
import type { Authorized } from '../access/strategies.ts'
import type { App, Tx } from '../context.ts'
import { roomForGroupStrategies } from '../usage/limits.ts'
import { type StoredGroup, spanOf } from './rules.ts'
import { membersOf, tell } from './store.ts'

type Input = Omit<ParsedInputOf<typeof setGroupStrategies>, 'id'>

/**
 * Makes the list the group's. 4220 at a strategy that is not the organization's or stands there twice. Strategies taken away
 * are no part of the list: their records stay with whoever had them (ruling C27).
 */
export async function setStrategies(
  app: Pick<App, 'limits' | 'room'>,
  tx: Tx,
  group: Authorized<StoredGroup>,
  input: Input,
): Promise<void> {
  const day = taipei(tx.at).date
  const list = input.strategies ?? (input.strategy_ids ?? []).map((strategy_id) => ({ strategy_id }))
  const field = (i: number) => (input.strategies ? `strategies.${i}` : `strategy_ids.${i}`)
  const before = await currentRows(tx, group.id)
  const own = await ownStrategies(
    tx,
    group.organization_id,
    list.map(({ strategy_id }) => strategy_id),
  )
  const next = new Map<string, { starts_on: string; ends_on: string | null }>()
  for (const [i, { strategy_id, ...change }] of list.entries()) {
    const at = input.strategies ? `${field(i)}.strategy_id` : field(i)
    if (!own.has(strategy_id)) throw invalid({ [at]: '這個策略不在組織裡，請重新整理' })
    if (next.has(strategy_id)) throw invalid({ [at]: '同一個策略只要列一次' })
    next.set(strategy_id, spanOf(before.get(strategy_id), change, day, `${field(i)}.ends_on`))
  }
  const gone = [...before.keys()].filter((id) => !next.has(id))
  const changed = [...next].filter(([id, span]) => {
    const was = before.get(id)
    return was?.starts_on !== span.starts_on || was.ends_on !== span.ends_on
  })
  if (gone.length === 0 && changed.length === 0) return
  if (gone.length > 0)
    await tx.db
      .deleteFrom('group_strategies')
      .where('group_id', '=', group.id)
      .where('strategy_id', 'in', gone)
      .execute()
  // Each of them is noted for good; what is taken away was given before, and is never refused.
  await app.limits.take(
    'access_given',
    (await app.room.rooms.of(tx.db, `o:${group.organization_id}`)).key,
    changed.length,
  )
  await roomForGroupStrategies(tx.db, group.organization_id, changed.filter(([id]) => !before.has(id)).length)
  if (changed.length > 0)
    await tx.db
      .insertInto('group_strategies')
      .values(
        changed.map(([strategy_id, span]) => ({
          ...{ group_id: group.id, strategy_id, ...span },
          ...{ created_at: tx.at, updated_at: tx.at },
        })),
      )
      .onConflict((conflict) =>
        conflict.columns(['group_id', 'strategy_id']).doUpdateSet((eb) => ({
          starts_on: eb.ref('excluded.starts_on'),
          ends_on: eb.ref('excluded.ends_on'),
          updated_at: eb.ref('excluded.updated_at'),
        })),
      )
      .execute()
  await tell(tx, group, 'strategies')
  await tellAccess(tx, group.organization_id, await membersOf(tx, group.id), 'groups')
}

/** Rows of strategies that are still there, by strategy. */
async function currentRows(tx: Tx, group_id: string) {
  const rows = await tx.db
    .selectFrom('group_strategies')
    .innerJoin('strategies', 'strategies.id', 'group_strategies.strategy_id')
    .select(['strategy_id', 'starts_on', 'ends_on'])
    .where('group_id', '=', group_id)
    .where('strategies.deleted_at', 'is', null)
    .execute()
  return new Map(rows.map(({ strategy_id, ...span }) => [strategy_id, span]))
}

async function ownStrategies(tx: Tx, organization_id: string, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await tx.db
    .selectFrom('strategies')
    .select('id')
    .where('scope', '=', `o:${organization_id}`)
    .where('deleted_at', 'is', null)
    .where('id', 'in', ids)
    .execute()
  return new Set(rows.map(({ id }) => id))
}
