// The symbol a message names, with its month, its exchange and its kind of product; two different ones contradict each other.
import { ASSET_FACTS, assetOf } from '../kinds.ts'
import { STOCK_NAMES, stockName } from '../products.ts'
import type { StrategyKind } from '../record.ts'
import { type ResolvedSymbol, resolveSymbol } from '../symbols.ts'
import type { PayloadStrategy } from './shape.ts'
import { every, type Said, type Uses } from './uses.ts'
import { placeholderIn, quoted, Refusal, unfilled } from './values.ts'
import { wordOf } from './vocabulary.ts'

export interface SymbolSaid {
  key: string
  raw: string
  found: ResolvedSymbol
}

const EXCHANGES = new Set(
  'taifex taifexdl taifexdly twse twsedl twsedly tpex tpexdl tpexdly twf tfe tse otc tw two twn tai taiwan xtai xtaf roco txo 臺灣期貨交易所 台灣期貨交易所 期交所 臺灣證券交易所 台灣證券交易所 證交所 櫃買中心 上市 上櫃 興櫃 tib emg'.split(
    ' ',
  ),
)
/** Values of `market` and of a class that name futures or stock instead of a symbol. */
const CLASSES: Readonly<Record<string, 'futures' | 'stock' | 'other'>> = {
  futures: 'futures',
  future: 'futures',
  fut: 'futures',
  fop: 'other',
  期貨: 'futures',
  f: 'futures',
  stock: 'stock',
  stocks: 'stock',
  stk: 'stock',
  equity: 'stock',
  equities: 'stock',
  etf: 'stock',
  股票: 'stock',
  證券: 'stock',
  現股: 'stock',
  s: 'stock',
  option: 'other',
  options: 'other',
  opt: 'other',
  call: 'other',
  put: 'other',
  選擇權: 'other',
  crypto: 'other',
  cryptocurrency: 'other',
  forex: 'other',
  fx: 'other',
  spot: 'other',
  cfd: 'other',
  perpetual: 'other',
  perp: 'other',
  swap: 'other',
  margin: 'other',
  外匯: 'other',
}

/** What the message says about its symbol; null when it says nothing. Throws a Refusal. */
export function symbolSaid(uses: Uses, at: string, kind: StrategyKind): SymbolSaid | null {
  options(uses)
  let best: SymbolSaid | null = null
  const names: Said[] = []
  for (const said of every(uses, 'symbol')) {
    const raw = String(said.value)
    const variable = placeholderIn(raw)
    if (variable) throw new Refusal('unresolved_placeholder', variable, unfilled(variable))
    if (isMarket(said) && (BOOKED.has(wordOf(raw)) || isClassOrExchange(said, kind))) continue
    const found = resolveSymbol(raw, at)
    if (found) best = join(best, { key: said.key, raw, found })
    else names.push(said)
  }
  for (const said of names) {
    // The stock's name beside its code says the same once more.
    if (best?.found.asset === 'stock' && isName(best.found.symbol, String(said.value))) continue
    const { codes } = ASSET_FACTS[assetOf({ kind })]
    throw new Refusal(
      'unknown_symbol',
      said.key,
      `看不懂商品代號${quoted(said.value)}（欄位 ${said.key}）：請改用例如 ${codes.join(' 或 ')} 的寫法${/^\d{1,3}$/.test(String(said.value)) ? '；代號前面的 0 也要送，例如 "0050"' : ''}`,
    )
  }
  best = named(uses, best, at, kind)
  exchanges(uses, best)
  currencies(uses, best)
  classes(uses, kind)
  return months(uses, best, at)
}

/** The * of 國巨* says that its shares have another par value; senders leave it out. */
function isName(symbol: string, said: string): boolean {
  const plain = (text: string) => text.normalize('NFKC').replace(/\*$/, '').trim()
  return plain(stockName(symbol)) === plain(said)
}

/** Whether a text is the name of another of the largest listings. */
function othersName(symbol: string, said: string): boolean {
  const name = said.normalize('NFKC').trim()
  return Object.entries(STOCK_NAMES).some(([code, own]) => own === name && code !== symbol)
}

/** `symbolName`: some senders put the code there; a name beside a code says the same once more. */
function named(uses: Uses, best: SymbolSaid | null, at: string, kind: StrategyKind): SymbolSaid | null {
  let now = best
  for (const said of every(uses, 'symbol_name')) {
    const raw = String(said.value)
    const found = resolveSymbol(raw, at)
    if (found) now = join(now, { key: said.key, raw, found })
    else if (now?.found.asset === 'stock' && othersName(now.found.symbol, raw))
      throw new Refusal(
        'contradiction',
        said.key,
        `商品寫了兩種：${now.key}${quoted(now.raw)}、${said.key}${quoted(raw)}，請只留一個`,
      )
    else if (now === null)
      throw new Refusal(
        'unknown_symbol',
        said.key,
        `看不懂商品${quoted(raw)}（欄位 ${said.key}）：請加上欄位 symbol，例如 ${ASSET_FACTS[assetOf({ kind })].codes[0]}`,
      )
  }
  return now
}

/** Words of a class that say how an order is booked, not what is traded. */
const BOOKED = new Set(
  'intraday delivery normal common regular mis cnc nrml carryforward odd daytrade'.split(' '),
)

function isMarket(said: Said): boolean {
  return ['market', 'security', 'instrument', 'product', 'stock'].includes(
    wordOf(said.key.split('.').at(-1) ?? ''),
  )
}

/** `market: TAIFEX`, `product: futures`: no symbol, but it must go with the strategy. */
function isClassOrExchange(said: Said, kind: StrategyKind): boolean {
  const word = wordOf(String(said.value))
  if (EXCHANGES.has(word)) return true
  if (!Object.hasOwn(CLASSES, word) || word.length < 2) return false
  classFits(said, kind)
  return true
}

