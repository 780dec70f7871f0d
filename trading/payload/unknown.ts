// Leaves nobody knows: those that could change the signal are refused by name, the others are kept and shown (domain §4.8, rule 1).
import { taipei } from '../calendar.ts'
import { PRICE_MAX } from '../record.ts'
import { resolveSymbol } from '../symbols.ts'
import { outside, type Within } from './around.ts'
import type { Leaf, Scalar } from './leaf.ts'
import { quoted, Refusal } from './refusal.ts'
import { numberOf, switchOf, timeOf } from './values.ts'
import { isDoubted, isState, isTrial, saysPart } from './vocabulary/free-text.ts'
import { countsByName, type FieldName, fieldOfName, isTrialName } from './vocabulary/names.ts'
import { keyName } from './vocabulary/spell.ts'
import { unitOfWord } from './vocabulary/units.ts'
import {
  creditOf,
  inWords,
  isOption,
  isTakenBack,
  meaningOf,
  openCloseOf,
  otherWord,
} from './vocabulary/words.ts'

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

export interface Known extends Within {
  /** Contracts have months. */
  futures: boolean
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
  if (isState(text) || isTakenBack(text)) return '它的內容像是測試或委託狀態'
  if ((name === '' || text.length <= SHORT) && (isDoubted(text) || isTrial(text) || isSetAside(text)))
    return '它像是說這筆不算'
  if (text.length <= 40 && resolveSymbol(text, at) !== null)
    return /^\d+$/.test(text) ? '它可能是另一個價格，也可能是代號' : '它的內容像是商品代號'
  if (numberOf(text) !== null) return known.sized ? null : '而訊息沒有寫數量，它可能就是數量'
  if ((COUNTED.test(text.normalize('NFKC')) || saysPart(text)) && !known.sized)
    return '而訊息沒有寫數量，它可能就是數量'
  return known.symbol !== null || /\s/.test(text) ? null : '而訊息沒有寫商品，它可能就是商品'
}

/** A text so short is a label; a longer one is somebody's remark, and has no weight under any name. */
const SHORT = 20
const ASIDE = set('test backtest sim simulation paper demo mock sandbox draft watch watchlist next')

/** backtest-7, draft, next_open: not an order, or not yet one. */
function isSetAside(text: string): boolean {
  return keyName(text)
    .split('_')
    .some((token) => ASIDE.has(token))
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
    n > PRICE_MAX ||
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
  if (/^\d{2}:\d{2}(?::\d{2})?$/.test(text))
    return text > taipei(new Date(Date.parse(at) + 60_000).toISOString()).time
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

const OVER = set(
  'cancel canceled cancelled reject rejected pending expired failed inactive ignore ignored skip skipped void disabled',
)
const OVER_HAN = /取消|作廢|失效|撤銷/
const GOES_HAN = /有效|啟用|執行|下單|交易$|成交|確認/
/** Switches that say, when they are off, that nothing is to be done. */
const GOES = set(
  'live real realtime execute executed enabled enable active valid success ok filled confirmed confirm approved tradeable tradable allowed place',
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
  if (on && isTrialName(name)) return '它像是測試的開關'
  if (on && (has(OVER) || OVER_HAN.test(name))) return '它像是委託的狀態'
  if (has(GOES) || GOES_HAN.test(name)) return on ? null : '它像是說這筆不執行'
  // A bare 1 may be any number; what is yes or no is there to change something.
  const bare = !/^(?:is|has|can|should)_/.test(keyName(name)) && /^[01yn]$/i.test(String(value))
  return bare ? undefined : '它是一個開關，不知道會不會改變這筆委託'
}
