// The figures of one strategy in full, from its closed trades: worked out in pieces, once for those who ask at the same time.
import type { ParsedInputOf } from '#contract/endpoint.ts'
import type { getStatistics, Statistics } from '#contract/statistics.ts'
import { taipeiDay } from '#trading/calendar.ts'
import {
  hoursOf,
  type ReportOptions,
  reportOf,
  statisticsInSlices,
  toEnd,
} from '#trading/statistics/report.ts'
import { startOf } from '../access/strategies.ts'
import type { Actor, App } from '../context.ts'
import type { Db, StrategyRow } from '../db/schema.ts'
import { Once } from '../once.ts'
import { calendarKey } from '../record/calendar.ts'
import { closedDays } from '../record/closed-days.ts'
import { loadTerms } from '../record/terms.ts'

const asked = new WeakMap<App, Once>()

/**
 * Statistics of a strategy the caller has found before. A member's are over the whole record where the organization shares it,
 * else over the trades that closed since its access began; either way it is shown only trades it could follow (ruling A11).
 */
export async function readStatistics(
  app: App,
  db: Db,
  actor: Pick<Actor, 'caller' | 'access' | 'membership'>,
  row: StrategyRow,
  { from, to, before }: Pick<ParsedInputOf<typeof getStatistics>, 'from' | 'to' | 'before'>,
): Promise<Statistics> {
  const closed_days = closedDays(app)
  const since = sinceOf(actor, row.id)
  const whole = since === null || actor.membership?.shares === true
  const terms = loadTerms(row, closed_days)
  const options = {
    basis: whole ? ('full' as const) : ('visible' as const),
    ...(since !== null && { listed: ({ entry_at }: { entry_at: string }) => entry_at >= since }),
    ...(!whole && { visible_from: taipeiDay(since) }),
    initial_capital: row.initial_capital,
    closed_days,
    market: terms.asset,
    has_night: terms.futures?.has_night ?? false,
    sessions: terms.futures?.sessions,
    from: from ?? null,
    to: to ?? null,
    before: before ?? null,
  }
  const hours = hoursOf(options)
  const account = actor.caller
  const read = (): Promise<Statistics | ReturnType<typeof statisticsInSlices>> =>
    app.books.report(db, row, closed_days, account, hours, (book, parts) => {
      const { state, running, chain_seq } = book
      const report: ReportOptions = { ...options, excluded_count: state.excluded_count, chain_seq }
      if (whole && from === undefined && to === undefined) return reportOf(running, parts, report)
      // A part of them is summed up by itself, of a list of its own: this one grows.
      const seen = whole ? [...parts.sorted] : parts.sorted.filter(({ exit_at }) => exit_at >= since)
      return statisticsInSlices(seen, report)
    })
  // Who holds a transaction waits for nobody.
  if (db !== app.db) {
    const found = await read()
    return 'next' in found ? toEnd(found) : found
  }
  const once = asked.get(app) ?? new Once()
  asked.set(app, once)
  const place = [row.id, row.version, row.chain_hash, calendarKey(closed_days)]
  return once.of([...place, whole, since, from, to, before].join(' '), async () => {
    const found = await read()
    return 'next' in found ? app.background.run(account, found) : found
  })
}

/** The instant from which a member may read the strategy; null for those who may read all of it. */
export function sinceOf({ access }: Pick<Actor, 'access'>, strategy_id: string): string | null {
  if (access === null) return null
  const own = access.get(strategy_id)
  return startOf(own?.visible_from ?? '9999-12-31')
}
