// Which product or stock a message is for, and whether the strategy takes it (rulings C3, A28).
import { resolveSymbol } from '../symbols.ts'
import type { PayloadStrategy, ReadReason } from './shape.ts'

export type Placed =
  | { ok: true; symbol: string; contract: string | null; mismatch: boolean }
  | { ok: false; code: ReadReason; reason: string; symbol: string | null; contract: string | null }

/** The symbol and contract a raw symbol becomes under a strategy; an absent one is the strategy's only product. */
export function place(raw: string | null, at: string, strategy: PayloadStrategy): Placed {
  if (raw === null) return own(strategy)
  const found = resolveSymbol(raw, at)
  const shown = raw.slice(0, 40)
  if (!found) {
    const reason = `看不懂商品代號「${shown}」：請改用例如 TXF1!、MXF202612 或 2330 的寫法`
    return { ok: false, code: 'unknown_symbol', reason, symbol: null, contract: null }
  }
  const futures = strategy.kind === 'futures'
  if ((found.asset === 'futures') !== futures) {
    const reason = futures
      ? `「${shown}」是股票，但這個策略是期貨策略：請把快訊送到股票策略的網址`
      : `「${shown}」是期貨，但這個策略是股票策略：請把快訊送到期貨策略的網址`
    return { ok: false, code: 'symbol_mismatch', reason, symbol: found.symbol, contract: found.contract }
  }
  const contract = futures ? contractUnder(found.contract ?? 'C1', strategy) : null
  const fits = futures
    ? found.symbol === strategy.product_code && monthFits(contract, strategy)
    : strategy.symbols.length === 0 || strategy.symbols.includes(found.symbol)
  if (!fits && strategy.on_symbol_mismatch === 'reject') {
    const wanted = futures ? wantedFutures(strategy) : strategy.symbols.slice(0, 5).join('、')
    const reason = `訊息的商品「${shown}」與策略設定的 ${wanted} 不符：請修改快訊的商品，或在策略設定改為「接受並標示」`
    return { ok: false, code: 'symbol_mismatch', reason, symbol: found.symbol, contract }
  }
  return { ok: true, symbol: found.symbol, contract, mismatch: !fits }
}

/** With a fixed month, a continuous chart stands for that month; another explicit month stays what it is. */
function contractUnder(contract: string, strategy: PayloadStrategy): string {
  const continuous = contract === 'C1' || contract === 'C2'
  return strategy.contract_rule === 'month' && strategy.contract_month !== null && continuous
    ? strategy.contract_month
    : contract
}

function monthFits(contract: string | null, strategy: PayloadStrategy): boolean {
  return strategy.contract_rule !== 'month' || contract === strategy.contract_month
}

function wantedFutures(strategy: PayloadStrategy): string {
  const month = strategy.contract_rule === 'month' ? (strategy.contract_month ?? '') : ''
  return `${strategy.product_code ?? ''}${month}`
}

function own(strategy: PayloadStrategy): Placed {
  if (strategy.kind === 'futures' && strategy.product_code !== null) {
    const rule = strategy.contract_rule
    const contract = rule === 'month' ? strategy.contract_month : rule === 'next' ? 'C2' : 'C1'
    return { ok: true, symbol: strategy.product_code, contract, mismatch: false }
  }
  const [only, ...others] = strategy.symbols
  if (strategy.kind !== 'futures' && only !== undefined && others.length === 0)
    return { ok: true, symbol: only, contract: null, mismatch: false }
  const reason = '訊息缺少商品代號：請加上欄位 symbol，例如 "symbol":"2330"'
  return { ok: false, code: 'missing_field', reason, symbol: null, contract: null }
}
