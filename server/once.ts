// A question that is asked again while its answer is worked out gets the same answer.

export class Once {
  readonly #running = new Map<string, Promise<unknown>>()

  /** What `work` gives; the same for everybody who asks for `key` until then. */
  async of<T>(key: string, work: () => Promise<T>): Promise<T> {
    const known = this.#running.get(key) as Promise<T> | undefined
    if (known !== undefined) return known
    const asked = work()
    this.#running.set(key, asked)
    try {
      return await asked
    } finally {
      this.#running.delete(key)
    }
  }
}
