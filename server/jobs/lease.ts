// How somebody holds what is in the database: for a while, saying again and again that they live. Who could not say so in time has lost
// it, and knows: jobs and deliveries are held so (docs/decisions/jobs.md).

export interface LeaseTimes {
  /** Whoever says nothing for so long has lost it. */
  readonly ms: number
  readonly renew_ms: number
  /** So long before that nothing more is begun. */
  readonly margin_ms: number
}

export class Lease {
  readonly #renew: () => Promise<boolean>
  readonly #times: LeaseTimes
  readonly #failed: (error: unknown) => void
  #until: number
  #timer: NodeJS.Timeout | undefined
  #renewing: Promise<void> | null = null
  /** Goes up when it was over before it was renewed: what was held before may be somebody else's. */
  term = 0
  /** It was said to be somebody else's. */
  lost = false

  /** `renew` says so in the database; false = it is somebody else's. */
  constructor(renew: () => Promise<boolean>, times: LeaseTimes, failed: (error: unknown) => void) {
    this.#renew = renew
    this.#times = times
    this.#failed = failed
    this.#until = performance.now() + times.ms - times.margin_ms
  }

  start(): void {
    this.#timer = setInterval(() => void this.renew(), this.#times.renew_ms)
    this.#timer.unref()
  }

  stop(): Promise<void> {
    clearInterval(this.#timer)
    return this.#renewing ?? Promise.resolve()
  }

  /** Nobody else can have it yet. */
  get holds(): boolean {
    return !this.lost && performance.now() < this.#until
  }

  /** Says so where that was not done of late; false = it could not be. */
  async ensure(): Promise<boolean> {
    const { ms, margin_ms, renew_ms } = this.#times
    if (performance.now() > this.#until - (ms - margin_ms) + renew_ms) await this.renew()
    return this.holds
  }

  /** Resolves when it was said, or could not be. */
  renew(): Promise<void> {
    const began = performance.now()
    this.#renewing ??= this.#renew()
      .then((still) => {
        if (began > this.#until) this.term++
        this.#until = began + this.#times.ms - this.#times.margin_ms
        this.lost ||= !still
      }, this.#failed)
      .finally(() => {
        this.#renewing = null
      })
    return this.#renewing
  }
}
