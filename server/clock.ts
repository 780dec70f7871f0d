// The time by which things are deleted, published, given up, and told once for good. A clock that jumps forward would make everything old at once: it has to stand for a day
// before it is believed, and until then time goes on from where it was.
import type { App } from './context.ts'
import type { Db } from './db/schema.ts'

declare module './context.ts' {
  interface App {
    /** One for the process: two would each count the time that passed. */
    readonly trusted_clock: TrustedClock
  }
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** While this process runs its own stopwatch is beside the clock: more than this is no drift. */
const JUMP_MS = HOUR_MS
/** A server that was off for longer cannot tell that from a jump. */
const OFF_MS = DAY_MS + HOUR_MS

interface Belief {
  /** The highest time that was believed, ms since 1970. */
  believed: number
  /** What the clock showed then. */
  at: number
  /** For how long the clock has been shown another time while we ran; null = it is believed. */
  doubted_for: number | null
}

export class TrustedClock {
  readonly #app: Pick<App, 'db' | 'now' | 'log'>
  readonly #stopwatch: () => number
  #belief: Belief | null = null
  #looked = 0
  #looking: Promise<unknown> = Promise.resolve()

  constructor(app: Pick<App, 'db' | 'now' | 'log'>, stopwatch: () => number = () => performance.now()) {
    this.#app = app
    this.#stopwatch = stopwatch
  }

  /** The time to delete and to tell by: never ahead of the clock. Call it now and then, so that a step is told from time that passed. */
  now(): Promise<number> {
    const look = () => this.#look()
    // Two at once would both count the time since the last look.
    const next = this.#looking.then(look, look)
    this.#looking = next
    return next
  }

  /** The same without writing it down: for what asks every few seconds. */
  async lately(): Promise<number> {
    return this.#belief === null ? this.now() : this.latest()
  }

  /** The same at once, for whoever knows that it was asked before; until then it is the clock. */
  latest(): number {
    const now = this.#app.now()
    if (this.#belief === null) return now
    return Math.min(now, believe(this.#belief, now, this.#stopwatch() - this.#looked, false).believed)
  }

  async #look(): Promise<number> {
    const now = this.#app.now()
    const elapsed = this.#belief === null ? 0 : this.#stopwatch() - this.#looked
    const known = this.#belief ?? (await this.#read())
    const next = known ? believe(known, now, elapsed, this.#belief === null) : begin(now)
    if (known && (known.doubted_for === null) !== (next.doubted_for === null))
      this.#app.log.warn(
        { clock: new Date(now).toISOString(), believed: new Date(next.believed).toISOString() },
        next.doubted_for === null
          ? 'clock believed again'
          : 'clock jumped forward: nothing is deleted, told or published by it for a day',
      )
    await this.#write(next)
    this.#belief = next
    this.#looked = this.#stopwatch()
    return Math.min(now, next.believed)
  }

  async #read(): Promise<Belief | null> {
    const row = await this.#app.db
      .selectFrom('ground')
      .select('value')
      .where('name', '=', 'clock')
      .executeTakeFirst()
    return row ? (JSON.parse(row.value) as Belief) : null
  }

  #write(belief: Belief): Promise<void> {
    return write(this.#app.db, belief)
  }
}

/** The same parts, in which it is what is believed now: for what is deleted, or told once for good. */
export async function onTrustedTime<A extends Pick<App, 'now' | 'trusted_clock'>>(app: A): Promise<A> {
  const believed = await app.trusted_clock.now()
  return { ...app, now: () => believed }
}

/** What a stored belief says: the highest time that was believed. */
export function believedOf(value: string): number {
  return (JSON.parse(value) as Belief).believed
}

/** For a database that is made anew with old rows: time goes on from there, whatever this machine shows. */
export function believeFrom(db: Db, believed: number): Promise<void> {
  return write(db, begin(believed))
}

async function write(db: Db, belief: Belief): Promise<void> {
  await db
    .insertInto('ground')
    .values({ name: 'clock', value: JSON.stringify(belief) })
    .onConflict((row) => row.column('name').doUpdateSet({ value: JSON.stringify(belief) }))
    .execute()
}

function begin(now: number): Belief {
  return { believed: now, at: now, doubted_for: null }
}

/** What is believed when the clock shows `now`, `elapsed` after the last look; `first`: the first look of this process. */
function believe(known: Belief, now: number, elapsed: number, first: boolean): Belief {
  const step = now - known.at - elapsed
  const jumped = step > (first ? OFF_MS : JUMP_MS)
  const passed = known.believed + elapsed
  // Back where it was, or further back: less is deleted by it, which harms nobody.
  if (now <= passed + JUMP_MS) return begin(now)
  if (known.doubted_for === null && !jumped) return begin(now)
  const doubted_for = jumped || known.doubted_for === null ? 0 : known.doubted_for + elapsed
  if (doubted_for >= DAY_MS) return begin(now)
  return { believed: passed, at: now, doubted_for }
}
