// Who calls: token → session row → membership of the header's organization now. Nothing of it is remembered between calls.

import { hash } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'
import { mayBeAsMember } from '#contract/access.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { ApiError } from '#contract/errors.ts'
import type { EventKind, Scope } from '#contract/events.ts'
import { isId } from '#contract/ids.ts'
import { TOKEN_LIFE_S } from '#contract/limits.ts'
import { ALWAYS_GRANTED, type Identity, may } from '#contract/permissions.ts'
import type { TokenClaims } from '#contract/session.ts'
import type { AccessMap, Actor, App, Membership, Tx } from '../context.ts'
import { isStorage } from '../db/condition.ts'
import type { UserRow } from '../db/schema.ts'
import { adminsOn } from './members.ts'
import { accessMap, membershipOn, today } from './membership.ts'
import { noteView } from './organization.ts'

// Access tokens: JWT, one algorithm, one key; worth nothing without their session row.

const ALGORITHM = 'HS256'
const ISSUER = 'lingbo'
const AUDIENCE = 'lingbo-app'

/** A token of the session, valid for 30 days from now but not beyond `ends_at`; also gives its claims. */
export async function signToken(
  app: Pick<App, 'keys' | 'now'>,
  uid: string,
  sid: string,
  ends_at: string,
): Promise<{ token: string; claims: TokenClaims }> {
  const iat = Math.floor(app.now() / 1_000)
  const exp = Math.min(iat + TOKEN_LIFE_S, Math.floor(Date.parse(ends_at) / 1_000))
  const claims = { uid, sid, iat, exp }
  const token = await new SignJWT({ ...claims })
    .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .sign(app.keys.jwt)
  return { token, claims }
}

/** Signatures looked at already; those used longest ago are looked at again. */
const CHECKED_MOST = 10_000
/** By key, then by the token's hash: a signature stays right. Whether it may still be used is asked on every call. */
const checked = new WeakMap<App['keys'], Map<string, TokenClaims>>()

/** The claims of a token that is ours and not expired, else null. */
async function readToken(app: Pick<App, 'keys' | 'now'>, token: string): Promise<TokenClaims | null> {
  const known = checkedBefore(app, token)
  if (known) return known.exp * 1_000 > app.now() ? known : null
  const claims = await verify(app, token)
  if (claims) keep(checkedWith(app), hash('sha256', token), claims)
  return claims
}

/** What a token says whose signature was found right before; whether its time is over is not looked at. */
export function checkedBefore(app: Pick<App, 'keys'>, token: string): TokenClaims | undefined {
  const known = checkedWith(app)
  const id = hash('sha256', token)
  const claims = known.get(id)
  if (claims) keep(known, id, claims)
  return claims
}

function checkedWith({ keys }: Pick<App, 'keys'>): Map<string, TokenClaims> {
  const known = checked.get(keys) ?? new Map<string, TokenClaims>()
  checked.set(keys, known)
  return known
}

function keep(known: Map<string, TokenClaims>, id: string, claims: TokenClaims): void {
  known.delete(id)
  known.set(id, claims)
  if (known.size > CHECKED_MOST) known.delete(known.keys().next().value as string)
}

async function verify(app: Pick<App, 'keys' | 'now'>, token: string): Promise<TokenClaims | null> {
  try {
    const { payload } = await jwtVerify(token, app.keys.jwt, {
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      audience: AUDIENCE,
      typ: 'JWT',
      requiredClaims: ['exp', 'iat', 'uid', 'sid'],
      currentDate: new Date(app.now()),
    })
    const { uid, sid, iat = 0, exp = 0 } = payload
    if (typeof uid !== 'string' || typeof sid !== 'string' || !isId(uid) || !isId(sid)) return null
    // We write whole seconds and thirty days at most: a token that says otherwise is not one we wrote.
    if (!Number.isSafeInteger(iat) || !Number.isSafeInteger(exp) || exp - iat > TOKEN_LIFE_S) return null
    return { uid, sid, iat, exp }
  } catch {
    // Whatever is wrong with it, the caller hears one thing: not valid.
    return null
  }
}

