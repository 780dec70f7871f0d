// The figures of one strategy in full: from the trades in memory while they are up to date, else folded from its records.
import type { ParsedInputOf } from '#contract/endpoint.ts'
import type { getStatistics, Statistics } from '#contract/statistics.ts'
import { fold } from '#trading/fold.ts'
import type { Facts, Trade } from '#trading/record.ts'
import { statisticsOf } from '#trading/statistics/report.ts'
import type { App } from '../context.ts'
import type { Db, StrategyRow } from '../db/schema.ts'
import { closedDays } from '../market/closed-days.ts'
import { loadTerms } from './terms.ts'

interface Closed {
  trades: readonly Trade[]
  excluded_count: number
  chain_seq: number
}

/** Statistics of a strategy the caller has found before. Members of an organization get theirs over the whole record (ruling A11). */
export async function readStatistics(
  app: App,
  db: Db,
  row: StrategyRow,
  { from, to, before }: Pick<ParsedInputOf<typeof getStatistics>, 'from' | 'to' | 'before'>,
): Promise<Statistics> {
  const closed_days = closedDays(app)
  const terms = loadTerms(row, closed_days)
  const { trades, excluded_count, chain_seq } =
    fromMemory(app, row, closed_days) ?? (await fromRecords(db, row, closed_days))
  return statisticsOf(trades, {
    initial_capital: row.initial_capital,
    closed_days,
    excluded_count,
    chain_seq,
    market: terms.asset,
    has_night: terms.futures?.has_night ?? false,
    from: from ?? null,
    to: to ?? null,
    before: before ?? null,
  })
}

/** What memory holds may belong to a commit that is still under way, or be behind another process: then it does not count. */
function fromMemory(app: App, row: StrategyRow, closed_days: ReadonlySet<string>): Closed | null {
  const known = app.intake.ledger.peek(row, closed_days)
  if (!known || known.chain_seq !== row.chain_seq) return null
  return { trades: known.trades, excluded_count: known.state.excluded_count, chain_seq: known.chain_seq }
}

async function fromRecords(db: Db, row: StrategyRow, closed_days: ReadonlySet<string>): Promise<Closed> {
  const stored = await db
    .selectFrom('signals')
    .select('facts')
    .where('strategy_id', '=', row.id)
    .where('chain_seq', '<=', row.chain_seq)
    .execute()
  const facts = stored.map((signal) => JSON.parse(signal.facts) as Facts)
  const { trades, state } = fold(facts, loadTerms(row, closed_days))
  return { trades, excluded_count: state.excluded_count, chain_seq: row.chain_seq }
}
