// The strategies of an organization with the groups each is in: all to admins, to a member its own.

import type { ParsedInputOf } from '#contract/endpoint.ts'
import type { listOrganizationStrategies, OrganizationStrategy } from '#contract/organization.ts'
import { kindsUnder } from '#trading/kinds.ts'
import { visibleStrategies } from '../access/strategies.ts'
import type { Actor } from '../context.ts'
import type { Db } from '../db/schema.ts'
import { contains } from '../db/search.ts'

type Query = ParsedInputOf<typeof listOrganizationStrategies>

/** One page by name, and how many there are. */
export async function listStrategies(
  db: Db,
  actor: Actor,
  query: Query,
): Promise<{ items: OrganizationStrategy[]; total: number }> {
  let found = visibleStrategies(db, actor)
  const search = query.search?.trim() ?? ''
  if (search !== '') found = found.where(contains('strategies.search_key', search))
  if (query.kind !== undefined) found = found.where('strategies.kind', 'in', kindsUnder(query.kind))
  const { total } = await found.select(({ fn }) => fn.countAll().as('total')).executeTakeFirstOrThrow()
  const rows = await found
    .select(['strategies.id', 'strategies.name', 'strategies.kind', 'strategies.status'])
    .orderBy('strategies.name_key')
    .orderBy('strategies.id')
    .limit(query.page_size)
    .offset((query.page - 1) * query.page_size)
    .execute()
  const groups = await groupsOf(
    db,
    actor,
    rows.map(({ id }) => id),
  )
  return { items: rows.map((row) => ({ ...row, groups: groups.get(row.id) ?? [] })), total: Number(total) }
}

/** Strategy id → the groups it is in, by name; a member hears only of groups that it is in itself. */
async function groupsOf(
  db: Db,
  actor: Actor,
  ids: readonly string[],
): Promise<Map<string, { id: string; name: string }[]>> {
  if (ids.length === 0) return new Map()
  let found = db
    .selectFrom('group_strategies')
    .innerJoin('strategy_groups', 'strategy_groups.id', 'group_strategies.group_id')
    .select(['group_strategies.strategy_id', 'strategy_groups.id', 'strategy_groups.name'])
    .where('group_strategies.strategy_id', 'in', ids)
  if (actor.access !== null)
    found = found.where('strategy_groups.id', 'in', (eb) =>
      eb.selectFrom('group_members').select('group_id').where('user_id', '=', actor.uid),
    )
  const rows = await found.orderBy('strategy_groups.name_key').orderBy('strategy_groups.id').execute()
  const by_strategy = new Map<string, { id: string; name: string }[]>()
  for (const { strategy_id, id, name } of rows)
    by_strategy.set(strategy_id, [...(by_strategy.get(strategy_id) ?? []), { id, name }])
  return by_strategy
}
