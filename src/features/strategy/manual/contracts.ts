// Which month of its product an entry may be for: the strategy's own first, then what the server takes under its rule (rulings A28, C40).
import type { Strategy } from '#contract/strategy.ts'
import type { OpenKey } from '#trading/fold/state.ts'
import { contractMonths, contractOfRule } from '#trading/products.ts'

/** The strategy's own; null of stocks. */
export function ownContract({ settings }: Pick<Strategy, 'settings'>): string | null {
  if (!('product_code' in settings)) return null
  const { contract_rule, contract_month } = settings
  return contractOfRule(contract_rule, contract_month)
}

/**
 * Under 近月 and 次月 the other one and the two months by their names; under 指定月份 others only where the strategy takes what does
 * not fit: what is held of them, and what is listed on that day.
 */
export function contractsOf(
  strategy: Pick<Strategy, 'settings' | 'on_symbol_mismatch'>,
  open: readonly Pick<OpenKey, 'symbol' | 'contract'>[],
  on: string,
  closed_days: ReadonlySet<string>,
): string[] {
  const { settings, on_symbol_mismatch } = strategy
  const own = ownContract(strategy)
  if (!('product_code' in settings) || own === null) return []
  const { product_code, contract_rule } = settings
  const listed = contractMonths(product_code, on, closed_days)
  if (contract_rule !== 'month') {
    const months = listed.filter((month) => /^\d{6}$/.test(month)).slice(0, 2)
    return [...new Set([own, 'C1', 'C2', ...months])]
  }
  if (on_symbol_mismatch !== 'accept') return [own]
  const held = open.flatMap(({ symbol, contract }) => (symbol === product_code ? (contract ?? []) : []))
  return [...new Set([own, ...held, ...listed])]
}
