// Who calls: token → session row → membership of the header's organization now. Nothing of it is remembered between calls.
import type { Endpoint } from '#contract/endpoint.ts'
import { ApiError } from '#contract/errors.ts'
import type { Scope } from '#contract/events.ts'
import { isId } from '#contract/ids.ts'
import { ALWAYS_GRANTED, type Identity, may, type Role } from '#contract/permissions.ts'
import type { TokenClaims } from '#contract/session.ts'
import { taipei } from '#trading/calendar.ts'
import type { Actor, App } from '../context.ts'
import { isStorage } from '../db/storage.ts'
import { readToken } from '../session/tokens.ts'

/** How stale `last_seen_at` may be, so that reading does not mean writing. */
const SEEN_EVERY_MS = 5 * 60_000

export interface Signed {
  readonly claims: TokenClaims
  readonly actor: Actor
}

/** Makes the actor of a request or throws 4010, 4011, 4012, 4030, 4031. */
export async function identify(app: App, headers: Headers, endpoint: Pick<Endpoint, 'who'>): Promise<Signed> {
  const authorization = headers.get('authorization')
  if (!authorization) throw new ApiError(4010)
  const [, token] = /^Bearer ([\w.-]+)$/i.exec(authorization) ?? []
  const claims = token === undefined ? null : await readToken(app, token)
  if (!claims) throw new ApiError(4011)
  const row = await app.db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.uid')
    .select([
      'sessions.uid',
      'sessions.ended_at',
      'sessions.expires_at',
      'sessions.last_seen_at',
      'users.name',
      'users.email',
      'users.email_verified',
    ])
    .where('sessions.id', '=', claims.sid)
    .executeTakeFirst()
  const now = new Date(app.now()).toISOString()
  if (!row || row.uid !== claims.uid || row.ended_at !== null || row.expires_at <= now)
    throw new ApiError(4012)
  if (app.now() - Date.parse(row.last_seen_at) > SEEN_EVERY_MS) await noteSeen(app, claims.sid, now)
  const membership = await membershipOf(app, claims.uid, headers.get('lb-org-id'))
  const anywhere =
    endpoint.who === 'public' || endpoint.who === 'login' || ALWAYS_GRANTED.includes(endpoint.who)
  // A stale organization must not keep a person from the own profile (ruling A1).
  if (membership === 'none' && !anywhere) throw new ApiError(4031)
  const inside = membership === 'none' ? null : membership
  const identity: Identity = inside ? { type: 'organization', role: inside.role } : { type: 'personal' }
  const actor: Actor = {
    uid: claims.uid,
    sid: claims.sid,
    name: row.name,
    email: row.email,
    email_verified: row.email_verified === 1,
    identity,
    organization_id: inside?.organization_id ?? null,
    scope: inside ? `o:${inside.organization_id}` : `p:${claims.uid}`,
  }
  if (endpoint.who !== 'public' && endpoint.who !== 'login' && !may(identity, endpoint.who))
    throw new ApiError(4030, { missing: endpoint.who, granted_by: await admins(app, actor.organization_id) })
  return { claims, actor }
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

/** The scopes whose events the person may hear now, each with the right to edit there. */
export async function scopesOf(app: App, uid: string): Promise<Map<Scope, { edit: boolean }>> {
  const { date } = taipei(new Date(app.now()).toISOString())
  const rows = await app.db
    .selectFrom('memberships')
    .select(['organization_id', 'role'])
    .where('user_id', '=', uid)
    .where('starts_on', '<=', date)
    .where((eb) => eb.or([eb('expires_on', 'is', null), eb('expires_on', '>=', date)]))
    .execute()
  const scopes = new Map<Scope, { edit: boolean }>([[`p:${uid}`, { edit: true }]])
  for (const { organization_id, role } of rows)
    scopes.set(`o:${organization_id}`, { edit: may({ type: 'organization', role }, 'strategy:edit') })
  return scopes
}

/** null = no header; 'none' = it names no membership that is valid today. */
async function membershipOf(
  app: App,
  uid: string,
  header: string | null,
): Promise<{ organization_id: string; role: Role } | 'none' | null> {
  if (header === null || header === '') return null
  if (!isId(header)) return 'none'
  const { date } = taipei(new Date(app.now()).toISOString())
  const row = await app.db
    .selectFrom('memberships')
    .select(['organization_id', 'role'])
    .where('organization_id', '=', header)
    .where('user_id', '=', uid)
    .where('starts_on', '<=', date)
    .where((eb) => eb.or([eb('expires_on', 'is', null), eb('expires_on', '>=', date)]))
    .executeTakeFirst()
  return row ?? 'none'
}

/** Who could grant what is missing: the organization's admins. */
async function admins(app: App, organization_id: string | null): Promise<{ name: string; email: string }[]> {
  if (organization_id === null) return []
  return app.db
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select(['users.name', 'users.email'])
    .where('organization_id', '=', organization_id)
    .where('role', '=', 'admin')
    .orderBy('users.name')
    .limit(10)
    .execute()
}
