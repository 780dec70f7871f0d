// What senders call their actions, sides, order kinds and states (domain §4.5, rule 7; §4.8, rules 2–3, 8, 10).
import type { Action } from '../../record.ts'
import { keyName, table, wordOf } from './spell.ts'
import { WORD_LISTS, type WordGroup } from './word-lists.ts'

export { type WordGroup, wordsOf } from './word-lists.ts'

export type HeldSide = 'long' | 'short'
export type Verb = 'entry' | 'exit' | 'close_all' | 'add' | 'reduce' | 'reverse' | 'target'

/** A word's meaning, taken apart: buy and sell are neutral, long and short are sides, a verb may carry its side. */
export interface Meaning {
  verb?: Verb
  neutral?: 'buy' | 'sell'
  side?: HeldSide
}

const MEANINGS: Readonly<Record<WordGroup, Meaning>> = {
  buy: { neutral: 'buy' },
  sell: { neutral: 'sell' },
  long: { side: 'long' },
  short: { side: 'short' },
  long_entry: { verb: 'entry', side: 'long' },
  short_entry: { verb: 'entry', side: 'short' },
  long_exit: { verb: 'exit', side: 'long' },
  short_exit: { verb: 'exit', side: 'short' },
  exit: { verb: 'exit' },
  close_all: { verb: 'close_all' },
  entry: { verb: 'entry' },
  add: { verb: 'add' },
  reduce: { verb: 'reduce' },
  reduce_long: { verb: 'reduce', side: 'long' },
  reduce_short: { verb: 'reduce', side: 'short' },
  reverse: { verb: 'reverse' },
  reverse_long: { verb: 'reverse', side: 'long' },
  reverse_short: { verb: 'reverse', side: 'short' },
}
const WORDS = table<WordGroup>(WORD_LISTS)

/** PowerLanguage's Sell closes a long position; only where the webhook says its sender is MultiCharts. */
const MULTICHARTS: Readonly<Record<string, Meaning>> = {
  buy: { verb: 'entry', side: 'long' },
  sell: { verb: 'exit', side: 'long' },
  sellshort: { verb: 'entry', side: 'short' },
  buytocover: { verb: 'exit', side: 'short' },
  買進: { verb: 'entry', side: 'long' },
  賣出: { verb: 'exit', side: 'long' },
}

const OF_ACTION: Readonly<Record<Action, Meaning>> = {
  buy: { neutral: 'buy' },
  sell: { neutral: 'sell' },
  long_entry: { verb: 'entry', side: 'long' },
  long_exit: { verb: 'exit', side: 'long' },
  short_entry: { verb: 'entry', side: 'short' },
  short_exit: { verb: 'exit', side: 'short' },
  close_all: { verb: 'close_all' },
  target: { verb: 'target' },
  exit: { verb: 'exit' },
  add: { verb: 'add' },
  reverse: { verb: 'reverse' },
}

/** The meaning of an action's or a side's word, null when unknown. */
export function meaningOf(text: string, multicharts = false): Meaning | null {
  const word = wordOf(text)
  if (multicharts && Object.hasOwn(MULTICHARTS, word)) return MULTICHARTS[word] as Meaning
  const meaning = WORDS.get(word)
  return meaning === undefined ? null : MEANINGS[meaning]
}

/** What one of our own actions means, for a mapping's words. */
export function meaningOfAction(action: Action): Meaning {
  return OF_ACTION[action]
}

/** The group of words a text belongs to, for proposals: which words matched. */
export function wordGroup(text: string): WordGroup | undefined {
  return WORDS.get(wordOf(text))
}

const OTHERS = table({
  market: 'market mkt mkp m p range_market market_order 市價 市價單 範圍市價 rod ioc fok gtc day at_market',
  limit: 'limit lmt l limit_order 限價 限價單',
  placed_stop:
    'stop_order stop_limit stop_market stp trailing trailing_stop trailing_stop_order trail stop_loss take_profit oco bracket mit lit 停損單 停損限價 觸價 觸價單 移動停損 條件單',
  not_a_trade:
    'cancel cancelled canceled cancel_order cancel_all cancel_orders rejected reject placed working pending submitted accepted acknowledged new_order expired modified modify update updated edit edited adjust replaced replace amend failed error 取消 已取消 撤單 刪單 改單 委託中 已委託 失敗 拒絕 退單',
  filled:
    'filled fill executed complete completed done triggered active ok success live confirmed 成交 已成交 完全成交 觸發',
  test: 'test testing sim paper simulated simulation sandbox demo dry_run mock backtest backtesting dev development staging uat 測試 測試單 模擬 模擬單',
  live: 'real prod production 正式 實單 hedge one_way oneway net both isolated cross',
})
export type OtherWord = 'market' | 'limit' | 'placed_stop' | 'not_a_trade' | 'filled' | 'test' | 'live'

