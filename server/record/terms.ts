// A stored strategy as the folding code wants it.
import { tables } from '#trading/tables.ts'
import { type FoldTerms, termsOf } from '#trading/terms.ts'
import { settingsOf } from '../db/query.ts'
import type { StrategyRow } from '../db/schema.ts'

/** What of a row decides its fold. */
export type RowForTerms = Pick<
  StrategyRow,
  | 'kind'
  | 'direction'
  | 'assumed'
  | 'allow_pyramiding'
  | 'allow_reversal'
  | 'default_quantity'
  | 'max_position'
  | 'slippage_ticks'
  | 'settings'
>

/** Terms of a strategy's row on this server's calendar and tables. */
export function loadTerms(row: RowForTerms, closed_days: ReadonlySet<string>, table = tables()): FoldTerms {
  return termsOf(
    {
      ...settingsOf(row),
      direction: row.direction,
      assumed: JSON.parse(row.assumed) as string[],
      allow_pyramiding: row.allow_pyramiding === 1,
      allow_reversal: row.allow_reversal === 1,
      default_quantity: row.default_quantity,
      max_position: row.max_position,
      slippage_ticks: row.slippage_ticks,
    },
    closed_days,
    table,
  )
}

/** Names what decides a fold apart from calendar and tables: the same key, the same figures of the same records. */
export function termsKey(row: RowForTerms): string {
  return JSON.stringify({ ...loadTerms(row, new Set()), tables: null })
}
