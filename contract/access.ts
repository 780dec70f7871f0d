// Which strategies of an organization a member may read, since when and until when (rulings A9, A10): one pure function for all.

/** Calendar dates in Asia/Taipei, both ends included; `ends_on` null = open end. */
import * as z from 'zod/mini'
import { type Endpoint, endpoint } from './endpoint.ts'
import { at, day, growing_query, id, seen } from './fields.ts'
import { ALWAYS_GRANTED, ROLES } from './permissions.ts'

export interface Span {
  readonly starts_on: string
  readonly ends_on: string | null
}

/** One path to a strategy: being a member, being in a group, and the strategy being in that group. */
export interface AccessPath {
  readonly membership: Span
  readonly group_member: Span
  readonly group_strategy: Span
}

/** `visible_from`: records since this day 00:00 (Asia/Taipei); `valid_until`: last day, null = open end. */
export interface Access {
  readonly visible_from: string
  readonly valid_until: string | null
}

/** True when the day lies in the span. `day` as `YYYY-MM-DD`, Asia/Taipei. */
export function covers(span: Span, day: string): boolean {
  return span.starts_on <= day && (span.ends_on === null || span.ends_on >= day)
}

/**
 * What the paths of one member to one strategy give on a day; null = nothing. Paths that are not valid on the day give
 * nothing, also not the past. From several the earliest start and the latest end count.
 */
export function accessOn(paths: readonly AccessPath[], day: string): Access | null {
  return paths.reduce<Access | null>((found, path) => {
    const spans = [path.membership, path.group_member, path.group_strategy]
    if (!spans.every((span) => covers(span, day))) return found
    const starts = spans.map((span) => span.starts_on).sort()
    const ends = spans.flatMap((span) => span.ends_on ?? []).sort()
    return widen(found, { visible_from: starts.at(-1) as string, valid_until: ends[0] ?? null })
  }, null)
}

/** Both paths together: the earlier start, the later end (null is the open end). */
function widen(known: Access | null, other: Access): Access {
  if (known === null) return other
  const open = known.valid_until === null || other.valid_until === null
  return {
    visible_from: known.visible_from < other.visible_from ? known.visible_from : other.visible_from,
    valid_until: open ? null : ([known.valid_until, other.valid_until].sort().at(-1) as string),
  }
}

/** Days before the end from which an access counts as expiring (wire §3). */
export const EXPIRING_DAYS = 7

/** Where a span stands on a day: before it, in it, in its last seven days, after it. */
export function stateOf(span: Span, day: string): 'upcoming' | 'active' | 'expiring' | 'ended' {
  if (span.starts_on > day) return 'upcoming'
  if (span.ends_on === null) return 'active'
  if (span.ends_on < day) return 'ended'
  return daysLeft(span.ends_on, day) <= EXPIRING_DAYS ? 'expiring' : 'active'
}

/** The days on which both hold: a place in a group ends with the membership, whichever comes first. */
export function within(place: Span, membership: Span): Span {
  const [starts_on] = [place.starts_on, membership.starts_on].sort().reverse() as [string, string]
  const [ends_on = null] = [place.ends_on, membership.ends_on].filter((day) => day !== null).sort()
  return { starts_on, ends_on }
}

/** Days from `day` until the last day (0 = today is the last); never negative. */
export function daysLeft(ends_on: string, day: string): number {
  const ms = Date.parse(`${ends_on}T00:00:00Z`) - Date.parse(`${day}T00:00:00Z`)
  return Math.max(0, Math.round(ms / 86_400_000))
}

// Who could see what at a moment, and the changes that made it so (wire.md §3, ruling C42).

/** Somebody or something by its id; without a name where what it was called is erased. */
const named = z.object({ id: z.string(), name: z.nullable(z.string()) })
export type Named = z.infer<typeof named>

/** The days on which something leads to a strategy; without a first day the whole record. */
const sight = { visible_from: z.nullable(day()), valid_until: z.nullable(day()) }

const seen_strategy = z.object({
  user: named,
  strategy: named,
  role: z.enum(ROLES),
  ...sight,
  /** The group that gives the earliest records; null for an admin, who sees all strategies. */
  via_group: z.nullable(named),
  /** Every group that leads there on that day. */
  via_groups: z.array(z.object({ ...named.shape, ...sight })),
})
export type SeenStrategy = z.infer<typeof seen_strategy>

/** What was noted: a membership, a place in a group, a strategy given to a group, a strategy that there is; that `actor` looked at what `user` sees. */
const ACCESS_FACTS = ['membership', 'place', 'gift', 'strategy', 'view'] as const

const standing = z.object({
  role: z.nullable(z.enum(ROLES)),
  starts_on: z.nullable(day()),
  ends_on: z.nullable(day()),
})

const access_change = z.object({
  id: z.string(),
  at: at(),
  kind: z.enum(['granted', 'ended', 'changed', 'viewed']),
  fact: z.enum(ACCESS_FACTS),
  user: z.nullable(named),
  strategy: z.nullable(named),
  group: z.nullable(named),
  /** Whose call it was; id `system` where it came about by itself, null where it was not noted. */
  actor: z.nullable(named),
  before: z.nullable(standing),
  after: z.nullable(standing),
})
export type AccessChange = z.infer<typeof access_change>

const cursor = z.optional(z.string().check(z.maxLength(100), seen()))

export const readAccessLog = endpoint({
  name: 'organization.access-log',
  method: 'GET',
  path: '/organizations/:id/access-log',
  who: 'organization:manage',
  when_offline: 'fail',
  about: '某個時刻誰看得到什麼，與到那時為止的變更；before 只接著讀變更，after 只接著讀名單',
  input: z.object({
    id: id(),
    at: z.optional(at()),
    strategy_id: z.optional(id()),
    user_id: z.optional(id()),
    ...growing_query,
    after: cursor,
  }),
  output: z.object({
    at: at(),
    /** The first moment that anything was noted of; before it nothing is known. */
    recorded_since: z.nullable(at()),
    /** Who and what was asked for, by name. */
    user: z.nullable(named),
    strategy: z.nullable(named),
    rows: z.array(seen_strategy),
    next_after: z.nullable(z.string()),
    items: z.array(access_change),
    next_before: z.nullable(z.string()),
  }),
})

// Which calls an admin may ask as one of the organization's members (docs/decisions/access.md).

/** True when an admin may ask a call as a member; without an input: when it may be with some. */
export function mayBeAsMember(endpoint: Pick<Endpoint, 'who' | 'as_member'>, input?: object): boolean {
  const { who, as_member } = endpoint
  if (typeof as_member === 'function') return input === undefined || as_member({ ...input })
  return as_member === true || !(who === 'public' || who === 'login' || ALWAYS_GRANTED.includes(who))
}
