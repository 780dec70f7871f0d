// What free text says beside an order: a radar's trigger, the words behind a line, a message that no format fits (domain §4.8, rule 13).

/** What the market does, not what is to be done: 外資買超5000張, 賣壓沉重, RSI超賣. */
const OF_MARKET = /[買賣](?:超|盤|壓|量|氣|方|張)[\d,]{0,12}張?|[委內外掛超][買賣]|買賣/g
/** Nothing is done yet, or it is taken back. */
const NOT_DONE = /[未不暫勿別無免沒](?=.{0,2}(?:進|出|買|賣|做|建|平|停|成|觸|達))|取消|作廢|解除|失效/
/** Words of going out and of going in, wherever they stand; a stop with its price only protects. */
const OUT =
  /出場|平倉|賣|離場|出清|清倉|清空|停[損利](?![價點]?[\d.])|減碼|了結|平[多空]|[放做作翻加開]空|空單|空方(?:訊號|進)|空進/
const IN = /進場|買|[做作翻加開]多|建倉|開倉|新倉|加碼|多單(?!出|平|停)|[放做作翻加開]空/

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

/** Whether a free text says that nothing is done, or no more. */
export function isUndone(text: string): boolean {
  return NOT_DONE.test(text)
}
