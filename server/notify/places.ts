// How many messages of a channel may be out at once of which nothing is written down yet: these would go twice if the process were
// killed now, so there are few. Who is slow to answer makes room for others: nobody waits for a receiver that is stuck.

const PLACES = 4
/** After that the place is somebody else's, answered or not. */
const YOUNG_MS = 10

export class Places {
  #free = PLACES
  readonly #waiting: (() => void)[] = []

  /** Waits for a place; gives what leaves it, which may be called more than once. */
  async take(): Promise<() => void> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>((next) => this.#waiting.push(next))
    let left = false
    const leave = () => {
      if (left) return
      left = true
      clearTimeout(timer)
      const next = this.#waiting.shift()
      if (next) next()
      else this.#free++
    }
    const timer = setTimeout(leave, YOUNG_MS)
    return leave
  }
}
