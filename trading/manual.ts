// A signal entered by a person: what its fields mean for the strategy it is for, or which of them to change (domain §7.6, wire §6).
import { isOver } from './calendar.ts'
import { keyOf, type OpenKey, positionOf } from './fold/state.ts'
import { ASSET_FACTS, KINDS, UNIT_FACTS } from './kinds.ts'
import { contractOfRule, findProduct } from './products.ts'
import { place } from './reader/place.ts'
import type { PayloadStrategy } from './reader/shape.ts'
import { Refusal } from './reader/values.ts'
import { type Asset, type Facts, type Flag, type ManualAction, PRICE_MAX, type Unit } from './record.ts'
import { isStockCode } from './symbols.ts'
import type { FoldTerms } from './terms.ts'

/** How far ahead of the server's clock a person's time may be, and how long ago. */
const MANUAL_AHEAD_MS = 60_000
const MANUAL_YEARS = 5
/** An older one alarms nobody unless that is asked for. */
export const MANUAL_FRESH_MS = 3_600_000

/** As entered: `quantity` in `unit` (the strategy's own when absent), null where the action means all of it. */
export interface ManualEntry {
  action: ManualAction
  /** Product code of futures, code of a stock. */
  symbol: string
  /** C1, C2 or a month; the strategy's own when absent. */
  contract?: string | null | undefined
  price: number
  quantity: number | null
  unit?: Unit | undefined
  occurred_at: string
}

/** What becomes of it in the record. Quantities as in facts: lots or shares. */
export interface ManualOrder
  extends Pick<Facts, 'symbol' | 'contract' | 'action' | 'quantity' | 'unit' | 'target_position' | 'price'> {
  occurred_at: string
  flags: Flag[]
}

const UNKNOWN: Record<Asset, string> = {
  futures: '沒有這個期貨商品，請從清單選',
  stock: '股票代號不正確，例如 2330 或 0050',
}
const OF_STRATEGY: Record<Asset, string> = { futures: '它的商品', stock: '清單裡的代號' }
const OVER = '這個月份的契約在那時已經到期，請選還在交易的月份'

/** A field of the entry → what to change, in Chinese. */
export type ManualFaults = Partial<Record<keyof ManualEntry, string>>

/** Actions that go out of all there is: no quantity belongs to them. */
export const takesAll = (action: ManualAction): boolean => action === 'close_all' || action === 'reverse'
/** Actions that may leave out how much: all that is held. */
export const mayTakeAll = (action: ManualAction): boolean =>
  takesAll(action) || action === 'long_exit' || action === 'short_exit'

/**
 * Reads an entry under its strategy. `open`: the positions held now, which a reversal turns around; `now`: the server's clock, ISO.
 * Never throws for what somebody entered.
 */
export function readManual(
  entry: ManualEntry,
  strategy: PayloadStrategy,
  around: { terms: FoldTerms; open: readonly OpenKey[]; now: string },
): { order: ManualOrder } | { faults: ManualFaults } {
  const { terms, open, now } = around
  const faults: ManualFaults = {}
  const placed = placeOf(entry, strategy, terms.closed_days, faults)
  const when = timeOf(entry.occurred_at, now, strategy.late_after_s, faults)
  const size = sizeOf(entry, strategy, faults)
  if (!(entry.price > 0)) faults.price = '請輸入價格'
  else if (entry.price > PRICE_MAX) faults.price = '價格太大，請檢查小數點'
  if (!placed || !when || !size) return { faults }
  const { symbol, contract } = placed
  const order: ManualOrder = {
    symbol,
    contract,
    action: entry.action,
    ...size,
    target_position: null,
    price: entry.price,
    occurred_at: when.occurred_at,
    flags: [...when.flags, ...placed.flags],
  }
  if (entry.action === 'reverse') {
    const held = positionOf(open.find(({ key }) => key === keyOf({ symbol, contract }, terms)))
    if (held === 0) faults.action = '目前沒有部位，不能反手：請改用進場'
    order.action = 'target'
    order.target_position = -held
  }
  return Object.keys(faults).length > 0 ? { faults } : { order }
}

