// The symbol a message names, with its month, its exchange and its kind of product; two different ones contradict each other.

import { ASSET_FACTS, assetOf } from '../kinds.ts'
import { STOCK_NAMES, stockName } from '../products.ts'
import type { StrategyKind } from '../record.ts'
import { resolveSymbol } from '../symbols.ts'
import type { SymbolSaid } from './place.ts'
import type { PayloadStrategy } from './shape.ts'
import { every, type Said, type Uses } from './uses.ts'
import { filled, placeholderIn, quoted, Refusal, refusal, twice } from './values.ts'
import { table, wordOf } from './words.ts'

const EXCHANGES = new Set(
  'taifex taifexdl taifexdly twse twsedl twsedly tpex tpexdl tpexdly twf tfe tse otc tw two twn tai taiwan xtai xtaf roco txo 臺灣期貨交易所 台灣期貨交易所 期交所 臺灣證券交易所 台灣證券交易所 證交所 櫃買中心 上市 上櫃 興櫃 tib emg'.split(
    ' ',
  ),
)
/** Values of `market` and of a class that name a kind of product; `booked`: how an order is booked, not what is traded. */
const CLASSES = table({
  futures: 'futures future fut 期貨 f',
  stock: 'stock stocks stk equity equities etf 股票 證券 現股 s',
  other:
    'fop option options opt call put 選擇權 crypto cryptocurrency forex fx spot cfd perpetual perp swap margin 外匯',
  booked: 'intraday delivery normal common regular mis cnc nrml carryforward odd daytrade',
})

/** What the message says about its symbol; null when it says nothing. Throws a Refusal. */
export function symbolSaid(uses: Uses, at: string, kind: StrategyKind): SymbolSaid | null {
  const option = every(uses, 'option').find(({ value }) => value !== false && String(value) !== '0')
  if (option) throw foreign(option, null, '是選擇權的條件')
  let best: SymbolSaid | null = null
  const names: Said[] = []
  for (const said of every(uses, 'symbol', 'symbol_name')) {
    const raw = filled(said)
    if (isMarket(said) && isClassOrExchange(said, kind)) continue
    const found = resolveSymbol(raw, at)
    if (found) best = join(best, { key: said.key, raw, found })
    else names.push(said)
  }
  for (const said of names) {
    // The stock's name beside its code says the same once more.
    if (best && (said.field === 'symbol_name' ? !isOthersName(best, said) : isOwnName(best, said))) continue
    if (best && said.field === 'symbol_name') throw twice('商品', { key: best.key, value: best.raw }, said)
    const { codes } = ASSET_FACTS[assetOf({ kind })]
    const zeros = /^\d{1,3}$/.test(String(said.value)) ? '；代號前面的 0 也要送，例如 "0050"' : ''
    const why = `：請改用例如 ${codes.join(' 或 ')} 的寫法${zeros}`
    throw refusal('unknown_symbol', said, why, '看不懂商品代號')
  }
  for (const said of every(uses, 'exchange')) {
    const word = wordOf(String(said.value))
    if (placeholderIn(String(said.value)) === null && !EXCHANGES.has(word) && !CLASSES.has(word))
      throw foreign(said, best, '不是台灣的市場', '交易所')
  }
  // The money of another market: TMF in USD is a fund of New York, 7203 in JPY a share of Tokyo.
  for (const said of every(uses, 'currency'))
    if (!/^(?:twd|ntd|none|null|(?![a-z]{3,5}$).*)$/is.test(String(said.value).normalize('NFKC').trim()))
      throw foreign(said, best, '不是新台幣', '幣別')
  for (const said of every(uses, 'asset_class')) classFits(said, kind)
  return months(uses, best, at)
}

function foreign(said: Said, best: SymbolSaid | null, why: string, what = ''): Refusal {
  const other = best ? `，${quoted(best.raw)}可能是別的商品` : ''
  return refusal('symbol_mismatch', said, `${why}${other}：這裡只收台灣的期貨與股票`, what)
}

