// Rules across the fields of a strategy, the same in the form and on the server: path → message in Chinese.
import { UNIT_FACTS, unitOf } from '#trading/kinds.ts'
import { findProduct } from '#trading/products.ts'
import type { FuturesSettings, StockSettings, XqSettings } from './strategy-settings.ts'

type Amounts = { direction: 'both' | 'long' | 'short'; default_quantity: number; max_position: number }
type Futures = { kind: 'futures'; settings: Omit<FuturesSettings, 'tax_rate' | 'fee_per_side'> }
type Stock = { kind: 'stock'; settings: StockSettings }
type Xq = { kind: 'xq-stock'; settings: Omit<XqSettings, 'dedupe_per_day'> }
export type RuledStrategy = Amounts & (Futures | Stock | Xq)
type FieldMessages = Record<string, string>

/** Checks what single fields cannot say. Gives an empty object when all fits. */
export function checkStrategy(strategy: RuledStrategy): FieldMessages {
  const own =
    strategy.kind === 'futures' ? checkContract(strategy.settings) : checkSide(strategy, strategy.settings)
  return { ...checkAmounts(strategy), ...own }
}

function checkAmounts(strategy: RuledStrategy): FieldMessages {
  const { default_quantity, max_position } = strategy
  const { most, most_position, word } = UNIT_FACTS[unitOf(strategy)]
  const fields: FieldMessages = {}
  if (default_quantity > most) fields['default_quantity'] = `最多 ${most.toLocaleString('en-US')} ${word}`
  if (max_position > most_position)
    fields['max_position'] = `最多 ${most_position.toLocaleString('en-US')} ${word}`
  else if (max_position < default_quantity) fields['max_position'] = '不能小於預設數量'
  return fields
}

function checkSide(
  { direction }: Amounts,
  { allow_day_trade }: StockSettings | Xq['settings'],
): FieldMessages {
  return direction === 'long' || allow_day_trade ? {} : { direction: '股票要先賣後買，須允許現股當沖' }
}

function checkContract(settings: Futures['settings']): FieldMessages {
  const { product_code, contract_rule, contract_month, session } = settings
  const product = findProduct(product_code)
  const fields: FieldMessages = {}
  if (!product) fields['settings.product_code'] = '沒有這個商品，請從清單選擇'
  else if (!product.has_night && session === 'day_night')
    fields['settings.session'] = `${product.short_name}只有日盤`
  if (contract_rule === 'month' && !contract_month) fields['settings.contract_month'] = '指定月份時必填'
  return fields
}
