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
