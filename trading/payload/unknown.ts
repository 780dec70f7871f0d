// Leaves nobody knows: those that could change the signal are refused by name, the others are kept and shown (domain §4.8, rule 1).
import { resolveSymbol } from '../symbols.ts'
import type { Leaf, Scalar } from './leaf.ts'
import { quoted, Refusal } from './refusal.ts'
import { numberOf, switchOf } from './values.ts'
import { countsByName, type FieldName, fieldOfName } from './vocabulary/names.ts'
import { keyName } from './vocabulary/spell.ts'
import { unitOfWord } from './vocabulary/units.ts'
import { isOption, meaningOf, otherWord } from './vocabulary/words.ts'

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
  /** The symbol the message names itself. */
  symbol: string | null
}

/** Refuses the first unknown leaf that counts. Throws a Refusal. */
export function refuseUnknown(unknown: readonly Leaf[], at: string, known: Known): void {
  for (const leaf of unknown) {
    const why = whyItCounts(leaf, at, known)
    if (why === null) continue
    const shown =
      leaf.path === '#outside'
        ? '大括號以外的文字'
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
  const switched = switchedBy(name, value)
  if (switched !== null) return switched
  // What is off says nothing, as long as it does not speak of a side.
  if (value === false && !/long|short|buy|sell|多|空|買|賣/i.test(name)) return null
  if (name !== '') {
    const field = fieldOfName(name)
    if (field !== undefined && !(zone === 'unknown' && HARMLESS.has(field))) return '它像是委託的一部分'
    if (field === undefined && countsByName(name)) return '它的名稱像是方向、數量、商品、部位或委託種類'
    if (inside.some((one) => countsByName(one))) return '它所在的物件像是另一筆委託'
  }
  if (typeof value === 'number') return known.sized ? null : '而訊息沒有寫數量，它可能就是數量'
  if (typeof value !== 'string') return null
  // A piece between two pairs belongs to one of them, nobody knows to which.
  if (zone === 'legs' && name === '') return '它夾在其他欄位之間'
  const text = value.trim()
  if (isOption(text)) return '它像是選擇權的條件'
  if (meaningOf(text) !== null || unitOfWord(text) !== undefined) return '它的內容像是動作、方向或單位'
  if (['test', 'not_a_trade'].includes(otherWord(text) ?? '')) return '它的內容像是測試或委託狀態'
  if (text.length <= 40 && resolveSymbol(text, at) !== null) return '它的內容像是商品代號'
  if (numberOf(text) !== null) return known.sized ? null : '而訊息沒有寫數量，它可能就是數量'
  if (COUNTED.test(text.normalize('NFKC')) && !known.sized) return '而訊息沒有寫數量，它可能就是數量'
  return known.symbol !== null || /\s/.test(text) ? null : '而訊息沒有寫商品，它可能就是商品'
}

/** A figure with something behind it, also in Chinese numerals. */
const COUNTED = /^[+\-−]?[\d.,]+\D{1,10}$|^[一二兩三四五六七八九十百]{1,4}(?:口|張|股|手)$/

const TRIAL = set(
  'test testing backtest backtesting sim simulated simulation paper demo mock sandbox testnet preview example',
)
const TRIAL_HAN = /測試|模擬|回測|範例/
const OVER = set(
  'cancel canceled cancelled reject rejected pending expired failed inactive ignore ignored skip skipped void disabled',
)
const OVER_HAN = /取消|作廢|失效|撤銷/
/** Switches that say, when they are off, that nothing is to be done. */
const GOES = set('live real execute executed enabled enable active valid success filled confirmed')

function set(words: string): ReadonlySet<string> {
  return new Set(words.split(' '))
}

/** A switch under a name nobody knows that says it is a trial, is over, or is not to be carried out; null when it says none of these. */
function switchedBy(name: string, value: Scalar): string | null {
  if (name === '' || value === null || value === '') return null
  const on = switchOf(value)
  if (on === null) return null
  const tokens = keyName(name).split('_')
  const has = (words: ReadonlySet<string>) => tokens.some((token) => words.has(token))
  if (on && (has(TRIAL) || TRIAL_HAN.test(name))) return '它像是測試的開關'
  if (on && (has(OVER) || OVER_HAN.test(name))) return '它像是委託的狀態'
  return !on && has(GOES) ? '它像是說這筆不執行' : null
}

const AROUND = /測試|模擬|回測|範例|取消|作廢|撤銷|不要|勿|請忽略/
/** A day or a clock: its numbers are no sizes. */
const WHEN = /\d{1,4}[-/]\d{1,2}(?:[-/]\d{1,4})?|\d{1,2}:\d{2}(?::\d{2})?/g
const AROUND_WORDS = set('not dont don example backtest ignore')

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
