// What moves with every signal is a narrow row of its own: summary and curve, which move only when somebody looks, go beside it.
// With them in it every signal wrote 3 KB anew. The index on signals.delivery_id was read by nobody.
import { type Kysely, sql } from 'kysely'

const MOVED = ['summary', 'curve', 'net_profit', 'win_rate', 'max_drawdown', 'figures_seq', 'calendar']

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('strategy_figures')
    .addColumn('strategy_id', 'text', (c) =>
      c.primaryKey().references('strategy_folds.strategy_id').onDelete('cascade'),
    )
    .addColumn('summary', 'text', (c) => c.notNull())
    .addColumn('curve', 'text', (c) => c.notNull())
    .addColumn('net_profit', 'double precision', (c) => c.notNull())
    .addColumn('win_rate', 'double precision')
    .addColumn('max_drawdown', 'double precision', (c) => c.notNull())
    .addColumn('figures_seq', 'integer', (c) => c.notNull())
    .addColumn('calendar', 'text', (c) => c.notNull())
    .execute()
  await sql`insert into strategy_figures
    (strategy_id, summary, curve, net_profit, win_rate, max_drawdown, figures_seq, calendar)
    select strategy_id, summary, curve, net_profit, win_rate, max_drawdown, figures_seq, calendar from strategy_folds`.execute(
    db,
  )
  for (const column of MOVED) await db.schema.alterTable('strategy_folds').dropColumn(column).execute()
  await db.schema.dropIndex('signals_delivery').execute()
}
