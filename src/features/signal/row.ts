/* A record as the row shows it: every text of ui/SignalRow, ready. */
import type { SignalRecord } from '#contract/signal.ts'
import { decimals, hms, number } from '#text/format.ts'
import { positionText, quantityWords, signalWords, stateWords } from '#text/signal.ts'
import { contractText } from '#text/strategy.ts'
import { findProduct } from '#trading/products.ts'
import { stockTick, stockType } from '#trading/stocks.ts'

/** 大台 12月, 2603 長榮. */
export function productText(
  record: Pick<SignalRecord, 'asset' | 'symbol' | 'symbol_name' | 'contract'>,
): string {
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
  const product = record.asset === 'futures' ? findProduct(record.symbol) : null
  const tick =
    product && !product.tick_table
      ? product.tick
      : stockTick(value, product?.tick_table ?? stockType(record.symbol), record.trading_date)
  return number(value, Math.max(decimals(tick), decimals(value)))
}

/** Seal, chip and label; a void or correction is about another record and says so. */
export function wordsOf(record: SignalRecord): ReturnType<typeof signalWords> {
  if (record.source === 'void') return { label: '作廢', chip: '作廢', seal: '廢', solid: false }
  if (record.source === 'correction') return { label: '更正', chip: '更正', seal: '正', solid: false }
  return signalWords({ asset: record.asset, ...record.derived })
}

/** Texts of one row; `strategy` stands in the second line, inside one strategy its name gives way to the note. */
export function rowOf(record: SignalRecord, strategy: string | null) {
  const { derived } = record
  const words = wordsOf(record)
  const about = record.source === 'void' || record.source === 'correction'
  const used = record.price ?? derived.price_used
  const moved = derived.effect !== 'none'
  const states = stateWords({ ...record, status: derived.status }).slice(0, 2)
  if (!moved && derived.none_reason && derived.status !== 'voided' && states.length < 2)
    states.push({ text: derived.none_reason, icon: 'info', tone: 'plain' })
  return {
    seal: words.seal,
    solid: words.solid,
    action: words.chip,
    product: productText(record),
    ...(about ? {} : quantityWords(record.quantity, record.unit)),
    price: used === null ? (about ? '' : null) : priceText(record, used),
    time: hms(record.occurred_at),
    dateTime: record.occurred_at,
    strategy,
    states,
    before: moved ? positionText(derived.position_before, record.asset) : null,
    after: moved ? positionText(derived.position_after, record.asset) : null,
    pnl: derived.status === 'voided' ? null : derived.realised_pnl,
    voided: derived.status === 'voided',
  }
}
