// A link opened in the wrong one of a person's identities: in which other one the strategy, the record or the group is there.
import { ApiError, type ApiErrorDetails } from '#contract/errors.ts'
import { may, type Permission } from '#contract/permissions.ts'
import type { Actor, App } from '../context.ts'
import type { Db, StrategyRow } from '../db/schema.ts'
import { visibleGroups } from './groups.ts'
import { accessMap, membershipOn, today } from './membership.ts'
import { findStrategy, visibleSignals, visibleStrategies } from './strategies.ts'
import { isSeenByOther } from './view.ts'

type What = { strategy_id: string } | { signal_id: string } | { group_id: string }

/**
 * 4040, with `found_in` when another identity of the caller has the thing and may view it there. Only the caller's own
 * identities are looked at: about what others have it says nothing, and does no other work for it.
 */
export async function missing(
  app: Pick<App, 'now'>,
  db: Db,
  actor: Pick<Actor, 'uid' | 'caller' | 'organization_id'>,
  what: What,
): Promise<ApiError> {
  // The other identities of a member are none of an admin's business.
  const found_in = isSeenByOther(actor) ? null : await foundIn(app, db, actor, what)
  return new ApiError(4040, found_in ? { found_in } : {})
}

async function foundIn(
  app: Pick<App, 'now'>,
  db: Db,
  { uid, organization_id: here }: Pick<Actor, 'uid' | 'organization_id'>,
  what: What,
): Promise<ApiErrorDetails['found_in'] | null> {
  // A group's page is its administration: who is only in it reads its name on the organization's page.
  const view: Permission = 'group_id' in what ? 'group:edit' : 'strategy:view'
  const day = today(app)
  if (here !== null && may({ type: 'personal' }, view)) {
    if (await sees(db, { uid, organization_id: null, scope: `p:${uid}`, access: null }, what, day))
      return { organization_id: null, name: '個人身份' }
  }
  for (const { id, name } of await organizationsOf(db, uid)) {
    if (id === here) continue
    const membership = await membershipOn(db, id, uid, day)
    if (!membership || !may({ type: 'organization', role: membership.role }, view)) continue
    const access = membership.role === 'member' ? await accessMap(db, membership, day) : null
    const there = { uid, organization_id: id, scope: `o:${id}`, access } as const
    if (await sees(db, there, what, day)) return { organization_id: id, name }
  }
  return null
}

function organizationsOf(db: Db, uid: string): Promise<{ id: string; name: string }[]> {
  return db
    .selectFrom('memberships')
    .innerJoin('organizations', 'organizations.id', 'memberships.organization_id')
    .select(['organizations.id', 'organizations.name'])
    .where('user_id', '=', uid)
    .orderBy('organizations.name')
    .orderBy('organizations.id')
    .execute()
}

async function sees(
  db: Db,
  actor: Pick<Actor, 'uid' | 'organization_id' | 'scope' | 'access'>,
  what: What,
  day: string,
): Promise<boolean> {
  if ('group_id' in what) {
    const group = visibleGroups(db, actor, day).select('strategy_groups.id')
    return (await group.where('strategy_groups.id', '=', what.group_id).executeTakeFirst()) !== undefined
  }
  const row =
    'strategy_id' in what
      ? await visibleStrategies(db, actor)
          .select('strategies.id')
          .where('strategies.id', '=', what.strategy_id)
          .executeTakeFirst()
      : await visibleSignals(db, actor)
          .select('signals.id')
          .where('signals.id', '=', what.signal_id)
          .executeTakeFirst()
  return row !== undefined
}

/** A strategy the actor sees, as `findStrategy`; the refusal knows of the caller's other identities. For calls that view. */
export async function seeStrategy(
  app: Pick<App, 'now'>,
  db: Db,
  actor: Actor,
  strategy_id: string,
): Promise<StrategyRow> {
  try {
    return await findStrategy(db, actor, strategy_id)
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 4040) throw error
    throw await missing(app, db, actor, { strategy_id })
  }
}
