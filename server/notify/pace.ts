// Whose turn it is on a channel: neither those that are slow to answer nor one person with many receivers take the places of the
// others. Who fails rests in every process (rests.ts).

/** A slow one that was not written to for so long is slow no more. */
const FORGET_MS = 600_000
/** Nobody is waited for longer: an hour for who asks for patience. */
const PACED_MOST_MS = 2 * 3_600_000

/** How a receiver comes back; `next_at` is when it may get its next message. */
export interface ReceiverReturn {
  /** Its answer took long, or did not come. */
  readonly slow: boolean
  readonly next_at: number
}

/** Times are milliseconds since 1970. */
export class Pace {
  readonly #at_once: number
  /** Who is being sent to, and whose it is. */
  readonly #held = new Map<string, string>()
  /** From when a receiver may get the next message. */
  readonly #paced = new Map<string, number>()
  /** Kept us waiting at their last try, and when that was. A quick failure holds no place for long. */
  readonly #slow = new Map<string, number>()

  /** `at_once`: how many receivers the channel sends to at a time. */
  constructor(at_once: number) {
    this.#at_once = at_once
  }

  get full(): boolean {
    return this.#held.size >= this.#at_once
  }

  /** From when this receiver may be written to. */
  freeAt(receiver_id: string): number {
    return this.#paced.get(receiver_id) ?? 0
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

  /** Gives the place back. */
  giveBack(receiver_id: string, { slow, next_at }: ReceiverReturn, now: number): void {
    this.#held.delete(receiver_id)
    if (slow) this.#slow.set(receiver_id, now)
    else this.#slow.delete(receiver_id)
    if (next_at > now) this.#paced.set(receiver_id, next_at)
  }

  /** Somebody wants it tried now: that it was slow is forgotten; its pace still counts. */
  forgive(receiver_id: string): void {
    this.#slow.delete(receiver_id)
  }

  /** Forgets what is over, and what is so far ahead that the clock was. */
  tidy(now: number): void {
    for (const [id, at] of this.#paced) if (at <= now || at > now + PACED_MOST_MS) this.#paced.delete(id)
    for (const [id, at] of this.#slow) if (at + FORGET_MS < now) this.#slow.delete(id)
  }
}
