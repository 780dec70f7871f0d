/* Words of a strategy: what it trades, how, its state and what is wrong with it (domain §1, wire §4). */
import type { Strategy } from '#contract/strategy.ts'
import { KINDS } from '#trading/kinds.ts'
import { contractOfRule, findProduct, rollingWord, stockName } from '#trading/products.ts'
import { number, percent } from './format.ts'

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
const WARNING_TEXT: readonly [Strategy['warnings'][number], string][] = [
  ['expired', '契約已到期'],
  ['asks_short', '做空嗎？等你回答'],
  ['position_gap', '部位不一致'],
  ['held', '新格式等你確認'],
  ['rejected', '有訊息沒收下'],
  ['price_suspect', '價格可疑'],
  ['pending_price', '待補價'],
  ['missing', '序號有缺'],
  ['silent', '太久沒收到訊號'],
  ['no_webhook', '沒有 Webhook'],
]

/** The gravest warning in words, null without any. */
export function warningText({
  warnings,
  pending_price_count,
  price_suspect_count,
}: Pick<Strategy, 'warnings' | 'pending_price_count' | 'price_suspect_count'>): string | null {
  const [kind, text] = WARNING_TEXT.find(([kind]) => warnings.includes(kind)) ?? [null, null]
  const count =
    kind === 'pending_price' ? pending_price_count : kind === 'price_suspect' ? price_suspect_count : 0
  return count > 0 ? `${text} ${count}` : text
}

/** Contract of a record: C1 近月, C2 次月, 202612 12月, 202611W2 11月W2. */
export function contractText(contract: string | null): string {
  if (contract === null) return ''
  const rolling = rollingWord(contract)
  if (rolling !== null) return rolling
  return `${Number(contract.slice(4, 6))}月${contract.slice(6)}`
}

type Settings<K extends Strategy['kind']> = Extract<Strategy, { kind: K }>['settings']
/** What the settings of its own kind say of a strategy. */
interface Said {
  /** 大台 近月; up to two codes and +N; 不限代號. */
  traded: string
  /** What ends its line. */
  ends: string
  /** By what else it is found. */
  found_by: readonly string[]
  /** 日夜盤; null where its market has one session. */
  hours: string | null
  fee: string
}

const stockSaid =
  (kind: 'stock' | 'xq-stock') =>
  ({ symbols, commission_rate, commission_discount }: Settings<'stock' | 'xq-stock'>): Said => ({
    traded:
      symbols.length === 0
        ? '不限代號'
        : symbols.length === 1
          ? symbols.map(named).join('')
          : symbols.slice(0, 2).join('、') + (symbols.length > 2 ? ` +${symbols.length - 2}` : ''),
    ends: KINDS[kind].name,
    found_by: symbols,
    hours: null,
    fee: `${percent(commission_rate, 4)} × ${commission_discount}`,
  })

const SAID: { [K in Strategy['kind']]: (settings: Settings<K>) => Said } = {
  futures({ product_code, contract_rule, contract_month, session, fee_per_side }) {
    const product = findProduct(product_code)
    const contract = contractText(contractOfRule(contract_rule, contract_month))
    return {
      traded: `${product?.short_name ?? product_code} ${contract}`.trim(),
      ends: HOURS_TEXT[session],
      found_by: [product_code, ...(product ? [product.name, product.short_name, product.taifex_code] : [])],
      hours: HOURS_TEXT[session],
      fee: `${number(fee_per_side)} 元／口／單邊`,
    }
  },
  stock: stockSaid('stock'),
  'xq-stock': stockSaid('xq-stock'),
}

/** Kind and settings of a strategy belong together, which the types of a union do not carry through a table. */
export function saidOf({ kind, settings }: Pick<Strategy, 'kind' | 'settings'>): Said {
  return (SAID[kind] as (settings: Strategy['settings']) => Said)(settings)
}

/** What it trades. */
export function tradedText(strategy: Strategy): string {
  return saidOf(strategy).traded
}

/** 2330 台積電; the code alone while its name is not known here. */
function named(symbol: string): string {
  const name = stockName(symbol)
  return name === symbol ? symbol : `${symbol} ${name}`
}

/** The line under a name: 大台 近月 · 5 分 · 多空 · 日盤. */
export function strategyLine(strategy: Strategy): string {
  const { traded, ends } = saidOf(strategy)
  return [
    traded,
    strategy.timeframe && TIMEFRAME_TEXT[strategy.timeframe],
    // nobody has said it yet: one kept from before the field was asked
    !strategy.assumed?.includes('direction') && DIRECTION_TEXT[strategy.direction],
    ends,
  ]
    .filter(Boolean)
    .join(' · ')
}

/** Whether name, product, code or tag contains what was typed; full-width and case do not matter. */
export function matchesStrategy(strategy: Strategy, typed: string): boolean {
  const wanted = typed.normalize('NFKC').trim().toLowerCase()
  if (wanted === '') return true
  const { traded, found_by } = saidOf(strategy)
  return [strategy.name, traded, ...found_by, ...strategy.tags].some((text) =>
    text.normalize('NFKC').toLowerCase().includes(wanted),
  )
}

// What a copy is called until somebody names it.

/** The longest name of a strategy (wire §4), and of a group (wire §3). */
export const NAME_MOST = 60
const MARK = ' 複本'

/** 台指當沖 → 台指當沖 複本; a long name gives up its end for the mark. */
export function copyName(name: string): string {
  let kept = name
  while (kept.length + MARK.length > NAME_MOST) kept = Array.from(kept).slice(0, -1).join('')
  return kept.trimEnd() + MARK
}
