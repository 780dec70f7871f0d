// What is guessed at: passwords, codes, links, tickets. Only misses count, in the database, so that they count for all processes
// together. A turn is taken before anybody looks, and given back unless it was a miss: many guesses at once are as many as one after
// the other.
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { ApiError } from '#contract/errors.ts'
import type { App } from '../context.ts'
import { isPostgres } from '../db/bulk.ts'
import type { Schema } from '../db/schema.ts'
import { SlowLane } from './concurrency.ts'
import { senders } from './network.ts'
import { refuseFor } from './rate.ts'

/** So many misses in so many seconds, before the factor of the configuration. */
const LIMITS = {
  /** Sign-ins tried from one address; beyond it they are slowed. */
  login_ip: { points: 60, seconds: 300 },
  /** Sign-ins tried on one account from one address: whoever guesses there does not lock its owner out elsewhere. */
  login_account: { points: 10, seconds: 60 },
  /** The same from everywhere together; beyond it they are slowed: more than several addresses can do within their own limits. */
  login_anywhere: { points: 300, seconds: 300 },
  /** Sign-ins on one account by a browser that was signed in before: its own, whatever strangers do. */
  login_device: { points: 10, seconds: 600 },
  /** Passwords typed to prove who one is while signed in: a stolen token must not guess them. */
  password_try: { points: 10, seconds: 600 },
  /** Codes that prove an address, of one person over all codes. */
  verify_try: { points: 15, seconds: 600 },
  /** Links for a forgotten password that lead nowhere, from one address. */
  reset_ip: { points: 30, seconds: 600 },
  /** Tickets that lead nowhere, from one address. */
  ticket_ip: { points: 60, seconds: 300 },
  /** Codes of invitations and links that lead nowhere, from one address. */
  invite_ip: { points: 120, seconds: 300 },
  /** Wrong join codes of one person (domain §7.8). */
  join_try: { points: 10, seconds: 600 },
  /** The same from one network, looking included. */
  join_ip: { points: 120, seconds: 600 },
} as const satisfies Record<string, { points: number; seconds: number }>

type GuessName = keyof typeof LIMITS

/** What a guess counts against: whose limit, and how many times the room it has. */
export interface Counted {
  readonly limit: GuessName
  readonly of: string
  readonly times?: number
}

/** An address counts at every network it belongs to. */
export const fromAddress = (limit: GuessName, ip: string): Counted[] =>
  senders(ip).map(({ key, times }) => ({ limit, of: key, times }))

/** Where guesses of join codes count; `uid` null for whoever is not signed in. */
export const joinCode = (uid: string | null, ip: string): Counted[] => [
  ...(uid === null ? [] : [{ limit: 'join_try' as const, of: uid }]),
  ...fromAddress('join_ip', ip),
]

/** No window is longer by far: what ends later is of a clock that was ahead. */
const FAR_MS = 3_600_000
/** Rows that are kept; beyond it those with the fewest misses go, so that nobody washes out what counts with one miss each of many. */
const ROWS_MOST = 100_000
/** A process looks after it that often by itself, in turns taken: housekeeping comes once an hour. */
const TIDY_EVERY = 10_000
const AT_ONCE = 2_000

declare module '../context.ts' {
  interface App {
    readonly guesses: Guesses
  }
}

/** Turns that were taken. */
export interface Taken {
  /** Seconds to wait where one of those that are needed had none left: then nothing was taken. */
  readonly wait_s: number
  /** Those of the others that had none left. */
  readonly full: readonly Counted[]
  /** It was no miss: all of them back, or these. Not waited for; whoever comes next to the same count finds it done. */
  giveBack(of?: readonly Counted[]): void
  /** The same after a success, which forgets whatever was missed at these before. */
  forgive(counted: readonly Counted[]): void
}

export class Guesses {
  readonly #app: Pick<App, 'db' | 'now' | 'keys' | 'log'>
  readonly #factor: number
  readonly #slow = new SlowLane()
  /** What is being given back, by key. */
  readonly #returning = new Map<string, Promise<void>>()
  #taken = 0

  constructor(app: Pick<App, 'db' | 'now' | 'keys' | 'log'>, factor: number) {
    this.#app = app
    this.#factor = factor
  }

