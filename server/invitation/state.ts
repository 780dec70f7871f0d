// Where an invitation stands now, as a word and as a condition in SQL.
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { Invite, InvitePreview } from '#contract/join.ts'
import { taipei } from '#trading/calendar.ts'
import type { InviteRow, Schema } from '../db/schema.ts'

export type InviteState = Invite['status']

/** The state at an instant: what waits too long, or offers a membership that would be over, has expired. */
export function stateAt(
  row: Pick<InviteRow, 'status' | 'valid_until' | 'expires_on'>,
  at: string,
): InviteState {
  if (row.status !== 'pending') return row.status
  const over = row.expires_on !== null && row.expires_on < taipei(at).date
  return row.valid_until <= at || over ? 'expired' : 'pending'
}

/** Rows of `invites` that can still be answered at an instant. */
export function isOpen(eb: ExpressionBuilder<Schema, 'invites'>, at: string): Expression<SqlBool> {
  const day = taipei(at).date
  return eb.and([
    eb('invites.status', '=', 'pending'),
    eb('invites.valid_until', '>', at),
    eb.or([eb('invites.expires_on', 'is', null), eb('invites.expires_on', '>=', day)]),
  ])
}

/** Rows of `invites` in a state at an instant. */
export function inviteInState(
  eb: ExpressionBuilder<Schema, 'invites'>,
  state: InviteState,
  at: string,
): Expression<SqlBool> {
  if (state === 'pending') return isOpen(eb, at)
  if (state === 'expired') return eb.and([eb('invites.status', '=', 'pending'), eb.not(isOpen(eb, at))])
  return eb('invites.status', '=', state)
}

/** What somebody with the code is told. */
export function previewState(state: InviteState): InvitePreview['state'] {
  if (state === 'pending') return 'open'
  if (state === 'cancelled') return 'disabled'
  return state === 'expired' ? 'expired' : 'answered'
}
