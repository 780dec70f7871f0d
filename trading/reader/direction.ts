// Which way a message goes: its verbs, sides and switches put together; what does not agree is refused (domain §4.5, rule 7; §4.8, rules 2–3).
import { KINDS } from '../kinds.ts'
import type { Action, Direction } from '../record.ts'
import { unitOfWord } from './amount.ts'
import { besidePosition } from './position.ts'
import type { Mapping, PayloadFormat, PayloadStrategy } from './shape.ts'
import { every, type Said, type Uses } from './uses.ts'
import { placeholderIn, quoted, Refusal, switchOf, unfilled } from './values.ts'
import { keyName, wordOf } from './vocabulary.ts'
import {
  contentOf,
  creditOf,
  type HeldSide,
  isDoubted,
  isTrial,
  type Meaning,
  meaningOf,
  meaningOfAction,
  openCloseOf,
  says,
  type Verb,
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
  /** A word for the position's side says nothing about going in or out. */
  of_position: boolean
}

/** Everything the message says about its direction; null when it says nothing. Throws a Refusal. */
export function askOf(
  uses: Uses,
  format: PayloadFormat,
  mapping: Mapping | null,
  ordering: ReadonlyMap<Said, Meaning>,
): AskedDirection | null {
  const told = tell(uses, format, mapping, ordering)
  const out = switches(uses)
  if (told.length === 0) {
    if (out === null || out.what === 'open') return null
    throw new Refusal(
      'missing_field',
      out.said.key,
      '訊息說要平倉，但沒有動作：請加上欄位 action，例如 "action":"sell"',
    )
  }
  const ask: AskedDirection = {
    verb: null,
    neutral: null,
    side: null,
    forced: false,
    key: told[0]?.said.key ?? 'action',
  }
  let bare = false
  for (const one of told) {
    const { meaning, said } = one
    if (/^強/.test(String(said.value))) ask.forced = true
    if (meaning.verb) ask.verb = joinVerbs(ask.verb, meaning.verb, told)
    if (meaning.neutral) ask.neutral = agree(ask.neutral, meaning.neutral, told)
    if (meaning.side) ask.side = agree(ask.side, meaning.side, told)
    if (meaning.side && !meaning.verb && !one.of_position) bare = true
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
  const told: Told[] = []
  for (const said of every(
    uses,
    'action',
    'side',
    'position_side',
    'sentiment',
    'credit',
    'weak_action',
    'order_kind',
  )) {
    const weak = said.field === 'weak_action' || said.field === 'order_kind'
    const meaning =
      said.field === 'credit'
        ? credit(said)
        : weak && !said.mapped
          ? ordering.get(said)
          : word(said, format, mapping)
    if (meaning?.verb === 'exit' && /^trade_?side$/i.test(said.key)) hedged(uses, said)
    if (meaning) told.push({ said, meaning, of_position: OF_POSITION.has(said.field) })
  }
  return told
}

/** 融資 or 融券; under such a name may stand a kind of lot as well. */
function credit(said: Said): Meaning | undefined {
  const text = String(said.value)
  const variable = placeholderIn(text)
  if (variable) throw new Refusal('unresolved_placeholder', variable, unfilled(variable))
  const unit = unitOfWord(text)
  if (unit !== 'share' && unit !== 'board_lot') return creditOf(text)
  throw new Refusal(
    'unknown_field',
    said.key,
    `欄位 ${said.key}${quoted(text)}像是數量的單位：請改送張數或股數，或在訊息格式裡選「不看」`,
  )
}

/** Fields that name a side of the position, not of the order. */
const OF_POSITION: ReadonlySet<string> = new Set(['position_side', 'sentiment', 'credit'])

/** Exchanges that name the side of the position, not of the order: there, buying and closing leaves a long one. */
function hedged(uses: Uses, said: Said): void {
  const side = every(uses, 'side', 'action').find((one) => one !== said)
  if (side && meaningOf(String(side.value))?.neutral !== undefined)
    throw new Refusal(
      'contradiction',
      said.key,
      `${side.key}${quoted(side.value)}與 ${said.key}${quoted(said.value)}：不確定要平的是多單還是空單，請改用 long_exit 或 short_exit`,
    )
}

function word(said: Said, format: PayloadFormat, mapping: Mapping | null): Meaning | null {
  const { value, key, field } = said
  const text = String(value)
  const variable = placeholderIn(text)
  if (variable) throw new Refusal('unresolved_placeholder', variable, unfilled(variable))
  const meaning = ownMeaning(text, mapping) ?? meaningOf(text, format === 'multicharts')
  if (meaning) {
    // Flat is where the position ends, whatever size stands beside it.
    if (field === 'sentiment' && meaning.verb === 'exit') return { verb: 'close_all' }
    if (field === 'sentiment' && wordOf(text) === 'bullish') return { side: 'long' }
    if (field === 'sentiment' && wordOf(text) === 'bearish') return { side: 'short' }
    return meaning
  }
  if (field !== 'action' && ['both', 'net', 'none', 'neutral', 'auto'].includes(wordOf(text))) return null
  throw new Refusal('unknown_action', key, unknownAction(text, key))
}

function unknownAction(text: string, key: string): string {
  return `看不懂動作${quoted(text)}（欄位 ${key}）：請改用 buy、sell、long_entry、long_exit、short_entry、short_exit 或 close_all，或在訊息格式裡說明這個字的意思`
}

/** What the webhook's own dictionary says of a word; null when it does not know it. */
export function ownMeaning(text: string, mapping: Mapping | null): Meaning | null {
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
  const clash = (key = ask.key): never => {
    const all = told.map(({ said }) => `${said.key}${quoted(said.value)}`)
    if (out) all.push(`${out.said.key}${quoted(out.said.value)}`)
    throw new Refusal('contradiction', key, `方向的寫法互相矛盾：${all.join('、')}，請改成一致`)
  }
  const going = ask.neutral === 'buy' ? 'long' : ask.neutral === 'sell' ? 'short' : null
  if (out?.what === 'reverse') {
    if (ask.verb !== null && ask.verb !== 'reverse' && ask.verb !== 'entry') clash()
    ask.verb = 'reverse'
  }
  if (out?.what === 'close') {
    if (ask.verb === null) ask.verb = 'exit'
    else if (ask.verb !== 'exit' && ask.verb !== 'close_all' && ask.verb !== 'reduce') clash()
  }
  if (out?.what === 'open') {
    if (ask.verb === null) ask.verb = 'entry'
    else if (ask.verb !== 'entry' && ask.verb !== 'add') clash()
  }
  switch (ask.verb) {
    case null:
      // Buying what is long opens it, selling what is long closes it: so hedging uses say it.
      if (ask.neutral !== null && ask.side !== null) {
        if (going === ask.side) ask.verb = 'entry'
        else if (bare) clash()
        else ask.verb = 'exit'
        ask.neutral = null
      } else if (ask.side !== null && bare) ask.verb = 'entry'
      else if (ask.side !== null)
        throw new Refusal(
          'missing_field',
          ask.key,
          '只說了部位的方向，沒有說進場或出場：請加上欄位 action，例如 "action":"buy"',
        )
      return ask
    case 'entry':
    case 'add':
    case 'reverse':
      if (going !== null && ask.side !== null && going !== ask.side) clash()
      ask.side ??= going
      break
    case 'exit':
    case 'close_all':
    case 'reduce':
      // An exit is named by the side it leaves: selling leaves a long position.
      if (going !== null && ask.side !== null && going === ask.side) clash()
      if (going !== null) ask.side ??= going === 'long' ? 'short' : 'long'
      break
    case 'target':
      break
  }
  ask.neutral = null
  return ask
}

/** Verbs that say the same, the narrower one wins; others contradict each other. */
function joinVerbs(a: Verb | null, b: Verb, told: readonly Told[]): Verb {
  if (a === null || a === b) return b
  for (const [wide, narrow] of [
    ['exit', 'close_all'],
    ['exit', 'reduce'],
    ['entry', 'add'],
    ['entry', 'reverse'],
  ] as const)
    if ((a === wide && b === narrow) || (a === narrow && b === wide)) return narrow
  return contradict(told)
}

function agree<T>(a: T | null, b: T, told: readonly Told[]): T {
  return a === null || a === b ? b : contradict(told)
}

function contradict(told: readonly Told[]): never {
  const all = told.map(({ said }) => `${said.key}${quoted(said.value)}`).join('、')
  throw new Refusal('contradiction', told[0]?.said.key ?? null, `方向的寫法互相矛盾：${all}，請改成一致`)
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

function only(direction: Direction): HeldSide | null {
  return direction === 'both' ? null : direction
}

function entryOf(side: HeldSide): Action {
  return side === 'long' ? 'long_entry' : 'short_entry'
}

function exitOf(side: HeldSide): Action {
  return side === 'long' ? 'long_exit' : 'short_exit'
}

function missingSide(key: string): never {
  throw new Refusal(
    'missing_field',
    key,
    '進場沒有說多或空：請改用 long_entry 或 short_entry（新買、新賣），或加上欄位 side',
  )
}

export function missingAction(): never {
  throw new Refusal('missing_field', 'action', '訊息缺少動作：請加上欄位 action，例如 "action":"buy"')
}

// Switches beside an order that say whether it opens, closes or turns round (domain §4.8, rule 3).
export interface Switched {
  what: 'open' | 'close' | 'reverse'
  said: Said
}

/** 新平倉別, reduce-only, close-position, reverse: true; null when none is on. Throws a Refusal. */
export function switches(uses: Uses): Switched | null {
  let found: Switched | null = null
  const set = (what: Switched['what'], said: Said) => {
    if (found && found.what !== what)
      throw new Refusal(
        'contradiction',
        said.key,
        `欄位 ${found.said.key} 與 ${said.key} 互相矛盾：請只留一個`,
      )
    found ??= { what, said }
  }
  for (const said of every(uses, 'open_close')) {
    const flag = openCloseOf(String(said.value), keyName(said.key))
    if (flag === undefined)
      throw new Refusal(
        'unknown_field',
        said.key,
        `看不懂新平倉別${quoted(said.value)}（欄位 ${said.key}）：請送 open 或 close`,
      )
    if (flag !== 'auto') set(flag, said)
  }
  for (const said of every(uses, 'reduce_only', 'close_position', 'reverse')) {
    const on = switchOf(said.value)
    if (on === null)
      throw new Refusal(
        'unknown_field',
        said.key,
        `欄位 ${said.key}${quoted(said.value)}不是 true 或 false：請改用 action 說明`,
      )
    if (on) set(said.field === 'reverse' ? 'reverse' : 'close', said)
  }
  return found
}

// XQ's radar lines name no action: what a trigger means the strategy says, unless the line's own text says another (domain §4.3).
/** What a trigger asks for under a strategy. Throws a Refusal. */
export function askByDefault(note: string, strategy: PayloadStrategy): AskedDirection {
  if (!KINDS[strategy.kind].triggers) return missingAction()
  const rule = strategy.default_action ?? 'entry'
  if (isDoubted(note) || isTrial(note))
    throw new Refusal(
      'contradiction',
      'note',
      `訊息的文字${quoted(note)}像是說不動作，不能當成觸發：請在 XQ 的腳本裡改掉這段文字，或寫明動作`,
    )
  const verb = rule === 'by_content' ? contentOf(note) : rule
  const against =
    rule === 'by_content'
      ? undefined
      : note.split(/[\s,，、;；。:：]+/).find((word) => says(word, rule === 'entry' ? 'out' : 'in'))
  if (against !== undefined)
    throw new Refusal(
      'contradiction',
      'note',
      `策略設定「觸發視為」${rule === 'entry' ? '進場' : '出場'}，但訊息寫著${quoted(against)}：請改成「依內容」，或在訊息裡寫明動作`,
    )
  if (verb === null)
    throw new Refusal(
      'missing_field',
      'action',
      `「依內容」看不出這則是進場還是出場${note === '' ? '' : quoted(note)}：請在 XQ 的腳本裡只寫一個動作，例如 買進 或 出場`,
    )
  return { verb, neutral: null, side: null, forced: false, key: 'action' }
}
