// Which way a message goes: its verbs, sides and switches put together, beside what it says of how the order is placed, of what became
// of it, and whether it is only a test (domain §4.5, rule 7; §4.8, rules 2, 3, 8 and 10).
import { KINDS } from '../kinds.ts'
import type { Action, Direction } from '../record.ts'
import { besidePosition } from './amount.ts'
import type { Mapping, PayloadFormat, PayloadStrategy } from './shape.ts'
import { every, first, type Said, type Uses } from './uses.ts'
import { filled, placeholderIn, quoted, Refusal, refusal, switchOf } from './values.ts'
import {
  contentOf,
  creditOf,
  type HeldSide,
  inWords,
  isDoubted,
  isTrial,
  keyName,
  type Meaning,
  meaningOf,
  meaningOfAction,
  openCloseOf,
  otherWord,
  says,
  type Verb,
  wordOf,
} from './words.ts'

/** What a message asks for, before any size: `buy`/`sell` where neither verb nor side is said. */
export interface AskedDirection {
  verb: Verb | null
  neutral: 'buy' | 'sell' | null
  side: HeldSide | null
  forced: boolean
  /** The leaf that said it first. */
  key: string
}

interface Told {
  said: Said
  meaning: Meaning
}

/** Fields that name a side of the position, not of the order: they say nothing about going in or out. */
const OF_POSITION: ReadonlySet<string> = new Set(['position_side', 'sentiment', 'credit'])

/** Everything the message says about its direction; null when it says nothing. Throws a Refusal. */
export function askOf(
  uses: Uses,
  format: PayloadFormat,
  mapping: Mapping | null,
  ordering: ReadonlyMap<Said, Meaning>,
): AskedDirection | null {
  const told = tell(uses, format, mapping, ordering)
  const out = switches(uses)
  const [one] = told
  if (one === undefined) {
    if (out === null || out.what === 'open') return null
    throw refusal(
      'missing_field',
      out.said,
      '要平倉，但訊息沒有動作：請加上欄位 action，例如 "action":"sell"',
    )
  }
  const ask: AskedDirection = { verb: null, neutral: null, side: null, forced: false, key: one.said.key }
  let bare = false
  for (const { meaning, said } of told) {
    if (/^強/.test(String(said.value))) ask.forced = true
    if (meaning.verb) ask.verb = joinVerbs(ask.verb, meaning.verb, told)
    if (meaning.neutral) ask.neutral = agree(ask.neutral, meaning.neutral, told)
    if (meaning.side) ask.side = agree(ask.side, meaning.side, told)
    if (meaning.side && !meaning.verb && !OF_POSITION.has(said.field)) bare = true
    if (said.field === 'action' || said.mapped) ask.key = said.key
  }
  ask.side = besidePosition(uses, ask)
  return settle(ask, bare, out, told)
}

function tell(
  uses: Uses,
  format: PayloadFormat,
  mapping: Mapping | null,
  ordering: ReadonlyMap<Said, Meaning>,
): Told[] {
  const all = every(
    uses,
    ...(['action', 'side', 'position_side', 'sentiment', 'credit', 'weak_action', 'order_kind'] as const),
  )
  return all.flatMap((said) => {
    const weak = (said.field === 'weak_action' || said.field === 'order_kind') && !said.mapped
    const meaning = weak ? ordering.get(said) : word(said, format, mapping)
    return meaning ? [{ said, meaning }] : []
  })
}

function word(said: Said, format: PayloadFormat, mapping: Mapping | null): Meaning | null {
  const text = filled(said)
  if (said.field === 'credit' && /零股|整股/.test(text)) throw doubt(said)
  if (said.field === 'credit') return creditOf(text) ?? null
  const meaning = ownMeaning(text, mapping) ?? meaningOf(text, format === 'multicharts')
  const spelled = wordOf(text)
  if (meaning && said.field === 'sentiment') {
    // Flat is where the position ends, whatever size stands beside it.
    if (meaning.verb === 'exit') return { verb: 'close_all' }
    if (spelled === 'bullish' || spelled === 'bearish')
      return { side: spelled === 'bullish' ? 'long' : 'short' }
  }
  if (meaning) return meaning
  if (said.field !== 'action' && ['both', 'net', 'none', 'neutral', 'auto'].includes(spelled)) return null
  throw refusal('unknown_action', said, `：${OURS}，或在訊息格式裡說明這個字的意思`, '看不懂動作')
}