// An address becomes proven: by the code of a letter, or by answering with a link that was mailed to it alone (ruling C44).

/**
 * Says that the person reads this mailbox, and forgets that letters to it were ever refused. False, and nothing is proven, when the
 * account has another address by now: it may have been changed since the call began.
 */
export async function proveAddress(tx: Tx, uid: string, email: string): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('users')
    .set({ email_verified: 1, updated_at: tx.at })
    .where('id', '=', uid)
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return false
  // A letter was read there: it exists, whatever was said before.
  await tx.db.deleteFrom('lost_mailboxes').where('uid', '=', uid).execute()
  await tx.append(`p:${uid}`, 'profile', { change: 'email_verified' })
  return true
}

// Tokens of other people's applications, as far as access knows them: whom they speak for, and what they may hear.

/** In place of a session's id: streams of a revoked grant end by it. */
export const grantSid = (grant_hash: string): string => `grant:${grant_hash}`

/** What `signals:read` stands for on the event stream. */
const SIGNAL_EVENTS: ReadonlySet<EventKind> = new Set(['signal', 'signal-voided', 'reset'])

/** True when this caller may hear such events: people everything, applications only signals. */
export function mayHear(actor: Pick<Actor, 'sid'>, kind: EventKind): boolean {
  return !actor.sid.startsWith(grantSid('')) || SIGNAL_EVENTS.has(kind)
}

/** What of the person every call needs, in the columns of a query that has `users`. */
export const PERSON = [
  'users.name',
  'users.email',
  'users.email_verified',
  'users.need_force_update_password',
] as const

/** Who the token speaks for, as a session row would say it. */
export interface Bearer
  extends Readonly<Pick<UserRow, 'name' | 'email' | 'email_verified' | 'need_force_update_password'>> {
  readonly claims: TokenClaims
}

/** Null when the token is none of ours, has expired, or its grant is gone; ApiError 4034 when it may not call this endpoint. */
export type ReadBearer = (token: string, endpoint: Pick<Endpoint, 'scope'>) => Promise<Bearer | null>

declare module '../context.ts' {
  interface App {
    readonly readBearer: ReadBearer
  }
}

/** How stale `last_seen_at` may be, so that reading does not mean writing. */
const SEEN_EVERY_MS = 5 * 60_000

export interface Signed {
  readonly claims: TokenClaims
  readonly actor: Actor
}

/** How a call says who it is: its Authorization, LB-Org-Id and LB-View-As headers, null where there is none. */
export interface Asking {
  readonly authorization: string | null
  readonly organization: string | null
  readonly view_as: string | null
}

