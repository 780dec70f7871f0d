// Invitations written: made, sent again, taken back, answered. The organization is locked by the caller.
import type { Expression, ExpressionBuilder, Selectable, SqlBool } from 'kysely'
import { ApiError } from '#contract/errors.ts'
import type { Invite, InvitePreview, MyInvite } from '#contract/join.ts'
import { INVITE_LIFE_S, VERIFY_RESEND_S } from '#contract/limits.ts'
import type { Role } from '#contract/permissions.ts'
import { taipei } from '#trading/calendar.ts'
import type { Actor, App, Tx } from '../context.ts'
import type { Db, InviteRow, Schema } from '../db/schema.ts'
import { hashToken, mintToken, newId } from '../ids.ts'
import { invitationMail, mailStays, maskEmail } from '../mail/messages.ts'

// Who may answer an invitation, and what may stand in one.

export type StoredInvite = Selectable<InviteRow>

const GONE: Record<string, string> = {
  accepted: '這份邀請已經接受過了',
  declined: '這份邀請已經婉拒了，需要時請管理者再邀請一次',
  expired: '這份邀請已過期，請管理者再邀請一次',
  cancelled: '這份邀請已撤回，請向管理者確認',
}

/** The invitation behind a code; 4040 when there is none. */
export async function findByCode(db: Db, code: string): Promise<StoredInvite> {
  return db
    .selectFrom('invites')
    .selectAll()
    .where('code_hash', '=', hashToken(code))
    .executeTakeFirstOrThrow(() => new ApiError(4040, { text: '找不到這份邀請，請確認連結是否完整' }))
}

/**
 * True when this code was mailed to this address and can still be answered: whoever has it reads that mailbox (ruling C44).
 * A code that was handed to admins proves nothing: they could register anybody's address with it.
 */
export async function provesMailbox(
  tx: Pick<Tx, 'db' | 'at'>,
  code: string | undefined,
  email: string,
): Promise<boolean> {
  if (code === undefined) return false
  const row = await tx.db
    .selectFrom('invites')
    .selectAll()
    .where('code_hash', '=', hashToken(code))
    .executeTakeFirst()
  return row !== undefined && row.handed === 0 && row.email === email && stateAt(row, tx.at) === 'pending'
}

/** Only the invited address answers (4033). */
export function requireAddressee(actor: Pick<Actor, 'email'>, row: StoredInvite): void {
  if (actor.email !== row.email) throw new ApiError(4033)
}

/** 4100 with the reason when the invitation, read under the organization's lock, can no longer be answered. */
export function requireOpen(row: StoredInvite, at: string): void {
  const state = stateAt(row, at)
  if (state !== 'pending') throw new ApiError(4100, { msg: `invitation ${state}`, text: GONE[state] ?? '' })
}

// Where an invitation stands now, as a word and as a condition in SQL.

type InviteState = Invite['status']

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
function previewState(state: InviteState): InvitePreview['state'] {
  if (state === 'pending') return 'open'
  if (state === 'cancelled') return 'disabled'
  return state === 'expired' ? 'expired' : 'answered'
}

interface Offer {
  readonly organization_id: string
  readonly role: Role
  readonly group_ids: readonly string[]
  readonly expires_on: string | null
}

/** Addresses of people who are in the organization or will be; whoever's time is over may be invited anew. */
export async function memberAddresses(
  tx: Tx,
  organization_id: string,
  emails: readonly string[],
): Promise<Set<string>> {
  if (emails.length === 0) return new Set()
  const rows = await tx.db
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select('users.email')
    .where('organization_id', '=', organization_id)
    .where('users.email', 'in', emails)
    .where((eb) => eb.or([eb('expires_on', 'is', null), eb('expires_on', '>=', taipei(tx.at).date)]))
    .execute()
  return new Set(rows.map(({ email }) => email))
}

/** Open invitations of the organization by address. */
export async function openInvites(
  tx: Tx,
  organization_id: string,
  emails: readonly string[],
): Promise<Map<string, StoredInvite>> {
  if (emails.length === 0) return new Map()
  const rows = await tx.db
    .selectFrom('invites')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .where('email', 'in', emails)
    .where((eb) => isOpen(eb, tx.at))
    .execute()
  return new Map(rows.map((row) => [row.email, row]))
}

/** Stores an invitation with a fresh code and posts it once that is committed. */
export async function insertInvite(
  app: App,
  tx: Tx,
  actor: Actor,
  offer: Offer,
  email: string,
): Promise<StoredInvite> {
  const { token: code, hash: code_hash } = mintToken()
  const { organization_id, role, expires_on } = offer
  const row: StoredInvite = {
    id: newId(),
    organization_id,
    email,
    code_hash,
    code_cipher: app.keys.seal(code),
    role,
    group_ids: JSON.stringify(offer.group_ids),
    expires_on,
    valid_until: validUntil(tx.at),
    status: 'pending',
    sent_at: tx.at,
    send_count: 1,
    invited_by: actor.uid,
    answered_at: null,
    created_at: tx.at,
    updated_at: tx.at,
    handed: mailStays(app.config) ? 1 : 0,
  }
  await tx.db.insertInto('invites').values(row).execute()
  await tell(tx, row, 'came')
  await post(app, tx, actor, row)
  return row
}

/** Sends an invitation once more; it is valid anew from now on, under the same code. */
export async function sendAgain(app: App, tx: Tx, actor: Actor, row: StoredInvite): Promise<StoredInvite> {
  const again = {
    valid_until: validUntil(tx.at),
    sent_at: tx.at,
    send_count: row.send_count + 1,
    ...(mailStays(app.config) && { handed: 1 as const }),
  }
  const next = await write(tx, row.id, again, 'came')
  await post(app, tx, actor, next)
  return next
}

