// What a message says beside the order: how it is placed, what became of it, whether it is only a test (domain §4.8, rules 8 and 10).
import { sizeIn, unitOfWord } from './amount.ts'
import { ownMeaning } from './direction.ts'
import type { Mapping, PayloadFormat } from './shape.ts'
import { every, first, type Said, type Uses } from './uses.ts'
import { placeholderIn, quoted, Refusal, switchOf, unfilled } from './values.ts'
import { fieldOfName, isTrialName, keyName, wordOf } from './vocabulary.ts'
import {
  creditOf,
  inWords,
  isOption,
  isReport,
  type Meaning,
  meaningOf,
  openCloseOf,
  otherWord,
} from './words.ts'

/** Judges test switches, order kinds and states; gives the actions that stand under names which often say something else. Throws a Refusal. */
export function orderingOf(uses: Uses, format: PayloadFormat, mapping: Mapping | null): Map<Said, Meaning> {
  tests(uses)
  trialsBeside(uses)
  const meanings = new Map<Said, Meaning>()
  const strong = first(uses, 'action', 'side') !== undefined
  for (const said of every(uses, 'weak_action', 'order_kind', 'state', 'action')) {
    if (said.mapped || typeof said.value === 'boolean' || NO.test(String(said.value))) {
      if (said.value !== true && said.field === 'weak_action' && !said.mapped) throw off(said)
      if (said.mapped || typeof said.value === 'boolean') continue
    }
    const text = String(said.value)
    const other = otherWord(text)
    if (other === 'test') throw trial(said)
    if (PLACES.test(said.key) && PLACED.has(wordOf(text))) continue
    if (KINDS_OF.test(said.key) && KIND_OF_ORDERS.has(wordOf(text))) continue
    if (other === 'not_a_trade') throw noTrade(said)
    if (said.field === 'action') continue
    // Brokers' codes: 1 is a market order, 2 a limit order.
    if (said.field === 'order_kind' && /^[012]$/.test(text)) continue
    const stop = wordOf(text) === 'stop'
    if (other === 'placed_stop' || (stop && (said.field === 'order_kind' || strong))) throw placedStop(said)
    if (other !== undefined) continue
    if (said.field === 'state') throw strangeState(said)
    weak(said, text, format, mapping, meanings)
  }
  stopPrice(uses)
  return meanings
}

function weak(
  said: Said,
  text: string,
  format: PayloadFormat,
  mapping: Mapping | null,
  meanings: Map<Said, Meaning>,
): void {
  const variable = placeholderIn(text)
  if (variable !== null) {
    // Of what kind it is nobody knows; the names of orders and signals are often left to a variable.
    if (!NAMED.test(said.key)) throw new Refusal('unresolved_placeholder', variable, unfilled(variable))
    return
  }
  const flag = said.field === 'order_kind' ? openCloseOf(text, said.key) : undefined
  const meaning = ownMeaning(text, mapping) ?? meaningOf(text, format === 'multicharts')
  if (flag === 'open' || flag === 'close') meanings.set(said, { verb: flag === 'open' ? 'entry' : 'exit' })
  else if (meaning) meanings.set(said, meaning)
  else if (said.field !== 'order_kind' || !NEUTRAL.has(wordOf(text))) {
    strange(said, text)
  }
}

const NO = /^(?:no|n|off|false|否|不)$/i

/** A size with its unit, or less than nothing: signs of a side and of a size stand under other names. */
function isSize(text: string): boolean {
  return sizeIn(text)?.unit !== undefined || /^[-−]\d/.test(text.trim())
}

/** A longer name may speak of what happened: position_closed, TRAILING_STOP_MARKET. */
function strange(said: Said, text: string): void {
  const inside = inWords(text)
  if (inside === 'state') throw noTrade(said)
  if (inside === 'stop') throw placedStop(said)
  // Who does not know a command cannot carry it out.
  const command = PLACES.test(said.key) || KINDS_OF.test(said.key)
  if (
    inside === 'trade' ||
    command ||
    said.field === 'order_kind' ||
    isReport(text) ||
    ['share', 'board_lot'].includes(unitOfWord(text) ?? '') ||
    creditOf(text) !== undefined ||
    isOption(text) ||
    isSize(text)
  )
    throw new Refusal(
      'unknown_field',
      said.key,
      `不確定欄位 ${said.key}${quoted(text)}的意思：請改用 action 說明動作，或在訊息格式裡選「不看」`,
    )
}

