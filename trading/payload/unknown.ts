// Leaves nobody knows: those that could change the signal are refused by name, the others are kept and shown (domain §4.8, rule 1).
import { resolveSymbol } from '../symbols.ts'
import type { Leaf, Scalar } from './leaf.ts'
import { quoted, Refusal } from './refusal.ts'
import { numberOf, switchOf, timeOf } from './values.ts'
import { isDoubted, isTrial } from './vocabulary/free-text.ts'
import { countsByName, type FieldName, fieldOfName } from './vocabulary/names.ts'
import { keyName } from './vocabulary/spell.ts'
import { unitOfWord } from './vocabulary/units.ts'
import { creditOf, inWords, isOption, meaningOf, openCloseOf, otherWord } from './vocabulary/words.ts'

/** Fields that stay harmless inside an object nobody knows. */
const HARMLESS: ReadonlySet<FieldName> = new Set([
  'note',
  'id',
  'timeframe',
  'exchange',
  'now',
  'stamp',
  'time',
  'date',
  'close',
  'price',
])

export interface Known {
  /** The message says its own size. */
  sized: boolean
  /** Contracts have months. */
  futures: boolean
  /** The symbol the message names itself. */
  symbol: string | null
  /** The order's own figures, its price and its size. */
  figures: ReadonlySet<number>
}

/** Refuses the first unknown leaf that counts. Throws a Refusal. */
export function refuseUnknown(unknown: readonly Leaf[], at: string, known: Known): void {
  for (const leaf of unknown) {
    const why = whyItCounts(leaf, at, known)
    if (why === null) continue
    const shown =
      leaf.path === '#outside'
        ? '委託以外的文字'
        : leaf.path.startsWith('#')
          ? `第 ${leaf.path.slice(1)} 格`
          : `欄位「${leaf.path.slice(0, 60)}」`
    throw new Refusal(
      'unknown_field',
      leaf.path.slice(0, 100),
      `不認得${shown}${quoted(leaf.value)}，${why}：請改用訊息範本的欄位，或按「用這則建立對應」說明它的意思（也可以選「忽略這個欄位」）`,
    )
  }
}

