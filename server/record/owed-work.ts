// Work that is noted in the database with the commit that made it necessary, and done beside everything else, one after the other:
// what is waiting here, and now and then what another process or an earlier life left undone.

/** How often is looked for what another process left undone. */
const EVERY_MS = 60_000

export interface OwedWorkPorts {
  /** Lets what is noted wait; reports its own failure. */
  look(): Promise<void>
  /** Does the next that waits, and reports its own failure: it stays noted. null = nothing waits. */
  next(): Promise<void> | null
  /** Nothing waits any more; it stays noted. */
  forget(): void
}

export class OwedWork {
  readonly #ports: OwedWorkPorts
  #running: Promise<void> | null = null
  #timer: NodeJS.Timeout | undefined
  #closed = false

  constructor(ports: OwedWorkPorts) {
    this.#ports = ports
  }

  /** Nothing more may begin. */
  get closed(): boolean {
    return this.#closed
  }

  /** Goes on with what was left undone, now and from time to time. */
  start(): void {
    void this.#ports.look()
    this.#timer = setInterval(() => void this.#ports.look(), EVERY_MS)
    this.#timer.unref()
  }

  /** Something waits. */
  begin(): void {
    this.#running ??= this.#run()
  }

  /** Nothing is being done, or waits for it. */
  async settled(): Promise<void> {
    while (this.#running !== null) await this.#running
  }

  /** Begins nothing more; resolves when the piece that is under way is done. */
  async stop(): Promise<void> {
    this.#closed = true
    clearInterval(this.#timer)
    this.#ports.forget()
    await this.settled()
  }

  async #run(): Promise<void> {
    for (let next = this.#ports.next(); next !== null; next = this.#ports.next()) await next
    this.#running = null
  }
}
