// Looks once a minute, in one of the processes, which sources have fallen silent, and which speak again (docs/decisions/alarms.md). The intake is never asked.
import type { Scope } from '#contract/events.ts'
import { hoursOf, LEARNED_LEAST, openMs } from '#trading/silence.ts'
import type { App } from '../context.ts'
import { settingsOf } from '../db/query.ts'
import type { StrategyRow } from '../db/schema.ts'
import { inTransaction } from '../events/append.ts'
import { yieldToIntake } from '../limits/rate.ts'
import { closedDays } from '../record/calendar.ts'
import { alarmOf, heardOf, isSilent, sinceOf, usualGap } from '../record/silence.ts'

const MINUTE_MS = 60_000
/** Strategies that are read at a time. */
const AT_ONCE = 500
/** Of one look: silences that begin or end, and records that are looked back at. What is left is the next look's. */
const CHANGES_MOST = 200
const LEARNED_MOST = 100
const KNOWN_MOST = 5_000

type Parts = Pick<App, 'db' | 'now' | 'events' | 'log' | 'config' | 'pressed'>
type Watched = Pick<
  StrategyRow,
  'id' | 'scope' | 'kind' | 'settings' | 'silence_alarm' | 'chain_seq' | 'watched_from' | 'silent_since'
>

export class SilenceWatch {
  readonly #app: Parts
  /** What a strategy's own record teaches, as long as nothing comes to it. */
  readonly #usual = new Map<string, { of: string; minutes: number | null }>()
  #learned = 0

  constructor(app: Parts) {
    this.#app = app
  }

  /** One look; gives how many silences began or ended. */
  async look(): Promise<number> {
    const listened = await listenedFrom(this.#app)
    this.#learned = 0
    let changes = 0
    for (let after = ''; ; ) {
      const began = performance.now()
      const rows = await this.#watched(after)
      const heard = await heardOf(
        this.#app.db,
        rows.map(({ id }) => id),
      )
      for (const row of rows) {
        if (changes >= CHANGES_MOST) return changes
        if (await this.#change(row, heard, listened)) changes++
      }
      if (rows.length < AT_ONCE) return changes
      after = rows.at(-1)?.id ?? ''
      await yieldToIntake(this.#app, began)
    }
  }

  #watched(after: string): Promise<Watched[]> {
    return this.#app.db
      .selectFrom('strategies')
      .select(['id', 'scope', 'kind', 'settings', 'silence_alarm', 'chain_seq'])
      .select(['watched_from', 'silent_since'])
      .where('watched_from', 'is not', null)
      .where('deleted_at', 'is', null)
      .where('id', '>', after)
      .orderBy('id')
      .limit(AT_ONCE)
      .execute()
  }

  async #change(row: Watched, heard: ReadonlyMap<string, string | null>, listened: number): Promise<boolean> {
    if (isSilent(row, heard)) return false
    // Told that it is over before another one is looked for.
    if (row.silent_since !== null) return this.#note(row, null, { strategy_id: row.id, since: null })
    const since = sinceOf(row, heard)
    if (since === null) return false
    const hours = hoursOf(settingsOf(row), closedDays(this.#app))
    const open = openMs(Math.max(Date.parse(since), listened), this.#app.now(), hours)
    if (!(await this.#isTooLong(row, open / MINUTE_MS))) return false
    const minutes = Math.floor(open / MINUTE_MS)
    const heard_at = heard.get(row.id) ?? since
    return this.#note(row, since, { strategy_id: row.id, since, heard_at, minutes })
  }

  async #isTooLong(row: Watched, minutes: number): Promise<boolean> {
    const { max_gap_minutes } = alarmOf(row)
    if (max_gap_minutes != null) return minutes > max_gap_minutes
    if (minutes <= LEARNED_LEAST) return false
    const of = `${row.chain_seq} ${row.settings}`
    let known = this.#usual.get(row.id)
    if (known?.of !== of) {
      if (this.#learned++ >= LEARNED_MOST) return false
      known = { of, minutes: await usualGap(this.#app, this.#app.db, row) }
      if (this.#usual.size >= KNOWN_MOST) this.#usual.clear()
      this.#usual.set(row.id, known)
    }
    return known.minutes !== null && minutes > known.minutes
  }

  /** Noted by whoever comes first, and told in the same commit: another process finds nothing left to do. */
  #note(
    { id, scope, silent_since: before, watched_from }: Watched,
    silent_since: string | null,
    told: { strategy_id: string; since: string | null; heard_at?: string; minutes?: number },
  ): Promise<boolean> {
    return inTransaction(this.#app, async (tx) => {
      const { numUpdatedRows } = await tx.db
        .updateTable('strategies')
        .set({ silent_since })
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .where('watched_from', '=', watched_from)
        .where('silent_since', before === null ? 'is' : '=', before)
        .executeTakeFirstOrThrow()
      if (numUpdatedRows === 0n) return false
      await tx.append(scope as Scope, 'silence', told)
      return true
    })
  }
}

// Since when this server has listened without a break. What a source sent while nobody did is no silence of the source, and time that
// a clock jumped over was never there.

/** Whoever looks every minute, and was away for longer than this, was away; so was a clock that went back by as much. */
const BREAK_MS = 5 * 60_000
const NAME = 'listened'

interface Listened {
  /** ms since 1970. */
  readonly from: number
  readonly to: number
}

/** Notes that somebody listens now, in any process; gives since when, in ms since 1970. */
async function listenedFrom({ db, now }: Pick<App, 'db' | 'now'>): Promise<number> {
  const at = now()
  const row = await db.selectFrom('ground').select('value').where('name', '=', NAME).executeTakeFirst()
  const known = row ? (JSON.parse(row.value) as Listened) : null
  const from = known && Math.abs(at - known.to) <= BREAK_MS ? Math.min(known.from, at) : at
  const value = JSON.stringify({ from, to: at } satisfies Listened)
  await db
    .insertInto('ground')
    .values({ name: NAME, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
  return from
}