const OURS = '請改用 buy、sell、long_entry、long_exit、short_entry、short_exit 或 close_all'

/** What the webhook's own dictionary says of a word; null when it does not know it. */
function ownMeaning(text: string, mapping: Mapping | null): Meaning | null {
  if (!mapping) return null
  const spelled = wordOf(text)
  const hit = Object.entries(mapping.words).find(([key]) => wordOf(key) === spelled)
  return hit ? meaningOfAction(hit[1]) : null
}

function settle(
  ask: AskedDirection,
  bare: boolean,
  out: Switched | null,
  told: readonly Told[],
): AskedDirection {
  const going = ask.neutral === 'buy' ? 'long' : ask.neutral === 'sell' ? 'short' : null
  if (out) {
    const [verb, ...others] = SWITCHED[out.what]
    if (ask.verb === null || out.what === 'reverse') {
      if (ask.verb !== null && !others.includes(ask.verb) && ask.verb !== verb) contradict(told, out)
      ask.verb = verb
    } else if (ask.verb !== verb && !others.includes(ask.verb)) contradict(told, out)
  }
  switch (ask.verb) {
    case null:
      // Buying what is long opens it, selling what is long closes it: so hedging uses say it.
      if (ask.neutral !== null && ask.side !== null) {
        if (going !== ask.side && bare) contradict(told, out)
        ask.verb = going === ask.side ? 'entry' : 'exit'
        ask.neutral = null
      } else if (ask.side !== null && bare) ask.verb = 'entry'
      else if (ask.side !== null) throw new Refusal('missing_field', ask.key, WITHOUT_VERB)
      return ask
    case 'entry':
    case 'add':
    case 'reverse':
      if (going !== null && ask.side !== null && going !== ask.side) contradict(told, out)
      ask.side ??= going
      break
    case 'exit':
    case 'close_all':
    case 'reduce':
      // An exit is named by the side it leaves: selling leaves a long position.
      if (going !== null && ask.side !== null && going === ask.side) contradict(told, out)
      if (going !== null) ask.side ??= going === 'long' ? 'short' : 'long'
  }
  ask.neutral = null
  return ask
}

const WITHOUT_VERB = '只說了部位的方向，沒有說進場或出場：請加上欄位 action，例如 "action":"buy"'
/** The verb of a switch, and the verbs that it may stand beside. */
const SWITCHED: Readonly<Record<Switched['what'], readonly [Verb, ...Verb[]]>> = {
  reverse: ['reverse', 'entry'],
  close: ['exit', 'close_all', 'reduce'],
  open: ['entry', 'add'],
}

/** Verbs that say the same, the narrower one wins; others contradict each other. */
function joinVerbs(a: Verb | null, b: Verb, told: readonly Told[]): Verb {
  if (a === null || a === b) return b
  for (const pair of ['exit close_all', 'exit reduce', 'entry add', 'entry reverse'])
    if (pair === `${a} ${b}` || pair === `${b} ${a}`) return pair.split(' ')[1] as Verb
  return contradict(told)
}

function agree<T>(a: T | null, b: T, told: readonly Told[]): T {
  return a === null || a === b ? b : contradict(told)
}

function contradict(told: readonly Told[], out: Switched | null = null): never {
  const all = [...told, ...(out ? [out] : [])].map(({ said }) => `${said.key}${quoted(said.value)}`)
  const key = told[0]?.said.key ?? null
  throw new Refusal('contradiction', key, `方向的寫法互相矛盾：${all.join('、')}，請改成一致`)
}

/** The action of an ask; `sized`: the message gives a quantity that counts. Throws a Refusal where a side is missing. */
export function actionFor(ask: AskedDirection, strategy: PayloadStrategy, sized: boolean): Action {
  switch (ask.verb) {
    case null:
      return ask.neutral ?? missingAction()
    case 'entry':
      return entryOf(ask.side ?? only(strategy.direction) ?? missingSide(ask.key))
    case 'add':
      return ask.side === null ? 'add' : entryOf(ask.side)
    case 'reverse':
      return 'reverse'
    case 'target':
      throw new Refusal('missing_field', 'position_size', '目標部位要一併送出部位：請加上欄位 position_size')
    case 'reduce':
      return ask.side === null ? 'exit' : exitOf(ask.side)
    case 'exit':
      if (ask.side !== null) return exitOf(ask.side)
      return sized && strategy.quantity_mode !== 'fixed' ? 'exit' : 'close_all'
    case 'close_all':
      return ask.side === null ? 'close_all' : exitOf(ask.side)
  }
}

