// Which groups somebody sees, and what may stand in one.
import type { Selectable } from 'kysely'
import type { Span } from '#contract/access.ts'
import { invalid } from '#contract/errors.ts'
import type { Permission } from '#contract/permissions.ts'
import { dayWords, taipei } from '#trading/calendar.ts'
import { NO_MEMBER, requireKnown } from '../access/members.ts'
import { holdOrganization, missing, rowOf, visibleGroups } from '../access/organization.ts'
import type { Authorized } from '../access/strategies.ts'
import type { Actor, App, Tx } from '../context.ts'
import type { StrategyGroupRow } from '../db/schema.ts'

export type StoredGroup = Selectable<StrategyGroupRow>

/** A group the actor sees; 4040 for any other, which knows of the caller's other identities. */
export async function findGroup(
  app: Pick<App, 'now'>,
  tx: Tx,
  actor: Actor,
  id: string,
): Promise<StoredGroup> {
  const row = await visibleGroups(tx.db, actor, taipei(tx.at).date)
    .selectAll()
    .where('strategy_groups.id', '=', id)
    .executeTakeFirst()
  if (!row) throw await missing(app, tx.db, actor, { group_id: id })
  return row
}

/** A group the actor may change or copy; its organization is locked until the transaction ends. */
export async function holdGroup(
  app: Pick<App, 'engine'>,
  tx: Tx,
  actor: Actor,
  id: string,
  permission: Extract<Permission, 'group:create' | 'group:edit' | 'group:delete'>,
): Promise<Authorized<StoredGroup>> {
  await holdOrganization(app, tx, actor, actor.organization_id ?? '', permission)
  return (await rowOf(tx.db, 'strategy_groups', actor.organization_id, id)) as Authorized<StoredGroup>
}

/** What a call may give of a span; absent = as it is. */
export interface SpanChange {
  readonly starts_on?: string | undefined
  readonly ends_on?: string | null | undefined
}

/** The span a change leaves: what is not given stays, and what was not there begins today without an end. 4220 when it ends before it begins. */
export function spanOf(before: Span | undefined, change: SpanChange, day: string, field = 'ends_on'): Span {
  const starts_on = change.starts_on ?? before?.starts_on ?? day
  const ends_on = change.ends_on === undefined ? (before?.ends_on ?? null) : change.ends_on
  if (ends_on !== null && ends_on < starts_on)
    throw invalid({ [field]: `結束的日子不能早於開始的日子（${dayWords(starts_on)}）` })
  return { starts_on, ends_on }
}

/** 4220 at the first of these people who does not belong to the organization. */
export async function requireMembers(
  tx: Tx,
  organization_id: string,
  user_ids: readonly string[],
): Promise<void> {
  const rows = await tx.db
    .selectFrom('memberships')
    .select('user_id')
    .where('organization_id', '=', organization_id)
    .where('user_id', 'in', user_ids)
    .execute()
  const known = new Set(rows.map(({ user_id }) => user_id))
  requireKnown('user_ids', user_ids, known, NO_MEMBER)
}
