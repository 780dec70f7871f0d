// Token buckets in memory: a steady refill and a burst, per key. The library's window counters cannot say «60 a minute, 300 at once»
// (ruling C12), and this runs before every webhook request, so it stays a few lines of arithmetic.

interface Level {
  tokens: number
  at_ms: number
}

export class Buckets {
  readonly #levels = new Map<string, Level>()
  readonly #per_ms: number
  readonly #burst: number

  /** `per_minute` refills, `burst` is the most a key may save up. */
  constructor(per_minute: number, burst: number) {
    this.#per_ms = per_minute / 60_000
    this.#burst = burst
  }

  /** Takes one token. Gives 0 when taken, else the seconds until there is one. `times` = how many times the room this key has. */
  take(key: string, now_ms: number, times = 1): number {
    const level = this.#levels.get(key) ?? { tokens: this.#burst, at_ms: now_ms }
    const share = 1 / times
    const tokens = Math.min(this.#burst, level.tokens + Math.max(0, now_ms - level.at_ms) * this.#per_ms)
    const taken = tokens >= share
    this.#levels.set(key, { tokens: taken ? tokens - share : tokens, at_ms: now_ms })
    if (this.#levels.size > 50_000) this.#forgetFull(now_ms)
    return taken ? 0 : Math.max(1, Math.ceil((share - tokens) / this.#per_ms / 1_000))
  }

  /** A full bucket says nothing: dropping it changes no answer, and keeps a scan of unknown tokens from filling the memory. */
  #forgetFull(now_ms: number): void {
    for (const [key, level] of this.#levels) {
      if (level.tokens + (now_ms - level.at_ms) * this.#per_ms >= this.#burst) this.#levels.delete(key)
    }
    if (this.#levels.size > 50_000) this.#levels.clear()
  }
}