function classes(uses: Uses, kind: StrategyKind): void {
  for (const said of every(uses, 'asset_class')) {
    if (BOOKED.has(wordOf(String(said.value)))) continue
    if (!Object.hasOwn(CLASSES, wordOf(String(said.value))))
      throw new Refusal(
        'unknown_field',
        said.key,
        `不確定欄位 ${said.key}${quoted(said.value)}的意思：請拿掉它，或在訊息格式裡選「不看」`,
      )
    classFits(said, kind)
  }
}

function classFits(said: Said, kind: StrategyKind): void {
  const is = CLASSES[wordOf(String(said.value))]
  const asset = assetOf({ kind })
  if (is === asset) return
  throw new Refusal(
    'symbol_mismatch',
    said.key,
    `欄位 ${said.key}${quoted(said.value)}與這個${ASSET_FACTS[asset].name}策略不符：請把快訊送到對的策略`,
  )
}

function exchanges(uses: Uses, best: SymbolSaid | null): void {
  for (const said of every(uses, 'exchange')) {
    const text = String(said.value)
    if (placeholderIn(text) || EXCHANGES.has(wordOf(text)) || Object.hasOwn(CLASSES, wordOf(text))) continue
    throw new Refusal(
      'symbol_mismatch',
      said.key,
      `交易所${quoted(text)}（欄位 ${said.key}）不是台灣的市場${best ? `，${quoted(best.raw)}可能是別的商品` : ''}：這裡只收台灣的期貨與股票`,
    )
  }
}

/** A line `clock figure action` on a stock strategy: the figure may be a listed code as well as a price. Throws a Refusal. */
export function codeForPrice(uses: Uses, strategy: PayloadStrategy): void {
  if (assetOf(strategy) !== 'stock') return
  for (const said of every(uses, 'price')) {
    const text = String(said.value)
    if (strategy.symbols.includes(text) || stockName(text) !== text)
      throw new Refusal(
        'unknown_field',
        said.path,
        `不確定${quoted(text)}是股票代號還是價格：請依「時間 代號 價格 動作」的順序送，價格寫成 ${text}.00`,
      )
  }
}

/** The money of another market: TMF in USD is a fund of New York, 7203 in JPY a share of Tokyo. */
function currencies(uses: Uses, best: SymbolSaid | null): void {
  for (const said of every(uses, 'currency')) {
    const text = String(said.value).normalize('NFKC').trim()
    if (!/^[A-Za-z]{3,5}$/.test(text) || ['twd', 'ntd', 'none', 'null'].includes(text.toLowerCase())) continue
    throw new Refusal(
      'symbol_mismatch',
      said.key,
      `幣別${quoted(text)}（欄位 ${said.key}）不是新台幣${best ? `，${quoted(best.raw)}可能是別的商品` : ''}：這裡只收台灣的期貨與股票`,
    )
  }
}

function options(uses: Uses): void {
  for (const said of every(uses, 'option')) {
    const text = String(said.value)
    if (said.value === false || text === '0') continue
    throw new Refusal(
      'symbol_mismatch',
      said.key,
      `欄位 ${said.key}${quoted(text)}是選擇權的條件：這裡只收期貨與股票，不收選擇權`,
    )
  }
}

function months(uses: Uses, best: SymbolSaid | null, at: string): SymbolSaid | null {
  let now = best
  for (const said of every(uses, 'month')) {
    const text = String(said.value).normalize('NFKC').trim()
    const month = monthOf(text)
    if (month === 'near') continue
    if (month !== null && now?.found.asset === 'futures') {
      const found = { ...now.found, contract: month }
      now = join(now, { key: said.key, raw: `${now.raw}（${text}）`, found })
      continue
    }
    const found = month === null ? resolveSymbol(text, at) : null
    if (found) now = join(now, { key: said.key, raw: text, found })
    else
      throw new Refusal(
        'unknown_field',
        said.key,
        `看不懂契約月份${quoted(text)}（欄位 ${said.key}）：請送 YYYYMM，例如 202612`,
      )
  }
  return now
}

/** 202612, 2026-12, 2026/12, 202612W2; near = the near month in words. */
function monthOf(text: string): string | 'near' | null {
  const m = /^(20\d{2})[-/]?(0[1-9]|1[0-2])([WF][1-5])?$/i.exec(text)
  if (m) return `${m[1]}${m[2]}${(m[3] ?? '').toUpperCase()}`
  return /^(?:近月|近|當月|near|front|c1|hot|0)$/i.test(text) ? 'near' : null
}

/** Two names of one thing: the one that says the month is the fuller. */
function join(a: SymbolSaid | null, b: SymbolSaid): SymbolSaid {
  if (a === null) return b
  const same = a.found.asset === b.found.asset && a.found.symbol === b.found.symbol
  const contracts = new Set([a.found.contract, b.found.contract].filter((one) => one !== 'C1'))
  if (same && contracts.size <= 1) return a.found.contract === 'C1' ? b : a
  const figure = [b, a].find(({ raw }) => /^\d+$/.test(raw))
  throw new Refusal(
    'contradiction',
    b.key,
    `商品寫了兩種：${a.key}${quoted(a.raw)}、${b.key}${quoted(b.raw)}，請只留一個${figure ? `；若 ${figure.raw} 是價格，請用欄位 price 或寫成 @${figure.raw}` : ''}`,
  )
}

/** What an unparsed rule's symbol means; null when nobody knows it. */
export function ruleSymbol(raw: string, at: string): SymbolSaid | null {
  const found = resolveSymbol(raw, at)
  return found ? { key: 'symbol', raw, found } : null
}
