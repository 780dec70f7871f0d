// How many messages of a channel may be out at once of which nothing is written down: these would go twice if the process were
// killed now, so there are two. A receiver that is slow to answer gives its place to the next: nobody waits for one that is stuck.
// One that has answered keeps it until that is written down: more is never sent than can be noted.

const PLACES = 2
const YOUNG_MS = 5

/** A message that is out. */
export interface Place {
  /** The answer is here. */
  answered(): void
  /** It is written down. */
  noted(): void
}

export class Places {
  #free = PLACES
  readonly #waiting: (() => void)[] = []

  /** Waits for a place. */
  async take(): Promise<Place> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>((next) => this.#waiting.push(next))
    let left = false
    const leave = () => {
      if (left) return
      left = true
      const next = this.#waiting.shift()
      if (next) next()
      else this.#free++
    }
    const timer = setTimeout(leave, YOUNG_MS)
    return {
      answered: () => clearTimeout(timer),
      noted() {
        clearTimeout(timer)
        leave()
      },
    }
  }
}
