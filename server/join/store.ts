// Links written: made, changed, counted. The organization is locked by the caller.
import type { Expression, ExpressionBuilder, Selectable, SqlBool } from 'kysely'
import type { ParsedInputOf } from '#contract/endpoint.ts'
import { ApiError, invalid } from '#contract/errors.ts'
import type {
  createLink,
  EntranceKind,
  InviteLink,
  InvitePreview,
  JoinRequest,
  listJoinRequests,
  MyJoinRequest,
  reviewJoinRequest,
  updateLink,
} from '#contract/join.ts'
import { INVITE_LINKS_MOST } from '#contract/limits.ts'
import { addDays, taipei } from '#trading/calendar.ts'
import { becomeMember, isMember, requireGroups, requireOrder, tellRequest } from '../access/members.ts'
import type { StoredOrganization } from '../access/organization.ts'
import type { Authorized } from '../access/strategies.ts'
import type { Actor, App, Tx } from '../context.ts'
import { newestOf } from '../db/query.ts'
import type { Db, InviteLinkRow, JoinRequestRow, Schema } from '../db/schema.ts'
import { hashToken, mintToken, newId } from '../ids.ts'

// Where a link and a request stand, what may stand in them, and how long they reach.

export type StoredLink = Selectable<InviteLinkRow>
export type StoredRequest = Selectable<JoinRequestRow>
type LinkState = InviteLink['state']
type RequestState = JoinRequest['status']

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
function requestState(row: Pick<StoredRequest, 'status' | 'expires_at'>, at: string): RequestState {
  return row.status === 'pending' && row.expires_at <= at ? 'expired' : row.status
}

