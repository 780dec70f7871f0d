// Links written: made, changed, counted. The organization is locked by the caller.
import type { Expression, ExpressionBuilder, Selectable, SqlBool } from 'kysely'
import type { ParsedInputOf } from '#contract/endpoint.ts'
import { ApiError, invalid } from '#contract/errors.ts'
import type { createLink, InviteLink, InvitePreview, JoinRequest, updateLink } from '#contract/join.ts'
import { INVITE_LINKS_MOST } from '#contract/limits.ts'
import { addDays, taipei } from '#trading/calendar.ts'
import { requireGroups } from '../access/joining.ts'
import type { StoredOrganization } from '../access/organization.ts'
import type { Actor, App, Tx } from '../context.ts'
import type { Db, InviteLinkRow, JoinRequestRow, Schema } from '../db/schema.ts'
import { newId } from '../ids.ts'
import { hashToken, mintToken } from '../secrets.ts'

// Where a link and a request stand, what may stand in them, and how long they reach.

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

type Terms = Omit<ParsedInputOf<typeof createLink>, 'id'>

/** The link behind a code, undefined when there is none. */
export function linkByCode(db: Db, code: string): Promise<StoredLink | undefined> {
  return db.selectFrom('invite_links').selectAll().where('code_hash', '=', hashToken(code)).executeTakeFirst()
}

/** The organization's links, newest first. */
export function linksOf(db: Db, organization_id: string): Promise<StoredLink[]> {
  return db
    .selectFrom('invite_links')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/** How often each of these links is used: whoever came in, and whose request is open. */
export async function usesOf(
  db: Db,
  rows: readonly StoredLink[],
  at: string,
): Promise<(row: StoredLink) => number> {
  if (rows.length === 0) return () => 0
  const open = await db
    .selectFrom('join_requests')
    .select(({ fn }) => ['link_id', fn.countAll().as('count')])
    .where(
      'link_id',
      'in',
      rows.map(({ id }) => id),
    )
    .where('status', '=', 'pending')
    .where('expires_at', '>', at)
    .groupBy('link_id')
    .execute()
  const by_link = new Map(open.map(({ link_id, count }) => [link_id, Number(count)]))
  return (row) => row.used_count + (by_link.get(row.id) ?? 0)
}

/** A new link with a code of its own; it lets in members only. */
export async function insertLink(
  app: Pick<App, 'keys'>,
  tx: Tx,
  actor: Pick<Actor, 'uid'>,
  organization_id: string,
  terms: Terms,
): Promise<StoredLink> {
  await requireTerms(tx, organization_id, terms)
  if ((await linksOf(tx.db, organization_id)).length >= INVITE_LINKS_MOST)
    throw invalid({ id: `一個組織最多 ${INVITE_LINKS_MOST} 個連結，停用的可以換新網址再用` })
  const row: StoredLink = {
    id: newId(),
    organization_id,
    ...newCode(app),
    enabled: 1,
    group_ids: JSON.stringify([...new Set(terms.group_ids ?? [])]),
    expires_on: terms.expires_on ?? null,
    valid_until: terms.valid_until ?? null,
    max_uses: terms.max_uses ?? null,
    used_count: 0,
    requires_review: Number(terms.requires_review ?? true),
    created_by: actor.uid,
    created_at: tx.at,
    updated_at: tx.at,
  }
  await tx.db.insertInto('invite_links').values(row).execute()
  await tellLinks(tx, organization_id)
  return row
}

/** Lays changes over a link; what is not given stays. Under a new code (`rotate`) the old one leads nowhere. */
export async function changeLink(
  app: Pick<App, 'keys'>,
  tx: Tx,
  row: StoredLink,
  { enabled, rotate, ...terms }: Omit<ParsedInputOf<typeof updateLink>, 'id' | 'link_id'>,
): Promise<StoredLink> {
  await requireTerms(tx, row.organization_id, terms)
  const { group_ids, requires_review, expires_on, valid_until, max_uses } = terms
  const next = await tx.db
    .updateTable('invite_links')
    .set({
      ...(enabled !== undefined && { enabled: Number(enabled) }),
      ...(rotate === true && newCode(app)),
      ...(group_ids !== undefined && { group_ids: JSON.stringify([...new Set(group_ids)]) }),
      ...(requires_review !== undefined && { requires_review: Number(requires_review) }),
      ...(expires_on !== undefined && { expires_on }),
      ...(valid_until !== undefined && { valid_until }),
      ...(max_uses !== undefined && { max_uses }),
      updated_at: tx.at,
    })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await tellLinks(tx, row.organization_id)
  return next
}

/** Somebody came in by the link. */
export async function countUse(tx: Tx, link_id: string, organization_id: string): Promise<void> {
  await tx.db
    .updateTable('invite_links')
    .set((eb) => ({ used_count: eb('used_count', '+', 1) }))
    .where('id', '=', link_id)
    .execute()
  await tellLinks(tx, organization_id)
}

/** A link of an organization; 4040 when there is none. */
export async function findLink(db: Db, organization_id: string, id: string): Promise<StoredLink> {
  const row = await db
    .selectFrom('invite_links')
    .selectAll()
    .where('id', '=', id)
    .where('organization_id', '=', organization_id)
    .executeTakeFirst()
  if (!row) throw new ApiError(4040)
  return row
}

async function requireTerms(tx: Tx, organization_id: string, terms: Terms): Promise<void> {
  requireAhead(terms.expires_on, tx.at)
  if (terms.valid_until && terms.valid_until <= tx.at)
    throw invalid({ valid_until: '連結的期限已經過去，請選今天或之後' })
  await requireGroups(tx, organization_id, terms.group_ids ?? [])
}

function newCode(app: Pick<App, 'keys'>): Pick<StoredLink, 'code_hash' | 'code_cipher'> {
  const { token, hash } = mintToken()
  return { code_hash: hash, code_cipher: app.keys.seal(token) }
}

async function tellLinks(tx: Tx, id: string): Promise<void> {
  await tx.append(`o:${id}`, 'organization', { id, change: 'invites' })
}
