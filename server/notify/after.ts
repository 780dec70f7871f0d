// What becomes of a delivery after a try: when it is tried again, and when it is given up. No clock and no database in it.
import type { DeliveryState } from '#contract/channels.ts'
import type { Channel, Ended } from './channel.ts'

/** Pauses after the first, second, … try in terms of the first, each with up to a quarter more or less (docs/decisions/059). */
const BACKOFF = [1, 5, 15, 60, 300, 900, 1_800] as const
/** What could not be delivered for so long is news to nobody. */
const GIVE_UP_MS = 12 * 3_600_000
/** Nobody may make us wait longer for one receiver. */
const AFTER_MOST_MS = 3_600_000

/** A delivery before the try. */
export interface TriedDelivery {
  /** This try counted. */
  readonly attempts: number
  /** When it was first to go. */
  readonly since: string
}

/** The columns of a delivery after it. */
export interface After {
  readonly state: DeliveryState
  readonly reason: string | null
  readonly next_at: string | null
  readonly sent_at: string | null
}

/**
 * `now_ms` since 1970; `chance` between 0 and 1 spreads the next tries, `first_ms` is the first pause. `believed_ms`: by which it is
 * given up as old, which a clock that jumped ahead would make of everything.
 */
export function afterTry(
  { confirms }: Pick<Channel, 'confirms'>,
  result: Ended,
  { attempts, since }: TriedDelivery,
  now_ms: number,
  {
    chance,
    first_ms,
    believed_ms = now_ms,
  }: { readonly chance: number; readonly first_ms: number; readonly believed_ms?: number },
): After {
  const now = new Date(now_ms).toISOString()
  switch (result.kind) {
    case 'sent':
      return { state: confirms ? 'confirmed' : 'sent', reason: null, next_at: null, sent_at: now }
    case 'refused':
    case 'lost':
      return { state: 'dead', reason: result.reason, next_at: null, sent_at: null }
    case 'moved':
      return { state: 'failed', reason: null, next_at: now, sent_at: null }
    case 'again': {
      const pause = BACKOFF[attempts - 1]
      if (pause === undefined || believed_ms - Date.parse(since) > GIVE_UP_MS)
        return {
          state: 'dead',
          reason: `試了 ${attempts} 次都沒有送到：${result.reason}`,
          next_at: null,
          sent_at: null,
        }
      // Who says when is believed to the millisecond; else the tries of many spread.
      const wait =
        result.after_ms === undefined
          ? first_ms * pause * (0.75 + chance / 2)
          : Math.min(result.after_ms, AFTER_MOST_MS)
      const next_at = new Date(now_ms + Math.ceil(wait)).toISOString()
      return { state: 'failed', reason: result.reason, next_at, sent_at: null }
    }
  }
}
