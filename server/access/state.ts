// Where a membership stands on a day, as a word and as a condition in SQL.
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import { EXPIRING_DAYS, type Span, stateOf } from '#contract/access.ts'
import type { Member } from '#contract/membership.ts'
import { addDays } from '#trading/calendar.ts'
import type { Db, MembershipRow, Schema } from '../db/schema.ts'

export type MemberState = Member['status']

/** The state of a membership; `day` in Taipei. */
export function memberState(span: Span, day: string): MemberState {
  const state = stateOf(span, day)
  return state === 'ended' ? 'expired' : state
}

/** True when the membership is valid on the day. */
export function isInside(row: Pick<MembershipRow, 'starts_on' | 'expires_on'>, day: string): boolean {
  return row.starts_on <= day && (row.expires_on === null || row.expires_on >= day)
}

/** Rows of `memberships` that are in this state on the day. */
export function membershipInState(
  eb: ExpressionBuilder<Schema, 'memberships'>,
  state: MemberState,
  day: string,
): Expression<SqlBool> {
  const last = addDays(day, EXPIRING_DAYS)
  const started = eb('memberships.starts_on', '<=', day)
  const open = eb('memberships.expires_on', 'is', null)
  switch (state) {
    case 'upcoming':
      return eb('memberships.starts_on', '>', day)
    case 'active':
      return eb.and([started, eb.or([open, eb('memberships.expires_on', '>', last)])])
    case 'expiring':
      return eb.and([
        started,
        eb('memberships.expires_on', '>=', day),
        eb('memberships.expires_on', '<=', last),
      ])
    case 'expired':
      return eb.and([started, eb('memberships.expires_on', '<', day)])
  }
}

/** Who is a member on a day (Taipei): all, the admins among them, and those in their last seven days. */
export async function countMembers(db: Db, organization_id: string, day: string) {
  const rows = await db
    .selectFrom('memberships')
    .select(['starts_on', 'expires_on as ends_on', 'role'])
    .where('organization_id', '=', organization_id)
    .execute()
  const inside = rows
    .map((row) => ({ role: row.role, state: stateOf(row, day) }))
    .filter(({ state }) => state === 'active' || state === 'expiring')
  return {
    members: inside.length,
    admins: inside.filter(({ role }) => role === 'admin').length,
    expiring_7d: inside.filter(({ state }) => state === 'expiring').length,
  }
}
