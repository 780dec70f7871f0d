// Folds go on from what is stored: the state says which closed days it was made with, and states of earlier are kept from time
// to time, so that a late record never has to be folded in from the first one.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('strategy_folds')
    .addColumn('calendar', 'text', (c) => c.notNull().defaultTo(''))
    .execute()
  // Figures that were worked out since the first record came from a fold with their days; the others are folded again once.
  await sql`update strategy_folds set calendar = coalesce((select figures.calendar from strategy_figures as figures
    where figures.strategy_id = strategy_folds.strategy_id and (figures.figures_seq > 0 or strategy_folds.chain_seq = 0)), '')`.execute(
    db,
  )
  await db.schema
    .createTable('fold_marks')
    .addColumn('strategy_id', 'text', (c) => c.notNull().references('strategies.id').onDelete('cascade'))
    .addColumn('chain_seq', 'integer', (c) => c.notNull())
    .addColumn('last_at', 'bigint', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('tally', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('fold_marks_pk', ['strategy_id', 'chain_seq'])
    .execute()
}
