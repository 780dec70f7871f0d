// Which product or stock a message is for, and whether the strategy takes it (rulings C3, A28, C40; domain §4.8, rule 11). Apart from
// the names and words of messages: what is entered by hand is placed by it on the device.

import { isOver, lastTradingDay, taipei } from '../calendar.ts'
import { ASSET_FACTS, assetOf } from '../kinds.ts'
import { contractMonths, contractOfRule } from '../products.ts'
import type { Flag } from '../record.ts'
import type { ResolvedSymbol } from '../symbols.ts'
import type { PayloadStrategy } from './shape.ts'
import { quoted, Refusal } from './values.ts'

export interface SymbolSaid {
  key: string
  raw: string
  found: ResolvedSymbol
}

export interface Placed {
  symbol: string
  contract: string | null
  flags: Flag[]
}

/** The symbol and contract of a message under a strategy; an absent one is the strategy's only product. Throws a Refusal. */
export function place(
  said: SymbolSaid | null,
  at: string,
  strategy: PayloadStrategy,
  closed_days?: ReadonlySet<string>,
): Placed {
  const placed = said === null ? own(strategy) : placedUnder(said, strategy, at, closed_days)
  notOver(placed, at, said?.key ?? 'symbol', closed_days)
  return placed
}

/** Of a future at a stock strategy, and the other way round, that is what there is to say, whatever else is wrong. Throws a Refusal. */
export function assetFits({ found, raw, key }: SymbolSaid, strategy: PayloadStrategy): void {
  const asset = assetOf(strategy)
  if (found.asset === asset) return
  // A figure alone may be a price that stands where the product should.
  const [is, wants] = [ASSET_FACTS[found.asset].name, ASSET_FACTS[asset].name]
  const why =
    asset === 'futures' && /^\d+$/.test(raw)
      ? `不是期貨的商品代號：若是價格，請用欄位 price 或寫成 @${raw}，並且只寫一個價格`
      : `是${is}，但這個策略是${wants}策略：請把快訊送到${is}策略的網址`
  throw new Refusal('symbol_mismatch', key, `${quoted(raw)}${why}`)
}

function placedUnder(
  said: SymbolSaid,
  strategy: PayloadStrategy,
  at: string,
  closed_days?: ReadonlySet<string>,
): Placed {
  const { found } = said
  assetFits(said, strategy)
  const other = (wanted: string): Flag[] => {
    if (strategy.on_symbol_mismatch === 'accept') return ['symbol_mismatch']
    const blank = /\w$/.test(wanted) ? ' ' : ''
    const why = `訊息的商品${quoted(said.raw)}與策略設定的 ${wanted}${blank}不符：請修改快訊的商品，或在策略設定改為「接受並標示」`
    throw new Refusal('symbol_mismatch', said.key, why)
  }
  if (found.asset === 'stock') {
    const { symbols } = strategy
    const fits = symbols.length === 0 || symbols.includes(found.symbol)
    return { symbol: found.symbol, contract: null, flags: fits ? [] : other(symbols.slice(0, 5).join('、')) }
  }
  const contract = contractUnder(found, strategy)
  const placed = { symbol: found.symbol, contract }
  const own = found.symbol === strategy.product_code
  // Of a month of its own product that is over, that is what there is to say.
  if (own) notOver(placed, at, said.key, closed_days)
  const month = monthFits(contract, strategy, at, closed_days)
  if (!own || month === 'no') return { ...placed, flags: other(wantedFutures(strategy)) }
  return { ...placed, flags: month === 'other' ? ['other_month'] : [] }
}

/** With a fixed month, a continuous chart stands for that month; another explicit month stays what it is. */
function contractUnder(found: ResolvedSymbol, strategy: PayloadStrategy): string {
  const contract = found.contract ?? 'C1'
  const continuous = contract === 'C1' || contract === 'C2'
  return strategy.contract_rule === 'month' && strategy.contract_month !== null && continuous
    ? strategy.contract_month
    : contract
}

/** Near and next take both months; `other`: not the rule's own on that day. */
function monthFits(
  contract: string,
  strategy: PayloadStrategy,
  at: string,
  closed_days?: ReadonlySet<string>,
): 'own' | 'other' | 'no' {
  if (strategy.contract_rule === 'month') return contract === strategy.contract_month ? 'own' : 'no'
  const next = strategy.contract_rule === 'next'
  if (contract === 'C1') return next ? 'other' : 'own'
  if (contract === 'C2') return next ? 'own' : 'other'
  const listed = nearAndNext(strategy.product_code ?? '', at, closed_days)
  if (contract === listed[next ? 1 : 0]) return 'own'
  return listed.includes(contract) ? 'other' : 'no'
}

/** The two nearest months that still trade at an instant: on the last trading day until 13:30, its night session never. */
function nearAndNext(code: string, at: string, closed_days?: ReadonlySet<string>): readonly string[] {
  const { date } = taipei(at)
  const months = contractMonths(code, date, closed_days).filter((month) => /^\d{6}$/.test(month))
  return months.filter((month) => !isOver(month, at, closed_days)).slice(0, 2)
}

function notOver(
  { symbol, contract }: Pick<Placed, 'symbol' | 'contract'>,
  at: string,
  key: string,
  closed_days?: ReadonlySet<string>,
): void {
  if (contract === null || !isOver(contract, at, closed_days)) return
  const last = lastTradingDay(contract, closed_days) ?? ''
  throw new Refusal(
    'contract_ended',
    key,
    `${monthName(contract)}契約的最後交易日是 ${last}，已經到期：請改用近月（例如 ${symbol}1!），或把策略改到還在交易的月份`,
  )
}

/** 202612 as people say it: 2026 年 12 月; a weekly keeps its week behind it. */
function monthName(contract: string): string {
  return contract.replace(/^(\d{4})0?(\d{1,2})/, '$1 年 $2 月')
}

function wantedFutures(strategy: PayloadStrategy): string {
  if (strategy.contract_rule === 'month')
    return `${strategy.product_code ?? ''} ${monthName(strategy.contract_month ?? '')}`.trim()
  return `${strategy.product_code ?? ''} 近月或次月`
}

function own(strategy: PayloadStrategy): Placed {
  if (strategy.product_code !== null) {
    const contract = contractOfRule(strategy.contract_rule, strategy.contract_month)
    return { symbol: strategy.product_code, contract, flags: ['default_symbol'] }
  }
  const [only, ...others] = strategy.symbols
  if (only !== undefined && others.length === 0)
    return { symbol: only, contract: null, flags: ['default_symbol'] }
  throw new Refusal('missing_field', 'symbol', '訊息缺少商品代號：請加上欄位 symbol，例如 "symbol":"2330"')
}