const only = (direction: Direction): HeldSide | null => (direction === 'both' ? null : direction)
const entryOf = (side: HeldSide): Action => (side === 'long' ? 'long_entry' : 'short_entry')
const exitOf = (side: HeldSide): Action => (side === 'long' ? 'long_exit' : 'short_exit')

function missingSide(key: string): never {
  const why = '進場沒有說多或空：請改用 long_entry 或 short_entry（新買、新賣），或加上欄位 side'
  throw new Refusal('missing_field', key, why)
}

export function missingAction(): never {
  throw new Refusal('missing_field', 'action', '訊息缺少動作：請加上欄位 action，例如 "action":"buy"')
}

// Switches beside an order that say whether it opens, closes or turns round (domain §4.8, rule 3).
interface Switched {
  what: 'open' | 'close' | 'reverse'
  said: Said
}

/** 新平倉別, reduce-only, close-position, reverse: true; null when none is on. Throws a Refusal. */
function switches(uses: Uses): Switched | null {
  let found: Switched | null = null
  for (const said of every(uses, 'open_close', 'reduce_only', 'close_position', 'reverse')) {
    const { field, value, key } = said
    const on = switchOf(value)
    const named = field === 'reverse' ? 'reverse' : 'close'
    const what =
      field === 'open_close'
        ? openCloseOf(String(value), keyName(key))
        : on === null
          ? undefined
          : on && named
    if (what === undefined) throw doubt(said)
    if (what === false || what === 'auto') continue
    if (found && found.what !== what)
      throw refusal('contradiction', said, `與 ${found.said.key} 互相矛盾：請只留一個`)
    found ??= { what, said }
  }
  return found
}

// XQ's radar lines name no action: what a trigger means the strategy says, unless the line's own text says another (domain §4.3).
/** What a trigger asks for under a strategy. Throws a Refusal. */
export function askByDefault(note: string, strategy: PayloadStrategy): AskedDirection {
  if (!KINDS[strategy.kind].triggers) return missingAction()
  const rule = strategy.default_action ?? 'entry'
  const no = (why: string) => new Refusal('contradiction', 'note', why)
  if (isDoubted(note) || isTrial(note))
    throw no(`訊息的文字${quoted(note)}像是說不動作：請在 XQ 的腳本裡改掉這段文字，或寫明動作`)
  const verb = rule === 'by_content' ? contentOf(note) : rule
  if (verb === null)
    throw new Refusal(
      'missing_field',
      'action',
      `「依內容」看不出這則是進場還是出場${note === '' ? '' : quoted(note)}：請在 XQ 的腳本裡只寫一個動作，例如 買進 或 出場`,
    )
  const other = rule === 'entry' ? 'out' : 'in'
  const against = note.split(/[\s,，、;；。:：]+/).find((one) => rule !== 'by_content' && says(one, other))
  if (against !== undefined)
    throw no(`訊息寫著${quoted(against)}，與策略設定「觸發視為」不同：請改成「依內容」，或在訊息裡寫明動作`)
  return { verb, neutral: null, side: null, forced: false, key: 'action' }
}

