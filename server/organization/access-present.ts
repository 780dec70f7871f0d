// The log of access as it travels: people, strategies and groups by their names, as far as they still have one.
import type { Selectable } from 'kysely'
import type { AccessChange, Named, SeenStrategy } from '#contract/access.ts'
import type { Sight } from '../access/past.ts'
import type { AccessChangeRow, Db } from '../db/schema.ts'
import { partsOf } from '../parts.ts'

export type Noted = Selectable<AccessChangeRow>

const SYSTEM = 'system'

export interface Names {
  user(id: string): Named
  strategy(id: string): Named
  group(id: string): Named
}

/** The names of everybody and everything these name; the notes of an organization name nobody else. */
export async function namesOf(
  db: Db,
  ids: Record<'user' | 'strategy' | 'group', Iterable<string | null | undefined>>,
): Promise<Names> {
  const users = await read(ids.user, (some) =>
    db.selectFrom('users').select(['id', 'name']).where('id', 'in', some).execute(),
  )
  const strategies = await read(ids.strategy, (some) =>
    db.selectFrom('strategies').select(['id', 'name']).where('id', 'in', some).execute(),
  )
  const groups = await read(ids.group, async (some) => [
    ...(await db.selectFrom('gone_groups').select(['id', 'name']).where('id', 'in', some).execute()),
    ...(await db.selectFrom('strategy_groups').select(['id', 'name']).where('id', 'in', some).execute()),
  ])
  // One without a name is being erased.
  const by = (known: Map<string, string>) => (id: string) => ({ id, name: known.get(id) || null })
  return { user: by(users), strategy: by(strategies), group: by(groups) }
}

async function read(
  ids: Iterable<string | null | undefined>,
  ask: (some: string[]) => Promise<{ id: string; name: string }[]>,
): Promise<Map<string, string>> {
  const all = [...new Set(ids)].filter((id): id is string => typeof id === 'string' && id !== SYSTEM)
  const known = new Map<string, string>()
  for (const some of partsOf(all)) for (const { id, name } of await ask(some)) known.set(id, name)
  return known
}

/** Names of the organization's own: of anybody and anything else only the id that was asked for is said. */
export async function ownNames(
  db: Db,
  organization_id: string,
  { user_id, strategy_id }: { user_id?: string | undefined; strategy_id?: string | undefined },
): Promise<{ user: Named | null; strategy: Named | null }> {
  const noted = async (column: 'user_id' | 'strategy_id', id: string | undefined) =>
    id === undefined
      ? undefined
      : await db
          .selectFrom('access_changes')
          .select(column)
          .where('organization_id', '=', organization_id)
          .where(column, '=', id)
          .limit(1)
          .executeTakeFirst()
  const names = await namesOf(db, {
    user: [(await noted('user_id', user_id)) && user_id],
    strategy: [(await noted('strategy_id', strategy_id)) && strategy_id],
    group: [],
  })
  return {
    user: user_id === undefined ? null : names.user(user_id),
    strategy: strategy_id === undefined ? null : names.strategy(strategy_id),
  }
}

/** Who could see what, as it travels. */
export function presentSight(
  { user_id, strategy_id, role, access, groups }: Sight,
  names: Names,
): SeenStrategy {
  const via_groups = groups.map(({ id, visible_from, valid_until }) => ({
    ...names.group(id),
    visible_from,
    valid_until,
  }))
  const [first] = groups
  return {
    user: names.user(user_id),
    strategy: names.strategy(strategy_id),
    role,
    ...access,
    via_group: first ? names.group(first.id) : null,
    via_groups,
  }
}

/** `last` is the note that this one follows. */
export function presentChange(note: Noted, last: Noted | undefined, names: Names): AccessChange {
  const { id, at, fact, user_id, strategy_id, group_id, changed_by, gone } = note
  return {
    id,
    at,
    kind: fact === 'view' ? 'viewed' : gone === 1 ? 'ended' : last ? 'changed' : 'granted',
    fact,
    user: user_id === null ? null : names.user(user_id),
    strategy: strategy_id === null ? null : names.strategy(strategy_id),
    group: group_id === null ? null : names.group(group_id),
    actor:
      changed_by === null
        ? null
        : changed_by === SYSTEM
          ? { id: SYSTEM, name: null }
          : names.user(changed_by),
    before: last ? standing(last) : null,
    after: gone === 1 || fact === 'view' ? null : standing(note),
  }
}

const standing = ({ role, starts_on, ends_on }: Noted) => ({ role, starts_on, ends_on })
