// Who may do what, written down a second time from spec §6, rulings A1–A3, A9, A20 and docs/decisions/access.md: what the access matrix holds the server to.
import { AS_MEMBER, FOR_APPLICATIONS, WHO } from './permissions.ts'

export const ACTORS = [
  'anonymous',
  'tampered',
  'outdated',
  'ended',
  'owner',
  'admin',
  'member',
  'admin-b',
  'member-b',
  'removed',
  'invited',
  'unverified',
  'expired',
  'application',
  // The admin of A who looks at what its member sees, and at somebody of B (LB-View-As).
  'viewing',
  'viewing-stranger',
] as const
export const HEADERS = ['none', 'own', 'foreign', 'random', 'dissolved', 'twice', 'junk'] as const
/** Whose thing a call names: the caller's; of organization A, given to its member or not; of organization B; another person's. */
export const TARGETS = ['self', 'given', 'ungiven', 'foreign', 'other'] as const
export type ActorName = (typeof ACTORS)[number]
export type HeaderName = (typeof HEADERS)[number]
export type RealTarget = (typeof TARGETS)[number]
export type TargetName = RealTarget | 'nobody'
/**
 * What kind of thing it is: of a context; of the person alone; of the organization in the path, which must be the header's; a
 * group of such an organization; the organization in the path for whoever is in it (ruling A2), or also was in it (leaving);
 * what an organization says to some of its members, whoever one acts as; an invitation to one address; everything of the caller alone, whatever the context (self: names nothing); what every identity of the caller may see (inbox).
 */
export type TargetKind =
  | 'context'
  | 'person'
  | 'organization'
  | 'group'
  | 'membership'
  | 'leaving'
  | 'invited'
  | 'self'
  | 'inbox'
  | 'readable'

/** What must come of a call: code 0 = taken; `sees` = whose marks the answer may hold. */
export interface Verdict {
  readonly code: number
  readonly sees: readonly RealTarget[]
}

/** The permissions of each identity, word for word from spec §6: the one place where tests write them. */
export const GRANTED = {
  personal:
    'strategy:view strategy:create strategy:edit strategy:delete organization:view organization:create',
  admin:
    'strategy:view strategy:create strategy:edit strategy:delete organization:view organization:edit organization:delete ' +
    'organization:manage group:view group:create group:edit group:delete organization:announcements:view',
  member: 'strategy:view organization:view group:view organization:announcements:view',
  always: 'my-organizations:view my-announcements:view',
}

interface Belonging {
  readonly home: 'A' | 'B'
  readonly permissions: string
  readonly sees: readonly RealTarget[]
}
/** The organization each person is in today. Members see what their group gives, admins everything. */
const BELONGING: Partial<Record<ActorName, Belonging>> = {
  admin: { home: 'A', permissions: GRANTED.admin, sees: ['given', 'ungiven'] },
  member: { home: 'A', permissions: GRANTED.member, sees: ['given'] },
  'admin-b': { home: 'B', permissions: GRANTED.admin, sees: ['foreign'] },
  'member-b': { home: 'B', permissions: GRANTED.member, sees: ['foreign'] },
}
const HOME: Partial<Record<TargetName, 'A' | 'B'>> = { given: 'A', ungiven: 'A', foreign: 'B' }
/** Whose sessions, applications and invitations stand for a target. */
const PERSON: Partial<Record<TargetName, ActorName>> = {
  given: 'admin',
  ungiven: 'member',
  foreign: 'admin-b',
}
/** Others are shown the caller's address: it must be the caller's own. */
const PROVEN = new Set(['join.by-code', 'join.accept-link'])
const BAD_TOKENS: Partial<Record<ActorName, number>> = {
  anonymous: 4010,
  tampered: 4011,
  outdated: 4011,
  ended: 4012,
}

/** Those two. */
export const isViewing = (actor: ActorName): boolean => actor === 'viewing' || actor === 'viewing-stranger'

/** What must come of a call of that endpoint. */
export function judge(
  endpoint: { readonly name: string; readonly method: string },
  actor: ActorName,
  header: HeaderName,
  target: TargetName,
  kind: TargetKind,
): Verdict {
  const { name, method } = endpoint
  const who = WHO.get(name) ?? 'nobody'
  if (who === 'public') return taken([])
  if (isViewing(actor) && method !== 'GET') return refuse(4032)
  if (BAD_TOKENS[actor]) return refuse(BAD_TOKENS[actor])
  // The application was let in by the admin of A, with every scope there is.
  if (actor === 'application' && !FOR_APPLICATIONS.has(name)) return refuse(4034)
  const person = actor === 'application' || isViewing(actor) ? 'admin' : actor
  const belonging = BELONGING[person]
  const inside = header === 'own' ? belonging : undefined
  const anywhere = who === 'login' || GRANTED.always.split(' ').includes(who)
  if (header !== 'none' && !inside && !anywhere) return refuse(4031)
  if (isViewing(actor)) {
    // Of announcements those of one organization, which the call names; of organizations the header's.
    const open = anywhere ? AS_MEMBER.has(name) && kind !== 'inbox' && kind !== 'readable' : true
    if (!inside || actor === 'viewing-stranger' || !open) return refuse(4030)
    if (kind === 'membership' && HOME[target] !== 'A') return refuse(4030)
    return judge(endpoint, 'member', 'own', target, kind)
  }
  const permissions = `${GRANTED.always} ${inside ? inside.permissions : GRANTED.personal}`.split(' ')
  if (who !== 'login' && !permissions.includes(who)) return refuse(4030)
  if (person === 'unverified' && (who === 'strategy:create' || PROVEN.has(name))) return refuse(6010)
  const sees = inside ? inside.sees : (['self'] as const)
  if (kind === 'self') return taken(['self'])
  if (kind === 'inbox') return taken(['self', ...(belonging?.sees ?? [])])
  if (target === 'nobody') return taken(sees)
  const home = HOME[target]
  const mine = target === 'self' || PERSON[target] === person
  if (kind === 'context') return sees.includes(target) ? taken(sees) : refuse(4040)
  if (kind === 'person') return mine ? taken(sees) : refuse(4040)
  if (kind === 'invited') return mine ? taken([]) : refuse(4033)
  if (!home) return refuse(4040)
  if (kind === 'organization') return inside?.home === home ? taken(sees) : refuse(4040)
  if (kind === 'group')
    return inside?.home === home && inside.sees.includes(target) ? taken(sees) : refuse(4040)
  if (kind === 'readable')
    return belonging?.sees.includes(target as RealTarget) ? taken(belonging.sees) : refuse(4040)
  if (kind === 'leaving' && person === 'expired' && home === 'A') return taken([])
  return belonging?.home === home ? taken(belonging.sees) : refuse(4040)
}

function taken(sees: readonly RealTarget[]): Verdict {
  return { code: 0, sees }
}
function refuse(code: number): Verdict {
  return { code, sees: [] }
}