/** Makes the actor of a call or throws 4010, 4011, 4012, 4030, 4031, 4032, 4034. */
export async function identify(
  app: App,
  asking: Asking,
  endpoint: Pick<Endpoint, 'method' | 'who' | 'as_member' | 'scope' | 'while_forced'>,
): Promise<Signed> {
  const { authorization, organization, view_as } = asking
  if (!authorization) throw new ApiError(4010)
  const [, token = ''] = /^Bearer ([\w.-]+)$/i.exec(authorization) ?? []
  const session = await readToken(app, token)
  // What is no token of ours may be one of an application that a person has let in.
  const bearer = session ? await sessionOf(app, session) : await app.readBearer(token, endpoint)
  if (!bearer) throw new ApiError(4011)
  const { claims } = bearer
  if (bearer.need_force_update_password === 1 && !endpoint.while_forced)
    throw new ApiError(4030, { text: '請先設定新密碼，再繼續使用' })
  if (view_as !== null && endpoint.method !== 'GET') throw new ApiError(4032)
  const membership = await membershipOf(app, claims.uid, organization)
  const anywhere =
    endpoint.who === 'public' || endpoint.who === 'login' || ALWAYS_GRANTED.includes(endpoint.who)
  // A stale organization must not keep a person from the own profile (ruling A1).
  if (membership === 'none' && !anywhere) throw new ApiError(4031)
  const own = membership === 'none' ? null : membership
  const seen = view_as === null ? null : await memberSeen(app, endpoint, own, view_as)
  // An application was let in to what its person may read, not to whom the person leads.
  if (seen && !session) throw new ApiError(4034)
  const inside = seen?.membership ?? own
  const person = seen?.person ?? bearer
  const identity: Identity = inside ? { type: 'organization', role: inside.role } : { type: 'personal' }
  const actor: Actor = {
    uid: seen ? seen.membership.uid : claims.uid,
    caller: claims.uid,
    sid: claims.sid,
    name: person.name,
    email: person.email,
    email_verified: person.email_verified === 1,
    identity,
    organization_id: inside?.organization_id ?? null,
    scope: inside ? `o:${inside.organization_id}` : `p:${claims.uid}`,
    membership: inside,
    access: inside?.role === 'member' ? await accessMap(app.db, inside, today(app)) : null,
  }
  if (endpoint.who !== 'public' && endpoint.who !== 'login' && !may(identity, endpoint.who))
    throw new ApiError(4030, { missing: endpoint.who, granted_by: await admins(app, actor.organization_id) })
  if (seen) await noteView(app, seen.membership, claims.uid)
  return { claims, actor }
}

/** Who is looked at as (LB-View-As); 4030 for whoever is no admin there, anybody who is not in the organization today, and calls of the person. */
async function memberSeen(
  app: App,
  endpoint: Pick<Endpoint, 'who' | 'as_member'>,
  own: Membership | null,
  view_as: string,
): Promise<{ membership: Membership; person: Pick<Bearer, 'name' | 'email' | 'email_verified'> }> {
  const leads = own !== null && may({ type: 'organization', role: own.role }, 'organization:manage')
  const membership =
    leads && mayBeAsMember(endpoint) && isId(view_as)
      ? await membershipOn(app.db, own.organization_id, view_as, today(app))
      : null
  if (!membership) throw new ApiError(4030)
  const person = await app.db
    .selectFrom('users')
    .select(['name', 'email', 'email_verified'])
    .where('id', '=', membership.uid)
    .executeTakeFirstOrThrow()
  return { membership, person }
}

/** The person of a living session; 4012 when it has ended. */
async function sessionOf(app: App, claims: TokenClaims): Promise<Bearer> {
  const row = await app.db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.uid')
    .select(['sessions.uid', 'sessions.ended_at', 'sessions.expires_at', 'sessions.last_seen_at', ...PERSON])
    .where('sessions.id', '=', claims.sid)
    .executeTakeFirst()
  const now = new Date(app.now()).toISOString()
  if (!row || row.uid !== claims.uid || row.ended_at !== null || row.expires_at <= now)
    throw new ApiError(4012)
  if (app.now() - Date.parse(row.last_seen_at) > SEEN_EVERY_MS) await noteSeen(app, claims.sid, now)
  return { ...row, claims }
}

/** Only a note: a full disk must not keep anybody from reading. */
async function noteSeen(app: App, sid: string, now: string): Promise<void> {
  try {
    await app.db.updateTable('sessions').set({ last_seen_at: now }).where('id', '=', sid).execute()
  } catch (error) {
    if (!isStorage(error)) throw error
    app.log.warn({ err: error }, 'cannot note when a session was seen')
  }
}

/** What of a scope a person may hear: `edit` = everything, `access` = a member's strategies, null = every strategy. */
export interface Hearing {
  readonly edit: boolean
  readonly access: AccessMap | null
  /** The figures of the whole record are shown, too (ruling A11). */
  readonly shares: boolean
}

