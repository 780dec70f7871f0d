/* What a record's net figure is made of, line by line, in exact decimals. Only lines that the record itself proves. */
import type { SignalRecord } from '#contract/signal.ts'
import { number, signed } from '#text/format.ts'
import { mul, roundHalfUpWhole, scaled, toNumber, toText, whole } from '#trading/decimal.ts'
import { ASSET_FACTS } from '#trading/kinds.ts'
import { findProduct } from '#trading/products.ts'

/** `value` NT$, signed; `detail` how it came about. */
export interface CostLine {
  label: string
  detail: string
  value: number
}

/** Lines and their sum (null when the record closed nothing: then only costs were booked). */
export interface CostLines {
  lines: CostLine[]
  net: number | null
}

/**
 * `average` the average price before this record, null when the device does not hold the record before.
 * The record carries the cost of its own order; what the entry had cost is the rest, so the lines always add up.
 * Where the gross is not proved (a partial close takes the oldest lots, not the average) the rest stands as one line.
 */
export function costsOf(record: SignalRecord, average: number | null): CostLines | null {
  const { realised_pnl: net, fee, tax } = record.derived
  if (net === null && fee === null && tax === null) return null
  const words = ASSET_FACTS[record.asset]
  const own: CostLine[] = []
  if (fee) own.push({ label: '手續費', detail: '這一筆', value: -fee })
  if (tax)
    own.push({
      label: words.tax,
      detail: [words.tax_rate, '這一筆'].filter(Boolean).join('，'),
      value: -tax,
    })
  if (net === null) return own.length > 0 ? { lines: own, net } : null
  const gross = grossOf(record, average)
  const cost = gross && scaled(gross.value) - scaled(net)
  if (record.derived.effect === 'reverse') {
    // Its own order also opens the other side, and only a part of that cost is in this figure.
    if (gross === null || cost === null || cost < 0n) return { lines: [], net }
    const both: CostLine = { label: '進出場的成本', detail: '手續費、稅、滑價', value: -toNumber(cost) }
    return { lines: cost > 0n ? [gross, both] : [gross], net }
  }
  const entry = cost === null ? -1n : cost - scaled(fee ?? 0) - scaled(tax ?? 0)
  if (gross === null || entry < 0n) {
    const rest = toNumber(scaled(net) + scaled(fee ?? 0) + scaled(tax ?? 0))
    return { lines: [{ label: '價差', detail: '先進先出，已扣進場成本', value: rest }, ...own], net }
  }
  const before: CostLine[] =
    entry > 0n ? [{ label: '進場時的成本', detail: '手續費、稅', value: -toNumber(entry) }] : []
  return { lines: [gross, ...own, ...before], net }
}

const CLOSES_ALL = new Set<SignalRecord['derived']['effect']>(['close', 'reverse'])

/** +25 點 × 10 元 × 5 口, for a record that closed everything that was held at once. */
function grossOf(record: SignalRecord, average: number | null): CostLine | null {
  const { effect, position_before, price_used } = record.derived
  const price = price_used ?? record.price
  if (!CLOSES_ALL.has(effect) || average === null || price === null || position_before === 0) return null
  const futures = record.asset === 'futures'
  const each = futures ? findProduct(record.symbol)?.point_value : 1
  if (each === undefined) return null
  const size = Math.abs(position_before)
  const points = position_before > 0 ? scaled(price) - scaled(average) : scaled(average) - scaled(price)
  const value = roundHalfUpWhole(mul(mul(points, scaled(each)), whole(size)))
  const text = signed(toText(points), (toText(points).split('.')[1] ?? '').length)
  const { priced, counted } = ASSET_FACTS[record.asset]
  const detail = [`${text} ${priced}`, futures && `${number(each)} 元`, `${number(size)} ${counted}`]
    .filter(Boolean)
    .join(' × ')
  return { label: '毛損益', detail, value: toNumber(value) }
}
