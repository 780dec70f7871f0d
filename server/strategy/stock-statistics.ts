// The figures of each stock of one strategy: its signals counted a page at a time, once for those who ask at the same time.
import type { OutputOf, ParsedInputOf } from '#contract/endpoint.ts'
import { ApiError } from '#contract/errors.ts'
import type { getStockStatistics } from '#contract/statistics.ts'
import { ASSET_FACTS, assetOf } from '#trading/kinds.ts'
import type { Action, Derived, Position } from '#trading/record.ts'
import { type StockQuery, StockTally, sortedStocks } from '#trading/stock-statistics.ts'
import type { Actor, App } from '../context.ts'
import type { Db, StrategyRow } from '../db/schema.ts'
import { Once } from '../once.ts'
import { calendarKey } from '../record/calendar.ts'
import { closedDays } from '../record/closed-days.ts'
import { freshenFigures } from './figures.ts'
import { sinceOf } from './statistics.ts'

type Answer = OutputOf<typeof getStockStatistics>

/** Signals counted in one piece. */
const PAGE = 256
const asked = new WeakMap<App, Once>()

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
  const book = await app.books.at(db, row, query.closed_days, actor.caller)
  const tally = new StockTally(query)
  for (let after = 0; after < row.chain_seq; )
    after = await app.background.piece(actor.caller, () => countSome(db, row, tally, after, since))
  const trades = since === null ? book.trades : book.trades.filter(({ exit_at }) => exit_at >= since)
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
    .selectFrom('strategy_folds')
    .select('positions')
    .where('strategy_id', '=', strategy_id)
    .executeTakeFirst()
  return fold ? (JSON.parse(fold.positions) as Position[]) : []
}
