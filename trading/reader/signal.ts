// From the parts of a message, each with its role, and what its words ask for, to a signal: what is left to find out hangs on the
// figures, on the strategy's settings and on the day (domain §§4.5, 4.6).
import type { Action, NormalSignal } from '../record.ts'
import { bounded, quantityOf, type Size, sizeSaid } from './amount.ts'
import { type AskedDirection, actionFor } from './direction.ts'
import { place } from './place.ts'
import { besidePosition, isOpening, ledByWords, positionAfter, positionBefore, wayOf } from './position.ts'
import { priceSaid } from './price.ts'
import type { Dedupe, Mapping, PayloadInput, PayloadStrategy, ReadOutcome, ReadSignal } from './shape.ts'
import { codeForPrice, type SymbolSaid, symbolSaid } from './symbol.ts'
import { extrasOf, first, readingOf, textOf, type Uses } from './uses.ts'
import { numberOf, Refusal, refusal } from './values.ts'
import { whenOf } from './when.ts'

/** What the words of a message come to, where its position afterwards is reported and where it is not. */
export interface Asking {
  /** The time is when it happened, not when a bar began. */
  printed: boolean
  mapping: Mapping | null
  ask(reported: number | null, size: Size, symbol: SymbolSaid | null): AskedDirection
  /** The position afterwards, where something else than a reported one says it. */
  after?(ask: AskedDirection, size: Size): number | null
}

/** What a refusal comes to; any other error is thrown on. */
export function notTaken(
  error: unknown,
  rest: Pick<
    Extract<ReadOutcome, { kind: 'rejected' }>,
    'normal' | 'secret' | 'body_without_secret' | 'reading'
  >,
): Extract<ReadOutcome, { kind: 'rejected' | 'ignored' }> {
  if (!(error instanceof Refusal)) throw error
  const { code, field, message: reason } = error
  return code === 'test' || code === 'not_a_trade'
    ? { kind: 'ignored', reason_code: code, reason, field, ...rest }
    : { kind: 'rejected', reason_code: code, reason, field, ...rest }
}

type Signal = Omit<Extract<ReadOutcome, { kind: 'signal' }>, 'secret' | 'body_without_secret'>

/** The signal; fills `normal` as far as it comes. Throws a Refusal. */
export function signalFrom(
  uses: Uses,
  normal: NormalSignal,
  { printed, mapping, ...asking }: Asking,
  { strategy, received_at, closed_days }: Omit<PayloadInput, 'body'>,
): Signal {
  normal.symbol_raw = String(first(uses, 'symbol', 'month')?.value ?? '').slice(0, 80)
  const when = whenOf(uses, printed, received_at, strategy.late_after_s)
  normal.occurred_at = when.occurred_at
  const symbol = symbolSaid(uses, when.occurred_at, strategy.kind)
  if (symbol) Object.assign(normal, { symbol: symbol.found.symbol, contract: symbol.found.contract })
  if (symbol === null && printed) codeForPrice(uses, strategy)
  const reported = positionAfter(uses, strategy, mapping)
  const size = sizeSaid(uses, strategy, mapping)
  const ask = asking.ask(reported, size, symbol)
  const after = reported ?? asking.after?.(ask, size) ?? null
  const before = positionBefore(uses, strategy, mapping) ?? reckonedBefore(ask, after, size, strategy)
  const action = after === null ? actionFor(ask, strategy, size.kind === 'size') : 'target'
  normal.action = action
  if (after === null) {
    besidePosition(uses, ask)
    ledByWords(uses, ask)
    if (size.kind === 'none') sideless(uses)
    if (ask.verb === 'reverse') countsOrder(uses)
  } else {
    agreesWith(ask, after, before)
    const counted = first(uses, 'contracts') && mapping === null && strategy.quantity_mode === 'signal'
    if (counted && size.kind === 'size' && before !== null && Math.abs(after - before) !== size.n)
      disagrees(size.key, after)
  }
  const placed = place(symbol, when.occurred_at, strategy, closed_days)
  Object.assign(normal, { symbol: placed.symbol, contract: placed.contract })
  // All is all, whatever size a template sends beside it.
  const { quantity, flags } = quantityOf(action, ask.verb === 'close_all' ? { kind: 'all' } : size, strategy)
  Object.assign(normal, { quantity, target_position: after, reported_prev: before })
  if (after !== null) bounded(after, first(uses, 'position', 'market_size')?.key ?? null, strategy)
  normal.price = priceSaid(uses, action, after !== null && after !== 0 && before === 0, strategy)
  const { extras: _, ...rest } = normal
  const signal: ReadSignal = {
    ...rest,
    symbol: placed.symbol,
    action,
    reason: reasonOf(action, ask),
    unit: strategy.unit,
  }
  return {
    kind: 'signal',
    normal,
    signal,
    time_given: when.given !== null,
    dedupe: dedupeOf(normal.external_id, when.given, mapping),
    flags: [...when.flags, ...placed.flags, ...flags],
    reading: readingOf(uses, null),
  }
}

