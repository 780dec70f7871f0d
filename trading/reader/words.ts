// What senders call their actions, sides, order kinds and states (domain §4.5, rule 7; §4.8, rules 2–3, 8, 10).

import type { Action } from '../record.ts'
import { keyName, table, wordOf } from './vocabulary.ts'

// What senders call their actions and sides, in both languages (domain §4.5, rule 7); one list for each meaning.
const WORD_LISTS = {
  buy: 'buy b bull bullish 買 買進 買入',
  sell: 'sell s bear bearish 賣 賣出',
  long: 'long l 多 多方 多頭 做多 作多 多單 偏多',
  short: 'short 空 空方 空頭 做空 作空 空單 偏空',
  long_entry:
    'long_entry enter_long entry_long long_open open_long buy_to_open bto go_long long_in buy_long buy_open le 新買 多單進場 做多進場 買進開倉 開多 買開 多進場 多單建倉 做多加碼 多單加碼 多加碼 add_long add_to_long long_add 現股買進 多單新倉 買進新倉',
  short_entry:
    'short_entry enter_short entry_short short_open open_short sell_to_open sto go_short short_in sell_short short_sell sell_open se 新賣 放空 空單進場 做空進場 賣出開倉 開空 賣開 空進場 空單建倉 做空加碼 空單加碼 空加碼 add_short add_to_short short_add 空單新倉 賣出新倉',
  long_exit:
    'long_exit exit_long close_long long_close long_out sell_to_close stc sell_close lx 平賣 平多 多單出場 多單平倉 賣出平倉 賣平 多出場 多平倉 多平 做多出場 多單停損 多單停利 平多單 exitlong_all liquidate_long 現股賣出',
  short_exit:
    'short_exit exit_short close_short short_close short_out buy_to_close buy_to_cover cover short_cover cover_short buy_close sx 平買 平空 回補 空單出場 空單平倉 空單回補 買進平倉 買平 空出場 空平倉 空平 做空出場 空單停損 空單停利 平空單 買回 回補空單 liquidate_short',
  exit: '強制平倉 強平 close exit flat flatten stop exit_position close_position close_trade exit_trade closed exited liquidate 平倉 出場 離場 出清 停損出場 停利出場 停損平倉 停利平倉 平倉出場 了結',
  close_all:
    'close_all exit_all flatten_all close_all_positions flat_all 全部平倉 全平 全部出場 全數平倉 全數出場 全部出清',
  entry: 'entry enter open entry_signal new_position open_position 進場 開倉 建倉 新倉',
  add: 'add 加碼 scale_in pyramid increase add_position',
  reduce: 'reduce 減碼 scale_out partial_close partial_exit decrease trim reduce_position',
  reduce_long: '多單減碼 多減碼 reduce_long',
  reduce_short: '空單減碼 空減碼 reduce_short',
  reverse: 'reverse 反手 反向 flip reversal reverse_position',
  reverse_long: '反手多 反手做多 reverse_long reverse_to_long flip_long 空翻多 翻多',
  reverse_short: '反手空 反手做空 reverse_short reverse_to_short flip_short 多翻空 翻空',
} as const

type WordGroup = keyof typeof WORD_LISTS

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

/** The meaning of an action's or a side's word, null when unknown. */
export function meaningOf(text: string, multicharts = false): Meaning | null {
  const word = wordOf(text)
  if (multicharts && Object.hasOwn(MULTICHARTS, word)) return MULTICHARTS[word] as Meaning
  const meaning = WORDS.get(word)
  return meaning === undefined ? null : MEANINGS[meaning]
}

