// A unit of work: rows and events of a commit, gathered, numbered, and stored together at its end.
import type { AppEvent, EventData, EventKind, Scope } from '#contract/events.ts'
import type { Tx } from '../context.ts'
import { type Bulk, type BulkRow, isPostgres, runBulk, runTogether, type Work } from '../db/bulk.ts'
import { eventRows, nextSeq, nextSeqs, publishLater } from '../events/append.ts'

export class UnitOfWork {
  readonly #tx: Tx
  readonly #events: AppEvent[] = []
  /** Those that rows of records tell. */
  readonly #derived: AppEvent[] = []
  /** Numbers that are reserved and not given out yet. */
  readonly #numbers = new Map<Scope, { next: number; left: number }>()
  #waiting: Work[] = []

  constructor(tx: Tx) {
    this.#tx = tx
  }

  /** Reserves what will be asked for, in all scopes at once. */
  async reserve(counts: ReadonlyMap<Scope, number>): Promise<void> {
    for (const [scope, last] of await nextSeqs(this.#tx.db, counts)) {
      const left = counts.get(scope) ?? 0
      this.#numbers.set(scope, { next: last - left + 1, left })
    }
  }

  /** `count` numbers of the scope, gives the first. */
  async number(scope: Scope, count: number): Promise<number> {
    const known = this.#numbers.get(scope)
    if (!known) return (await nextSeq(this.#tx.db, scope, count)) - count + 1
    // More than was foreseen: the counter is ours until the commit, so what it gives now follows on what is left.
    const lacking = count - known.left
    if (lacking > 0) {
      const last = await nextSeq(this.#tx.db, scope, lacking)
      if (last - lacking + 1 !== known.next + known.left)
        throw new Error(`numbers of ${scope} were given out past the reserve`)
      known.left = count
    }
    const first = known.next
    known.next += count
    known.left -= count
    return first
  }

  /**
   * Writes what nobody reads within this commit: PostgreSQL gets all of it in one journey, at `flush` or `store`; SQLite at
   * once.
   */
  async write<C extends string>(bulk: Bulk<C>, rows: readonly BulkRow<C>[]): Promise<void> {
    if (!isPostgres(this.#tx.db)) return void (await runBulk(this.#tx.db, bulk, rows))
    if (this.#waiting.some((one) => one.bulk === (bulk as Bulk<string>))) await this.flush()
    this.#waiting.push({ bulk, rows } as unknown as Work)
  }

  /** Everything written so far is in the database, for somebody who reads it. */
  async flush(): Promise<void> {
    const work = this.#waiting
    this.#waiting = []
    await runTogether(this.#tx.db, work)
  }

  /** Adds an event whose number is reserved. */
  add<K extends EventKind>(seq: number, scope: Scope, kind: K, data: EventData[K]): void {
    this.#events.push({ seq, scope, at: this.#tx.at, kind, data } as AppEvent)
  }

  /** The same for an event that the row of its record tells (server/stream/read.ts): it is published, and no row of its own. */
  addDerived<K extends EventKind>(seq: number, scope: Scope, kind: K, data: EventData[K]): void {
    this.#derived.push({ seq, scope, at: this.#tx.at, kind, data } as AppEvent)
  }

  /** Stores what was added; it is published in the order of its numbers once the transaction is committed. */
  async store(): Promise<void> {
    // Numbers have no gaps: a reader would take one for something that was erased.
    for (const [scope, { left }] of this.#numbers)
      if (left > 0) throw new Error(`${left} numbers of ${scope} were reserved for nothing`)
    publishLater(this.#tx, this.#derived)
    const { bulk, rows } = eventRows(this.#tx, this.#events)
    await this.write(bulk, rows)
    await this.flush()
  }
}

/** Items by scope, the scopes in a fixed order: two processes that lock counters take them in the same order. */
export function byScope<T>(items: readonly T[], scopeOf: (item: T) => string): [Scope, T[]][] {
  const groups = [...Map.groupBy(items, scopeOf)]
  return (groups as [Scope, T[]][]).sort(([a], [b]) => (a < b ? -1 : 1))
}
