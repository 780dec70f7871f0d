// The symbol a message names, with its month, its exchange and its kind of product; two different ones contradict each other.

import { isOver, lastTradingDay, taipei } from '../calendar.ts'
import { ASSET_FACTS, assetOf } from '../kinds.ts'
import { contractMonths, contractOfRule, STOCK_NAMES, stockName } from '../products.ts'
import type { Flag, StrategyKind } from '../record.ts'
import { type ResolvedSymbol, resolveSymbol } from '../symbols.ts'
import type { PayloadStrategy } from './shape.ts'
import { every, type Said, type Uses } from './uses.ts'
import { filled, placeholderIn, quoted, Refusal, refusal, twice } from './values.ts'
import { table, wordOf } from './words.ts'

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

// Which product or stock a message is for, and whether the strategy takes it (rulings C3, A28, C40; domain §4.8, rule 11). Apart from
// the names and words of messages: what is entered by hand is placed by it on the device.

export interface Placed {
  symbol: string
  contract: string | null
  flags: Flag[]
}

/** The symbol and contract of a message under a strategy; an absent one is the strategy's only product. Throws a Refusal. */
export function place(
  said: SymbolSaid | null,
  at: string,
  strategy: PayloadStrategy,
  closed_days?: ReadonlySet<string>,
): Placed {
  const placed = said === null ? own(strategy) : placedUnder(said, strategy, at, closed_days)
  notOver(placed, at, said?.key ?? 'symbol', closed_days)
  return placed
}

/** Of a future at a stock strategy, and the other way round, that is what there is to say, whatever else is wrong. Throws a Refusal. */
export function assetFits({ found, raw, key }: SymbolSaid, strategy: PayloadStrategy): void {
  const asset = assetOf(strategy)
  if (found.asset === asset) return
  // A figure alone may be a price that stands where the product should.
  const [is, wants] = [ASSET_FACTS[found.asset].name, ASSET_FACTS[asset].name]
  const why =
    asset === 'futures' && /^\d+$/.test(raw)
      ? `不是期貨的商品代號：若是價格，請用欄位 price 或寫成 @${raw}，並且只寫一個價格`
      : `是${is}，但這個策略是${wants}策略：請把快訊送到${is}策略的網址`
  throw new Refusal('symbol_mismatch', key, `${quoted(raw)}${why}`)
}

function placedUnder(
  said: SymbolSaid,
  strategy: PayloadStrategy,
  at: string,
  closed_days?: ReadonlySet<string>,
): Placed {
  const { found } = said
  assetFits(said, strategy)
  const other = (wanted: string): Flag[] => {
    if (strategy.on_symbol_mismatch === 'accept') return ['symbol_mismatch']
    const blank = /\w$/.test(wanted) ? ' ' : ''
    const why = `訊息的商品${quoted(said.raw)}與策略設定的 ${wanted}${blank}不符：請修改快訊的商品，或在策略設定改為「接受並標示」`
    throw new Refusal('symbol_mismatch', said.key, why)
  }
  if (found.asset === 'stock') {
    const { symbols } = strategy
    const fits = symbols.length === 0 || symbols.includes(found.symbol)
    return { symbol: found.symbol, contract: null, flags: fits ? [] : other(symbols.slice(0, 5).join('、')) }
  }
  const contract = contractUnder(found, strategy)
  const placed = { symbol: found.symbol, contract }
  const own = found.symbol === strategy.product_code
  // Of a month of its own product that is over, that is what there is to say.
  if (own) notOver(placed, at, said.key, closed_days)
  const month = monthFits(contract, strategy, at, closed_days)
  if (!own || month === 'no') return { ...placed, flags: other(wantedFutures(strategy)) }
  return { ...placed, flags: month === 'other' ? ['other_month'] : [] }
}

/** With a fixed month, a continuous chart stands for that month; another explicit month stays what it is. */
function contractUnder(found: ResolvedSymbol, strategy: PayloadStrategy): string {
  const contract = found.contract ?? 'C1'
  const continuous = contract === 'C1' || contract === 'C2'
  return strategy.contract_rule === 'month' && strategy.contract_month !== null && continuous
    ? strategy.contract_month
    : contract
}

/** Near and next take both months; `other`: not the rule's own on that day. */
function monthFits(
  contract: string,
  strategy: PayloadStrategy,
  at: string,
  closed_days?: ReadonlySet<string>,
): 'own' | 'other' | 'no' {
  if (strategy.contract_rule === 'month') return contract === strategy.contract_month ? 'own' : 'no'
  const next = strategy.contract_rule === 'next'
  if (contract === 'C1') return next ? 'other' : 'own'
  if (contract === 'C2') return next ? 'own' : 'other'
  const listed = nearAndNext(strategy.product_code ?? '', at, closed_days)
  if (contract === listed[next ? 1 : 0]) return 'own'
  return listed.includes(contract) ? 'other' : 'no'
}

/** The two nearest months that still trade at an instant: on the last trading day until 13:30, its night session never. */
function nearAndNext(code: string, at: string, closed_days?: ReadonlySet<string>): readonly string[] {
  const { date } = taipei(at)
  const months = contractMonths(code, date, closed_days).filter((month) => /^\d{6}$/.test(month))
  return months.filter((month) => !isOver(month, at, closed_days)).slice(0, 2)
}

function notOver(
  { symbol, contract }: Pick<Placed, 'symbol' | 'contract'>,
  at: string,
  key: string,
  closed_days?: ReadonlySet<string>,
): void {
  if (contract === null || !isOver(contract, at, closed_days)) return
  const last = lastTradingDay(contract, closed_days) ?? ''
  throw new Refusal(
    'contract_ended',
    key,
    `${monthName(contract)}契約的最後交易日是 ${last}，已經到期：請改用近月（例如 ${symbol}1!），或把策略改到還在交易的月份`,
  )
}

/** 202612 as people say it: 2026 年 12 月; a weekly keeps its week behind it. */
function monthName(contract: string): string {
  return contract.replace(/^(\d{4})0?(\d{1,2})/, '$1 年 $2 月')
}

function wantedFutures(strategy: PayloadStrategy): string {
  if (strategy.contract_rule === 'month')
    return `${strategy.product_code ?? ''} ${monthName(strategy.contract_month ?? '')}`.trim()
  return `${strategy.product_code ?? ''} 近月或次月`
}

function own(strategy: PayloadStrategy): Placed {
  if (strategy.product_code !== null) {
    const contract = contractOfRule(strategy.contract_rule, strategy.contract_month)
    return { symbol: strategy.product_code, contract, flags: ['default_symbol'] }
  }
  const [only, ...others] = strategy.symbols
  if (only !== undefined && others.length === 0)
    return { symbol: only, contract: null, flags: ['default_symbol'] }
  throw new Refusal('missing_field', 'symbol', '訊息缺少商品代號：請加上欄位 symbol，例如 "symbol":"2330"')
}
