// Words around an object: they may only label or forward it, for what else they say nobody can be certain of (domain §4.8, rule 14).
import { resolveSymbol } from '../symbols.ts'
import { numberOf } from './values.ts'
import { isDoubted } from './vocabulary/free-text.ts'
import { unitOfWord } from './vocabulary/units.ts'
import { inWords, meaningOf, otherWord } from './vocabulary/words.ts'

const AROUND = /測試|模擬|回測|範例|不要|勿|請忽略|[未預昨]|若|建議|錯誤|紀錄|歷史|統計|績效|總結|報告/
/** A day or a clock: its numbers are no sizes. */
const WHEN = /\d{1,4}[-/]\d{1,2}(?:[-/]\d{1,4})?|\d{1,2}:\d{2}(?::\d{2})?/g
const TIMES = /[*×]\s?\d|\d\s?[×倍]|加倍|\btwice\b/i

/** What forwards a message or stands over it. */
const LABELS = new Set(
  'alert alerts alarm signal signals strategy strategies message msg text data payload body json webhook webhooks hook hooks tradingview tv bot order orders trade trades new post get http https host content type application plain charset utf received receive sent send from to by via at on for the a is end begin start info log debug retry attempt line time date html pre code'.split(
    ' ',
  ),
)
const LABELS_HAN =
  /策略|訊號|快訊|通知|警示|警報|提醒|^(?:請查收|收到|轉發|來自|內容|訊息|時間|您好|你好|新)$/
/** Behind these stands a name. */
const NAMED_BY = new Set(['by', 'from', 'via', 'host', '來自'])

export interface Within {
  /** The symbol the message names itself. */
  symbol: string | null
  /** The message says its own size. */
  sized: boolean
}

/** Why the words around an object count; null when they only label it. */
export function outside(text: string, at: string, { symbol, sized }: Within): string | null {
  if (AROUND.test(text) || isDoubted(text)) return '它像是說這筆不算'
  if (TIMES.test(text)) return '它像是數量'
  let before = ''
  for (const token of text.replace(WHEN, ' ').split(/[\s,;:!?()[\]<>{}`'"*|=/，。；：！？（）「」【】]+/)) {
    if (token === '') continue
    const trade =
      meaningOf(token) !== null || ['test', 'not_a_trade', 'placed_stop'].includes(otherWord(token) ?? '')
    if (trade || unitOfWord(token) !== undefined) return '它像是委託的一部分'
    const own = /[A-Za-z]/.test(token) ? resolveSymbol(token, at) : null
    if (own !== null && own.symbol !== symbol) return '它像是另一個商品'
    if (/^(?:\d+(?:口|張|股|lots?|x)|x\d+)$/i.test(token)) return '它像是數量'
    if (!sized && numberOf(token) !== null) return '而訊息沒有寫數量，它可能就是數量'
    if (own === null && !labels(token, before)) return '不知道它會不會改變這筆委託'
    before = token.toLowerCase()
  }
  return null
}

function labels(token: string, before: string): boolean {
  if (!/\p{L}{2}/u.test(token) || LABELS.has(token.toLowerCase())) return true
  if (NAMED_BY.has(before)) return inWords(token) !== 'state'
  return LABELS_HAN.test(token) || /^\d+[分日時]K?$/.test(token)
}
