// How platforms write symbols, resolved to one product and contract or one stock (domain §2.5, rules 1–10).
import { taipei } from './calendar.ts'
import { findByAnyCode, STOCK_NAMES, stockName } from './products.ts'

export type ResolvedSymbol =
  | { asset: 'futures'; symbol: string; contract: string }
  | { asset: 'stock'; symbol: string; contract: null }

const ALIASES: Readonly<Record<string, string>> = {
  TX: 'TXF',
  台指: 'TXF',
  台指期: 'TXF',
  台指期貨: 'TXF',
  台股期貨: 'TXF',
  大台: 'TXF',
  大台指: 'TXF',
  MTX: 'MXF',
  小台: 'MXF',
  小台指: 'MXF',
  小台指期: 'MXF',
  小型台指: 'MXF',
  小型台指期貨: 'MXF',
  微台: 'TMF',
  微台指: 'TMF',
  微台指期: 'TMF',
  微型台指: 'TMF',
  微型台指期貨: 'TMF',
  TE: 'EXF',
  電子期: 'EXF',
  電子期貨: 'EXF',
  小型電子期貨: 'ZEF',
  TF: 'FXF',
  金融期: 'FXF',
  金融期貨: 'FXF',
  小型金融期貨: 'ZFF',
  非金電: 'XIF',
  非金電期貨: 'XIF',
}
const XQ: Readonly<Record<string, string>> = { TX: 'TXF', MTX: 'MXF', TE: 'EXF', TF: 'FXF' }
/** 小型台指 is a small one, not 台指: what begins first counts, the longer before the shorter. */
const HAN_NAMES = new RegExp(
  Object.keys(ALIASES)
    .filter((name) => !/^[A-Z]/.test(name))
    .sort((a, b) => b.length - a.length)
    .join('|'),
)
/** Names of the largest listings. */
const NAMES: ReadonlySet<string> = new Set(Object.values(STOCK_NAMES))
const MONTHS = 'ABCDEFGHIJKL'
const CME_MONTHS = 'FGHJKMNQUVXZ'
const STOCK = /^(?:\d{4}[A-Z]?|00\d{2,4}[A-Z]?|\d{5,6}[A-Z]?)$/

/** What a sender's symbol means at an instant (the instant decides the decade of a year digit); null = unknown. */
export function resolveSymbol(raw: string, at: string): ResolvedSymbol | null {
  const { code: said, beside } = tidy(raw)
  // 小台近月 is what 小台 is: the near month.
  const code = said.replace(/(?<=[台指期])近(?:月|一)?$/, '')
  if (code === '' || code.length > 40) return null
  const found = coded(code, at)
  return found === null || beside === '' || !isAnothers(beside, found, at) ? found : null
}

function coded(text: string, at: string): ResolvedSymbol | null {
  const stock =
    /^(\d{4,6}[A-Z]?)(?:\.TWO?|\.TE)?$/.exec(text) ?? /^TC\.S\.[A-Z]{3,5}\.(\d{4,6}[A-Z]?)$/.exec(text)
  if (!stock) return futures(text, at)
  const symbol = stock[1] as string
  return STOCK.test(symbol) ? { asset: 'stock', symbol, contract: null } : null
}

/** Rights and contracts on a stock, and what is leveraged on it: other products than the code beside them. */
const DERIVED = /選擇權|[買賣]權|認[購售]|權證|價差|正2|反1|\b(?:CALL|PUT|OPTIONS?|WARRANT|SPREAD|ADR)\b/
/** Bloomberg's TT and Reuters' TW are Taiwan; the letters of another market are another stock. */
const ABROAD = /^(?!T[TW]\b)[A-Z]{1,2}(?: EQUITY)?$/

/** What stands beside a code in one text, 2330 鴻海 or 大台(MXF): whether it is something else than the code. */
function isAnothers(beside: string, { asset, symbol }: ResolvedSymbol, at: string): boolean {
  const own = asset === 'stock' ? stockName(symbol) : ''
  if (own === beside) return false
  if (DERIVED.test(beside) || /\d{4}/.test(beside.replace(symbol, ''))) return true
  const product = productIn(beside, at)
  if (product !== null && resolveSymbol(product, at)?.symbol !== symbol) return true
  if (asset === 'futures') return false
  return /期貨?$/.test(beside) || ABROAD.test(beside) || NAMES.has(beside)
}

