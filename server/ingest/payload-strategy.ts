// The part of a stored strategy that decides how a message is read.
import { unitOf } from '#trading/kinds.ts'
import type { PayloadStrategy } from '#trading/reader/shape.ts'
import { settingsOf } from '../db/query.ts'
import type { StrategyRow } from '../db/schema.ts'

/** What of the row decides reading. */
export function payloadStrategy(row: StrategyRow): PayloadStrategy {
  const strategy = settingsOf(row)
  return {
    kind: row.kind,
    ...('product_code' in strategy.settings
      ? { ...contractOf(strategy.settings), symbols: [] }
      : {
          product_code: null,
          contract_rule: null,
          contract_month: null,
          symbols: strategy.settings.symbols,
        }),
    unit: unitOf(strategy),
    direction: row.direction,
    quantity_mode: row.quantity_mode,
    default_quantity: row.default_quantity,
    on_symbol_mismatch: row.on_symbol_mismatch,
    late_after_s: row.late_after_s,
    max_position: row.max_position,
    ...('default_action' in strategy.settings && {
      default_action: strategy.settings.default_action,
      dedupe_per_day: strategy.settings.dedupe_per_day,
    }),
  }
}

const contractOf = ({
  product_code,
  contract_rule,
  contract_month,
}: Pick<PayloadStrategy, 'product_code' | 'contract_rule' | 'contract_month'>) => ({
  product_code,
  contract_rule,
  contract_month,
})
