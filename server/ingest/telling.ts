// What a commit tells the world: events numbered as they come up, stored together at its end.
import type { AppEvent, EventData, EventKind, Scope } from '#contract/events.ts'
import type { Tx } from '../context.ts'
import { appendNumbered, nextSeq } from '../events/append.ts'

export class Telling {
  readonly #tx: Tx
  readonly #events: AppEvent[] = []

  constructor(tx: Tx) {
    this.#tx = tx
  }

  /** Reserves `count` numbers of the scope, gives the first. */
  async number(scope: Scope, count: number): Promise<number> {
    return (await nextSeq(this.#tx.db, scope, count)) - count + 1
  }

  /** Adds an event whose number is reserved. */
  add<K extends EventKind>(seq: number, scope: Scope, kind: K, data: EventData[K]): void {
    this.#events.push({ seq, scope, at: this.#tx.at, kind, data } as AppEvent)
  }

  /** Stores what was added; it is published in the order of its numbers once the transaction is committed. */
  async store(): Promise<void> {
    await appendNumbered(this.#tx, this.#events)
  }
}

/** Items by scope, the scopes in a fixed order: two processes that lock counters take them in the same order. */
export function byScope<T>(items: readonly T[], scopeOf: (item: T) => string): [Scope, T[]][] {
  const groups = [...Map.groupBy(items, scopeOf)]
  return (groups as [Scope, T[]][]).sort(([a], [b]) => (a < b ? -1 : 1))
}