function whyItCounts(leaf: Leaf, at: string, known: Known): string | null {
  const { name, value, zone, inside } = leaf
  if (leaf.path === '#outside') return outside(String(value), at, known)
  if (isFill(name, value, known.figures)) return '它像是另一個價格，或只成交了一部分'
  const switched = switchedBy(name, value)
  if (switched !== undefined) return switched
  if (isAhead(value, at)) return '它是以後的時間，像是還不到要執行的時候'
  if (name !== '') {
    const field = fieldOfName(name)
    if (field !== undefined && !(zone === 'unknown' && HARMLESS.has(field))) return '它像是委託的一部分'
    if (field === undefined && (countsByName(name) || isProductName(name, at)))
      return '它的名稱像是方向、數量、商品、部位、條件或委託種類'
    if (field === undefined && SPOKE.test(keyName(name)) && !FINE.test(String(value)))
      return '它像是錯誤訊息或結果'
    if (inside.some((one) => countsByName(one))) return '它所在的物件像是另一筆委託'
  }
  if (MONTH.test(String(value)) && known.futures) return '它像是契約月份'
  if (typeof value === 'number') return known.sized ? null : '而訊息沒有寫數量，它可能就是數量'
  if (typeof value !== 'string') return null
  // A piece between two pairs belongs to one of them, nobody knows to which.
  if (zone === 'legs' && name === '') return '它夾在其他欄位之間'
  const text = value.trim()
  if (/^[{[]/.test(text)) return '它裡面還有另一則訊息'
  if (isOption(text)) return '它像是選擇權的條件'
  if (meaningOf(text) !== null || unitOfWord(text) !== undefined || saysWay(text))
    return '它的內容像是動作、方向或單位'
  if (name === '' && inWords(text) === 'stop') return '它像是停損或停利'
  if (['test', 'not_a_trade'].includes(otherWord(text) ?? '') || (name === '' && inWords(text) === 'state'))
    return '它的內容像是測試或委託狀態'
  if (name === '' && (isDoubted(text) || isTrial(text))) return '它像是說這筆不算'
  if (text.length <= 40 && resolveSymbol(text, at) !== null)
    return /^\d+$/.test(text) ? '它可能是另一個價格，也可能是代號' : '它的內容像是商品代號'
  if (numberOf(text) !== null) return known.sized ? null : '而訊息沒有寫數量，它可能就是數量'
  if (COUNTED.test(text.normalize('NFKC')) && !known.sized) return '而訊息沒有寫數量，它可能就是數量'
  return known.symbol !== null || /\s/.test(text) ? null : '而訊息沒有寫商品，它可能就是商品'
}

/** 新倉 or 平倉, 融資 or 融券: they say the way of an order without being an action. */
function saysWay(text: string): boolean {
  if (creditOf(text) !== undefined || /^[進出新平開]$/.test(text)) return true
  const flag = text.length > 1 ? openCloseOf(text, '') : undefined
  return flag === 'open' || flag === 'close'
}

/** A second price, or how much of the order was carried out: another figure than the order's own. */
function isFill(name: string, value: Scalar, figures: ReadonlySet<number>): boolean {
  const n = typeof value === 'boolean' ? null : numberOf(value)
  // What is larger than any price is a time or a number of the order's.
  if (
    n === null ||
    n > 9_999_999 ||
    /_(?:id|no)$/.test(keyName(name)) ||
    !FILLS.test(keyName(name)) ||
    /^(?:is|has|was)_/.test(keyName(name))
  )
    return false
  return /unfilled|remain|未成交/.test(keyName(name)) ? n !== 0 : !figures.has(n)
}

const FILLS =
  /(?:^|_)(?:fills?|(?:un)?filled|executed|exec|remain(?:ing|der)?)(?:_|$)|^price_?\d$|未成交|已成交/

/** 大台: 1 is a size of that product. */
function isProductName(name: string, at: string): boolean {
  return /\p{L}/u.test(name) && resolveSymbol(name, at) !== null
}

/** A time after the message's own: what is to happen then is no signal now. */
function isAhead(value: Scalar, at: string): boolean {
  const text = String(value)
  if (!/^20\d\d[-/]|^\d{13}$|^[12]\d{9}$/.test(text)) return false
  const ms = timeOf(value)
  return typeof ms === 'number' && ms > Date.parse(at) + 60_000
}

const MONTH = /^20[2-4]\d[-/]?(?:0[1-9]|1[0-2])$/

/** A figure with something behind it, also in Chinese numerals. */
const COUNTED = /^[+\-−]?[\d.,]+\D{1,10}$|^[一二兩三四五六七八九十百]{1,4}(?:口|張|股|手)$/

/** Names of what came of an order. */
const SPOKE =
  /(?:^|_)(?:err(?:or|ors)?|outcome|result|reject(?:ed|ion)?|cancel(?:l?ed|lation)?|fail(?:ed|ure)?)(?:_|$)|錯誤|結果|回覆/
/** What such a field says when nothing went wrong. */
const FINE = /^(?:0+|ok|none|no|success|filled|成功|成交|無)$/i

const TRIAL = set(
  'test testing backtest backtesting sim simulated simulation paper demo mock sandbox testnet preview example',
)
const TRIAL_HAN = /測試|模擬|回測|範例|紙上|虛擬/
const OVER = set(
  'cancel canceled cancelled reject rejected pending expired failed inactive ignore ignored skip skipped void disabled',
)
const OVER_HAN = /取消|作廢|失效|撤銷/
const GOES_HAN = /有效|啟用|執行|下單|交易$|成交|確認/
/** Switches that say, when they are off, that nothing is to be done. */
const GOES = set(
  'live real realtime execute executed enabled enable active valid success ok filled confirmed confirm approved',
)

function set(words: string): ReadonlySet<string> {
  return new Set(words.split(' '))
}

/** What a switch under a name nobody knows may do to the order; null when nothing, undefined when it is no switch. */
function switchedBy(name: string, value: Scalar): string | null | undefined {
  const on = name === '' || value === null || value === '' ? null : switchOf(value)
  if (on === null) return undefined
  const tokens = keyName(name).split('_')
  const has = (words: ReadonlySet<string>) => tokens.some((token) => words.has(token))
  if (on && (has(TRIAL) || TRIAL_HAN.test(name))) return '它像是測試的開關'
  if (on && (has(OVER) || OVER_HAN.test(name))) return '它像是委託的狀態'
  if (has(GOES) || GOES_HAN.test(name)) return on ? null : '它像是說這筆不執行'
  // A bare 1 may be any number; what is yes or no is there to change something.
  const bare = !/^(?:is|has|can|should)_/.test(keyName(name)) && /^[01yn]$/i.test(String(value))
  return bare ? undefined : '它是一個開關，不知道會不會改變這筆委託'
}

const AROUND = /測試|模擬|回測|範例|取消|作廢|撤銷|不要|勿|請忽略|[未預昨]|如果|若|假如|可能|建議|失敗|錯誤/
/** A day or a clock: its numbers are no sizes. */
const WHEN = /\d{1,4}[-/]\d{1,2}(?:[-/]\d{1,4})?|\d{1,2}:\d{2}(?::\d{2})?/g
const AROUND_WORDS = set('not dont don never example backtest ignore if when unless failed error yesterday')

/** Words around an object: a single one of trade among them is enough. */
function outside(text: string, at: string, known: Known): string | null {
  const { symbol, sized } = known
  if (AROUND.test(text)) return '它像是說這筆不算'
  for (const token of text.replace(WHEN, ' ').split(/[\s,;:!?()[\]<>`'"*|=，。；：！？（）「」【】]+/)) {
    if (token === '') continue
    const trade =
      meaningOf(token) !== null || ['test', 'not_a_trade', 'placed_stop'].includes(otherWord(token) ?? '')
    if (trade || unitOfWord(token) !== undefined) return '它像是委託的一部分'
    const other = /[A-Za-z]/.test(token) ? resolveSymbol(token, at) : null
    if (other !== null && other.symbol !== symbol) return '它像是另一個商品'
    if (AROUND_WORDS.has(token.toLowerCase().replace('’', ''))) return '它像是說這筆不算'
    if (/^(?:\d+(?:口|張|股|lots?|x)|x\d+)$/i.test(token)) return '它像是數量'
    if (!sized && numberOf(token) !== null) return '而訊息沒有寫數量，它可能就是數量'
  }
  return null
}