// What a message says beside the order: how it is placed, what became of it, whether it is only a test.
/** Judges test switches, order kinds and states; gives the actions that stand under names which often say something else. Throws a Refusal. */
export function orderingOf(uses: Uses, format: PayloadFormat, mapping: Mapping | null): Map<Said, Meaning> {
  for (const said of every(uses, 'test', 'mode')) tests(said)
  const meanings = new Map<Said, Meaning>()
  const strong = first(uses, 'action', 'side') !== undefined
  for (const said of every(uses, 'weak_action', 'order_kind', 'state', 'action')) {
    const { value, mapped, field, key } = said
    const text = String(value)
    // `trade: false`: not to be traded, or not of that kind.
    if ((value === false || NO.test(text)) && field === 'weak_action' && !mapped) throw doubt(said)
    if (mapped || typeof value === 'boolean') continue
    const other = otherWord(text)
    if (other === 'test') throw trial(said)
    if (KINDS_OF.test(key) && ORDERS.has(wordOf(text))) continue
    if (other === 'not_a_trade') throw noTrade(said)
    // Brokers' codes: 1 is a market order, 2 a limit order.
    if (field === 'action' || (field === 'order_kind' && /^[012]$/.test(text))) continue
    const stop = wordOf(text) === 'stop' && (field === 'order_kind' || strong)
    if (other === 'placed_stop' || stop) throw placedStop(said)
    if (other !== undefined) continue
    const meaning = field === 'state' ? null : weak(said, format, mapping)
    if (meaning) meanings.set(said, meaning)
    else if (field === 'state') throw inWords(text) === 'state' ? noTrade(said) : doubt(said)
  }
  // A stop order's price: beside a market order it only protects.
  const stop = every(uses, 'stop_price').find(({ value }) => Number(value) !== 0 && value !== false)
  const kinds = every(uses, 'order_kind', 'weak_action').map(({ value }) => otherWord(String(value)))
  if (stop && !/^stops?$/i.test(stop.key) && !kinds.includes('market')) throw placedStop(stop)
  return meanings
}

function weak(said: Said, format: PayloadFormat, mapping: Mapping | null): Meaning | null {
  const { key, field } = said
  // Of what kind it is nobody knows; the names of orders and signals are often left to a variable.
  if (NAMED.test(key) && placeholderIn(String(said.value)) !== null) return null
  const text = filled(said)
  const flag = field === 'order_kind' ? openCloseOf(text, key) : undefined
  if (flag === 'open' || flag === 'close') return { verb: flag === 'open' ? 'entry' : 'exit' }
  const meaning = ownMeaning(text, mapping) ?? meaningOf(text, format === 'multicharts')
  if (meaning || (field === 'order_kind' && NEUTRAL.has(wordOf(text)))) return meaning
  // A longer name may speak of what happened: position_closed, TRAILING_STOP_MARKET.
  const inside = inWords(text)
  if (inside === 'state') throw noTrade(said)
  if (inside === 'stop') throw placedStop(said)
  // Who does not know a command cannot carry it out.
  if (inside === 'trade' || field === 'order_kind' || KINDS_OF.test(key)) throw doubt(said)
  return null
}

const NO = /^(?:no|n|off|false|否|不)$/i
/** Under these an order's or a signal's own name often stands. */
const NAMED = /^(?:signal|order|data|trade|訊號|交易)$/i
/** Names that say what kind of message it is, or command it. */
const KINDS_OF =
  /^(?:type|(?:msg|event|alert|signal|trade|transaction)_?type|類型|訊號類型|command|cmd|operation|op|order_?command)$/i
/** An order; the news that one was placed is none. */
const ORDERS = new Set(
  'order trade signal alert notification message webhook strategy 訊號 交易 委託 通知 警示 place placeorder submit submitorder neworder'.split(
    ' ',
  ),
)
/** Uses that an order is booked under; no kind of order. */
const NEUTRAL = new Set('stock cash margin intraday normal common auto regular delivery 現股 一般'.split(' '))

function tests(said: Said): void {
  const { field, key, value } = said
  const other = otherWord(String(value))
  // paper_execute; but a bot may well be called my-demo-bot.
  const words = field === 'mode' && /mode|env|模式/i.test(key) ? keyName(String(value)).split('_') : []
  if (other === 'test' || words.some((one) => otherWord(one) === 'test') || /^回測/.test(String(value)))
    throw trial(said)
  if (field === 'mode') {
    if (other === undefined && meaningOf(String(value)) !== null) throw doubt(said)
  } else if (switchOf(value) === true) throw trial(said)
  else if (switchOf(value) === null && other !== 'live') throw doubt(said)
}

const doubt = (said: Said) =>
  refusal('unknown_field', said, '的意思不確定：請改用 action 說明動作，或在訊息格式裡選「不看」')
const trial = ({ key, value }: Said) =>
  new Refusal('test', key, `這是測試訊息（${key}${quoted(value)}），所以沒有紀錄`)
const placedStop = (said: Said) =>
  refusal('not_a_trade', said, '是停損、停利或條件委託的設定，不是成交的訊號：若它是，請改用訊息範本')
const noTrade = (said: Said) =>
  refusal('not_a_trade', said, '是委託的狀態，不是新的訊號：若它是，請改用訊息範本')
