// The prices of every example: message templates, guide, a webhook's test, cost previews, landing and galleries show the same ones.
import type { ContractRule } from './record.ts'

type Settings =
  | { product_code: string; contract_rule: ContractRule; contract_month: string | null }
  | { symbols: readonly string[] }

/** The stock of every example. */
const STOCK = '2330'

/** Levels of autumn 2026: of the index, of the trade before it and after it, and of what else stands in examples. */
export const EXAMPLE = {
  index: 46_588,
  index_before: 46_541,
  index_exit: 46_642,
  index_short: 46_610,
  electronics: 2_648.5,
  finance: 2_600,
  tsmc: 2_290,
  evergreen: 198.5,
} as const

const LEVELS: Readonly<Record<string, number>> = {
  TXF: EXAMPLE.index,
  MXF: EXAMPLE.index,
  TMF: EXAMPLE.index,
  EXF: EXAMPLE.electronics,
  ZEF: EXAMPLE.electronics,
  FXF: EXAMPLE.finance,
  ZFF: EXAMPLE.finance,
  CDF: EXAMPLE.tsmc,
  QFF: EXAMPLE.tsmc,
  2330: EXAMPLE.tsmc,
  2603: EXAMPLE.evergreen,
}

/** Of a futures product or a stock by its code; undefined when no example knows it. */
export function exampleLevel(code: string): number | undefined {
  return LEVELS[code]
}

/** What an example says a strategy trades, as TradingView writes it: MXF1!, TXF2!, TXF202612; of stocks the first it names. */
export function exampleSymbol(settings: Settings): string {
  if (!('product_code' in settings)) return settings.symbols[0] ?? STOCK
  const { product_code, contract_rule, contract_month } = settings
  if (contract_rule === 'month' && contract_month !== null) return `${product_code}${contract_month}`
  return `${product_code}${contract_rule === 'next' ? 2 : 1}!`
}

/** The level of that example; of what has none the market's best known. */
export function exampleLevelOf(settings: Settings): number {
  return 'product_code' in settings
    ? (exampleLevel(settings.product_code) ?? EXAMPLE.index)
    : (exampleLevel(exampleSymbol(settings)) ?? EXAMPLE.tsmc)
}
