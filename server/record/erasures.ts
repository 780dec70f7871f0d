// What was deleted for good is invisible at once and erased beside everything else, some rows at a time (docs/decisions/081): noted
// with the commit that made it invisible, so that whoever stops in between goes on with the next start.
import type { App } from '../context.ts'
import type { OwedErasureRow } from '../db/schema.ts'
import { inTransaction } from '../events/transaction.ts'
import { type ErasurePart, ofOrganization, ofScope, ofStrategy, once, toldOf } from './erasing.ts'
import { OwedWork } from './owed-work.ts'

declare module '../context.ts' {
  interface App {
    /** What was deleted for good and is still being erased. */
    readonly erasures: Erasures
  }
}

type Around = Pick<App, 'db' | 'background' | 'log' | 'now' | 'events'>
export type Owed = Pick<OwedErasureRow, 'id' | 'scope'>

export class Erasures {
  readonly #app: () => Around
  readonly #waiting = new Map<string, Owed>()
  readonly #work = new OwedWork({
    look: () => this.#look(),
    next: () => this.#next(),
    forget: () => this.#waiting.clear(),
  })

  constructor(app: () => Around) {
    this.#app = app
  }

  /** Goes on with what was left undone, now and from time to time. */
  start(): void {
    this.#work.start()
  }

  /** Erases what is noted when its turn comes. */
  soon(owed: Owed): void {
    if (this.#work.closed) return
    this.#waiting.set(owed.id, owed)
    this.#work.begin()
  }

  /**
   * Erases the strategies of an owner whose doors are closed, what its events told, and these parts. False when it was stopped before
   * the end.
   */
  async ofOwner(scope: string, more: readonly ErasurePart[]): Promise<boolean> {
    return (await this.#through(scope, more)) && this.#through(scope, ofScope(this.#app().db, scope))
  }

  /** Nothing is being erased, or waits for it. */
  settled(): Promise<void> {
    return this.#work.settled()
  }

  stop(): Promise<void> {
    return this.#work.stop()
  }

  async #look(): Promise<void> {
    const { db, log } = this.#app()
    try {
      const owed = await db.selectFrom('owed_erasures').select(['id', 'scope']).orderBy('since').execute()
      for (const one of owed) this.soon(one)
    } catch (error) {
      log.warn({ err: error }, 'erasures that are owed could not be looked for')
    }
  }

  #next(): Promise<void> | null {
    const [id, owed] = this.#waiting.entries().next().value ?? []
    if (id === undefined || !owed) return null
    this.#waiting.delete(id)
    return this.#through(owed.scope, this.#partsOf(owed)).then(
      () => undefined,
      // It stays noted: the next look does it.
      (error: unknown) => this.#app().log.error({ err: error, id }, 'could not be erased yet'),
    )
  }

  async *#partsOf({ id, scope }: Owed): AsyncGenerator<ErasurePart> {
    if (id === scope) {
      yield* ofScope(this.#app().db, scope)
      yield* ofOrganization(this.#app().db, scope.slice(2))
      yield once((db) => db.deleteFrom('owed_erasures').where('scope', '=', scope).execute())
      return
    }
    yield toldOf(scope, id)
    yield* ofStrategy(id)
    // The database takes along what still hangs on it: the empty rows of its webhooks.
    yield once(async (db) => {
      await db.deleteFrom('strategies').where('id', '=', id).execute()
      await db.deleteFrom('owed_erasures').where('id', '=', id).execute()
    })
  }

  async #through(
    account: string,
    parts: Iterable<ErasurePart> | AsyncIterable<ErasurePart>,
  ): Promise<boolean> {
    const app = this.#app()
    for await (const first of parts)
      for (let part: ErasurePart | null = first; part !== null; ) {
        if (this.#work.closed) return false
        const run: ErasurePart = part
        part = await app.background.piece(account, () => inTransaction(app, ({ db }) => run(db)), 'erase')
      }
    return true
  }
}
