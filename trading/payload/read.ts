// One message read: from a body to a signal in normal form, or to a reason a trader can act on (domain §§4.5, 4.6, 4.8). The reader
// knows the message and the strategy's settings, never the position; what it is not certain of it refuses.
import { KINDS } from '../kinds.ts'
import type { Action, Flag, NormalSignal } from '../record.ts'
import { quantityOf, type Size, sizeSaid, tooMuch, tooMuchReason } from './amount.ts'
import { decode } from './decode.ts'
import { type AskedDirection, actionFor, askOf, missingAction } from './direction.ts'
import type { Message } from './formats/message.ts'
import { orderingOf } from './order-kind.ts'
import { place } from './place.ts'
import { placeholderIn, unfilled } from './placeholder.ts'
import { positionAfter, positionBefore } from './position.ts'
import { ledByWords } from './position-word.ts'
import { priceSaid } from './price.ts'
import { askByDefault } from './radar.ts'
import { quoted, Refusal } from './refusal.ts'
import type {
  Dedupe,
  Mapping,
  PayloadInput,
  PayloadStrategy,
  Reading,
  ReadOutcome,
  ReadReason,
  ReadSignal,
} from './shape.ts'
import { codeForPrice, symbolSaid } from './symbol.ts'
import { extrasOf, textOf } from './text.ts'
import { byRule } from './unparsed.ts'
import { every, first, readingOf, type Uses, usesOf } from './uses.ts'
import { numberOf } from './values.ts'
import { whenOf } from './when.ts'

export * from './shape.ts'

/** A reading with what it was made of: for a format that is proposed from it. */
export interface Inside {
  outcome: ReadOutcome
  message: Message | null
  uses: Uses | null
  /** What its words of direction say; null where they say nothing, or it did not come so far. */
  ask: AskedDirection | null
}

/** Reads a message. Never throws, whatever the body; received_at must be an ISO instant. */
export function readPayload(input: PayloadInput): ReadOutcome {
  return readInside(input).outcome
}

/** Reads a message, and says what the reading was made of. */
export function readInside(input: PayloadInput): Inside {
  const inside: Omit<Inside, 'outcome'> = { message: null, uses: null, ask: null }
  const outcome = readInto(inside, input)
  return { ...inside, outcome }
}

function readInto(inside: Omit<Inside, 'outcome'>, input: PayloadInput): ReadOutcome {
  const text = input.body.replace(/^\uFEFF/, '').trim()
  if (text === '')
    return rejected(null, input.body, null, [], 'empty', null, '訊息是空的：請在快訊的訊息欄貼上訊息範本')
  if (text.toUpperCase() === 'PING') return { kind: 'heartbeat' }
  const decoded = decode(text, input.body, input.mapping, input.loose)
  if (decoded.kind === 'unread')
    return rejected(null, decoded.clean, null, [], decoded.code, decoded.field, decoded.reason)
  if (decoded.kind === 'text') return byRule(decoded, input)
  return interpret(decoded, input, inside)
}

function interpret(message: Message, input: PayloadInput, inside: Omit<Inside, 'outcome'>): ReadOutcome {
  const uses = usesOf(message.leaves, input.mapping)
  Object.assign(inside, { message, uses })
  const normal = blankNormal(uses, input.received_at)
  try {
    return signalOf(message, uses, normal, input, inside)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { code, field, message: reason } = error
    const reading = readingOf(uses, code === 'unknown_field' ? field : null)
    const { secret, clean } = message
    if (code === 'test' || code === 'not_a_trade')
      return {
        kind: 'ignored',
        reason_code: code,
        reason,
        field,
        normal,
        secret,
        body_without_secret: clean,
        reading,
      }
    return rejected(secret, clean, normal, reading, code, field, reason)
  }
}

