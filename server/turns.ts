// Whose turn it is.

/** A line in which the keys take turns: whoever stands in it many times waits behind the others' first. A key may have keys of its own. */
export class FairQueue<T> {
  /** Whose turn is next comes first; nobody is in it without an item. */
  readonly #turns = new Map<string, T[] | FairQueue<T>>()
  #length = 0

  get length(): number {
    return this.#length
  }

  /** With the same number of keys each time. */
  push(item: T, key: string, ...within: string[]): void {
    const [next, ...more] = within
    const own = this.#turns.get(key) ?? (next === undefined ? [] : new FairQueue<T>())
    if (own instanceof FairQueue) own.push(item, next ?? '', ...more)
    else own.push(item)
    this.#turns.set(key, own)
    this.#length += 1
  }

  /** The first of the key whose turn it is, which goes to the end of the line. */
  shift(): T | undefined {
    for (const [key, own] of this.#turns) {
      const item = own.shift()
      this.#turns.delete(key)
      if (own.length > 0) this.#turns.set(key, own)
      this.#length -= 1
      return item
    }
    return undefined
  }

  /** Somebody waits no more. */
  remove(item: T, key: string): void {
    const own = this.#turns.get(key)
    if (!Array.isArray(own) || !own.includes(item)) return
    own.splice(own.indexOf(item), 1)
    if (own.length === 0) this.#turns.delete(key)
    this.#length -= 1
  }
}