/** The position's size without its side is no order's size, and the default would stand in for it. */
function sideless(uses: Uses): void {
  const said = first(uses, 'market_size')
  if (said && !first(uses, 'market_position', 'position') && numberOf(said.value) !== 0)
    throw refusal('missing_field', said, '只說了部位的大小：請一併送 market_position，或送出 quantity')
}

/** A reported position wins over neutral words; an order that could not lead to it contradicts it (domain §5.2: that is no trade). */
function agreesWith(ask: AskedDirection, after: number, before: number | null): void {
  const { verb, side, key } = ask
  if (verb === 'close_all' && side === null && after !== 0) disagrees(key, after)
  if (before !== null) {
    // Buying never makes a position smaller, and no exit makes one larger.
    const grows =
      side === null && (verb === 'exit' || verb === 'reduce') && Math.abs(after) > Math.abs(before)
    if (grows || (after - before) * wayOf(ask) < 0) disagrees(key, after)
  }
  if (side === null || verb === null) return
  const sign = side === 'long' ? 1 : -1
  if (isOpening(verb) ? Math.sign(after) !== sign : Math.sign(after) === -sign) disagrees(key, after)
}

/** Where the source stood before: the position afterwards without the order. null where the message does not say both. */
function reckonedBefore(
  ask: AskedDirection,
  after: number | null,
  size: Size,
  { quantity_mode }: PayloadStrategy,
): number | null {
  const way = ask.verb === 'reverse' ? 0 : wayOf(ask)
  return after === null || size.kind !== 'size' || quantity_mode === 'fixed' || way === 0
    ? null
    : after - way * size.n
}

function disagrees(key: string, after: number): never {
  const why = `動作與部位互相矛盾：${key} 說的方向到不了部位 ${after}，請檢查是哪一個不對`
  throw new Refusal('contradiction', key, why)
}

/** TradingView's contracts count the whole order, out of one side and into the other: not the new position's size. */
function countsOrder(uses: Uses): void {
  const said = first(uses, 'contracts')
  if (said)
    throw refusal('contradiction', said, '在反手時是委託的口數，不是新部位的大小：請一併送出 position_size')
}

function reasonOf(action: Action, ask: AskedDirection): string | null {
  if (action === 'reverse' && ask.side !== null) return ask.side === 'long' ? 'to_long' : 'to_short'
  return ask.forced ? 'forced' : null
}

/** An id alone repeats (a strategy's name): only id with time, or an id declared unique, is a key (ruling C7). */
function dedupeOf(id: string | null, time: string | null, mapping: Mapping | null): Dedupe {
  if (id !== null && mapping?.id_is_unique === true) return { by: 'id_time', key: id, unique: true }
  if (id !== null && time !== null) return { by: 'id_time', key: `${id}|${time}`, unique: false }
  return time === null ? null : { by: 'body' }
}

export function blankNormal(uses: Uses, received_at: string): NormalSignal {
  return {
    symbol_raw: '',
    symbol: null,
    contract: null,
    action: null,
    quantity: null,
    target_position: null,
    reported_prev: null,
    price: null,
    occurred_at: new Date(Date.parse(received_at)).toISOString(),
    external_id: textOf(uses, 'id', 200),
    timeframe: textOf(uses, 'timeframe', 10),
    note: textOf(uses, 'note', 200),
    extras: extrasOf(uses),
  }
}
