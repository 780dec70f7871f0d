/* Words of a strategy: what it trades, how, its state and what is wrong with it (domain §1, wire §4). */
import type { Strategy } from '#contract/strategy.ts'
import { KINDS } from '#trading/kinds.ts'
import { findProduct } from '#trading/products.ts'
import { stockName } from '#trading/stocks.ts'

/** Words of the states. */
export const STATUS_TEXT: Record<Strategy['status'], string> = {
  active: '啟用中',
  paused: '已暫停',
  archived: '已封存',
}

/** Short and long words of the direction. */
export const DIRECTION_TEXT: Record<Strategy['direction'], string> = {
  both: '多空',
  long: '只做多',
  short: '只做空',
}

/** Words of the bar a strategy reads. */
export const TIMEFRAME_TEXT: Record<NonNullable<Strategy['timeframe']>, string> = {
  '1': '1 分',
  '3': '3 分',
  '5': '5 分',
  '10': '10 分',
  '15': '15 分',
  '30': '30 分',
  '45': '45 分',
  '60': '60 分',
  '120': '120 分',
  '240': '240 分',
  D: '日',
  W: '週',
  other: '其他週期',
}

/** Words of the trading style. */
export const STYLE_TEXT: Record<NonNullable<Strategy['trade_style']>, string> = {
  day: '當沖',
  swing: '波段',
  long_term: '長線',
  other: '其他',
}

/** Words of the trading hours. */
export const HOURS_TEXT = { day: '日盤', day_night: '日夜盤' } as const

/** Words of the warnings, in the order of their weight: a card shows the first only. */
export const WARNING_TEXT: readonly [Strategy['warnings'][number], string][] = [
  ['expired', '契約已到期'],
  ['position_gap', '部位不一致'],
  ['rejected', '有訊息沒收下'],
  ['pending_price', '待補價'],
  ['silent', '逾時未收到訊號'],
  ['no_webhook', '沒有 Webhook'],
]

/** The gravest warning in words, null without any. */
export function warningText({
  warnings,
  pending_price_count,
}: Pick<Strategy, 'warnings' | 'pending_price_count'>): string | null {
  const found = WARNING_TEXT.find(([kind]) => warnings.includes(kind))
  if (!found) return null
  return found[0] === 'pending_price' && pending_price_count > 0 ? `待補價 ${pending_price_count}` : found[1]
}

/** Contract of a rule or of a record: C1 近月, C2 次月, 202612 12月, 202611W2 11月W2. */
export function contractText(contract: string | null): string {
  if (contract === null) return ''
  if (contract === 'C1' || contract === 'near') return '近月'
  if (contract === 'C2' || contract === 'next') return '次月'
  return `${Number(contract.slice(4, 6))}月${contract.slice(6)}`
}

/** What it trades: 大台 近月; stocks: up to two codes and +N; 不限代號. */
export function tradedText(strategy: Strategy): string {
  if (strategy.kind === 'futures') {
    const { product_code, contract_rule, contract_month } = strategy.settings
    const name = findProduct(product_code)?.short_name ?? product_code
    return `${name} ${contractText(contract_rule === 'month' ? contract_month : contract_rule)}`.trim()
  }
  const { symbols } = strategy.settings
  if (symbols.length === 0) return '不限代號'
  if (symbols.length === 1) return symbols.map(named).join('')
  return symbols.length > 2 ? `${symbols.slice(0, 2).join('、')} +${symbols.length - 2}` : symbols.join('、')
}

/** 2330 台積電; the code alone while its name is not known here. */
function named(symbol: string): string {
  const name = stockName(symbol)
  return name === symbol ? symbol : `${symbol} ${name}`
}

/** The line under a name: 大台 近月 · 5 分 · 多空 · 日盤. */
export function strategyLine(strategy: Strategy): string {
  return [
    tradedText(strategy),
    strategy.timeframe && TIMEFRAME_TEXT[strategy.timeframe],
    DIRECTION_TEXT[strategy.direction],
    strategy.kind === 'futures' ? HOURS_TEXT[strategy.settings.session] : KINDS[strategy.kind].name,
  ]
    .filter(Boolean)
    .join(' · ')
}

/** Whether name, product, code or tag contains what was typed; full-width and case do not matter. */
export function matchesStrategy(strategy: Strategy, typed: string): boolean {
  const wanted = typed.normalize('NFKC').trim().toLowerCase()
  if (wanted === '') return true
  const own =
    strategy.kind === 'futures'
      ? [strategy.settings.product_code, ...Object.values(names(strategy.settings.product_code))]
      : strategy.settings.symbols
  return [strategy.name, tradedText(strategy), ...own, ...strategy.tags].some((text) =>
    text.normalize('NFKC').toLowerCase().includes(wanted),
  )
}

function names(code: string): Record<string, string> {
  const product = findProduct(code)
  return product ? { name: product.name, short: product.short_name, taifex: product.taifex_code } : {}
}
