// One signal against one open position: where it goes, what closes, what opens, what it cost.
import { msOf, taipeiDay } from '../calendar.ts'
import {
  orderFee,
  pointValue,
  saleTax,
  sided,
  sideTax,
  slippageOf,
  stockReturn,
  tickOf,
  total,
  tradingSessionOf,
} from '../costs.ts'
import { divFloor, divHalfUp, floorToWhole, mul, type Scaled, scaled, toNumber } from '../decimal.ts'
import { onTick } from '../products.ts'
import type { DerivedWithFlags, Facts, Flag, RecordStatus, Trade } from '../record.ts'
import type { FoldTerms } from '../terms.ts'
import { type Item, isSuspect } from './sequence.ts'
import {
  contractOf,
  effectOf,
  keyOf,
  type Lot,
  monthOf,
  type OpenKey,
  positionOf,
  sideOf,
  type Taken,
} from './state.ts'

// Closing lots first in, first out: each piece becomes a trade, or is left out while a price is missing.

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
function closeLots(
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

export interface Stepped {
  /** The position afterwards, null when flat. */
  open: OpenKey | null
  derived: DerivedWithFlags
  trades: Trade[]
  excluded: number
  net: Scaled
}

/** A signal with its effective price, judged. */
export type Stepping = Pick<Item, 'facts' | 'price' | 'corrected' | 'out_of_order' | 'known'>

/** Applies a signal to a position, which is changed in place. A price in doubt moves the position and counts as none. */
export function step(open: OpenKey | undefined, item: Stepping, terms: FoldTerms): Stepped {
  const { facts } = item
  const price = isSuspect(item) ? null : item.price
  const p = positionOf(open)
  const intent = intend(p, facts, terms)
  const to = intent.to
  const closing = Math.sign(to) === Math.sign(p) ? Math.max(0, Math.abs(p) - Math.abs(to)) : Math.abs(p)
  const opening = Math.abs(to) - (Math.abs(p) - closing)
  const quantity = closing + opening
  const fee = price === null || quantity === 0 ? null : orderFee(facts.symbol, scaled(price), quantity, terms)
  const fees = splitter(fee, quantity)

  const closed = open && closing > 0 ? closeLots(open, closing, facts, price, terms, fees) : null
  let after = open && open.lots.length > 0 ? open : null
  if (after && price !== null) seen(after, facts, price)
  let openTax: Scaled | null = price === null ? null : 0n
  if (opening > 0) {
    if (price !== null) openTax = sideTax(facts.symbol, scaled(price), opening, terms)
    const lot = newLot(facts, price, opening, fees(opening), openTax)
    after ??= newKey(facts, to > 0 ? 'long' : 'short', price, terms)
    after.lots.push(lot)
  }
  if (after) after.month = monthOf(facts)

  const tax = closed ? (closed.tax === null || openTax === null ? null : closed.tax + openTax) : openTax
  const derived: DerivedWithFlags = {
    status: statusOf(item, quantity),
    effect: effectOf(p, to),
    none_reason: to === p ? intent.none_reason : null,
    side: sideOf(to),
    position_before: p,
    position_after: to,
    avg_price_after: averageOf(after),
    price_used: price,
    realised_pnl: closed && closed.excluded === 0 ? toNumber(closed.net) : null,
    fee: fee === null ? null : toNumber(fee),
    tax: quantity === 0 || tax === null ? null : toNumber(tax),
    flags: flagsOf(item, p, intent, terms),
  }
  const { trades, excluded, net } = closed ?? { trades: [], excluded: 0, net: 0n }
  return { open: after, derived, trades, excluded, net }
}

function statusOf(item: Stepping, quantity: number): RecordStatus {
  if (quantity > 0 && item.price === null) return 'pending_price'
  if (quantity > 0 && isSuspect(item)) return 'price_suspect'
  // Given the price that it came with it is confirmed, and nothing of it is another now.
  return item.corrected && item.price !== item.facts.price ? 'corrected' : 'ok'
}

/** Weighted entry price of the open lots, half up to 4 decimals; null when flat or a price is missing. */
export function averageOf(open: OpenKey | null): number | null {
  if (!open) return null
  const [only] = open.lots
  if (only && open.lots.length === 1) return only.price
  let sum = 0n
  let count = 0n
  for (const lot of open.lots) {
    if (lot.price === null) return null
    sum += scaled(lot.price) * BigInt(lot.quantity)
    count += BigInt(lot.quantity)
  }
  return count === 0n ? null : toNumber(divHalfUp(sum, count))
}

function flagsOf(item: Stepping, p: number, { over_max, asks_short }: Intent, terms: FoldTerms): Flag[] {
  const { facts, price, out_of_order } = item
  // In the order of FLAGS.
  const flags: Flag[] = []
  if (out_of_order) flags.push('out_of_order')
  if (facts.reported_prev !== null && facts.reported_prev !== p) flags.push('position_gap')
  if (price !== null) {
    const tick = tickOf(facts.symbol, price, taipeiDay(facts.occurred_at), terms)
    if (!onTick(scaled(price), tick)) flags.push('off_tick')
  }
  if (isSuspect(item)) flags.push('price_suspect')
  if (tradingSessionOf(facts, terms).session === 'closed') flags.push('outside_session')
  if (over_max) flags.push('over_max_position')
  if (asks_short) flags.push('asks_short')
  return flags
}

/** A signal price seen while lots are open: the reference price, and the range inside each lot's life. */
function seen(open: OpenKey, facts: Facts, price: number): void {
  open.ref_price = price
  open.ref_at = facts.occurred_at
  for (const lot of open.lots) {
    lot.high = lot.high === null ? price : Math.max(lot.high, price)
    lot.low = lot.low === null ? price : Math.min(lot.low, price)
  }
}

function newKey(facts: Facts, side: 'long' | 'short', price: number | null, terms: FoldTerms): OpenKey {
  return {
    key: keyOf(facts, terms),
    symbol: facts.symbol,
    contract: contractOf(facts, terms),
    side,
    round_trip_id: facts.id,
    ref_price: price,
    ref_at: price === null ? null : facts.occurred_at,
    month: null,
    lots: [],
  }
}

function newLot(
  facts: Facts,
  price: number | null,
  quantity: number,
  fee: Scaled | null,
  tax: Scaled | null,
): Lot {
  const money = (value: Scaled | null) => (value === null ? null : toNumber(value))
  return {
    signal_id: facts.id,
    at: facts.occurred_at,
    price,
    quantity,
    total: quantity,
    fee: money(fee),
    fee_left: money(fee),
    tax: money(tax),
    tax_left: money(tax),
    short_day: { shares: 0, tax: 0 },
    short_overnight: { shares: 0, tax: 0 },
    high: null,
    low: null,
  }
}

// Where a signal wants the position to go, after the strategy's limits (domain §5.3, rule 2).
interface Intent {
  to: number
  /** Why nothing happens, when to equals the position before. */
  none_reason: string | null
  over_max: boolean
  /** It would have gone short, and nobody has said yet whether the strategy does. */
  asks_short: boolean
}

/** The position a signal leads to from position p. A signal with unknown target or nothing to close stays at p. */
function intend(p: number, facts: Facts, terms: FoldTerms): Intent {
  const wanted = want(p, facts, terms)
  if (typeof wanted === 'string') return { to: p, none_reason: wanted, over_max: false, asks_short: false }
  let to = wanted
  let reason = '部位已是目標'
  // An order to the forbidden side only closes; to the side that nobody has spoken of as well, until somebody does.
  const asks_short = terms.asks_short === true && to < 0
  if (asks_short) [to, reason] = [0, '還沒回答這個策略做不做空']
  if (terms.direction === 'long' && to < 0) [to, reason] = [0, '策略只做多']
  if (terms.direction === 'short' && to > 0) [to, reason] = [0, '策略只做空']
  if (!terms.allow_reversal && p !== 0 && Math.sign(to) === -Math.sign(p)) to = 0
  const over_max = Math.abs(to) > terms.max_position
  if (over_max) [to, reason] = [Math.sign(to) * terms.max_position, '已達最大部位']
  return { to, none_reason: to === p ? reason : null, over_max, asks_short }
}

/** The wished position without limits, or the reason why the signal does nothing. */
function want(p: number, facts: Facts, terms: FoldTerms): number | string {
  const q = facts.quantity ?? terms.default_quantity
  switch (facts.action) {
    case 'buy':
      return p > 0 ? add(p, q, terms) : p + q
    case 'sell':
      return p < 0 ? add(p, -q, terms) : p - q
    case 'long_entry':
      return p > 0 ? add(p, q, terms) : q
    case 'short_entry':
      return p < 0 ? add(p, -q, terms) : -q
    case 'long_exit':
      return p <= 0 ? '無多單可平' : p - Math.min(facts.quantity ?? p, p)
    case 'short_exit':
      return p >= 0 ? '無空單可平' : p + Math.min(facts.quantity ?? -p, -p)
    case 'close_all':
      return p === 0 ? '無部位可平' : 0
    // The side is the held one's (domain §5.3): an exit closes at most what is held, whatever it asks for.
    case 'exit':
      return p === 0 ? '無部位可平' : p - Math.sign(p) * Math.min(facts.quantity ?? Math.abs(p), Math.abs(p))
    case 'add':
      return p === 0 ? '無部位可加碼' : add(p, Math.sign(p) * q, terms)
    case 'reverse':
      return reversed(p, facts)
    case 'target':
      return facts.target_position ?? '缺少目標部位'
  }
}

/** To the other side; a message that says which side it must end on turns nothing that is there already. */
function reversed(p: number, facts: Facts): number | string {
  if (p === 0) return '無部位可反手'
  if (facts.reason === 'to_long' && p > 0) return '已是多單'
  if (facts.reason === 'to_short' && p < 0) return '已是空單'
  return -Math.sign(p) * (facts.quantity ?? Math.abs(p))
}

function add(p: number, q: number, terms: FoldTerms): number | string {
  return terms.allow_pyramiding ? p + q : '已有部位，未允許加碼'
}