/** Lays columns over an invitation, and tells the admins and the invited person. */
export async function write(
  tx: Tx,
  id: string,
  columns: Partial<StoredInvite>,
  what?: 'came',
): Promise<StoredInvite> {
  const next = await tx.db
    .updateTable('invites')
    .set({ ...columns, updated_at: tx.at })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await tell(tx, next, what)
  return next
}

async function post(app: App, tx: Tx, actor: Actor, row: StoredInvite): Promise<void> {
  const { name } = await tx.db
    .selectFrom('organizations')
    .select('name')
    .where('id', '=', row.organization_id)
    .executeTakeFirstOrThrow()
  const letter = invitationMail({
    to: row.email,
    organization: name,
    invited_by: actor.name,
    role: row.role,
    expires_on: row.expires_on,
    url: linkOf(app, row),
    days: INVITE_LIFE_S / 86_400,
  })
  tx.afterCommit(() => app.mail.post(letter))
}

/** The organization's admins see the list change, and the person, when there is an account, what was received. */
async function tell(tx: Tx, row: StoredInvite, what?: 'came'): Promise<void> {
  await tx.append(`o:${row.organization_id}`, 'organization', {
    id: row.organization_id,
    change: 'invites',
  })
  const person = await tx.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', row.email)
    .where('email_verified', '=', 1)
    .executeTakeFirst()
  if (person)
    await tx.append(`p:${person.id}`, 'profile', {
      change: 'invites',
      ...(what === 'came' && { invite_id: row.id }),
    })
  // Once more to the admins: whether the address has an account is not to be read from how long this took (T16).
  else
    await tx.append(`o:${row.organization_id}`, 'organization', {
      id: row.organization_id,
      change: 'invites',
    })
}

function validUntil(at: string): string {
  return new Date(Date.parse(at) + INVITE_LIFE_S * 1_000).toISOString()
}

// Invitations as they travel: to admins, to the invited person, to anybody with the code.

/** When an invitation may be sent once more. */
export function resendAfter(row: Pick<StoredInvite, 'sent_at'>): string {
  return new Date(Date.parse(row.sent_at) + VERIFY_RESEND_S * 1_000).toISOString()
}

const linkOf = (app: Pick<App, 'keys' | 'config'>, row: StoredInvite) =>
  `${app.config.public_url}/my-organizations?invite=${app.keys.unseal(row.code_cipher)}`

/** Invitations as an admin sees them, in the order given; without their codes, but for those that are handed over. */
export async function presentInvites(
  app: Pick<App, 'keys' | 'config'>,
  db: Db,
  rows: readonly StoredInvite[],
  at: string,
): Promise<Invite[]> {
  if (rows.length === 0) return []
  const people = await db
    .selectFrom('users')
    .select(['id', 'name'])
    .where('id', 'in', [...new Set(rows.map((row) => row.invited_by))])
    .execute()
  const names = new Map(people.map(({ id, name }) => [id, name]))
  return rows.map((row) => ({
    id: row.id,
    email: row.email,
    role: row.role,
    group_ids: JSON.parse(row.group_ids) as string[],
    expires_on: row.expires_on,
    valid_until: row.valid_until,
    status: stateAt(row, at),
    sent_at: row.sent_at,
    send_count: row.send_count,
    resend_after: resendAfter(row),
    invited_by: { id: row.invited_by, name: names.get(row.invited_by) ?? '' },
    accepted_at: row.status === 'accepted' ? row.answered_at : null,
    url: row.handed === 1 && stateAt(row, at) === 'pending' ? linkOf(app, row) : null,
  }))
}

/** Invitations to an address that can still be answered, newest first, each with its code. */
export async function listMine(
  app: Pick<App, 'keys'>,
  db: Db,
  email: string,
  at: string,
): Promise<MyInvite[]> {
  const rows = await db
    .selectFrom('invites')
    .innerJoin('organizations', 'organizations.id', 'invites.organization_id')
    .innerJoin('users', 'users.id', 'invites.invited_by')
    .selectAll('invites')
    .select([
      'organizations.name as organization_name',
      'organizations.logo',
      'users.name as invited_by_name',
    ])
    .where('invites.email', '=', email)
    .where((eb) => isOpen(eb, at))
    .orderBy('invites.sent_at', 'desc')
    .orderBy('invites.id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    code: app.keys.unseal(row.code_cipher),
    organization: { id: row.organization_id, name: row.organization_name, logo: row.logo },
    role: row.role,
    invited_by: row.invited_by_name,
    expires_on: row.expires_on,
    valid_until: row.valid_until,
    status: stateAt(row, at),
  }))
}

/** How many invitations wait for an answer of this person: for the dashboard. An address that is not proven has none. */
export async function countOpenInvites(
  db: Db,
  { email, email_verified }: { email: string; email_verified: boolean },
  at: string,
): Promise<number> {
  if (!email_verified) return 0
  const { count } = await db
    .selectFrom('invites')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('invites.email', '=', email)
    .where((eb) => isOpen(eb, at))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** What stands behind a code. */
export async function presentPreview(db: Db, row: StoredInvite, at: string): Promise<InvitePreview> {
  const organization = await db
    .selectFrom('organizations')
    .select(['id', 'name', 'logo', 'introduction'])
    .where('id', '=', row.organization_id)
    .executeTakeFirstOrThrow()
  return {
    kind: 'email',
    organization,
    role: row.role,
    requires_review: false,
    state: previewState(stateAt(row, at)),
    email_masked: maskEmail(row.email),
    email: row.email,
  }
}
