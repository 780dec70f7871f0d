// Where a link and a request stand, what may stand in them, and how long they reach.
import type { Expression, ExpressionBuilder, Selectable, SqlBool } from 'kysely'
import { ApiError, invalid } from '#contract/errors.ts'
import type { InviteLink, InvitePreview, JoinRequest } from '#contract/join.ts'
import { addDays, taipei } from '#trading/calendar.ts'
import type { StoredOrganization } from '../access/organization.ts'
import type { InviteLinkRow, JoinRequestRow, Schema } from '../db/schema.ts'

export type StoredLink = Selectable<InviteLinkRow>
export type StoredRequest = Selectable<JoinRequestRow>
type LinkState = InviteLink['state']
export type RequestState = JoinRequest['status']

/** The state of a link at an instant; `used` counts whoever came in and whose request is open. */
export function linkState(
  row: Pick<StoredLink, 'enabled' | 'valid_until' | 'expires_on' | 'max_uses'>,
  used: number,
  at: string,
): LinkState {
  if (row.enabled === 0) return 'disabled'
  const over = row.expires_on !== null && row.expires_on < taipei(at).date
  if (over || (row.valid_until !== null && row.valid_until <= at)) return 'expired'
  return row.max_uses !== null && used >= row.max_uses ? 'used_up' : 'open'
}

/** `answered`: of a code that works once; none of today's. */
const GONE: Record<Exclude<InvitePreview['state'], 'open'>, string> = {
  disabled: '這個邀請已停用，請向組織的管理者確認',
  expired: '這個邀請連結已過期，請組織的管理者給你新的',
  used_up: '這個邀請連結的名額已用完，請洽組織的管理者',
  answered: '這個邀請已經用過了，請組織的管理者給你新的',
}

/** 4100 with the reason when nobody can come in by it now. */
export function requireOpen(state: InvitePreview['state']): void {
  if (state !== 'open') throw new ApiError(4100, { msg: `link ${state}`, text: GONE[state] })
}

/** The state of a request at an instant: what waits too long has expired. */
export function requestState(row: Pick<StoredRequest, 'status' | 'expires_at'>, at: string): RequestState {
  return row.status === 'pending' && row.expires_at <= at ? 'expired' : row.status
}

/** Rows of `join_requests` in a state at an instant. */
export function requestInState(
  eb: ExpressionBuilder<Schema, 'join_requests'>,
  state: RequestState,
  at: string,
): Expression<SqlBool> {
  if (state === 'pending') return eb.and([eb('status', '=', 'pending'), eb('expires_at', '>', at)])
  if (state === 'expired') return eb.and([eb('status', '=', 'pending'), eb('expires_at', '<=', at)])
  return eb('status', '=', state)
}

const ANSWERED: Record<Exclude<RequestState, 'pending'>, string> = {
  approved: '這份申請已經通過了',
  rejected: '這份申請已經拒絕了，對方可以再申請一次',
  cancelled: '這份申請已經取消了',
  expired: '這份申請超過 30 天，已過期；對方可以再申請一次',
}

/** 4100 with the reason when the request, read under the organization's lock, can no longer be answered. */
export function requireWaiting(row: StoredRequest, at: string): void {
  const state = requestState(row, at)
  if (state !== 'pending') throw new ApiError(4100, { msg: `join request ${state}`, text: ANSWERED[state] })
}

/** The last day of a membership that begins on a day and lasts as long as the organization usually gives; null without an end. */
export function usualEnd(organization: Pick<StoredOrganization, 'default_member_days'>, from: string) {
  const { default_member_days: days } = organization
  return days === null ? null : addDays(from, days - 1)
}

/** 4220 for a last day that is over. */
export function requireAhead(expires_on: string | null | undefined, at: string): void {
  if (expires_on && expires_on < taipei(at).date) throw invalid({ expires_on: '到期日不能早於今天' })
}
