// How many messages may be out at once of which nothing is written down: these would go twice if the process were killed now, so
// there are two, over all channels (docs/decisions/095). A receiver that is slow to answer gives its place to the next: nobody waits
// for one that is stuck. One that has answered keeps it until that is written down: more is never sent than can be noted.
import type { ChannelId } from '#contract/channels.ts'

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
  /** Those of each channel, the channels in the order of their turns. */
  readonly #waiting = new Map<ChannelId, (() => void)[]>()

  /** Waits for a place; the channels take turns, so that none waits behind all that another has. */
  async take(channel: ChannelId): Promise<Place> {
    if (this.#free > 0) this.#free--
    else
      await new Promise<void>((next) => {
        const own = this.#waiting.get(channel)
        if (own) own.push(next)
        else this.#waiting.set(channel, [next])
      })
    let left = false
    const leave = () => {
      if (left) return
      left = true
      const next = this.#next()
      if (next) next()
      else this.#free++
    }
    let answered = false
    // An answer that waits to be read is one: on a busy machine the time is over before anybody could look.
    const timer = setTimeout(() => setImmediate(() => !answered && leave()), YOUNG_MS)
    return {
      answered() {
        answered = true
        clearTimeout(timer)
      },
      noted() {
        clearTimeout(timer)
        leave()
      },
    }
  }

  #next(): (() => void) | undefined {
    const [turn] = this.#waiting
    if (turn === undefined) return undefined
    const [channel, own] = turn
    const next = own.shift()
    this.#waiting.delete(channel)
    if (own.length > 0) this.#waiting.set(channel, own)
    return next
  }
}
