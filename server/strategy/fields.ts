// Between a strategy's row and its fields on the wire; fills in what follows from the market.
import { invalid } from '#contract/errors.ts'
import { firesOnce } from '#contract/kinds/xq-stock.ts'
import {
  CHANGEABLE,
  checkStrategy,
  type FuturesSettings,
  type KindSettings,
  type StockSettings,
  type StrategyChanges,
  type StrategyDraft,
  type XqSettings,
} from '#contract/strategy.ts'
import { findProduct, type Product, stockName } from '#trading/products.ts'
import { nameKey } from '../db/query.ts'
import type { StrategyRow } from '../db/schema.ts'
import { settingsOf } from '../db/settings.ts'

type Common = Omit<Extract<StrategyDraft, { kind: 'futures' }>, 'kind' | 'settings'>
/** Every writable field with a value, settings complete for their kind. */
export type StrategyFields = Common & KindSettings
/** The same before the market has filled in what was left out. */
export type Unsettled = StrategyDraft | StrategyFields

/** The columns of a row that hold those fields. */
export type FieldColumns = Pick<StrategyRow, keyof Common | 'settings' | 'name_key' | 'search_key'>

/** A draft as fields, or 4220 with a message per field. */
export function fieldsOfDraft(draft: Unsettled): StrategyFields {
  return settled(draft)
}

/** Fields with changes laid over them, settings key by key; keys of another kind are dropped. 4220 when they do not fit. */
export function withChanges(before: StrategyFields, changes: StrategyChanges): StrategyFields {
  const { settings = {}, ...common } = changes
  const own = Object.entries(settings).filter(([key]) => Object.hasOwn(CHANGEABLE[before.kind], key))
  return settled({
    ...before,
    ...given(Object.entries(common)),
    settings: { ...before.settings, ...given(own) },
  } as StrategyFields)
}

const given = (entries: [string, unknown][]) =>
  Object.fromEntries(entries.filter(([, value]) => value !== undefined))

/** The fields of a stored row. */
export function fieldsOfRow(row: StrategyRow): StrategyFields {
  return {
    ...settingsOf(row),
    name: row.name,
    summary: row.summary,
    note: row.note,
    tags: JSON.parse(row.tags) as string[],
    status: row.status,
    direction: row.direction,
    trade_style: row.trade_style as StrategyFields['trade_style'],
    timeframe: row.timeframe as StrategyFields['timeframe'],
    initial_capital: row.initial_capital,
    quantity_mode: row.quantity_mode,
    default_quantity: row.default_quantity,
    max_position: row.max_position,
    allow_pyramiding: row.allow_pyramiding === 1,
    allow_reversal: row.allow_reversal === 1,
    slippage_ticks: row.slippage_ticks,
    stop_loss: row.stop_loss === null ? null : (JSON.parse(row.stop_loss) as StrategyFields['stop_loss']),
    take_profit:
      row.take_profit === null ? null : (JSON.parse(row.take_profit) as StrategyFields['take_profit']),
    late_after_s: row.late_after_s,
    on_symbol_mismatch: row.on_symbol_mismatch,
    silence_alarm: JSON.parse(row.silence_alarm) as StrategyFields['silence_alarm'],
  }
}

/** The columns of fields. */
export function columnsOf(fields: StrategyFields): FieldColumns {
  const { kind: _fixed, ...rest } = fields
  return {
    ...rest,
    name_key: nameKey(fields.name),
    search_key: searchKey(fields),
    tags: JSON.stringify(fields.tags),
    allow_pyramiding: fields.allow_pyramiding ? 1 : 0,
    allow_reversal: fields.allow_reversal ? 1 : 0,
    stop_loss: fields.stop_loss && JSON.stringify(fields.stop_loss),
    take_profit: fields.take_profit && JSON.stringify(fields.take_profit),
    silence_alarm: JSON.stringify(fields.silence_alarm),
    settings: JSON.stringify(fields.settings),
  }
}

function searchKey({ name, tags, settings }: StrategyFields): string {
  const words = [
    name,
    ...('product_code' in settings ? productWords(settings) : stockWords(settings)),
    ...tags,
  ]
  return nameKey([...new Set(words)].join('\n'))
}

function productWords({ product_code }: FuturesSettings): string[] {
  const product = findProduct(product_code)
  return product ? [product.code, product.taifex_code, product.name, product.short_name] : []
}

function stockWords(settings: StockSettings | XqSettings): string[] {
  const script = 'xq_script_name' in settings ? settings.xq_script_name : ''
  return [...settings.symbols.flatMap((symbol) => [symbol, stockName(symbol)]), script]
}

/** Checks across fields, then fills in what the market decides. */
function settled(fields: Unsettled): StrategyFields {
  const problems = checkStrategy(fields)
  if (Object.keys(problems).length > 0) throw invalid(problems)
  switch (fields.kind) {
    case 'futures': {
      const { settings } = fields
      const product = findProduct(settings.product_code) as Product
      // A month means something only where it is the rule.
      const contract_month = settings.contract_rule === 'month' ? settings.contract_month : null
      const fee_per_side = settings.fee_per_side ?? product.default_fee
      return {
        ...fields,
        settings: { ...settings, contract_month, fee_per_side, tax_rate: product.tax_rate },
      }
    }
    case 'stock':
      return fields
    case 'xq-stock': {
      const { settings } = fields
      const dedupe_per_day = settings.dedupe_per_day ?? firesOnce(settings.script_type)
      return { ...fields, settings: { ...settings, dedupe_per_day } }
    }
  }
}
