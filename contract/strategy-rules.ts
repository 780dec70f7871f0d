// Rules across the fields of a strategy, the same in the form and on the server: path → message in Chinese.
import { findProduct } from '#trading/products.ts'
import type { FuturesSettings, StockSettings, XqSettings } from './strategy.ts'

export type RuledStrategy = {
  direction: 'both' | 'long' | 'short'
  default_quantity: number
  max_position: number
} & (
  | { kind: 'futures'; settings: Omit<FuturesSettings, 'tax_rate' | 'fee_per_side'> }
  | { kind: 'stock'; settings: StockSettings }
  | { kind: 'xq-stock'; settings: Omit<XqSettings, 'dedupe_per_day'> }
)

/** Checks what single fields cannot say. Gives an empty object when all fits. */
export function checkStrategy(strategy: RuledStrategy): Record<string, string> {
  const fields: Record<string, string> = {}
  const { default_quantity, max_position } = strategy
  const [most, most_position, unit] =
    strategy.kind === 'futures'
      ? [999, 1_000, '口']
      : strategy.settings.unit === 'board_lot'
        ? [1_000, 10_000, '張']
        : [999_999, 10_000_000, '股']
  if (default_quantity > most) fields['default_quantity'] = `最多 ${most.toLocaleString('en-US')} ${unit}`
  if (max_position > most_position)
    fields['max_position'] = `最多 ${most_position.toLocaleString('en-US')} ${unit}`
  else if (max_position < default_quantity) fields['max_position'] = '不能小於預設數量'
  if (strategy.kind !== 'futures') {
    if (strategy.direction !== 'long' && !strategy.settings.allow_day_trade) {
      fields['direction'] = '股票要先賣後買，須允許現股當沖'
    }
    return fields
  }
  const { product_code, contract_rule, contract_month, session } = strategy.settings
  const product = findProduct(product_code)
  if (!product) fields['settings.product_code'] = '沒有這個商品，請從清單選擇'
  else if (!product.has_night && session === 'day_night')
    fields['settings.session'] = `${product.short_name}只有日盤`
  if (contract_rule === 'month' && !contract_month) fields['settings.contract_month'] = '指定月份時必填'
  return fields
}
