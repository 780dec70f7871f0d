// The reader of messages that nobody has confirmed: from a body to what it may mean, or to a reason a trader can act on (domain §§4.5,
// 4.6, 4.8). What it finds is proposed to a person; it knows the message and the strategy's settings, never the position.

import { KINDS } from '../kinds.ts'
import type { Action, NormalSignal } from '../record.ts'
import { productIn, resolveSymbol } from '../symbols.ts'
import { quantityOf } from './amount.ts'
import {
  type AskedDirection,
  actionFor,
  askByDefault,
  askOf,
  missingAction,
  orderingOf,
} from './direction.ts'
import { blot, json, type Message, type TextReader, type UnreadMessage, unlicensed, unread } from './json.ts'
import { csv, eventLine, lines, pairs, readCells, sentence, words } from './lines.ts'
import { place, type SymbolSaid } from './place.ts'
import type { Mapping, PayloadInput, ReadOutcome, UnparsedRule } from './shape.ts'
import { blankNormal, notTaken, signalFrom } from './signal.ts'
import { cut, every, readingOf, textOf, type Uses, usesOf } from './uses.ts'
import { filled, priceOf, quoted, Refusal, refusal } from './values.ts'
import { isDoubted, isTrial, meaningOf, otherWord, says, saysPart } from './words.ts'

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
  const inside: Inside = { outcome: { kind: 'heartbeat' }, message: null, uses: null, ask: null }
  const text = input.body.replace(/^\uFEFF/, '').trim()
  if (text.toUpperCase() === 'PING') return inside
  const decoded: Decoded =
    text === ''
      ? { ...unread('empty', '訊息是空的：請在快訊的訊息欄貼上訊息範本'), clean: input.body }
      : decode(text, input.body, input.mapping, input.loose)
  const kept = { normal: null, secret: null, body_without_secret: decoded.clean, reading: [] }
  try {
    if (decoded.kind === 'unread') throw new Refusal(decoded.code, decoded.field, decoded.reason)
    inside.outcome = decoded.kind === 'text' ? byRule(decoded, input) : understand(decoded, input, inside)
  } catch (error) {
    inside.outcome = notTaken(error, kept)
  }
  return inside
}

function understand(message: Message, input: PayloadInput, inside: Inside): ReadOutcome {
  const uses = usesOf(message.leaves, input.mapping)
  Object.assign(inside, { message, uses })
  const normal = blankNormal(uses, input.received_at)
  const stored = { secret: message.secret, body_without_secret: message.clean }
  try {
    return { ...signalOf(message, uses, normal, input, inside), ...stored }
  } catch (error) {
    const refused = error instanceof Refusal && error.code === 'unknown_field' ? error.field : null
    return notTaken(error, { normal, ...stored, reading: readingOf(uses, refused) })
  }
}

function signalOf(message: Message, uses: Uses, normal: NormalSignal, input: PayloadInput, inside: Inside) {
  const { mapping } = input
  const ordering = orderingOf(uses, input.format, mapping)
  const printed = message.shape === 'line'
  const ask = (reported: number | null) => {
    const asked = wanted(uses, askOf(uses, input.format, mapping, ordering), reported !== null, input)
    inside.ask = asked
    // A current position beside an order may be the one before it as well as the one after.
    const current = every(uses, 'position').find(({ key, mapped }) => !mapped && /^current_?pos/i.test(key))
    if (reported !== null && current && (asked.verb !== null || asked.neutral !== null))
      throw refusal(
        'contradiction',
        current,
        '是委託之前還是之後的部位不確定：請改送 position_size，或拿掉它',
      )
    return asked
  }
  return signalFrom(uses, normal, { printed, mapping, ask }, input)
}

/** What is asked for; where nothing is said, the strategy of XQ's radar says it. A reported position needs no words. */
function wanted(
  uses: Uses,
  ask: AskedDirection | null,
  reported: boolean,
  input: PayloadInput,
): AskedDirection {
  if (ask !== null) return ask
  if (reported) return { verb: null, neutral: null, side: null, forced: false, key: 'action' }
  for (const said of every(uses, 'weak_action')) {
    filled(said)
    if (/^(?:signal|order|訊號)$/i.test(said.key))
      throw refusal('unknown_action', said, '：請改用 buy、sell、long_entry 或 close_all 等字', '看不懂動作')
  }
  if (!KINDS[input.strategy.kind].triggers) return missingAction()
  return askByDefault(textOf(uses, 'note', 200) ?? '', input.strategy)
}

// From a body to the leaves of one message, whatever it is written in and whatever its Content-Type said (domain §4.5, rule 4).
type Decoded =
  | Message
  | (UnreadMessage & { clean: string })
  /** Free text: only an unparsed rule can take it. */
  | { kind: 'text'; text: string; clean: string }

/** The formats in the order in which they are tried. */
const READERS: readonly TextReader[] = [...[json, sentence, pairs, lines, eventLine, csv, words]]

/** Reads a trimmed, non-empty body by the first format that fits; a mapping by cells makes any line readable. */
export function decode(whole: string, came: string, mapping: Mapping | null = null, loose = false): Decoded {
  const [text, body] = [unlicensed(whole), unlicensed(came)]
  const cells: TextReader = { read: () => readCells(text, body, mapping) }
  for (const reader of [...READERS, cells]) {
    const found = reader.read(text, body, loose)
    if (found) return found.kind === 'unread' ? { ...found, clean: found.clean ?? blot(body) } : found
  }
  return { kind: 'text', text: text.split(/\s+/).join(' '), clean: blot(body) }
}