/** Rows of `join_requests` in a state at an instant. */
function requestInState(
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
function requireAhead(expires_on: string | null | undefined, at: string): void {
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

// Requests to join, read, and the organization behind a code.

export function findRequest(db: Db, id: string): Promise<StoredRequest | undefined> {
  return db.selectFrom('join_requests').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Those of these that are the organization's. */
export function requestsOf(
  db: Db,
  organization_id: string,
  ids: readonly string[],
): Promise<StoredRequest[]> {
  return db
    .selectFrom('join_requests')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .where('id', 'in', ids)
    .execute()
}

/** One page, newest first, and how many there are. */
export async function listRequests(
  db: Db,
  { id, status, page, page_size }: ParsedInputOf<typeof listJoinRequests>,
  at: string,
) {
  const organization = await db
    .selectFrom('organizations')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  let found = db.selectFrom('join_requests').where('organization_id', '=', id)
  if (status !== undefined) found = found.where((eb) => requestInState(eb, status, at))
  return { organization, ...(await newestOf(found, { page, page_size })) }
}

/** The organization that has this code, enabled or not. */
export function organizationByCode(db: Db, code: string) {
  return db.selectFrom('organizations').selectAll().where('join_code', '=', code).executeTakeFirst()
}

// Requests answered by an admin, or taken back by whoever asked. The organization is locked by the caller.

type Answer = Omit<ParsedInputOf<typeof reviewJoinRequest>, 'id' | 'request_id'>
type Reviewed = 'done' | 'answered' | 'already_member'

/** What of an answer is wrong whoever it is for: 4220. */
export async function requireAnswer(tx: Tx, organization: StoredOrganization, answer: Answer): Promise<void> {
  if (answer.decision === 'reject') return
  const starts_on = answer.starts_on ?? taipei(tx.at).date
  requireAhead(answer.expires_on, tx.at)
  requireOrder({ starts_on, expires_on: answer.expires_on ?? null })
  await requireGroups(tx, organization.id, answer.group_ids ?? [])
}

/** What is written down of each entrance when somebody has come in by an approved request; at once see enter.ts. */
const USED: Record<
  StoredRequest['source'],
  ((tx: Tx, row: StoredRequest) => Promise<void>) | 'any number of times'
> = {
  async link(tx, { link_id, organization_id }) {
    if (link_id !== null) await countUse(tx, link_id, organization_id)
  },
  join_code: 'any number of times',
}

/** Answers one request, read under the organization's lock; approving makes a member in the same transaction. */
export async function reviewRequest(
  tx: Tx,
  actor: Pick<Actor, 'uid'>,
  organization: Authorized<StoredOrganization>,
  row: StoredRequest,
  answer: Answer,
): Promise<Reviewed> {
  if (requestState(row, tx.at) !== 'pending') return 'answered'
  const approve = answer.decision === 'approve'
  if (approve && (await isMemberNow(tx, row))) return 'already_member'
  const { id: organization_id } = organization
  await tx.db
    .updateTable('join_requests')
    .set({
      status: approve ? 'approved' : 'rejected',
      reason: approve ? null : answer.reason || null,
      decided_by: actor.uid,
      decided_at: tx.at,
      updated_at: tx.at,
    })
    .where('id', '=', row.id)
    .execute()
  await tellRequest(tx, row, approve ? 'other' : 'rejected')
  if (!approve) return 'done'
  const starts_on = answer.starts_on ?? taipei(tx.at).date
  const expires_on =
    answer.expires_on === undefined ? offeredEnd(organization, row, starts_on) : answer.expires_on
  requireOrder({ starts_on, expires_on })
  const group_ids = answer.group_ids ?? (JSON.parse(row.group_ids) as string[])
  const entry = { organization_id, uid: row.user_id, starts_on, expires_on, group_ids }
  await becomeMember(tx, { ...entry, role: 'member' })
  const used = USED[row.source]
  if (used !== 'any number of times') await used(tx, row)
  return 'done'
}

/** The end that approving gives when no other is said: the link's, unless it is over by now, else the organization's usual one. */
function offeredEnd(
  organization: Pick<StoredOrganization, 'default_member_days'>,
  { expires_on }: Pick<StoredRequest, 'expires_on'>,
  from: string,
): string | null {
  return expires_on !== null && expires_on >= from ? expires_on : usualEnd(organization, from)
}

/** Takes the caller's own request back; 4040 for another's. Once more changes nothing. */
export async function cancelRequest(tx: Tx, row: StoredRequest): Promise<void> {
  if (row.status === 'cancelled') return
  if (row.status !== 'pending')
    throw new ApiError(4100, { msg: `join request ${row.status}`, text: '這份申請已經審核過了，請重新整理' })
  await tx.db
    .updateTable('join_requests')
    .set({ status: 'cancelled', updated_at: tx.at })
    .where('id', '=', row.id)
    .execute()
  await tellRequest(tx, row)
}

async function isMemberNow(tx: Tx, { organization_id, user_id }: StoredRequest): Promise<boolean> {
  const row = await tx.db
    .selectFrom('memberships')
    .select(['starts_on', 'expires_on'])
    .where('organization_id', '=', organization_id)
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  return row !== undefined && isMember(row, taipei(tx.at).date)
}

// Links, requests and what stands behind a code, as they travel: a fixed number of queries per list.

/** Links as an admin sees them, in the order given, each with its address. */
export async function presentLinks(
  app: Pick<App, 'keys' | 'config'>,
  db: Db,
  rows: readonly StoredLink[],
  at: string,
): Promise<InviteLink[]> {
  const used = await usesOf(db, rows, at)
  return rows.map((row) => {
    const code = app.keys.unseal(row.code_cipher)
    return {
      id: row.id,
      code,
      url: `${app.config.public_url}/my-organizations?invite=${code}`,
      enabled: row.enabled === 1,
      group_ids: JSON.parse(row.group_ids) as string[],
      expires_on: row.expires_on,
      valid_until: row.valid_until,
      max_uses: row.max_uses,
      used_count: used(row),
      requires_review: row.requires_review === 1,
      state: linkState(row, used(row), at),
      created_at: row.created_at,
    }
  })
}

/** Requests as whoever asked sees them, in the order given. */
export async function presentMine(
  db: Db,
  rows: readonly StoredRequest[],
  at: string,
): Promise<MyJoinRequest[]> {
  if (rows.length === 0) return []
  const organizations = await db
    .selectFrom('organizations')
    .select(['id', 'name', 'logo'])
    .where('id', 'in', [...new Set(rows.map(({ organization_id }) => organization_id))])
    .execute()
  const by_id = new Map(organizations.map((one) => [one.id, one]))
  return rows.flatMap((row) => {
    const organization = by_id.get(row.organization_id)
    return organization ? { ...bare(row, at), organization } : []
  })
}

/** Requests as an admin of their organization sees them, in the order given. */
export async function presentRequests(
  db: Db,
  organization: StoredOrganization,
  rows: readonly StoredRequest[],
  at: string,
): Promise<JoinRequest[]> {
  if (rows.length === 0) return []
  const ids = new Set(rows.flatMap(({ user_id, decided_by }) => [user_id, decided_by ?? user_id]))
  const people = await db
    .selectFrom('users')
    .select(['id', 'name', 'email', 'avatar'])
    .where('id', 'in', [...ids])
    .execute()
  const by_id = new Map(people.map((one) => [one.id, one]))
  const { id, name, logo } = organization
  const day = taipei(at).date
  return rows.flatMap((row) => {
    const user = by_id.get(row.user_id)
    const admin = row.decided_by === null ? undefined : by_id.get(row.decided_by)
    if (!user) return []
    return {
      ...bare(row, at),
      organization: { id, name, logo },
      user,
      decided_by: admin ? { id: admin.id, name: admin.name } : null,
      group_ids: JSON.parse(row.group_ids) as string[],
      expires_on: offeredEnd(organization, row, day),
    }
  })
}

function bare(row: StoredRequest, at: string): Omit<MyJoinRequest, 'organization'> {
  const { id, source, message, reason, decided_at, expires_at, created_at } = row
  return { id, source, message, status: requestState(row, at), reason, decided_at, expires_at, created_at }
}

/** What a code leads to: of which organization, whether an admin answers, where it stands. */
type Found = Pick<InvitePreview, 'requires_review' | 'state'> & { readonly organization: StoredOrganization }

/** Each entrance's own look at a code, null when it is none of its. */
const LOOK: Record<EntranceKind, (db: Db, code: string, at: string) => Promise<Found | null>> = {
  async link(db, code, at) {
    const link = await linkByCode(db, code)
    if (!link) return null
    const { organization_id, requires_review } = link
    const organization = await db
      .selectFrom('organizations')
      .selectAll()
      .where('id', '=', organization_id)
      .executeTakeFirst()
    if (!organization) return null
    const state = linkState(link, (await usesOf(db, [link], at))(link), at)
    return { organization, requires_review: requires_review === 1, state }
  },
  async join_code(db, code) {
    const organization = await organizationByCode(db, code)
    if (!organization) return null
    const state = organization.join_code_enabled === 1 ? 'open' : 'disabled'
    return { organization, requires_review: organization.requires_review === 1, state }
  },
}

/** What stands behind a code that no mail brought; null when nothing does. */
export async function previewOf(db: Db, code: string, at: string): Promise<InvitePreview | null> {
  for (const kind of Object.keys(LOOK) as EntranceKind[]) {
    const found = await LOOK[kind](db, code, at)
    if (!found) continue
    const { organization, requires_review, state } = found
    // One without a name was dissolved.
    if (organization.name === '') return null
    const { id, name, logo, introduction } = organization
    const own = { role: 'member', email_masked: null, email: null } as const
    return { kind, organization: { id, name, logo, introduction }, ...own, requires_review, state }
  }
  return null
}
