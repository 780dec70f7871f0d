// Closing lots first in, first out: each piece becomes a trade, or is left out while a price is missing.
import { taipeiDay } from '../calendar.ts'
import { sided, stockReturn, total } from '../costs.ts'
import { divFloor, divHalfUp, floorToWhole, mul, type Scaled, scaled, toNumber } from '../decimal.ts'
import { msOf } from '../instant.ts'
import type { Facts, Trade } from '../record.ts'
import type { FoldTerms } from '../terms.ts'
import { pointValue, saleTax, sideTax, slippageOf, tradingSessionOf } from './market.ts'
import type { Lot, OpenKey, Taken } from './state.ts'

export interface Closing {
  trades: Trade[]
  excluded: number
  /** Tax booked with the closing order; null while a price it needs is missing. */
  tax: Scaled | null
  net: Scaled
}

interface Piece {
  lot: Lot
  n: number
  day_trade: boolean
}

/** Takes `quantity` from the lots of an open key (mutating it); `fees` hands out the order's fee piece by piece. */
export function closeLots(
  open: OpenKey,
  quantity: number,
  facts: Facts,
  price: number | null,
  terms: FoldTerms,
  fees: (part: number) => Scaled | null,
): Closing {
  const pieces = takePieces(open, quantity, facts, terms)
  const exitTax = exitTaxes(pieces, open, facts, price, terms)
  const result: Closing = { trades: [], excluded: 0, tax: 0n, net: 0n }
  pieces.forEach((piece, i) => {
    const exitFee = fees(piece.n)
    const entryFee = takeFee(piece)
    const entryTax = takeTax(piece, open, terms)
    const tax = exitTax[i] ?? null
    // A short stock sale is taxed when it is bought back, because only then it is known whether it was a day trade.
    const booked = terms.asset === 'stock' && open.side === 'short' ? entryTax : tax
    result.tax = result.tax === null || booked === null ? null : result.tax + booked
    if (price === null || exitFee === null || entryFee === null || entryTax === null || tax === null) {
      result.excluded += 1
    } else {
      const trade = tradeOf(piece, open, facts, price, terms, [entryFee, exitFee, entryTax + tax])
      result.trades.push(trade)
      result.net += scaled(trade.net)
    }
    piece.lot.quantity -= piece.n
  })
  open.lots = open.lots.filter((lot) => lot.quantity > 0)
  return result
}

function takePieces(open: OpenKey, quantity: number, facts: Facts, terms: FoldTerms): Piece[] {
  const pieces: Piece[] = []
  const day = dayKey(open.symbol, facts.occurred_at, terms)
  let left = quantity
  for (const lot of open.lots) {
    if (left === 0) break
    const n = Math.min(left, lot.quantity)
    const same = dayKey(open.symbol, lot.at, terms) === day
    const allowed =
      terms.asset === 'futures' || open.side === 'short' || terms.stock?.allow_day_trade === true
    pieces.push({ lot, n, day_trade: same && allowed })
    left -= n
  }
  return pieces
}

/** Stock day trades go by the calendar date, futures by the trading date. */
function dayKey(symbol: string, at: string, terms: FoldTerms): string {
  return terms.asset === 'stock'
    ? taipeiDay(at)
    : tradingSessionOf({ symbol, occurred_at: at }, terms).trading_date
}

/** Tax of the closing side of each piece: for stock floored per rate over the order, then split. */
function exitTaxes(
  pieces: Piece[],
  open: OpenKey,
  facts: Facts,
  price: number | null,
  terms: FoldTerms,
): (Scaled | null)[] {
  if (price === null) return pieces.map(() => null)
  const p = scaled(price)
  if (terms.asset === 'futures') return pieces.map((piece) => sideTax(open.symbol, p, piece.n, terms))
  if (open.side === 'short') return pieces.map(() => 0n)
  const on = taipeiDay(facts.occurred_at)
  const group = (day_trade: boolean) => {
    const shares = pieces.reduce((sum, x) => sum + (x.day_trade === day_trade ? x.n : 0), 0)
    return splitter(saleTax(open.symbol, p, shares, on, day_trade, terms), shares)
  }
  const [day, overnight] = [group(true), group(false)]
  return pieces.map((piece) => (piece.day_trade ? day(piece.n) : overnight(piece.n)))
}

function takeFee({ lot, n }: Piece): Scaled | null {
  if (lot.fee === null || lot.fee_left === null) return null
  const part = partOf(scaled(lot.fee), lot.total, scaled(lot.fee_left), lot.quantity, n)
  lot.fee_left = toNumber(scaled(lot.fee_left) - part)
  return part
}