function signalOf(
  message: Message,
  uses: Uses,
  normal: NormalSignal,
  input: PayloadInput,
  inside: Omit<Inside, 'outcome'>,
): ReadOutcome {
  const { strategy, mapping, received_at, closed_days } = input
  if (uses.absent) {
    const { field, path } = uses.absent
    throw new Refusal(
      'missing_field',
      path,
      `訊息裡沒有欄位「${path}」（對應到 ${field}），而這個 webhook 只收這種格式：請修改欄位對應`,
    )
  }
  const ordering = orderingOf(uses, input.format, mapping)
  normal.symbol_raw = String(first(uses, 'symbol', 'month')?.value ?? '').slice(0, 80)
  const when = whenOf(uses, message.shape === 'line', received_at, strategy.late_after_s)
  normal.occurred_at = when.occurred_at
  const symbol = symbolSaid(uses, when.occurred_at, strategy.kind)
  if (symbol) Object.assign(normal, { symbol: symbol.found.symbol, contract: symbol.found.contract })

  if (symbol === null && message.shape === 'line') codeForPrice(uses, strategy)

  const after = positionAfter(uses, strategy, mapping)
  const size = sizeSaid(uses, strategy, mapping)
  const ask = wanted(uses, askOf(uses, input.format, mapping, ordering), after !== null, input)
  inside.ask = ask
  const before = positionBefore(uses, strategy, mapping) ?? reckonedBefore(ask, after, size, strategy)
  if (after === null) ledByWords(uses, ask)
  if (after === null && size.kind === 'none') {
    sideless(uses)
  }
  const action = after === null ? actionFor(ask, strategy, size.kind === 'size') : 'target'
  normal.action = action
  if (after !== null) {
    beforeOrAfter(uses, ask)
    agreesWith(ask, after, before)
    const counted = first(uses, 'contracts') && mapping === null && strategy.quantity_mode === 'signal'
    if (counted && size.kind === 'size' && before !== null && Math.abs(after - before) !== size.n)
      disagrees(size.key, after)
  } else if (ask.verb === 'reverse') countsOrder(uses)

  if (symbol === null && /^(?:command|cmd|op|operation|event|event_?type)$/i.test(ask.key))
    throw new Refusal(
      'missing_field',
      'symbol',
      `只有 ${ask.key}，不確定是不是這個策略的訊號：請加上欄位 symbol，例如 "symbol":"TXF1!"`,
    )
  const placed = place(symbol, when.occurred_at, strategy, closed_days)
  Object.assign(normal, { symbol: placed.symbol, contract: placed.contract })
  // All is all, whatever size a template sends beside it.
  const asked: Size = ask.verb === 'close_all' ? { kind: 'all' } : size
  const { quantity, flags } = quantityOf(action, asked, strategy)
  Object.assign(normal, { quantity, target_position: after, reported_prev: before })
  if (after !== null && tooMuch(after, strategy))
    throw new Refusal(
      'bad_quantity',
      first(uses, 'position', 'market_size')?.key ?? null,
      tooMuchReason('position_size', Math.abs(after), strategy),
    )
  normal.price = priceSaid(uses, action, after !== null && after !== 0 && before === 0, strategy)

  const all: Flag[] = [...when.flags, ...placed.flags, ...flags]
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
    secret: message.secret,
    body_without_secret: message.clean,
    flags: all,
    reading: readingOf(uses, null),
  }
}

/** What is asked for; where nothing is said, the strategy of XQ's radar says it. A reported position needs no words. */
function wanted(
  uses: Uses,
  ask: AskedDirection | null,
  reported: boolean,
  input: PayloadInput,
): AskedDirection {
  if (ask !== null) return ask
  const blank: AskedDirection = { verb: null, neutral: null, side: null, forced: false, key: 'action' }
  if (reported) return blank
  for (const said of every(uses, 'weak_action')) {
    const text = String(said.value)
    const variable = placeholderIn(text)
    if (variable) throw new Refusal('unresolved_placeholder', variable, unfilled(variable))
    if (/^(?:signal|order|訊號)$/i.test(said.key))
      throw new Refusal(
        'unknown_action',
        said.key,
        `看不懂動作${quoted(text)}（欄位 ${said.key}）：請改用 buy、sell、long_entry、long_exit、short_entry、short_exit 或 close_all`,
      )
  }
  if (!KINDS[input.strategy.kind].triggers) return missingAction()
  return askByDefault(textOf(uses, 'note', 200) ?? '', input.strategy)
}

