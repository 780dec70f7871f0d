// The keys of the sheet: what a person can ask for, by what is held and what the strategy trades (domain §7.6).
import type { PositionGap, Strategy } from '#contract/strategy.ts'
import { ASKED, priceText } from '#text/row.ts'
import { MOVED } from '#text/signal.ts'
import type { OpenKey } from '#trading/fold/state.ts'
import { type LimitFacts, limitsOf, type NoLimit, noLimit, openAtAverage } from '#trading/foresee.ts'
import { assetOf, UNIT_FACTS, unitOf } from '#trading/kinds.ts'
import { takesAll } from '#trading/manual.ts'
import { contractMonths, contractOfRule } from '#trading/products.ts'
import type { Asset, ManualAction, Unit } from '#trading/record.ts'
import type { FoldTerms } from '#trading/terms.ts'

export interface ActionKey {
  action: ManualAction
  label: string
  /** The whole position: no quantity belongs to it. */
  whole?: true
}

type Held = Pick<Strategy, 'kind' | 'direction' | 'settings' | 'allow_pyramiding'>

/** In the order of the keys; `position` signed. */
export function actionKeys(position: number, strategy: Held): ActionKey[] {
  const asset = assetOf(strategy)
  const words = MOVED[asset]
  const { direction, allow_pyramiding } = strategy
  const may_short = direction !== 'long' && (asset === 'futures' || shorts(strategy.settings))
  if (position === 0) {
    const keys: ActionKey[] = []
    if (direction !== 'short') keys.push({ action: 'long_entry', label: words.open.long })
    if (may_short) keys.push({ action: 'short_entry', label: words.open.short })
    return keys
  }
  const long = position > 0
  const side = long ? 'long' : 'short'
  const keys: ActionKey[] = []
  if (allow_pyramiding) keys.push({ action: long ? 'long_entry' : 'short_entry', label: words.add[side] })
  keys.push({
    action: long ? 'long_exit' : 'short_exit',
    label: words.reduce[side],
  })
  keys.push({
    action: 'close_all',
    label: `${asset === 'stock' ? '全部' : ''}${words.close[side]}`,
    whole: true,
  })
  if (direction === 'both' && (!long || may_short))
    keys.push({ action: 'reverse', label: words.reverse[long ? 'short' : 'long'], whole: true })
  return keys
}

const shorts = (settings: object) => 'allow_day_trade' in settings && settings.allow_day_trade === true

/** What was asked for before stays among the keys, also where nothing is held any more that it could be done with. */
export function withAsked(keys: ActionKey[], asked: ManualAction): ActionKey[] {
  if (keys.some(({ action }) => action === asked)) return keys
  return [{ action: asked, label: ASKED[asked].word, ...(takesAll(asked) && { whole: true }) }, ...keys]
}

// What has been entered of a manual signal, as the sheet holds it.

export interface EntryDraft {
  symbol: string
  /** C1, C2 or a month of futures; null of stocks. */
  contract: string | null
  /** The key that is chosen; the first there is while none is. */
  action: ManualAction | null
  quantity: string
  unit: Unit
  price: string
  /** `YYYY-MM-DDTHH:mm` in Taipei; empty is now. */
  at: string
  note: string
  /** Whether whoever follows is told; null while nobody has said: then by its age. */
  notify: boolean | null
}

// Which month of its product an entry may be for: the strategy's own first, then what the server takes under its rule (rulings A28, C40).

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

// A price that nobody can have paid that day, in words: beyond limit up or limit down of the last known price. Where there are no
// limits it says why, and asks all the same: a digit too many looks like that, too.

type Of = { asset: Asset; symbol: string; trading_date: string }

const NONE: Record<NoLimit, string> = {
  foreign_etf: '國外成分 ETF 沒有漲跌幅限制',
  emerging: '興櫃沒有漲跌幅限制',
  new_twse: '上市前五日沒有漲跌幅限制',
  new_tpex: '上櫃前五日沒有漲跌幅限制',
}

/** Null when it lies within, or nothing is known. The limits hang on the last signal's price: they are an aid, not the exchange's. */
export function beyondLimits(
  price: number,
  reference: number | null,
  of: Of,
  terms: FoldTerms,
  facts: LimitFacts,
): string | null {
  const { symbol, trading_date } = of
  const limits = reference === null ? null : limitsOf(reference, { symbol, on: trading_date, terms })
  if (reference === null || !limits || !(price > 0)) return null
  if (price <= limits.up && price >= limits.down) return null
  const [way, word, limit] = price > limits.up ? ['高於', '漲停', limits.up] : ['低於', '跌停', limits.down]
  const reckoned = `${priceText(of, limit)}（以參考價 ${priceText(of, reference)} 推算）`
  const free = of.asset === 'stock' ? noLimit(symbol, trading_date, facts, terms.closed_days) : null
  return free
    ? `${way}一般的${word} ${reckoned}；${NONE[free]}，請確認價格。`
    : `${way}${word} ${reckoned}，請確認價格。`
}

// 補一筆: what was missed before a signal whose source stood elsewhere, as the sheet of a manual signal begins with it.

const MINUTE = 60_000

/** The positions that it would have met: only that of its own product is known. */
export function openBefore({ symbol, contract, held }: PositionGap, terms: FoldTerms): OpenKey[] {
  const position = { symbol, contract, quantity: held, avg_price: null, ref_at: null }
  return held === 0 ? [] : openAtAverage([position], '1970-01-01T00:00:00.000Z', terms)
}

/** Bought or sold, whatever was held: both lead anywhere the source may have gone. */
export function missingKeys(held: number): ActionKey[] {
  const keys: ActionKey[] = [
    { action: 'buy', label: '買進' },
    { action: 'sell', label: '賣出' },
  ]
  return held === 0 ? keys : [...keys, { action: 'close_all', label: '全部平倉', whole: true }]
}

/** The whole difference at once, in the minute before; its price only the person knows. */
export function missingDraft(gap: PositionGap, strategy: Strategy): Partial<EntryDraft> {
  const difference = gap.reported - gap.held
  const own = unitOf(strategy)
  const whole = Math.abs(difference) % UNIT_FACTS[own].size === 0
  const unit = whole ? own : 'share'
  const before = Math.floor((Date.parse(gap.occurred_at) - 1) / MINUTE) * MINUTE
  return {
    symbol: gap.symbol,
    ...(gap.contract && { contract: gap.contract }),
    action: difference > 0 ? 'buy' : 'sell',
    quantity: String(Math.abs(difference) / UNIT_FACTS[unit].size),
    unit,
    price: '',
    at: new Date(before + 8 * 60 * MINUTE).toISOString().slice(0, 16),
  }
}
