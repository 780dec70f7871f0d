// The figures of one strategy in full: from the trades in memory while they are up to date, else folded from its records.
import type { ParsedInputOf } from '#contract/endpoint.ts'
import type { getStatistics, Statistics } from '#contract/statistics.ts'
import { fold } from '#trading/fold.ts'
import type { Facts, Trade } from '#trading/record.ts'
import { statisticsOf } from '#trading/statistics/report.ts'
import type { Actor, App } from '../context.ts'
import type { Db, StrategyRow } from '../db/schema.ts'
import { closedDays } from '../market/closed-days.ts'
import { startOf } from './rules.ts'
import { loadTerms } from './terms.ts'

interface Closed {
  trades: readonly Trade[]
  excluded_count: number
  chain_seq: number
}

/**
 * Statistics of a strategy the caller has found before. A member's are over the whole record where the organization shares it,
 * else over the trades that closed since its access began; either way it is shown only trades it could follow (ruling A11).
 */
export async function readStatistics(
  app: App,
  db: Db,
  actor: Pick<Actor, 'access' | 'membership'>,
  row: StrategyRow,
  { from, to, before }: Pick<ParsedInputOf<typeof getStatistics>, 'from' | 'to' | 'before'>,
): Promise<Statistics> {
  const closed_days = closedDays(app)
  const terms = loadTerms(row, closed_days)
  const { trades, excluded_count, chain_seq } =
    fromMemory(app, row, closed_days) ?? (await fromRecords(db, row, closed_days))
  const since = sinceOf(actor, row.id)
  const whole = since === null || actor.membership?.shares === true
  return statisticsOf(whole ? trades : trades.filter(({ exit_at }) => exit_at >= since), {
    basis: whole ? 'full' : 'visible',
    ...(since !== null && { listed: ({ entry_at }) => entry_at >= since }),
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

/** The instant from which a member may read the strategy; null for those who may read all of it. */
function sinceOf({ access }: Pick<Actor, 'access'>, strategy_id: string): string | null {
  if (access === null) return null
  const own = access.get(strategy_id)
  return startOf(own?.visible_from ?? '9999-12-31')
}

/** What memory holds may belong to a commit that is still under way or was broken off, or be behind another process: then it does not count. */
function fromMemory(app: App, row: StrategyRow, closed_days: ReadonlySet<string>): Closed | null {
  const known = app.intake.ledger.peek(row, closed_days)
  if (known?.chain_hash !== row.chain_hash) return null
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