  /** Takes a turn of each in one statement: of all that are `needed` or of nothing, and of the `others` that have one. */
  async take(needed: readonly Counted[], others: readonly Counted[] = []): Promise<Taken> {
    const all = new Map([...needed, ...others].map((counted) => [this.#keyOf(counted), counted]))
    await Promise.all([...all.keys()].map((key) => this.#returning.get(key)))
    const now = this.#app.now()
    const must = new Set(needed)
    const rows = await takeRows(
      this.#app.db,
      [...all].map(([key, counted]) => ({ key, ...this.#bounds(counted, now), must: must.has(counted) })),
      now,
    )
    this.#taken += rows.length
    if (this.#taken >= TIDY_EVERY) this.#tidy()
    const until = new Map(rows.map((row) => [row.key, row.until]))
    const give = (keys: readonly string[], forgotten?: ReadonlySet<string>) => {
      const own = new Map(until)
      // Once: what is given back a second time would be a miss of somebody else.
      for (const key of keys) until.delete(key)
      this.#return(keys, () => giveRows(this.#app.db, keys, own, forgotten))
    }
    const back = (of: readonly Counted[]) =>
      give(of.map((counted) => this.#keyOf(counted)).filter((key) => until.has(key)))
    const forgive = (counted: readonly Counted[]) => {
      const forgotten = new Set(counted.map((one) => this.#keyOf(one)))
      give([...new Set([...until.keys(), ...forgotten])], forgotten)
    }
    const missing = [...all].filter(([key]) => !until.has(key))
    const refused = missing.filter(([, counted]) => must.has(counted)).map(([key]) => key)
    if (refused.length > 0) back([...all.values()])
    return {
      wait_s: refused.length > 0 ? await this.#waitOf(refused, now) : 0,
      full: missing.map(([, counted]) => counted),
      giveBack: (of = [...all.values()]) => back(of),
      forgive,
    }
  }

  /**
   * Looks up what can be guessed: misses count, and who has used them up is refused before. Right ones cost nothing, and are no
   * more at a time than tries are left.
   */
  async guess<T>(counted: readonly Counted[], find: () => Promise<T>): Promise<T> {
    const { wait_s, giveBack } = await this.take(counted)
    refuseFor(wait_s)
    try {
      const found = await find()
      giveBack()
      return found
    } catch (error) {
      if (!isMiss(error)) giveBack()
      throw error
    }
  }

  /**
   * Looks up what only a secret of 80 bits and more leads to (links, tickets, resets): a right one is answered whatever the address
   * did before; misses count, and beyond the limit they are refused.
   */
  async lookUp<T>(limit: GuessName, ip: string, find: () => Promise<T>): Promise<T> {
    try {
      return await find()
    } catch (error) {
      if (isMiss(error)) refuseFor((await this.take(fromAddress(limit, ip))).wait_s)
      throw error
    }
  }

  /** Forgets what was missed there. Not waited for. */
  forget(counted: readonly Counted[]): void {
    const keys = counted.map((one) => this.#keyOf(one))
    this.#return(keys, () => giveRows(this.#app.db, keys, new Map(), new Set(keys)))
  }

  /** Lets whoever sends from this address wait instead of refusing; false at once when too many wait already. */
  slowDown(ip: string): Promise<boolean> {
    return this.#slow.wait(ip)
  }

  /** Resolves when nothing is being given back. */
  async settled(): Promise<void> {
    while (this.#returning.size > 0) await Promise.all(this.#returning.values())
  }

  /** Not the account and not the address: a stolen copy says of nobody who tried what. */
  #keyOf({ limit, of, times = 1 }: Counted): string {
    return this.#app.keys.mark(`guess ${limit} ${times} ${of}`)
  }

  #bounds({ limit, times = 1 }: Counted, now: number): { most: number; until: string } {
    const { points, seconds } = LIMITS[limit]
    return { most: Math.floor(points * times * this.#factor), until: iso(now + seconds * 1_000) }
  }

  async #waitOf(keys: readonly string[], now: number): Promise<number> {
    const rows = await this.#app.db.selectFrom('guesses').select('until').where('key', 'in', keys).execute()
    const until = Math.max(now, ...rows.map((row) => Date.parse(row.until)))
    return Math.max(1, Math.ceil((until - now) / 1_000))
  }

  /** One after the other at each key, and nobody takes there meanwhile. What fails is a miss more until the window ends. */
  #return(keys: readonly string[], work: () => Promise<void>): void {
    if (keys.length === 0) return
    const before = keys.map((key) => this.#returning.get(key))
    const done = Promise.all(before)
      .then(work)
      .catch((error: unknown) => this.#app.log.warn({ err: error }, 'guesses: a turn is not given back'))
      .finally(() => {
        for (const key of keys) if (this.#returning.get(key) === done) this.#returning.delete(key)
      })
    for (const key of keys) this.#returning.set(key, done)
  }

  #tidy(): void {
    this.#taken = 0
    tidyGuesses(this.#app).catch((error: unknown) => this.#app.log.warn({ err: error }, 'guesses: tidying'))
  }
}

/** Nothing stands behind the code, or nothing any more. */
const isMiss = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 4040 || error.code === 4100)

const iso = (ms: number) => new Date(ms).toISOString()

interface Asked {
  readonly key: string
  readonly most: number
  readonly until: string
  readonly must: boolean
}

/**
 * A turn at each key that has one, unless one that must be had has none. In the order of the keys: two statements that wait for each
 * other's rows would stop each other (PostgreSQL).
 */
async function takeRows(
  db: App['db'],
  asked: readonly Asked[],
  now_ms: number,
): Promise<{ key: string; until: string }[]> {
  const [now, far] = [iso(now_ms), iso(now_ms + FAR_MS)]
  const given = asked.map(
    ({ key, most, until, must }) =>
      sql`(cast(${key} as text), cast(${most} as integer), cast(${until} as text), cast(${Number(must)} as integer))`,
  )
  const over = sql`(guesses.until <= ${now} or guesses.until >= ${far})`
  const taken: RawBuilder<{ key: string; until: string }> = sql`
    with asked (key, most, until, must) as (values ${sql.join(given)})
    insert into guesses (key, misses, most, until)
    select key, 1, most, until from asked
    where not exists (
      select 1 from asked as one join guesses on guesses.key = one.key
      where one.must = 1 and guesses.misses >= one.most and not ${over}
    )
    order by key
    on conflict (key) do update set
      misses = case when ${over} then 1 else guesses.misses + 1 end,
      until = case when ${over} then excluded.until else guesses.until end,
      most = excluded.most
    where ${over} or guesses.misses < excluded.most
    returning key, until`
  return (await taken.execute(db)).rows
}

/** A miss less at each, in the window in which it was counted, or none at all where they are forgotten; who has none has no row. */
async function giveRows(
  db: App['db'],
  keys: readonly string[],
  until: ReadonlyMap<string, string>,
  forgotten: ReadonlySet<string> = new Set(),
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    for (const key of keys.toSorted()) {
      if (forgotten.has(key)) {
        await tx.deleteFrom('guesses').where('key', '=', key).execute()
        continue
      }
      const of = until.get(key) ?? ''
      const one = tx.deleteFrom('guesses').where('key', '=', key).where('until', '=', of)
      const { numDeletedRows } = await one.where('misses', '<=', 1).executeTakeFirstOrThrow()
      if (numDeletedRows > 0n) continue
      await tx
        .updateTable('guesses')
        .set((eb) => ({ misses: eb('misses', '-', 1) }))
        .where('key', '=', key)
        .where('until', '=', of)
        .execute()
    }
  })
}

/** Forgets windows that are over, and what is beyond the rows that are kept; gives how many. */
export async function tidyGuesses({ db, now }: Pick<App, 'db' | 'now'>, most = ROWS_MOST): Promise<number> {
  let gone = 0
  for (;;) {
    const over = db
      .selectFrom('guesses')
      .select('key')
      .where((eb) => eb.or([eb('until', '<=', iso(now())), eb('until', '>=', iso(now() + FAR_MS))]))
      .limit(AT_ONCE)
    const count = await remove(db, over)
    gone += count
    if (count < AT_ONCE) break
  }
  const { rows } = await db
    .selectFrom('guesses')
    .select(({ fn }) => fn.countAll().as('rows'))
    .executeTakeFirstOrThrow()
  for (let more = Number(rows) - most; more > 0; more -= AT_ONCE) {
    const least = db.selectFrom('guesses').select('key').orderBy('misses').orderBy('until')
    gone += await remove(db, least.limit(Math.min(more, AT_ONCE)))
  }
  return gone
}

/** Whoever holds one of them now counts there: left for the next time, and never waited for. */
async function remove(
  db: App['db'],
  rows: SelectQueryBuilder<Schema, 'guesses', { key: string }>,
): Promise<number> {
  const free = isPostgres(db) ? rows.forUpdate().skipLocked() : rows
  const { numDeletedRows } = await db.deleteFrom('guesses').where('key', 'in', free).executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
