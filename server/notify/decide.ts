// Whether, where and when one person is told of one thing: the settings, laid over each other. No clock and no database in it.
import type { ChannelId, NotificationKind } from '#contract/channels.ts'
import { taipei } from '#trading/calendar.ts'
import { quietUntil } from '#trading/silence.ts'
import type { BellState } from '../access/strategies.ts'
import type { Wishes } from './settings.ts'

/** What is to be told. */
export interface Matter {
  readonly kind: NotificationKind
  /** Of a signal: does it open or add, reduce or close, or both (a reversal); null for what is neither (a void, an announcement). */
  readonly moves: 'opening' | 'closing' | 'both' | null
  /** Only adds to what is held, or takes a part of it away. */
  readonly partly?: boolean
  readonly strategy_id: string | null
}

/** One place where the person can be reached. */
export interface Destination {
  readonly channel: ChannelId
  /** Waits through quiet hours. */
  readonly rests: boolean
  /** Several that are due together become one. */
  readonly gathers: boolean
  /** The only kinds that go there; every kind when absent. */
  readonly kinds?: readonly NotificationKind[]
  /** The only strategies that go there; null = all. */
  readonly strategies: readonly string[] | null
}

export interface PlannedDelivery<W extends Destination> {
  readonly destination: W
  /** ISO instant from which it may go. */
  readonly at: string
  /** 0 = by itself; else its place in the person's order: it goes when none of the places before was confirmed. */
  readonly rank: number
}

/** The inbox has it: also when nothing else is to be told. */
export function isListed(wishes: Wishes, matter: Matter, bell: BellState | null): boolean {
  return isWanted(wishes, matter, bell, 'in_app')
}

/** Everywhere that it goes, and when. `now` as an ISO instant. */
export function planDeliveries<W extends Destination>(
  wishes: Wishes,
  matter: Matter,
  bell: BellState | null,
  destinations: readonly W[],
  now: string,
): PlannedDelivery<W>[] {
  const open = destinations.filter((destination) => isOpen(wishes, matter, bell, destination))
  const reached = wishes.fallback.order.filter((channel) =>
    open.some((destination) => destination.channel === channel),
  )
  return open.map((destination) => {
    const loud = (at: string) => (destination.rests && heldUntil(wishes, matter, bell, at)) || at
    const rank = reached.indexOf(destination.channel) + 1
    const first = loud(destination.gathers ? later(now, wishes.merge_seconds) : now)
    // Its wait begins when the first one goes, also when that is the end of quiet hours.
    const at = rank < 2 ? first : loud(later(first, (rank - 1) * wishes.fallback.after_s))
    return { destination, rank, at }
  })
}

/** What is asked once more when it is sent. */
type Still = 'yes' | 'unwanted' | { readonly later: string }

/**
 * Whether it still goes now: settings change while something waits, and a further try or the next channel may fall into quiet
 * hours. `due_at` is when it was first to go.
 */
export function stillGoes(
  wishes: Wishes,
  matter: Matter,
  bell: BellState | null,
  destination: Destination,
  { now, due_at }: { readonly now: string; readonly due_at: string },
): Still {
  if (!isOpen(wishes, matter, bell, destination)) return 'unwanted'
  const until = destination.rests ? heldUntil(wishes, matter, bell, now) : null
  // Quiet hours without an end let go what waited for the end of one of them.
  const waited = taipei(due_at).time.slice(0, 5) === wishes.quiet_hours.to
  return until === null || waited ? 'yes' : { later: until }
}

function isOpen(wishes: Wishes, matter: Matter, bell: BellState | null, destination: Destination): boolean {
  const { channel, kinds, strategies } = destination
  return (
    isWanted(wishes, matter, bell, channel) &&
    (kinds?.includes(matter.kind) ?? true) &&
    (strategies === null || (matter.strategy_id !== null && strategies.includes(matter.strategy_id)))
  )
}

/** Memberships begin and end at midnight, and reminders come with the day: nobody is woken by them, whatever the settings are. */
const NIGHT = { enabled: true, from: '00:00', to: '08:00', days: [1, 2, 3, 4, 5, 6, 7] } as const

/** The end of the quiet time that holds this back, null when it may go. */
function heldUntil(wishes: Wishes, matter: Matter, bell: BellState | null, at: string): string | null {
  if (bell?.important) return null
  if ((matter.moves === 'closing' || matter.moves === 'both') && wishes.quiet_hours.exits_pass) return null
  const morning = matter.kind === 'organization' ? quietUntil(NIGHT, at) : null
  return quietUntil(wishes.quiet_hours, morning ?? at) ?? morning
}

function isWanted(wishes: Wishes, matter: Matter, bell: BellState | null, channel: ChannelId): boolean {
  if (!wishes.channels[channel] || !wishes.kinds[matter.kind][channel]) return false
  if (bell === null) return true
  if (!bell.enabled || (bell.channels !== null && !bell.channels.includes(channel))) return false
  if (matter.moves === null || matter.moves === 'both') return true
  return bell.actions === 'turns' ? !matter.partly : [matter.moves, 'all'].includes(bell.actions)
}

function later(at: string, seconds: number): string {
  return seconds === 0 ? at : new Date(Date.parse(at) + seconds * 1_000).toISOString()
}
