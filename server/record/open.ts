// The positions a strategy holds after its last record.
import type { OpenKey } from '#trading/fold/state.ts'
import { fold } from '#trading/fold.ts'
import type { Facts } from '#trading/record.ts'
import { tables } from '#trading/tables.ts'
import type { App } from '../context.ts'
import type { Db, StrategyRow } from '../db/schema.ts'
import { BOUNDS, storedViews } from './fold-session.ts'
import { FOLD_AT_ONCE } from './owed.ts'
import { loadTerms } from './terms.ts'

/** As memory or the stored state has them, while they stand there (of a long record also until it is folded anew); else folded. */
export async function openPositions(
  app: App,
  db: Db,
  row: StrategyRow,
  closed: ReadonlySet<string>,
): Promise<readonly OpenKey[]> {
  const known = app.fold_cache.peek(row, closed)
  if (known?.chain_hash === row.chain_hash) return known.state.open
  const table = tables()
  const found = (await storedViews(db, [row], closed, BOUNDS, table)).get(row.id)
  if (found && (found.exact || row.chain_seq > FOLD_AT_ONCE)) return found.view.state.open
  const stored = await db.selectFrom('signals').select('facts').where('strategy_id', '=', row.id).execute()
  const facts = stored.map((signal) => JSON.parse(signal.facts) as Facts)
  return fold(facts, loadTerms(row, closed, table)).state.open
}
