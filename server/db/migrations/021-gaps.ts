// Every unsettled report of a position that did not fit, not only the newest (wire §4); and states of strategies that were erased
// before one eraser took all of them (docs/decisions/047-erasing-a-strategy.md).
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('strategy_folds')
    .addColumn('position_gaps', 'text', (c) => c.notNull().defaultTo('[]'))
    .execute()
  // Whose position it was is read off the record, as the fold does it.
  const gaps = await sql<{ strategy_id: string; id: string; facts: string }>`
    select folds.strategy_id, signals.id, signals.facts from strategy_folds as folds
    join signals on signals.id = folds.position_gap_id`.execute(db)
  for (const { strategy_id, id, facts } of gaps.rows) {
    const { symbol, contract } = JSON.parse(facts) as { symbol: string; contract: string | null }
    const open = JSON.stringify([{ id, of: `${symbol}|${contract ?? ''}` }])
    await sql`update strategy_folds set position_gaps = ${open} where strategy_id = ${strategy_id}`.execute(
      db,
    )
  }
  await db.schema.alterTable('strategy_folds').dropColumn('position_gap_id').execute()
  // States of earlier know the newest only: where one was open they are made anew when a late record wants one.
  await sql`delete from fold_marks where tally like '%"position_gap_id":"%'`.execute(db)
  await sql`delete from fold_marks where strategy_id in (select id from strategies where deleted_at is not null)`.execute(
    db,
  )
}
