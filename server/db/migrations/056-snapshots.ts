// What is kept of folds stands in one table instead of four (record/snapshots.ts). All of it is carried over, so that nothing is folded
// anew for the upgrade. Its reader is the primary key. A head is written with every commit: room on its page keeps it there.
import { type Kysely, sql } from 'kysely'
import { isPostgres } from '../bulk.ts'
import type { Db } from '../schema.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('snapshots')
    .addColumn('strategy_id', 'text', (c) => c.notNull().references('strategies.id').onDelete('cascade'))
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('place', 'integer', (c) => c.notNull())
    .addColumn('chain_seq', 'integer', (c) => c.notNull())
    .addColumn('chain_hash', 'text')
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('version', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('signal_count', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('pending_price_count', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('price_suspect_count', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('last_signal_id', 'text')
    .addColumn('last_occurred_at', 'text')
    .addColumn('net_profit', 'double precision')
    .addColumn('win_rate', 'double precision')
    .addColumn('max_drawdown', 'double precision')
    .addColumn('rest_seq', 'integer')
    .addColumn('last_at', 'bigint')
    .addColumn('sum', 'text')
    .addColumn('position_gaps', 'text', (c) => c.notNull().defaultTo('[]'))
    .addColumn('positions', 'text', (c) => c.notNull().defaultTo('[]'))
    // The long ones last: SQLite reads a row only as far as it is asked for.
    .addColumn('state', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('data', 'text')
    .addPrimaryKeyConstraint('snapshots_pk', ['strategy_id', 'kind', 'place'])
    .execute()
  if (isPostgres(db as Db)) await sql`alter table snapshots set (fillfactor = 70)`.execute(db)
  await sql`insert into snapshots (strategy_id, kind, place, chain_seq, key, version, signal_count, pending_price_count,
      price_suspect_count, last_signal_id, last_occurred_at, position_gaps, positions, state)
    select strategy_id, 'head', 0, chain_seq, calendar, version, signal_count, pending_price_count,
      price_suspect_count, last_signal_id, last_occurred_at, position_gaps, positions, state from strategy_folds`.execute(
    db,
  )
  await sql`insert into snapshots (strategy_id, kind, place, chain_seq, key, net_profit, win_rate, max_drawdown, data)
    select strategy_id, 'figures', 0, figures_seq, calendar, net_profit, win_rate, max_drawdown,
      '{"summary":' || summary || ',"curve":' || curve || '}' from strategy_figures`.execute(db)
  // Of which chain a state is was not written down then: it went with the first record that changed it.
  await sql`insert into snapshots (strategy_id, kind, place, chain_seq, chain_hash, key, last_at, state, data)
    select marks.strategy_id, 'state', marks.chain_seq, marks.chain_seq, signals.hash, folds.calendar, last_at, marks.state, tally
    from fold_marks as marks
    join strategy_folds as folds on folds.strategy_id = marks.strategy_id
    join signals on signals.strategy_id = marks.strategy_id and signals.chain_seq = marks.chain_seq`.execute(
    db,
  )
  await sql`insert into snapshots (strategy_id, kind, place, chain_seq, chain_hash, key, rest_seq, last_at, sum, state, data)
    select strategy_id, 'trades', chapter, chain_seq, chain_hash, key, rest_seq, last_at, sum, state, trades
    from fold_chapters`.execute(db)
  for (const table of ['fold_chapters', 'fold_marks', 'strategy_figures', 'strategy_folds'])
    await db.schema.dropTable(table).execute()
}
