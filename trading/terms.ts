// What of a strategy decides its fold: limits, costs, market. Quantities here are lots or SHARES, never board lots.
import { assetOf, FUTURES_START, STOCK_START, UNIT_FACTS, unitOf } from './kinds.ts'
import { findProduct } from './products.ts'
import type { ContractRule, Direction, StrategyKind, Unit } from './record.ts'
import type { ProductSession, Tables } from './tables.ts'
import { tables } from './tables.ts'

export interface FuturesTerms {
  /** Ticker of the strategy's product; another product accepted by on_symbol_mismatch uses its own table row. */
  code: string
  point_value: number
  tick: number
  tax_rate: number
  fee_per_side: number
  has_night: boolean
  /** Absent: the market's. */
  sessions?: readonly ProductSession[]
}

export interface StockTerms {
  commission_rate: number
  commission_discount: number
  min_fee: number
  odd_lot_min_fee: number
  allow_day_trade: boolean
}

export interface FoldTerms {
  asset: 'futures' | 'stock'
  direction: Direction
  /** Nobody has said yet whether it goes short: nothing does until then. Absent: it was said. */
  asks_short?: true
  allow_pyramiding: boolean
  allow_reversal: boolean
  default_quantity: number
  max_position: number
  slippage_ticks: number
  contract_rule: ContractRule | null
  closed_days: ReadonlySet<string>
  /** The tables it is folded with, whatever comes into force meanwhile. */
  tables: Tables
  futures: FuturesTerms | null
  stock: StockTerms | null
}

/** Settings of futures that termsOf reads. Left out, a fee or tax is the product's, the rest is FUTURES_START. */
interface FuturesForTerms {
  product_code: string
  contract_rule?: ContractRule
  fee_per_side?: number
  tax_rate?: number
}
/** The same of stocks; what is left out is STOCK_START. */
type StockForTerms = Partial<StockTerms & { unit: Unit }>
/** A kind with the settings that it has. */
export type KindForTerms =
  | { kind: 'futures'; settings: FuturesForTerms }
  | { kind: Exclude<StrategyKind, 'futures'>; settings: StockForTerms }

/** The fields of wire §4's strategy that termsOf reads. */
export type StrategyForTerms = KindForTerms & {
  direction: Direction
  /** Names of fields that nobody has said yet. */
  assumed?: readonly string[]
  allow_pyramiding: boolean
  allow_reversal: boolean
  default_quantity: number
  max_position: number
  slippage_ticks: number
}

/** Terms of a strategy; board lots become shares. Throws RangeError when the futures product is unknown. */
export function termsOf(
  strategy: StrategyForTerms,
  closed_days: ReadonlySet<string> = new Set(),
  table = tables(),
): FoldTerms {
  const { futures, stock } = settingsBy(strategy)
  const { size } = UNIT_FACTS[unitOf(strategy)]
  return {
    asset: assetOf(strategy),
    direction: strategy.direction,
    // left out where it was said, so that keys of what was folded before stay as they are
    ...(strategy.assumed?.includes('direction') && { asks_short: true as const }),
    allow_pyramiding: strategy.allow_pyramiding,
    allow_reversal: strategy.allow_reversal,
    default_quantity: strategy.default_quantity * size,
    max_position: strategy.max_position * size,
    slippage_ticks: strategy.slippage_ticks,
    contract_rule: futures && (futures.contract_rule ?? FUTURES_START.contract_rule),
    closed_days,
    tables: table,
    futures: futures && futuresTerms(futures, table),
    stock: stock && stockTerms(stock),
  }
}

/** The settings under the market they are of. */
function settingsBy(of: KindForTerms): { futures: FuturesForTerms | null; stock: StockForTerms | null } {
  switch (of.kind) {
    case 'futures':
      return { futures: of.settings, stock: null }
    case 'stock':
    case 'xq-stock':
      return { futures: null, stock: of.settings }
  }
}

function stockTerms(settings: StockForTerms): StockTerms {
  const { commission_rate, commission_discount, min_fee, odd_lot_min_fee, allow_day_trade } = {
    ...STOCK_START,
    ...settings,
  }
  return { commission_rate, commission_discount, min_fee, odd_lot_min_fee, allow_day_trade }
}

function futuresTerms(s: FuturesForTerms, table: Tables): FuturesTerms {
  const product = findProduct(s.product_code, table)
  if (!product) throw new RangeError(`unknown product: ${s.product_code}`)
  return {
    code: product.code,
    point_value: product.point_value,
    tick: product.tick,
    tax_rate: s.tax_rate ?? product.tax_rate,
    fee_per_side: s.fee_per_side ?? product.default_fee,
    has_night: product.has_night,
    sessions: product.sessions,
  }
}