function placeOf(
  entry: ManualEntry,
  strategy: PayloadStrategy,
  closed_days: ReadonlySet<string>,
  faults: ManualFaults,
): { symbol: string; contract: string | null; flags: Flag[] } | null {
  const symbol = entry.symbol.trim().toUpperCase()
  const futures = KINDS[strategy.kind].asset === 'futures'
  if (futures ? !findProduct(symbol) : !isStockCode(symbol)) {
    faults.symbol = UNKNOWN[KINDS[strategy.kind].asset]
    return null
  }
  const contract = futures
    ? (entry.contract ?? contractOfRule(strategy.contract_rule, strategy.contract_month ?? 'C1'))
    : null
  if (contract !== null && isOver(contract, entry.occurred_at, closed_days)) {
    faults.contract = OVER
    return null
  }
  const found =
    contract === null
      ? ({ asset: 'stock', symbol, contract } as const)
      : ({ asset: 'futures', symbol, contract } as const)
  try {
    return place({ key: 'symbol', raw: symbol, found }, entry.occurred_at, strategy, closed_days)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.code === 'contract_ended') {
      faults.contract = OVER
      return null
    }
    const other = !futures || symbol !== strategy.product_code
    faults[other ? 'symbol' : 'contract'] = other
      ? `這個策略不收 ${symbol}：請選${OF_STRATEGY[KINDS[strategy.kind].asset]}，或在設定改為「接受並標示」`
      : '這個策略不收這個月份：請選它的月份，或在設定改為「接受並標示」'
    return null
  }
}

function timeOf(
  occurred_at: string,
  now: string,
  late_after_s: number,
  faults: ManualFaults,
): { occurred_at: string; flags: Flag[] } | null {
  const [at, received] = [Date.parse(occurred_at), Date.parse(now)]
  const oldest = new Date(received)
  oldest.setUTCFullYear(oldest.getUTCFullYear() - MANUAL_YEARS)
  if (Number.isNaN(at)) faults.occurred_at = '沒有這個時間，請檢查日期與時間'
  else if (at > received + MANUAL_AHEAD_MS) faults.occurred_at = '訊號時間不能晚於現在'
  else if (at < oldest.getTime()) faults.occurred_at = `訊號時間最早到 ${MANUAL_YEARS} 年前`
  if (faults.occurred_at !== undefined) return null
  // A device whose clock is a little ahead did not see the future.
  if (at > received) return { occurred_at: now, flags: [] }
  // a day that a month does not have is the one it runs into, written as such
  return {
    occurred_at: new Date(at).toISOString(),
    flags: received - at > late_after_s * 1_000 ? ['late'] : [],
  }
}

function sizeOf(
  { action, quantity, unit }: ManualEntry,
  strategy: PayloadStrategy,
  faults: ManualFaults,
): { quantity: number | null; unit: Unit } | null {
  const own = unit ?? strategy.unit
  const units = KINDS[strategy.kind].units
  if (!units.includes(own)) {
    const { name } = ASSET_FACTS[KINDS[strategy.kind].asset]
    faults.unit = `${name}以${units.map((one) => UNIT_FACTS[one].word).join('或')}計`
    return null
  }
  if (takesAll(action)) return { quantity: null, unit: own }
  if (quantity === null) {
    if (mayTakeAll(action)) return { quantity: null, unit: own }
    faults.quantity = '請輸入數量'
    return null
  }
  const amount = quantity * UNIT_FACTS[own].size
  const most = strategy.max_position * UNIT_FACTS[strategy.unit].size
  if (!Number.isInteger(quantity) || quantity < 1) faults.quantity = '數量要是 1 以上的整數'
  else if (amount > most)
    faults.quantity = `最多 ${sizeText(strategy.max_position, strategy.unit)}（策略的最大部位）`
  return faults.quantity === undefined ? { quantity: amount, unit: own } : null
}

const sizeText = (size: number, unit: Unit) => `${size.toLocaleString('en-US')} ${UNIT_FACTS[unit].word}`
