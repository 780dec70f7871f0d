/* A record as the rows of every screen show it: each text of ui/SignalRow, ready. */
import type { SignalRecord } from '#contract/signal.ts'
import { findProduct } from '#trading/products.ts'
import { stockTick, stockType } from '#trading/stocks.ts'
import { decimals, fixed, hms, number } from './format.ts'
import { positionText, quantityWords, type SignalState, signalWords, stateWords } from './signal.ts'
import { contractText } from './strategy.ts'
import { movedBy } from './voided.ts'

/** 大台 12月, 2603 長榮; of a void or correction of what was before one's first day nothing is known. */
export function productText(
  record: Pick<SignalRecord, 'asset' | 'symbol' | 'symbol_name' | 'contract'>,
): string {
  if (!record.symbol) return '先前的訊號'
  if (record.asset === 'stock')
    return record.symbol_name === record.symbol ? record.symbol : `${record.symbol} ${record.symbol_name}`
  const name = findProduct(record.symbol)?.short_name ?? record.symbol_name
  return `${name} ${contractText(record.contract)}`.trim()
}

/** A price with at least the decimals of its tick; what lies off the tick (an average) is not cut. */
export function priceText(
  record: Pick<SignalRecord, 'asset' | 'symbol' | 'trading_date'>,
  value: number,
): string {
  return number(value, Math.max(decimals(tickAt(record, value)), decimals(value)))
}

/** An average is written the same everywhere: with the decimals of its tick, and two at most where it lies between. */
export function averageText(
  record: Pick<SignalRecord, 'asset' | 'symbol' | 'trading_date'>,
  value: number,
): string {
  const least = decimals(tickAt(record, value))
  return number(value, Math.max(least, Math.min(2, decimals(fixed(value, 2)))))
}

function tickAt(
  { asset, symbol, trading_date }: Pick<SignalRecord, 'asset' | 'symbol' | 'trading_date'>,
  value: number,
): number {
  const product = asset === 'futures' ? findProduct(symbol) : null
  if (product && !product.tick_table) return product.tick
  return stockTick(value, product?.tick_table ?? stockType(symbol), trading_date)
}

/** The price that counts: a correction's, else the one it came with. */
export function priceOf({ price, derived }: Pick<SignalRecord, 'price' | 'derived'>): number | null {
  return derived.status === 'corrected' ? (derived.price_used ?? price) : (price ?? derived.price_used)
}

/** What an action asks for, before anything is known of what it did. */
export const ASKED: Record<SignalRecord['action'], { label: string; chip: string; seal: string }> = {
  buy: { label: '買進', chip: '買進', seal: '買' },
  sell: { label: '賣出', chip: '賣出', seal: '賣' },
  long_entry: { label: '多單進場', chip: '進場', seal: '多' },
  long_exit: { label: '多單出場', chip: '出場', seal: '多' },
  short_entry: { label: '空單進場', chip: '進場', seal: '空' },
  short_exit: { label: '空單出場', chip: '出場', seal: '空' },
  close_all: { label: '全部平倉', chip: '平倉', seal: '平' },
  target: { label: '目標部位', chip: '目標', seal: '標' },
  exit: { label: '出場', chip: '出場', seal: '平' },
  add: { label: '加碼', chip: '加碼', seal: '加' },
  reverse: { label: '反手', chip: '反手', seal: '反' },
}
/** What a row has room for. */
const REASON_SHOWN = 14

/** Why it was voided or corrected, in a word. */
function aboutState({ source, reason, note, symbol }: SignalRecord): SignalState {
  const told = !symbol ? '內容不顯示' : source === 'void' ? reason : note
  const text = told
    ? [...told].length > REASON_SHOWN
      ? `${[...told].slice(0, REASON_SHOWN).join('')}…`
      : told
    : '價格'
  return { text, icon: source === 'void' ? 'void' : 'edit', tone: 'quiet' }
}

/** Seal, chip and label; a void or correction is about another record and says so. */
export function wordsOf(record: SignalRecord): ReturnType<typeof signalWords> {
  if (record.source === 'void') return { label: '作廢', chip: '作廢', seal: '廢', solid: false }
  if (record.source === 'correction') return { label: '更正', chip: '更正', seal: '正', solid: false }
  const moved = movedBy(record)
  // What found nothing to do says what it had asked for.
  if (moved.effect === 'none') return { ...ASKED[record.action], solid: false }
  return signalWords(moved)
}

/** How much a record speaks of; a wished position is its own size, not 全部. */
export function amountOf({ action, quantity, target_position, unit }: SignalRecord) {
  const size = action === 'target' && target_position !== null ? Math.abs(target_position) : null
  return quantityWords(quantity ?? size, unit)
}

/** Texts of one row; the strategy's name is left out inside one strategy. */
export function rowOf(record: SignalRecord, strategy: string | null) {
  const { derived } = record
  const words = wordsOf(record)
  const about = record.source === 'void' || record.source === 'correction'
  const used = priceOf(record)
  const change = movedBy(record)
  const moved = change.effect !== 'none'
  const states = about ? [aboutState(record)] : stateWords({ ...record, status: derived.status }).slice(0, 2)
  if (!about && !moved && derived.none_reason && derived.status !== 'voided')
    states.splice(
      0,
      2,
      { text: `未動作：${derived.none_reason}`, icon: 'info', tone: 'plain' },
      ...states.slice(0, 1),
    )
  return {
    seal: words.seal,
    solid: words.solid,
    action: words.chip,
    product: productText(record),
    ...(about ? {} : amountOf(record)),
    price: used === null ? (about ? '' : null) : priceText(record, used),
    time: hms(record.occurred_at),
    dateTime: record.occurred_at,
    strategy,
    states,
    before: moved ? positionText(change.position_before, record.asset) : null,
    after: moved ? positionText(change.position_after, record.asset) : null,
    pnl: derived.status === 'voided' ? null : derived.realised_pnl,
    voided: derived.status === 'voided',
  }
}