// Free text: refused, unless the webhook says that any message means an entry or an exit of one symbol (body H; domain §4.8, rule 13).
const MARKUP = /^<(?:!doctype|html|\?xml|[a-z]+[ >])/i
const SIZED = /\d\s*(?:口|張|股|lots?\b|contracts?\b|shares?\b|手)/i
const HAN = { out: /出場|平倉|賣出|離場|停損|停利/, in: /進場|買進|做多|做空|放空|建倉|加碼/ }

/** The outcome of a text no format fits. Throws a Refusal. */
function byRule({ text, clean }: { text: string; clean: string }, input: PayloadInput): ReadOutcome {
  if (input.unparsed_rule) return entryOrExit(input.unparsed_rule, text, clean, input)
  filled({ value: text })
  const why = MARKUP.test(text)
    ? '這是網頁或 XML，不是訊號：請改用訊息範本'
    : isDoubted(text)
      ? '看不懂這則訊息，它像是說不動作、取消，或還不確定：要送訊號請改用訊息範本'
      : '看不懂這則訊息：請改用訊息範本，或在 Webhook 設定把「看不懂的訊息」一律當作進場或出場'
  throw new Refusal('unreadable', null, why)
}

/** What in a text speaks against the one action that any message stands for; null when nothing does. */
function against(text: string, action: Action, symbol: SymbolSaid, at: string): string | null {
  if (MARKUP.test(text)) return '是網頁，不是訊號'
  if (isDoubted(text)) return '像是說不動作、取消，或還不確定'
  if (SIZED.test(text) || saysPart(text)) return '寫了數量，「看不懂的訊息」只用預設數量'
  const enters = action.endsWith('entry')
  const other = enters ? 'out' : 'in'
  if (HAN[other].test(text) || (action !== 'short_entry' && says(text, other))) return '寫的是另一個動作'
  const isOther = (found: { symbol: string } | null) => found !== null && found.symbol !== symbol.found.symbol
  const product = productIn(text, at)
  if (product !== null && isOther(resolveSymbol(product, at))) return `寫的是另一個商品${quoted(product)}`
  const tokens = text.split(/[\s,，、;；:：()（）【】「」]+/).filter((token) => token !== '')
  for (const [i, token] of tokens.entries()) {
    const { verb, side, neutral } = meaningOf(token) ?? {}
    const out = verb === 'exit' || verb === 'close_all' || verb === 'reduce'
    const going = side ?? (neutral && (neutral === 'sell' ? 'short' : 'long'))
    if (
      ['test', 'not_a_trade', 'placed_stop'].includes(otherWord(token) ?? '') ||
      isTrial(token) ||
      (verb !== undefined && (verb === 'reverse' || out === enters)) ||
      (enters && going !== undefined && going !== action.replace('_entry', ''))
    )
      return `寫著${quoted(token)}`
    if ((i === 0 || /[A-Za-z]/.test(token)) && isOther(resolveSymbol(token, at)))
      return `寫的是另一個商品${quoted(token)}`
  }
  const verbs = tokens.flatMap((token) => meaningOf(token) ?? [])
  return !enters && verbs.length > 0 && verbs.every((one) => !one.verb) ? '只寫了方向' : null
}

function entryOrExit(
  rule: UnparsedRule,
  text: string,
  clean: string,
  { strategy, received_at, closed_days }: PayloadInput,
): ReadOutcome {
  const occurred_at = new Date(Date.parse(received_at)).toISOString()
  const raw = rule.symbol
  const found = resolveSymbol(raw, occurred_at)
  if (!found)
    throw new Refusal(
      'unknown_symbol',
      'symbol',
      `看不懂商品代號${quoted(raw)}：請修改「看不懂的訊息」當作的商品`,
    )
  const said = { key: 'symbol', raw, found }
  const { symbol, contract, flags } = place(said, occurred_at, strategy, closed_days)
  // The rule was set by a person: an entry without a side is the long one, as its form says.
  const side = rule.action === 'entry' && strategy.direction === 'both' ? 'long' : null
  const action = actionFor(
    { verb: rule.action, neutral: null, side, forced: false, key: 'action' },
    strategy,
    false,
  )
  const why = against(text, action, said, occurred_at)
  const is = action.endsWith('entry') ? '進場' : '出場'
  if (why !== null) {
    const what = `「看不懂的訊息」一律當作${is}，但這則訊息${why}：請改用訊息範本，或修改這項設定`
    throw new Refusal('contradiction', null, what)
  }
  const sized = quantityOf(action, { kind: 'none' }, strategy)
  const price = priceOf(/@ ?([\d.,]{1,20})/.exec(text)?.[1])
  const rest = {
    ...{ symbol_raw: raw, symbol, contract, action, occurred_at, quantity: sized.quantity },
    ...{ target_position: null, reported_prev: null, external_id: null, timeframe: null },
    price: price === 'bad' ? null : price,
    note: cut(clean.trim(), 200),
  }
  return {
    kind: 'signal',
    normal: { ...rest, extras: {} },
    signal: { ...rest, reason: null, unit: strategy.unit },
    ...{ time_given: false, dedupe: null, secret: null, body_without_secret: clean, reading: [] },
    flags: [...flags, ...sized.flags, 'no_source_time'],
  }
}
