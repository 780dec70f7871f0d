// Whose turn it is on a channel: who fails rests longer each time, and neither those that are slow to answer nor one person with
// many receivers take the places of the others.

/** A receiver that fails rests longer each time, up to this. */
const REST_MOST_MS = 60_000
/** Forgotten when it has not failed again for so long. */
const FORGET_MS = 600_000

interface Failing {
  readonly times: number
  readonly until: number
}

/** How a receiver comes back; `next_at` is when it may get its next message. */
export interface Back {
  readonly failed: boolean
  /** Its answer took long, or did not come. */
  readonly slow: boolean
  readonly next_at: number
}

/** Times are milliseconds since 1970. */
export class Pace {
  readonly #at_once: number
  readonly #rest_ms: number
  /** Who is being sent to, and whose it is. */
  readonly #held = new Map<string, string>()
  /** From when a receiver may get the next message. */
  readonly #paced = new Map<string, number>()
  readonly #failing = new Map<string, Failing>()
  /** Kept us waiting at their last try. A quick failure holds no place for long. */
  readonly #slow = new Set<string>()

  /** `at_once`: how many receivers the channel sends to at a time; `rest_ms`: how long one rests after its first failure. */
  constructor(at_once: number, rest_ms: number) {
    this.#at_once = at_once
    this.#rest_ms = rest_ms
  }

  get full(): boolean {
    return this.#held.size >= this.#at_once
  }

  /** From when this receiver may be written to. */
  freeAt(receiver_id: string): number {
    return Math.max(this.#paced.get(receiver_id) ?? 0, this.#failing.get(receiver_id)?.until ?? 0)
  }

  holds(receiver_id: string): boolean {
    return this.#held.has(receiver_id)
  }

  /**
   * Takes a place for it, or says when to ask again: 'soon', as soon as a place is given back; 'later', because those that are
   * slow hold the quarter that is theirs. One person holds an eighth at most.
   */
  take(receiver_id: string, uid: string): 'taken' | 'soon' | 'later' {
    const held = [...this.#held]
    const own = held.filter(([, other]) => other === uid).length
    if (held.length >= this.#at_once || own >= Math.max(2, this.#at_once >> 3)) return 'soon'
    const slow = held.filter(([id]) => this.#slow.has(id)).length
    if (this.#slow.has(receiver_id) && slow >= Math.max(1, this.#at_once >> 2)) return 'later'
    this.#held.set(receiver_id, uid)
    return 'taken'
  }

  /** Nothing was sent to these after all. */
  drop(receiver_ids: Iterable<string>): void {
    for (const id of receiver_ids) this.#held.delete(id)
  }

  /** Gives the place back; true when it had failed before and did not now. */
  giveBack(receiver_id: string, { failed, slow, next_at }: Back, now: number): boolean {
    const had_failed = this.#failing.has(receiver_id)
    this.#held.delete(receiver_id)
    if (slow) this.#slow.add(receiver_id)
    else this.#slow.delete(receiver_id)
    if (next_at > now) this.#paced.set(receiver_id, next_at)
    if (failed) {
      const times = this.#failing.get(receiver_id)?.times ?? 0
      const until = now + Math.min(this.#rest_ms * 2 ** times, REST_MOST_MS)
      this.#failing.set(receiver_id, { times: times + 1, until })
    } else this.#failing.delete(receiver_id)
    return had_failed && !failed
  }

  /** Somebody wants it tried now: that it failed is forgotten; what it asked for, and its pace, still count. */
  forgive(receiver_id: string): void {
    this.#failing.delete(receiver_id)
    this.#slow.delete(receiver_id)
  }

  /** Forgets what is over. */
  tidy(now: number): void {
    for (const [id, at] of this.#paced) if (at <= now) this.#paced.delete(id)
    for (const [id, { until }] of this.#failing) {
      if (until + FORGET_MS >= now) continue
      this.#failing.delete(id)
      this.#slow.delete(id)
    }
  }
}