/** A current position beside an order may be the one before it as well as the one after. */
function beforeOrAfter(uses: Uses, ask: AskedDirection): void {
  const said = every(uses, 'position').find(({ key, mapped }) => !mapped && /^current_?pos/i.test(key))
  if (said && (ask.verb !== null || ask.neutral !== null))
    throw new Refusal(
      'contradiction',
      said.key,
      `不確定欄位 ${said.key}${quoted(said.value)}是委託之前還是之後的部位：請改送 position_size（之後的部位），或拿掉它`,
    )
}

/** A reported position wins over neutral words; an entry or exit that could not lead to it contradicts it. */
export function agreesWith(ask: AskedDirection, after: number, before: number | null): void {
  const { verb, side, key } = ask
  if (verb === 'close_all' && side === null && after !== 0) disagrees(key, after)
  if (before !== null && movesWrong(ask, after, before)) disagrees(key, after)
  if (side === null || verb === null) return
  const sign = side === 'long' ? 1 : -1
  const wrong =
    verb === 'entry' || verb === 'add' || verb === 'reverse'
      ? Math.sign(after) !== sign
      : Math.sign(after) === -sign
  if (wrong) disagrees(key, after)
}

/** Buying never makes a position smaller, and no exit makes one larger (domain §5.2: anything else is no trade). */
function movesWrong({ verb, neutral, side }: AskedDirection, after: number, before: number): boolean {
  const opens = verb === 'entry' || verb === 'add' || verb === 'reverse'
  const up = neutral === 'buy' || (side !== null && verb !== null && opens === (side === 'long'))
  const down = neutral === 'sell' || (side !== null && verb !== null && opens !== (side === 'long'))
  if ((up && after < before) || (down && after > before)) return true
  return side === null && (verb === 'exit' || verb === 'reduce') && Math.abs(after) > Math.abs(before)
}

/** Where the source stood before: the position afterwards without the order. null where the message does not say both. */
export function reckonedBefore(
  { verb, neutral, side }: Pick<AskedDirection, 'verb' | 'neutral' | 'side'>,
  after: number | null,
  size: Size,
  { quantity_mode }: Pick<PayloadStrategy, 'quantity_mode'>,
): number | null {
  if (after === null || size.kind !== 'size' || quantity_mode === 'fixed' || verb === 'reverse') return null
  const opens = verb === 'entry' || verb === 'add'
  const up = neutral === 'buy' || (side !== null && verb !== null && opens === (side === 'long'))
  const down = neutral === 'sell' || (side !== null && verb !== null && opens !== (side === 'long'))
  return up === down ? null : after - (up ? size.n : -size.n)
}

export function disagrees(key: string, after: number): never {
  throw new Refusal(
    'contradiction',
    key,
    `動作與部位互相矛盾：${key} 說的方向到不了部位 ${after}，請檢查是哪一個不對`,
  )
}

/** The position's size without its side is no order's size, and the default would stand in for it. */
export function sideless(uses: Uses): void {
  const said = first(uses, 'market_size')
  if (said && !first(uses, 'market_position', 'position') && numberOf(said.value) !== 0)
    throw new Refusal(
      'missing_field',
      'market_position',
      `欄位 ${said.key}${quoted(said.value)}只說了部位的大小：請一併送 market_position，或送出 quantity`,
    )
}

/** TradingView's contracts count the whole order, out of one side and into the other: not the new position's size. */
export function countsOrder(uses: Uses): void {
  const said = first(uses, 'contracts')
  if (said)
    throw new Refusal(
      'contradiction',
      said.key,
      `反手時欄位 ${said.key}${quoted(said.value)}是委託的口數，不是新部位的大小：請一併送出 position_size`,
    )
}

export function reasonOf(action: Action, ask: AskedDirection): string | null {
  if (action === 'reverse' && ask.side !== null) return ask.side === 'long' ? 'to_long' : 'to_short'
  return ask.forced ? 'forced' : null
}

/** An id alone repeats (a strategy's name): only id with time, or an id declared unique, is a key (ruling C7). */
export function dedupeOf(id: string | null, time: string | null, mapping: Mapping | null): Dedupe {
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

function rejected(
  secret: string | null,
  body_without_secret: string,
  normal: NormalSignal | null,
  reading: Reading[],
  reason_code: ReadReason,
  field: string | null,
  reason: string,
): ReadOutcome {
  return { kind: 'rejected', reason_code, reason, field, normal, secret, body_without_secret, reading }
}