/** A product named somewhere in a text without blanks, 大台兩口, TXF突破, as it is written there; null when there is none. */
export function productIn(text: string, at: string): string | null {
  const plain = text.normalize('NFKC').toUpperCase().replaceAll('臺', '台')
  const named = HAN_NAMES.exec(plain)?.[0]
  if (named !== undefined) return named
  const pieces = plain.match(/[A-Z][A-Z0-9!*.:]+/g) ?? []
  return pieces.find((piece) => resolveSymbol(piece, at) !== null) ?? null
}

/** Whether a text is a stock code by form. */
export function isStockCode(symbol: string): boolean {
  return STOCK.test(symbol)
}

/** Full-width to half-width, ="2330", "2330 台積電", 台股指數近月(FITXN*1.TF), exchange prefixes (rule 1); and what stands beside the code. */
function tidy(raw: string): { code: string; beside: string } {
  let text = raw.slice(0, 200).normalize('NFKC').trim().toUpperCase()
  text = text.replace(/^="?/, '').replace(/"$/, '').replaceAll('臺', '台').trim()
  let beside = ''
  const inside = /\(([A-Z0-9*.]{2,20})\)$/.exec(text)
  if (inside) {
    beside = text.slice(0, inside.index).trim()
    text = inside[1] as string
  }
  const named = /^(\d{4,6}[A-Z]?(?:\.TWO?|\.TE)?) ([^\d].*)/.exec(text)
  if (named) [, text, beside] = named as unknown as [string, string, string]
  return { code: text.replace(/^(?:TAIFEX|TWSE|TPEX|TWF)(?:_DLY?)?:/, ''), beside }
}

function futures(text: string, at: string): ResolvedSymbol | null {
  let m = /^TC\.F\.TWF\.([A-Z0-9]{3})\.(HOT|\d{6})$/.exec(text)
  if (m) return build(m[1], m[2] === 'HOT' ? 'C1' : m[2])
  m = /^([A-Z][A-Z0-9]{2})R?([12])(!?)$/.exec(text)
  // TXF1! and TXFR1, but neither TXF1 nor TXFR1!
  if (m && (text[3] === 'R') !== (m[3] === '!')) return build(m[1], `C${m[2]}`)
  m = /^([A-Z][A-Z0-9]{2})(20\d{2}(?:0[1-9]|1[0-2])(?:[WF][1-5])?)$/.exec(text)
  if (m) return build(m[1], m[2])
  m = /^([A-Z][A-Z0-9]{2})([A-L])(\d)$/.exec(text)
  if (m) return build(m[1], `${nearestYear(Number(m[3]), at)}${two(MONTHS.indexOf(m[2] as string) + 1)}`)
  m = /^([A-Z][A-Z0-9]{2})([FGHJKMNQUVXZ])(20\d{2})$/.exec(text)
  if (m) return build(m[1], `${m[3]}${two(CME_MONTHS.indexOf(m[2] as string) + 1)}`)
  m = /^FI(TX|MTX|TE|TF)N?\*([12])(?:\.TF)?$/.exec(text)
  if (m) return build(XQ[m[1] as string], `C${m[2]}`)
  const alias = Object.hasOwn(ALIASES, text) ? ALIASES[text] : text
  return build(alias, 'C1')
}

function build(code: string | undefined, contract: string | undefined): ResolvedSymbol | null {
  if (code === undefined || contract === undefined) return null
  const weekly = /^MX([1245])$/.exec(code)
  if (weekly) {
    if (!/^\d{6}$/.test(contract)) return null
    return { asset: 'futures', symbol: 'MXF', contract: `${contract}W${weekly[1]}` }
  }
  if (/^\d{6}$/.test(contract) && !/(?:0[1-9]|1[0-2])$/.test(contract)) return null
  const product = findByAnyCode(code)
  if (!product) return null
  return { asset: 'futures', symbol: product.code, contract }
}

/** The year ending in `digit` that is closest to the instant's Taipei year; the later one when both are 5 away. */
function nearestYear(digit: number, at: string): number {
  const year = Number(taipei(at).date.slice(0, 4))
  const ahead = (digit - (year % 10) + 10) % 10
  return ahead <= 5 ? year + ahead : year + ahead - 10
}

function two(n: number): string {
  return String(n).padStart(2, '0')
}
