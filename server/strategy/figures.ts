// Summary and curve of a strategy, worked out when somebody looks, not with every signal.
import type { Scope } from '#contract/events.ts'
import { runningOf } from '#trading/statistics.ts'
import type { Actor, App } from '../context.ts'
import type { Db, StrategyRow } from '../db/schema.ts'
import { inTransaction } from '../db/transaction.ts'
import { calendarKey } from '../market/calendar.ts'
import { closedDays } from '../market/closed-days.ts'
import { refold, viewOf } from './fold.ts'
import { visibleStrategies } from './rules.ts'

/** Brings the figures of these strategies up to their last record and to the closed days of today's calendar. */
export async function freshenFigures(app: App, db: Db, rows: readonly StrategyRow[]): Promise<void> {
  if (rows.length === 0) return
  const closed_days = closedDays(app)
  const stale = await db
    .selectFrom('strategy_figures as figures')
    .innerJoin('strategy_folds as folds', 'folds.strategy_id', 'figures.strategy_id')
    .select(['figures.strategy_id', 'figures.calendar'])
    .where(
      'figures.strategy_id',
      'in',
      rows.map((row) => row.id),
    )
    .where((eb) =>
      eb.or([
        eb('figures.figures_seq', '<>', eb.ref('folds.chain_seq')),
        eb('figures.calendar', '<>', calendarKey(closed_days)),
      ]),
    )
    .execute()
  const behind = new Map(stale.map(({ strategy_id, calendar }) => [strategy_id, calendar]))
  for (const row of rows) {
    const calendar = behind.get(row.id)
    if (calendar !== undefined) await freshen(app, db, row, closed_days, calendar)
  }
}

/** Before a list is put in order by its figures: brings all that the actor sees up to date. */
export async function freshenAll(app: App, db: Db, actor: Actor): Promise<void> {
  const closed_days = closedDays(app)
  const rows = await visibleStrategies(db, actor)
    .innerJoin('strategy_folds as folds', 'folds.strategy_id', 'strategies.id')
    .innerJoin('strategy_figures as figures', 'figures.strategy_id', 'strategies.id')
    .selectAll('strategies')
    .select('figures.calendar')
    .where((eb) =>
      eb.or([
        eb('figures.figures_seq', '<>', eb.ref('folds.chain_seq')),
        eb('figures.calendar', '<>', calendarKey(closed_days)),
      ]),
    )
    .execute()
  for (const { calendar, ...row } of rows) await freshen(app, db, row, closed_days, calendar)
}

/** `calendar`: the closed days that the stored figures, and what the records derive to, were made with. */
async function freshen(
  app: App,
  db: Db,
  row: StrategyRow,
  closed_days: ReadonlySet<string>,
  calendar: string,
): Promise<void> {
  const known = app.intake.ledger.peek(row, closed_days)
  // Other closed days change what the records themselves derive to: memory of before does not count then, nor does memory of
  // the time before that when they come back. Nor does memory that is behind another process, or that belongs to a commit that
  // was broken off.
  const gone = known && known.chain_seq <= row.chain_seq && known.chain_hash !== row.chain_hash
  if (!known || gone || calendar !== calendarKey(closed_days)) return foldAgain(app, db, row, closed_days)
  const { chain_seq, chain_hash } = known
  known.running ??= runningOf(known.trades)
  const { summary, curve } = viewOf({ ...known, positions: [] }, known, row, closed_days)
  await db
    .updateTable('strategy_figures')
    .set({
      summary: JSON.stringify(summary),
      curve: JSON.stringify(curve),
      net_profit: summary.net_profit,
      win_rate: summary.win_rate,
      max_drawdown: summary.max_drawdown,
      figures_seq: chain_seq,
      calendar: calendarKey(closed_days),
    })
    .where('strategy_id', '=', row.id)
    // What memory holds may belong to a commit that is still under way: then the row waits for the next look.
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('strategy_folds as folds')
          .innerJoin('strategies', 'strategies.id', 'folds.strategy_id')
          .select('folds.strategy_id')
          .where('folds.strategy_id', '=', row.id)
          .where('strategies.chain_hash', '=', chain_hash)
          .where('folds.chain_seq', '=', chain_seq)
          .where('folds.version', '=', row.version),
      ),
    )
    .execute()
}

/**
 * Folding reads all and then writes: a signal stored in between would be written over. So it runs in a transaction that
 * holds the strategy; a caller who brings one of its own holds it already.
 */
async function foldAgain(
  app: App,
  db: Db,
  row: StrategyRow,
  closed_days: ReadonlySet<string>,
): Promise<void> {
  if (db !== app.db) {
    await refold(db, row, closed_days)
    return
  }
  await inTransaction(app, async (tx) => {
    const query = tx.db.selectFrom('strategies').selectAll().where('id', '=', row.id)
    const now = await (app.engine === 'postgres' ? query.forUpdate() : query).executeTakeFirst()
    if (!now) return
    const { changed_from } = await refold(tx.db, now, closed_days)
    if (changed_from !== null) {
      const change = { id: now.id, change: 'refolded', from_chain_seq: changed_from } as const
      await tx.append(now.scope as Scope, 'strategy', change)
    }
  })
}