/** Under these an order's or a signal's own name often stands. */
const NAMED = /^(?:signal|order|data|trade|訊號|交易)$/i
/** Names that say what kind of message it is: of a kind that nobody knows, nobody knows whether it is an order. */
const KIND_OF_ORDERS = new Set([
  ...'order trade signal alert notification message webhook strategy'.split(' '),
  ...'訊號 交易 委託 通知 警示'.split(' '),
])
const KINDS_OF =
  /^(?:type|msg_?type|event_?type|alert_?type|signal_?type|trade_?type|transaction_?type|類型|訊號類型)$/i
/** A command to place an order is the order; the news that one was placed is none. */
const PLACES = /^(?:command|cmd|operation|op|order_?command)$/i
const PLACED = new Set(['place', 'placeorder', 'submit', 'submitorder', 'neworder', 'order', 'trade'])

/** Uses that an order is booked under; no kind of order. */
const NEUTRAL = new Set([
  'stock',
  'cash',
  'margin',
  'intraday',
  'normal',
  'common',
  'auto',
  'regular',
  'delivery',
  '現股',
  '一般',
])

/** A stop order's price: beside a market order it only protects. */
function stopPrice(uses: Uses): void {
  const said = every(uses, 'stop_price').find(({ value }) => Number(value) !== 0 && value !== false)
  if (!said || /^stops?$/i.test(said.key)) return
  const kinds = every(uses, 'order_kind', 'weak_action').map(({ value }) => otherWord(String(value)))
  if (!kinds.includes('market')) throw placedStop(said)
}

function strangeState(said: Said): Refusal {
  return inWords(String(said.value)) === 'state'
    ? noTrade(said)
    : new Refusal(
        'unknown_field',
        said.key,
        `不確定狀態${quoted(said.value)}（欄位 ${said.key}）是不是成交：請改用 action，或在訊息格式裡選「不看」`,
      )
}

function placedStop(said: Said): Refusal {
  return new Refusal(
    'not_a_trade',
    said.key,
    `${quoted(said.value)}（欄位 ${said.key}）是停損、停利或條件委託的設定，不是成交的訊號：若它是，請改用訊息範本`,
  )
}

function tests(uses: Uses): void {
  for (const said of every(uses, 'test')) {
    const on = switchOf(said.value)
    if (on === true || otherWord(String(said.value)) === 'test') throw trial(said)
    if (on === null && otherWord(String(said.value)) !== 'live')
      throw new Refusal(
        'unknown_field',
        said.key,
        `不確定欄位 ${said.key}${quoted(said.value)}是不是測試：請送 true 或 false`,
      )
  }
  for (const said of every(uses, 'mode')) {
    const text = String(said.value)
    // paper_execute; but a bot may well be called my-demo-bot.
    const words = /mode|env|模式/i.test(said.key) ? keyName(text).split('_') : []
    const test = [text, ...words].some((word) => otherWord(word) === 'test')
    if (test || /回測/.test(text)) throw trial(said)
    if (otherWord(text) === undefined && meaningOf(text) !== null)
      throw new Refusal(
        'unknown_field',
        said.key,
        `不確定欄位 ${said.key}${quoted(text)}的意思：請改用 action，或在訊息格式裡選「不看」`,
      )
  }
}

/** Whether it is only a trial, the sender says among the things without weight, too: source.mode, script.backtest. */
function trialsBeside(uses: Uses): void {
  for (const { path, name, value, zone } of uses.leaves) {
    if (zone !== 'light' || uses.as.get(path) === 'ignored') continue
    const field = fieldOfName(name)
    const word = (field === 'test' || field === 'mode') && otherWord(String(value)) === 'test'
    if (word || ((field === 'test' || isTrialName(name)) && switchOf(value) === true))
      throw trial({ key: path, value })
  }
}

function trial(said: Pick<Said, 'key' | 'value'>): Refusal {
  return new Refusal('test', said.key, `這是測試訊息（${said.key}${quoted(said.value)}），所以沒有紀錄`)
}

/** `trade: false`: not to be traded, or not of that kind. */
function off(said: Said): Refusal {
  return new Refusal(
    'unknown_field',
    said.key,
    `不確定欄位 ${said.key}${quoted(said.value)}的意思，它像是說這筆不執行：請改用 action，或在訊息格式裡選「不看」`,
  )
}

function noTrade(said: Said): Refusal {
  return new Refusal(
    'not_a_trade',
    said.key,
    `${quoted(said.value)}（欄位 ${said.key}）是委託的狀態，不是新的訊號：若它是，請改用訊息範本`,
  )
}