/** The scopes whose events the person may hear today. */
export async function scopesOf(app: App, uid: string): Promise<Map<Scope, Hearing>> {
  const day = today(app)
  const rows = await app.db
    .selectFrom('memberships')
    .innerJoin('organizations', 'organizations.id', 'memberships.organization_id')
    .select(['organization_id', 'role', 'starts_on', 'expires_on', 'share_statistics'])
    .where('user_id', '=', uid)
    .where('starts_on', '<=', day)
    .where((eb) => eb.or([eb('expires_on', 'is', null), eb('expires_on', '>=', day)]))
    .execute()
  const scopes = new Map<Scope, Hearing>([[`p:${uid}`, { edit: true, access: null, shares: true }]])
  for (const { organization_id, role, starts_on, expires_on, share_statistics } of rows) {
    const edit = may({ type: 'organization', role }, 'strategy:edit')
    const membership = { organization_id, uid, span: { starts_on, ends_on: expires_on } }
    const access = edit ? null : await accessMap(app.db, membership, day)
    scopes.set(`o:${organization_id}`, { edit, access, shares: share_statistics === 1 })
  }
  return scopes
}

/** null = no header; 'none' = it names no membership that is valid today. */
async function membershipOf(
  app: App,
  uid: string,
  header: string | null,
): Promise<Membership | 'none' | null> {
  if (header === null || header === '') return null
  if (!isId(header)) return 'none'
  return (await membershipOn(app.db, header, uid, today(app))) ?? 'none'
}

/** Who could grant what is missing: the organization's admins of today; one of before is nobody to be shown with an address. */
async function admins(app: App, organization_id: string | null): Promise<{ name: string; email: string }[]> {
  if (organization_id === null) return []
  return adminsOn(app.db, organization_id, today(app))
    .select(['users.name', 'users.email'])
    .limit(10)
    .execute()
}

// Every context that a person is in today: for what reaches them without a call of theirs, a bot's answer or a message.

/** A context with the name that people know it by. */
export interface NamedContext {
  readonly actor: Actor
  readonly name: string
}

/** The personal context first, then the organizations of today by name; none for an account that is gone. */
export async function contextsOf(app: Pick<App, 'db' | 'now'>, uid: string): Promise<NamedContext[]> {
  const day = today(app)
  const person = await app.db
    .selectFrom('users')
    .select(['name', 'email', 'email_verified'])
    .where('id', '=', uid)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!person) return []
  const own = {
    ...{ uid, caller: uid, sid: '', name: person.name, email: person.email },
    email_verified: person.email_verified === 1,
  }
  const standings: NamedContext[] = [
    {
      name: '個人身份',
      actor: {
        ...own,
        ...{ identity: { type: 'personal' }, organization_id: null, scope: `p:${uid}` },
        ...{ membership: null, access: null },
      },
    },
  ]
  const rows = await app.db
    .selectFrom('memberships')
    .innerJoin('organizations', 'organizations.id', 'memberships.organization_id')
    .select(['organization_id', 'role', 'starts_on', 'expires_on', 'share_statistics', 'organizations.name'])
    .where('user_id', '=', uid)
    .where('starts_on', '<=', day)
    .where((eb) => eb.or([eb('expires_on', 'is', null), eb('expires_on', '>=', day)]))
    .orderBy('organizations.name')
    .orderBy('organizations.id')
    .execute()
  for (const { organization_id, role, starts_on, expires_on, share_statistics, name } of rows) {
    const identity: Identity = { type: 'organization', role }
    const shares = share_statistics === 1
    const membership = { organization_id, uid, role, span: { starts_on, ends_on: expires_on }, shares }
    const access = role === 'member' ? await accessMap(app.db, membership, day) : null
    const scope = `o:${organization_id}` as const
    standings.push({ name, actor: { ...own, identity, organization_id, scope, membership, access } })
  }
  return standings.filter(({ actor: { identity } }) => may(identity, 'strategy:view'))
}