/** What a word says that is no action: how an order is placed, what became of it, whether it is only a trial. */
export function otherWord(text: string): OtherWord | undefined {
  return OTHERS.get(wordOf(text))
}

const STATE_TOKENS = new Set(
  'cancel cancelled canceled cancelling reject rejected place placed working pending submit submitted presubmitted acknowledged expire expired modified modify replace replaced amend amended update updated edit failed inactive'.split(
    ' ',
  ),
)
const STOP_TOKENS = new Set('stop trailing trail oco bracket tp sl profit'.split(' '))
/** Also where nothing parts the words: CANCELALLORDERS. */
const STATE_INSIDE = /cancel|reject|expire|modif|amend|replace/i
const STATE_HAN = /刪|撤|取消|委託|改單|拒絕|失敗|退單|送出|掛單/
const STOP_HAN = /停損|停利|觸價|條件|移動/

/** What the words inside a longer name say: `ORDER_CANCELLED`, `TrailingStopMarket`, `position_closed`; null when nothing of trade. */
export function inWords(text: string): 'state' | 'stop' | 'trade' | null {
  const tokens = keyName(text.slice(0, 80)).split('_')
  if (tokens.some((token) => STATE_TOKENS.has(token)) || STATE_INSIDE.test(text) || STATE_HAN.test(text))
    return 'state'
  if (tokens.some((token) => STOP_TOKENS.has(token)) || STOP_HAN.test(text)) return 'stop'
  return tokens.some((token) => WORDS.has(token)) || /[買賣多空平]|進場|出場|新倉/.test(text) ? 'trade' : null
}

const TAKEN_BACK = new Set(
  'cancel cancels cancelled canceled reject rejected replace replaced modify modified amend amended update updated void voided revoke revoked'.split(
    ' ',
  ),
)

const TAKEN_BACK_INSIDE = /cancel|reject|replace|modif|amend|update|void|revoke/i

/** Whether a label of two words at most is about an order that stands already: order_cancel, UpdatePrice. */
export function isTakenBack(text: string): boolean {
  if (text.length > 40 || !TAKEN_BACK_INSIDE.test(text)) return false
  const tokens = keyName(text).split('_')
  return tokens.length <= 2 && tokens.some((token) => TAKEN_BACK.has(token))
}

const REPORT_TOKENS = new Set(
  'heartbeat ping keepalive snapshot summary report reports history statistics stats balance position positions log info error partial partially'.split(
    ' ',
  ),
)

/** Whether a name speaks of news about what is held or was done: no order. */
export function isReport(text: string): boolean {
  return keyName(text.slice(0, 80))
    .split('_')
    .some((token) => REPORT_TOKENS.has(token))
}

const OPTIONS = new Set([
  'option',
  'options',
  'opt',
  'call',
  'put',
  'calls',
  'puts',
  '選擇權',
  '買權',
  '賣權',
])

/** Whether a text names options: a product that is not traded here. */
export function isOption(text: string): boolean {
  return OPTIONS.has(wordOf(text))
}

const OPEN_CLOSE = table({
  open: 'open new o 新倉 新單 開倉 新 開 進 進場 to_open opening',
  close:
    'close cover c 平倉 平 出 出場 to_close closing close_today close_yesterday closetoday closeyesterday 回補',
  auto: 'auto a automatic 自動 none',
})

/** 新平倉別; undefined when the word is not understood. A number is a broker's own code: only opencloseflag's are known. */
export function openCloseOf(text: string, name: string): 'open' | 'close' | 'auto' | undefined {
  const word = wordOf(text)
  if (word === '') return 'auto'
  if (/^(?:strategy_|order_)?open_?close_?flag$/.test(name)) {
    if (word === '0') return 'open'
    if (word === '1') return 'close'
  }
  return OPEN_CLOSE.get(word)
}

const CREDIT = table<HeldSide>({
  long: '融資 資 融資買進 融資賣出 資買 資賣 margin_trading margin_buy',
  short: '融券 券 融券賣出 融券買進 券賣 券買 沖賣 先賣 先賣後買 short_selling short_sell',
})

/** The side of a stock that is held on credit: bought with borrowed money, or sold borrowed; undefined when it is neither. */
export function creditOf(text: string): Meaning | undefined {
  const side = CREDIT.get(wordOf(text))
  return side && { side }
}