/** What one of our own actions means, for a mapping's words. */
export function meaningOfAction(action: Action): Meaning {
  return action === 'target' ? { verb: 'target' } : MEANINGS[action]
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
type OtherWord = 'market' | 'limit' | 'placed_stop' | 'not_a_trade' | 'filled' | 'test' | 'live'

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

const OPTIONS = new Set('option options opt call put calls puts 選擇權 買權 賣權'.split(' '))

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

// What free text says beside an order: a radar's trigger, the words behind a line, a message that no format fits (domain §4.8, rules 13 and 14).
/** What the market does, not what is to be done: 外資買超5000張, 賣壓沉重, RSI超賣. */
const OF_MARKET = /[買賣](?:超|盤|壓|量|氣|方|張)[\d,]{0,12}張?|[委內外掛超][買賣]|買賣/g
/** Nothing is done yet, or it is taken back. */
const NOT_DONE = /[未不暫勿別無免沒](?=.{0,2}(?:進|出|買|賣|做|建|平|停|成|觸|達))|取消|作廢|解除|失效/
/** Words of going out and of going in, wherever they stand; a stop with its price only protects. */
const OUT =
  /出場|平倉|賣|離場|出清|清倉|清空|停[損利](?![價點]?[\d.])|減碼|了結|平[多空]|[放做作翻加開]空|空單|空方(?:訊號|進)|空進/
const IN = /進場|買|[做作翻加開]多|建倉|開倉|新倉|加碼|多單(?!出|平|停)|[放做作翻加開]空/

/** A part of a size, or a size in Chinese numerals: no price and no volume is written so. */
const PART =
  /半[倉口張數]|一半|部[分份]|加倍|分之|[一二兩三四五六七八九十幾](?:口|張|成)|\d口|^[1-9]\/[1-9]$|\b(?:half|partial|double)\b/i
/** Asked, feared, waited for, failed, put right, or of another day: 昨日高點 is a price, 昨日突破 is yesterday's. */
const DOUBTED =
  /[?？]|失敗|模擬|尚未|等待|等候|觀望|續抱|可能|是否|如果|假如|若|更正|撤[回銷]|改[為成]|逾時|(?:保證金|餘額|資金|額度)不足|排隊|待(?:確認|成交|觸發|命)|預[約告]|準備|暫停|不追|(?:昨|明|隔|次|後)[日天](?=$|突破|跌破|[進出買賣])/
const DOUBTED_WORDS =
  /\b(?:not?|never|cannot|can't|don't|do not|error|failed|failure|maybe|waiting|pending|tomorrow|later|yesterday|skipped|ignored|blocked|denied|timeout|corrected|correction|amended|replaced)\b/i
/** In a sentence these are the market's, 拉回修正, 觀察名單; alone they are about the order. */
const DOUBTED_ALONE = /^(?:修正|建議|參考|觀察|預備|停止|紙上|虛擬)$/
/** A whole text that tells what became of an order; a trader's own note says more than that. */
const STATE =
  /^(?:the )?(?:order|委託|下單|訂單|送單)? ?(?:(?:was|is|has been) |已|被)?(?:cancell?ed|rejected|expired|failed|not filled|取消|失敗|刪單|拒絕|退單|作廢|未成交)(?: by \w{1,20})?[.!。！]?$/i
const TRIAL = /^[[(（【「]?(?:測試|模擬|回測|範例)[\])）】」]?$/

/** Whether a text says a part of the size, or a size in words. */
export function saysPart(text: string): boolean {
  return PART.test(text.replace(OF_MARKET, ''))
}

/** Whether a text says that it is not certain to be done now. */
export function isDoubted(text: string): boolean {
  return NOT_DONE.test(text) || DOUBTED.test(text) || DOUBTED_WORDS.test(text) || DOUBTED_ALONE.test(text)
}

/** Whether a whole text is nothing but the state of an order. */
export function isState(text: string): boolean {
  return text.length <= 60 && STATE.test(text.trim())
}

/** Whether a whole text is the label of a trial: 回測 alone is one, 回測月線 is not. */
export function isTrial(text: string): boolean {
  return TRIAL.test(text)
}

/** Whether a free text says that it is an exit (or the short side), or an entry, whatever else it says. */
export function says(text: string, way: 'in' | 'out'): boolean {
  return (way === 'in' ? IN : OUT).test(text.replace(OF_MARKET, ''))
}

/** Entry or exit by the words inside a free text, null when it says neither or both, or that nothing is done. */
export function contentOf(text: string): 'entry' | 'exit' | null {
  if (NOT_DONE.test(text)) return null
  const own = text.replace(OF_MARKET, '')
  const one = (words: readonly string[]) => words.some((w) => own.includes(w))
  const exit = one(['出場', '平倉', '賣出', '停損', '停利', '賣'])
  const entry = one(['進場', '買進', '做多', '買'])
  return exit === entry ? null : exit ? 'exit' : 'entry'
}
