// Whether messages come faster than strategies fire: then what else there is to do can wait (server/notify/yield-to-intake.ts).

/** So many in a second are no stream of signals any more. */
const CROWD_PER_S = 250
/** Counted over so long: by the second, a flood was half a second old before it was known for one. */
const WINDOW_MS = 200
const CROWD = (CROWD_PER_S * WINDOW_MS) / 1_000

/** Counts by windows of 200 ms; `now_ms` on the clock of the process. */
export class Crowd {
  #window = 0
  #now = 0
  #before = 0

  add(messages: number, now_ms: number): void {
    this.#turn(now_ms)
    this.#now += messages
  }

  /** In this window or the one before it. */
  isThere(now_ms: number): boolean {
    this.#turn(now_ms)
    return Math.max(this.#now, this.#before) >= CROWD
  }

  #turn(now_ms: number): void {
    const window = Math.floor(now_ms / WINDOW_MS)
    if (window === this.#window) return
    this.#before = window === this.#window + 1 ? this.#now : 0
    this.#now = 0
    this.#window = window
  }
}