function takeTax(piece: Piece, open: OpenKey, terms: FoldTerms): Scaled | null {
  const { lot, n } = piece
  if (lot.price === null) return null
  if (terms.asset === 'stock' && open.side === 'short') {
    // Shares taxed at one rate pay the floored whole of that rate, whatever the pieces they were bought back in.
    const taken: Taken = piece.day_trade ? lot.short_day : lot.short_overnight
    const on = taipeiDay(lot.at)
    const due = saleTax(open.symbol, scaled(lot.price), taken.shares + n, on, piece.day_trade, terms)
    const part = due - scaled(taken.tax)
    taken.shares += n
    taken.tax = toNumber(due)
    return part
  }
  if (lot.tax === null || lot.tax_left === null) return null
  const part = partOf(scaled(lot.tax), lot.total, scaled(lot.tax_left), lot.quantity, n)
  lot.tax_left = toNumber(scaled(lot.tax_left) - part)
  return part
}

function tradeOf(
  { lot, n, day_trade }: Piece,
  open: OpenKey,
  facts: Facts,
  exit: number,
  terms: FoldTerms,
  [entryFee, exitFee, tax]: [Scaled, Scaled, Scaled],
): Trade {
  const entry = lot.price as number
  const [pe, px, m, q] = [scaled(entry), scaled(exit), pointValue(open.symbol, terms), BigInt(n)]
  const worth = (to: Scaled) => mul(sided(pe, to, open.side), m) * q
  const slippage = slippageOf(open.symbol, entry, exit, n, facts.occurred_at, terms)
  const c = total(worth(px), entryFee + exitFee, tax, slippage)
  // The range is that of the whole life, the entry (by not falling below 0) and the exit with it: no trade made more than its best.
  const seen = lot.high !== null && lot.low !== null ? [lot.high, lot.low, exit] : null
  const [high, low] = seen ? [Math.max(...seen), Math.min(...seen)] : [null, null]
  const best = open.side === 'long' ? high : low
  const worst = open.side === 'long' ? low : high
  return {
    id: tradeId(lot.signal_id, facts.id),
    round_trip_id: open.round_trip_id,
    symbol: open.symbol,
    contract: open.contract,
    side: open.side,
    quantity: n,
    entry_signal_id: lot.signal_id,
    entry_at: lot.at,
    entry_price: entry,
    exit_signal_id: facts.id,
    exit_at: facts.occurred_at,
    exit_price: exit,
    exit_trading_date: tradingSessionOf(facts, terms).trading_date,
    gross: toNumber(c.gross),
    fee: toNumber(c.fee),
    tax: toNumber(c.tax),
    slippage: toNumber(c.slippage),
    net: toNumber(c.net),
    return_pct: terms.asset === 'stock' ? stockReturn(c.net, pe, n, entryFee, open.side) : null,
    holding_minutes: heldMinutes(lot.at, facts.occurred_at),
    day_trade,
    max_run_up: best === null ? null : toNumber(atLeastZero(worth(scaled(best)))),
    max_drawdown: worst === null ? null : toNumber(atLeastZero(-worth(scaled(worst)))),
  }
}

/** The id of a trade: an exit closes each entry once. */
export function tradeId(entry_signal_id: string, exit_signal_id: string): string {
  return `${entry_signal_id}.${exit_signal_id}`
}

/** Minutes between two instants, to the millisecond and half up to 4 decimals: 45 seconds are 0.75. */
function heldMinutes(from: string, to: string): number {
  // Records of one second may have been folded in another order than their milliseconds say: then nobody held anything.
  const ms = Math.max(0, msOf(to) - msOf(from))
  return toNumber(divHalfUp(BigInt(ms), 6n))
}

function atLeastZero(value: Scaled): Scaled {
  return value < 0n ? 0n : value
}

// Splitting an order's whole-NT$ costs over its pieces: floor by quantity, remainder to the last, so totals match.
/** The next part of a total that began over `of` units, when `part` of the `left` units are taken; `rest` is untaken. */
export function partOf(total: Scaled, of: number, rest: Scaled, left: number, part: number): Scaled {
  if (part >= left) return rest
  const share = floorToWhole(divFloor(total * BigInt(part), BigInt(of)))
  return share > rest ? rest : share
}

/** Gives out the parts of a total in turn; null stays null (price missing). */
export function splitter(total: Scaled | null, of: number): (part: number) => Scaled | null {
  let rest = total ?? 0n
  let left = of
  return (part) => {
    if (total === null) return null
    const share = partOf(total, of, rest, left, part)
    rest -= share
    left -= part
    return share
  }
}
