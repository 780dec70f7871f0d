// Whether, where and when one person is told of one thing: the settings, laid over each other. No clock and no database in it.
import type { ChannelId, NotificationKind } from '#contract/channels.ts'
import { quietUntil } from '#trading/quiet.ts'
import type { Bell } from '../access/bell.ts'
import type { Wishes } from './settings.ts'

/** What is to be told. */
export interface Matter {
  readonly kind: NotificationKind
  /** Of a signal: does it open or add, reduce or close, or both (a reversal); null for what is neither (a void, an announcement). */
  readonly moves: 'opening' | 'closing' | 'both' | null
  readonly strategy_id: string | null
}

/** One way that the person can be reached. */
export interface Way {
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

export interface Turn<W extends Way> {
  readonly way: W
  /** ISO instant from which it may go. */
  readonly at: string
  /** 0 = by itself; else it goes when nothing of a lower rank was confirmed. */
  readonly rank: number
}

/** The inbox has it: also when nothing else is to be told. */
export function isListed(wishes: Wishes, matter: Matter, bell: Bell | null): boolean {
  return isWanted(wishes, matter, bell, 'in_app')
}

/** Every way that it goes, and when. `now` as an ISO instant. */
export function turnsOf<W extends Way>(
  wishes: Wishes,
  matter: Matter,
  bell: Bell | null,
  ways: readonly W[],
  now: string,
): Turn<W>[] {
  const open = ways.filter(
    ({ channel, kinds, strategies }) =>
      isWanted(wishes, matter, bell, channel) &&
      (kinds?.includes(matter.kind) ?? true) &&
      (strategies === null || (matter.strategy_id !== null && strategies.includes(matter.strategy_id))),
  )
  const reached = wishes.fallback.order.filter((channel) => open.some((way) => way.channel === channel))
  return open.map((way) => {
    const rank = Math.max(0, reached.indexOf(way.channel))
    const start = later(now, rank * wishes.fallback.after_s)
    const gathered = way.gathers ? later(start, wishes.merge_seconds) : start
    return { way, rank, at: (way.rests && heldUntil(wishes, matter, bell, gathered)) || gathered }
  })
}

/** The end of the quiet time that holds this back, null when it may go. */
function heldUntil(wishes: Wishes, matter: Matter, bell: Bell | null, at: string): string | null {
  if (bell?.important) return null
  if ((matter.moves === 'closing' || matter.moves === 'both') && wishes.quiet_hours.exits_pass) return null
  return quietUntil(wishes.quiet_hours, at)
}

function isWanted(wishes: Wishes, matter: Matter, bell: Bell | null, channel: ChannelId): boolean {
  if (!wishes.channels[channel] || !wishes.kinds[matter.kind][channel]) return false
  if (bell === null) return true
  if (!bell.enabled || (bell.channels !== null && !bell.channels.includes(channel))) return false
  return matter.moves === null || matter.moves === 'both' || [matter.moves, 'all'].includes(bell.actions)
}

function later(at: string, seconds: number): string {
  return seconds === 0 ? at : new Date(Date.parse(at) + seconds * 1_000).toISOString()
}
