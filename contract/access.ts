// Which strategies of an organization a member may read, since when and until when (rulings A9, A10): one pure function for all.

/** Calendar dates in Asia/Taipei, both ends included; `ends_on` null = open end. */
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
