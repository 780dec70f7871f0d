// Keeps every owner within its room: whoever writes is counted in memory, and from time to time what is over the bounds is let go,
// in small pieces beside everything else, so that no call and no message waits for it or is refused because of it.
import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '#contract/events.ts'
import type { App } from '../context.ts'
import { letBodiesGo, letDeliveriesGo } from './messages.ts'
import { letAnswersGo, letEventsGo, type OwnerRoom, Rooms, roomOf, TABLES, type Trimmed } from './tables.ts'

declare module '../context.ts' {
  interface App {
    readonly room: RoomKeeper
  }
}

/** Written by one scope before its room is looked at: a call is 5 and a hundredth of its bytes, a row that somebody causes is 1. */
const LOOK_AFTER = 3_000
/** Of that, at the least: a small part of the bounds need not be looked at with every call. */
const LOOK_SHARE = 0.05
const AT_ONCE = 500
const KNOWN_MOST = 100_000

const TRIMMED = Object.entries(TABLES).flatMap(([table, kept]) =>
  kept.bound === 'trimmed' ? [{ table, ...kept }] : [],
)

export class RoomKeeper {
  /** As of a minute ago: for what comes in. */
  readonly rooms = new Rooms()
  /** The bounds times this: tests take a small part. */
  readonly share: number
  readonly #app: () => Pick<App, 'db' | 'reads' | 'background' | 'log' | 'now'>
  readonly #written = new Map<Scope, number>()
  /** Rooms that are looked at now. */
  readonly #looking = new Set<Scope>()
  /** Of those, the ones that were written to as much again. */
  readonly #again = new Set<Scope>()
  readonly #running = new Set<Promise<void>>()
  #closed = false

  constructor(app: () => Pick<App, 'db' | 'reads' | 'background' | 'log' | 'now'>, share = 1) {
    this.#app = app
    this.share = share
  }

  /** Something was written for the scope. Costs a counter. */
  wrote(scope: Scope, weight: number): void {
    const sum = (this.#written.get(scope) ?? 0) + weight
    if (sum < LOOK_AFTER * Math.max(this.share, LOOK_SHARE)) {
      if (this.#written.size < KNOWN_MOST || this.#written.has(scope)) this.#written.set(scope, sum)
      return
    }
    this.#written.delete(scope)
    void this.#begin(scope)
  }

  /** A call of this person, for the organization too where it was made there. */
  called(uid: string, scope: Scope, bytes: number): void {
    const weight = 5 + bytes / 100
    this.wrote(`p:${uid}`, weight)
    if (scope !== `p:${uid}`) this.wrote(scope, weight)
  }

  /** Looks at the rooms of everybody who wrote something since; gives when that is done. */
  async lookAtAll(): Promise<void> {
    const scopes = [...this.#written.keys()]
    this.#written.clear()
    for (const scope of scopes) await this.#begin(scope)
    await this.settled()
  }

  /** No room is being looked at. */
  async settled(): Promise<void> {
    await Promise.all(this.#running)
  }

  async stop(): Promise<void> {
    this.#closed = true
    await this.settled()
  }

  #begin(scope: Scope): Promise<void> {
    const running = this.#look(scope).catch((error: unknown) =>
      this.#app().log.warn({ err: error }, 'what is over the bounds of a room could not be let go yet'),
    )
    this.#running.add(running)
    return running.then(() => void this.#running.delete(running))
  }

  async #look(scope: Scope): Promise<void> {
    const room = await roomOf(this.#app().db, scope)
    if (this.#looking.has(room.key)) {
      this.#again.add(room.key)
      return
    }
    this.#looking.add(room.key)
    try {
      do await this.#through(room)
      while (this.#again.delete(room.key))
    } finally {
      this.#looking.delete(room.key)
    }
  }

  async #through(room: OwnerRoom): Promise<void> {
    const { db, now } = this.#app()
    const at = new Date(now()).toISOString()
    const works = [
      () => letAnswersGo(db, room, this.share),
      () => letBodiesGo(db, room, this.share),
      () => letDeliveriesGo(db, room, this.share, now()),
      () => letEventsGo(db, room, this.share),
      ...TRIMMED.map((kept) => () => this.#trim(kept, room, at)),
    ]
    for (const work of works)
      for (let more = true; more && !this.#closed; )
        more = await this.#app().background.piece(room.key, work, 'room')
  }

  async #trim(
    { table, key, of, most, may, first }: Trimmed & { table: string },
    room: OwnerRoom,
    now: string,
  ) {
    const where = of(room)
    if (where === null) return false
    const { db, reads } = this.#app()
    const counted = await sql<{ count: number | string }>`select count(*) as count from ${sql.table(table)}
      where ${where}`.execute(await reads.of(room.key))
    const over = Number(counted.rows[0]?.count ?? 0) - Math.ceil(most * this.share)
    if (over <= 0) return false
    const names = sql.join(key.map((name) => sql.ref(name)))
    const which: RawBuilder<unknown> = key.length === 1 ? names : sql`(${names})`
    const { numAffectedRows = 0n } =
      await sql`delete from ${sql.table(table)} where ${which} in (select ${names}
      from ${sql.table(table)} where ${where} and ${may?.(now) ?? sql`1 = 1`} order by ${first(now)}
      limit ${Math.min(over, AT_ONCE)})`.execute(db)
    return Number(numAffectedRows) >= AT_ONCE
  }
}
