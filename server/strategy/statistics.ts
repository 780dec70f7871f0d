// The figures of one strategy in full, from its closed trades: worked out in pieces, once for those who ask at the same time.
import type { OutputOf, ParsedInputOf } from '#contract/endpoint.ts'
import { ApiError } from '#contract/errors.ts'
import type { getStatistics, getStockStatistics, Statistics } from '#contract/statistics.ts'
import { taipeiDay } from '#trading/calendar.ts'
import { ASSET_FACTS, assetOf } from '#trading/kinds.ts'
import type { Action, Derived, Position } from '#trading/record.ts'
import {
  hoursOf,
  type ReportOptions,
  reportOf,
  statisticsInSlices,
  toEnd,
} from '#trading/statistics/report.ts'
import { type StockQuery, StockTally, sortedStocks } from '#trading/stock-statistics.ts'
import { startOf } from '../access/strategies.ts'
import type { Actor, App } from '../context.ts'
import type { Db, StrategyRow } from '../db/schema.ts'
import { calendarKey, closedDays } from '../record/calendar.ts'
import { loadTerms } from '../record/terms.ts'
import { freshenFigures } from './figures.ts'

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
    app.fold_cache.report(app, db, row, closed_days, account, hours, (history, parts) => {
      const { state, running, chain_seq } = history
      const report: ReportOptions = { ...options, excluded_count: state.excluded_count, chain_seq }
      if (whole && from === undefined && to === undefined) return reportOf(running, parts, report)
      // A part of them is summed up by itself, of a list of its own: this one grows.
      const seen = whole ? [...parts.sorted] : parts.sorted.filter(({ exit_at }) => exit_at >= since)
      return statisticsInSlices(seen, report)
    })
  // Who holds a transaction waits for nobody.
  if (db.isTransaction) {
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

// The figures of each stock of one strategy: its signals counted a page at a time, once for those who ask at the same time.

type Answer = OutputOf<typeof getStockStatistics>

/** Signals counted in one piece. */
const PAGE = 256

/**
 * Figures of a strategy the caller has found before. A member's are of what it may read: signals and closed trades since its access
 * began, whatever the organization shares, for a row tells of single trades (ruling A11). 4220 of a strategy that trades no stocks.
 */
export async function readStockStatistics(
  app: App,
  db: Db,
  actor: Pick<Actor, 'caller' | 'access'>,
  row: StrategyRow,
  { symbol, from, to, sort }: Omit<ParsedInputOf<typeof getStockStatistics>, 'id'>,
): Promise<Answer> {
  const { each, name } = ASSET_FACTS[assetOf(row)]
  if (each === null) throw new ApiError(4220, { text: `這是${name}策略，沒有個股統計；請看總覽的統計` })
  const closed_days = closedDays(app)
  const since = sinceOf(actor, row.id)
  const of = { from: from ?? null, to: to ?? null, symbol: symbol?.toUpperCase() ?? null, closed_days }
  const once = asked.get(app) ?? new Once()
  asked.set(app, once)
  const place = [row.id, row.version, row.chain_hash, calendarKey(closed_days)]
  const found = await once.of([...place, since, from, to, symbol].join(' '), () =>
    counted(app, db, actor, row, since, of),
  )
  return { ...found, rows: sortedStocks(found.rows, sort) }
}

async function counted(
  app: App,
  db: Db,
  actor: Pick<Actor, 'caller'>,
  row: StrategyRow,
  since: string | null,
  query: StockQuery & { closed_days: ReadonlySet<string> },
): Promise<Answer> {
  await freshenFigures(app, db, actor, [row])
  const history = await app.fold_cache.trades(app, db, row, query.closed_days, actor.caller)
  const tally = new StockTally(query)
  for (let after = 0; after < row.chain_seq; )
    after = await app.background.piece(actor.caller, () => countSome(db, row, tally, after, since))
  const trades = since === null ? history.trades : history.trades.filter(({ exit_at }) => exit_at >= since)
  const positions = await openOf(db, row.id)
  return app.background.piece(actor.caller, () => ({
    basis: since === null ? ('full' as const) : ('visible' as const),
    from: query.from ?? null,
    to: query.to ?? null,
    chain_seq: row.chain_seq,
    ...tally.statistics({ trades: [...trades], positions }),
  }))
}

/** Counts a page of the record; where it ends, and the row's head behind the last one. */
async function countSome(
  db: Db,
  row: StrategyRow,
  tally: StockTally,
  after: number,
  since: string | null,
): Promise<number> {
  const rows = await db
    .selectFrom('signals')
    .select(['id', 'chain_seq', 'source', 'symbol', 'action', 'occurred_at', 'received_at'])
    .select(['trading_date', 'derived'])
    .where('strategy_id', '=', row.id)
    .where('chain_seq', '>', after)
    .where('chain_seq', '<=', row.chain_seq)
    .orderBy('chain_seq')
    .limit(PAGE)
    .execute()
  for (const { derived, action, source, ...one } of rows) {
    if (source === 'void' || source === 'correction') continue
    if (since !== null && one.occurred_at < since) continue
    tally.add({ ...one, action: action as Action, derived: JSON.parse(derived) as Derived })
  }
  return rows.length < PAGE ? row.chain_seq : (rows.at(-1)?.chain_seq ?? row.chain_seq)
}

async function openOf(db: Db, strategy_id: string): Promise<Position[]> {
  const fold = await db
    .selectFrom('snapshots')
    .select('positions')
    .where('kind', '=', 'head')
    .where('strategy_id', '=', strategy_id)
    .executeTakeFirst()
  return fold ? (JSON.parse(fold.positions) as Position[]) : []
}

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