/** The * of 國巨* says that its shares have another par value; senders leave it out. */
const plain = (text: unknown) => String(text).normalize('NFKC').replace(/\*$/, '').trim()

const isOwnName = ({ found }: SymbolSaid, { value }: Said): boolean =>
  found.asset === 'stock' && plain(stockName(found.symbol)) === plain(value)

/** Whether a text is the name of another of the largest listings. */
const isOthersName = ({ found }: SymbolSaid, { value }: Said): boolean =>
  found.asset === 'stock' &&
  Object.entries(STOCK_NAMES).some(([code, own]) => own === plain(value) && code !== found.symbol)

function isMarket(said: Said): boolean {
  const name = wordOf(said.key.split('.').at(-1) ?? '')
  return ['market', 'security', 'instrument', 'product', 'stock', 'asset'].includes(name)
}

/** `market: TAIFEX`, `product: futures`: no symbol, but it must go with the strategy. */
function isClassOrExchange(said: Said, kind: StrategyKind): boolean {
  const word = wordOf(String(said.value))
  if (EXCHANGES.has(word)) return true
  if (!CLASSES.has(word) || word.length < 2) return false
  classFits(said, kind)
  return true
}

function classFits(said: Said, kind: StrategyKind): void {
  const is = CLASSES.get(wordOf(String(said.value)))
  if (is === undefined)
    throw refusal('unknown_field', said, '的意思不確定：請拿掉它，或在訊息格式裡選「不看」')
  const asset = assetOf({ kind })
  if (is !== asset && is !== 'booked')
    throw refusal('symbol_mismatch', said, `與這個${ASSET_FACTS[asset].name}策略不符：請把快訊送到對的策略`)
}

/** A line `clock figure action` on a stock strategy: the figure may be a listed code as well as a price. Throws a Refusal. */
export function codeForPrice(uses: Uses, strategy: PayloadStrategy): void {
  if (assetOf(strategy) !== 'stock') return
  for (const { value, path } of every(uses, 'price')) {
    const text = String(value)
    if (!strategy.symbols.includes(text) && stockName(text) === text) continue
    const why = `不確定「${text}」是股票代號還是價格：請依「時間 代號 價格 動作」的順序送，價格寫成 ${text}.00`
    throw new Refusal('unknown_field', path, why)
  }
}

function months(uses: Uses, best: SymbolSaid | null, at: string): SymbolSaid | null {
  let now = best
  for (const said of every(uses, 'month')) {
    const text = String(said.value).normalize('NFKC').trim()
    if (NEAR.test(text)) continue
    // 202612, 2026-12, 2026/12, 202612W2
    const m = /^(20\d{2})[-/]?(0[1-9]|1[0-2])([WF][1-5])?$/i.exec(text)
    if (m && now?.found.asset === 'futures') {
      const contract = `${m[1]}${m[2]}${(m[3] ?? '').toUpperCase()}`
      now = join(now, { key: said.key, raw: `${now.raw}（${text}）`, found: { ...now.found, contract } })
      continue
    }
    const found = m ? null : resolveSymbol(text, at)
    if (!found) throw refusal('unknown_field', said, '不是看得懂的契約月份：請送 YYYYMM，例如 202612')
    now = join(now, { key: said.key, raw: text, found })
  }
  return now
}

const NEAR = /^(?:近月|近|當月|near|front|c1|hot|0)$/i

/** Two names of one thing: the one that says the month is the fuller. */
function join(a: SymbolSaid | null, b: SymbolSaid): SymbolSaid {
  if (a === null) return b
  const same = a.found.asset === b.found.asset && a.found.symbol === b.found.symbol
  const contracts = new Set([a.found.contract, b.found.contract].filter((one) => one !== 'C1'))
  if (same && contracts.size <= 1) return a.found.contract === 'C1' ? b : a
  const figure = [b, a].find(({ raw }) => /^\d+$/.test(raw))?.raw
  const more = figure ? `；若 ${figure} 是價格，請用欄位 price 或寫成 @${figure}` : ''
  throw twice('商品', { key: a.key, value: a.raw }, { key: b.key, value: b.raw }, more)
}
