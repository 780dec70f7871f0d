// Who may do what, written down a second time from spec §6 and rulings A1–A3: what the access matrix holds the server to.

export type ActorName =
  | 'anonymous'
  | 'garbage'
  | 'ended'
  | 'owner'
  | 'stranger'
  | 'admin'
  | 'member'
  | 'expired'
export type HeaderName = 'none' | 'own' | 'foreign' | 'random' | 'junk'
/** Whose thing a call names; `nobody` when it names none. */
export type TargetName = 'owner' | 'stranger' | 'org' | 'nobody'
/**
 * What kind of thing it is: of a context; of the person alone; of the organization in the path, which must be the header's; a
 * group of such an organization; the organization in the path for whoever is in it (ruling A2), or also was in it (leaving);
 * an invitation to one address; everything of the caller alone, whatever the context (self: names nothing).
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

/** The side whose data an answer may hold: a person's own, an organization's (org = the one under test), or none. */
export type Side = 'owner' | 'stranger' | 'org' | 'foreign' | null

export type Verdict = { code: number; side: null } | { code: 0; side: Side }

const PERSONAL =
  'strategy:view strategy:create strategy:edit strategy:delete organization:view organization:create'
const ADMIN =
  'strategy:view strategy:create strategy:edit strategy:delete organization:view organization:edit organization:delete ' +
  'organization:manage group:view group:create group:edit group:delete organization:announcements:view'
const MEMBER = 'strategy:view organization:view group:view organization:announcements:view'
const ALWAYS = 'my-organizations:view my-announcements:view'

/** The organization each person is in now, and as what. The stranger is the admin of the foreign organization. */
const MEMBERSHIP: Partial<
  Record<ActorName, { side: 'org' | 'foreign'; permissions: string; edits: boolean }>
> = {
  admin: { side: 'org', permissions: ADMIN, edits: true },
  member: { side: 'org', permissions: MEMBER, edits: false },
  stranger: { side: 'foreign', permissions: ADMIN, edits: true },
}

/** Whose things stand in which organization: the owner's side names one that nobody of the matrix is in. */
const HOME: Partial<Record<TargetName, 'org' | 'foreign'>> = { org: 'org', stranger: 'foreign' }

/** What must come of a call: 0 = taken, with the side whose data it may tell of; else the code it is refused with. */
export function judge(
  who: string,
  actor: ActorName,
  header: HeaderName,
  target: TargetName,
  kind: TargetKind,
): Verdict {
  if (who === 'public') return { code: 0, side: null }
  if (actor === 'anonymous') return refuse(4010)
  if (actor === 'garbage') return refuse(4011)
  if (actor === 'ended') return refuse(4012)
  const inside = header === 'own' ? MEMBERSHIP[actor] : undefined
  const anywhere = who === 'login' || ALWAYS.split(' ').includes(who)
  if (header !== 'none' && !inside && !anywhere) return refuse(4031)
  const permissions = `${ALWAYS} ${inside ? inside.permissions : PERSONAL}`.split(' ')
  if (who !== 'login' && !permissions.includes(who)) return refuse(4030)
  const side = inside ? inside.side : actor === 'owner' || actor === 'stranger' ? actor : null
  // Without groups a member sees no strategy, and so nothing of the organization's.
  const sees = inside && !inside.edits ? null : side
  if (kind === 'self') return { code: 0, side: actor === 'owner' || actor === 'stranger' ? actor : null }
  if (target === 'nobody') return { code: 0, side: sees }
  const home = HOME[target]
  // The member of the matrix is in no group.
  if (kind === 'organization' || (kind === 'group' && inside?.edits))
    return home && inside?.side === home ? { code: 0, side: sees } : refuse(4040)
  if (kind === 'group') return refuse(4040)
  if (kind === 'membership' || kind === 'leaving') {
    const belongs = MEMBERSHIP[actor]?.side === home || (kind === 'leaving' && actor === 'expired')
    return home && belongs && (actor !== 'expired' || home === 'org') ? { code: 0, side: home } : refuse(4040)
  }
  const own = target === 'org' ? actor === 'admin' : target === actor
  if (kind === 'invited') return own ? { code: 0, side: null } : refuse(4033)
  const mine = kind === 'person' ? own : sees === target
  return mine ? { code: 0, side: sees } : refuse(4040)
}

function refuse(code: number): Verdict {
  return { code, side: null }
}
