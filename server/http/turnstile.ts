// Calls begin a few per turn of the event loop, the callers one after the other: what else waits on the loop, webhooks first of
// all, waits for a few of them and not for all that a crowd sends at once.

/** Most calls take less than a millisecond. */
const PER_TURN = 3

export class Turnstile {
  readonly #waiting = new Map<string, (() => void)[]>()
  #left = PER_TURN
  #planned = false

  /** Resolves when the caller may begin: at once unless others began in this very turn. */
  enter(caller: string): Promise<void> {
    this.#plan()
    // Nobody waits while there is room.
    if (this.#left > 0) {
      this.#left -= 1
      return Promise.resolve()
    }
    return new Promise((go) => {
      const own = this.#waiting.get(caller) ?? []
      this.#waiting.set(caller, own)
      own.push(go)
    })
  }

  #plan(): void {
    if (this.#planned) return
    this.#planned = true
    setImmediate(() => this.#turn())
  }

  #turn(): void {
    this.#planned = false
    this.#left = PER_TURN
    for (const [caller, own] of this.#waiting) {
      if (this.#left === 0) break
      this.#left -= 1
      // To the end of the row, where this very loop may come to it again.
      this.#waiting.delete(caller)
      own.shift()?.()
      if (own.length > 0) this.#waiting.set(caller, own)
    }
    if (this.#left < PER_TURN) this.#plan()
  }
}
