// Numbers, prices and times as senders write them (domain §4.5, rule 6).
import { instantOf } from '../calendar.ts'
import { isDecimal4 } from '../decimal.ts'
import { assetOf, BOARD_LOT, UNIT_FACTS } from '../kinds.ts'
import { PRICE_MAX } from '../record.ts'
import type { Mapping, PayloadStrategy, ReadReason, Scalar } from './shape.ts'

/** A plain decimal from 1085, "1,085", "１０８５"; separators only where thousands end; null when it is none. */
export function numberOf(value: Scalar): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value !== 'string' || value.length > 40) return null
  const text = halfWidth(value).trim()
  if (!/^[+-]?(?:\d{1,15}|\d{1,3}(?:,\d{3}){1,4})(?:\.\d{0,20})?$|^[+-]?\.\d{1,20}$/.test(text)) return null
  return Number(text.replaceAll(',', ''))
}

const ASCII = /^[\x20-\x7e]*$/

/** Full-width signs as half-width ones; figures in other shapes stay, for 1² is not 12. A circled one alone is a figure. */
export function halfWidth(text: string): string {
  if (ASCII.test(text)) return text
  const plain = text.replace(/[\uff01-\uff5e]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
  return plain.replaceAll('\u3000', ' ').replace(/^[\u2460-\u2468]$/, (sign) => sign.normalize('NFKC'))
}

/** A point where the separator of thousands may be meant: 1.000, 22.800. */
export function isGrouped(text: string): boolean {
  return /^[1-9]\d{0,2}\.\d{3}$/.test(text.trim())
}

/** A whole number, null when it is none ("2.0" is 2). */
export function integerOf(value: Scalar): number | null {
  const n = numberOf(value)
  // -0 would print and compare oddly further on.
  return n !== null && Number.isSafeInteger(n) ? n + 0 || 0 : null
}

/** Yes, no, or neither. */
export function switchOf(value: Scalar): boolean | null {
  if (typeof value === 'boolean') return value
  const text = String(value ?? '')
    .trim()
    .toLowerCase()
  if (['true', 'yes', 'y', '1', 'on', '是', '開啟', '啟用'].includes(text)) return true
  return ['false', 'no', 'n', '0', 'off', '', 'null', 'none', '否', '關', '關閉', '停用'].includes(text)
    ? false
    : null
}

const NO_PRICE = new Set(['', 'nan', 'null', 'none', 'na', 'n/a', 'market', 'mkt', '市價', 'm'])

/** A price; null = none was said (0, NaN, an unfilled variable), 'bad' = outside 0 < p ≤ PRICE_MAX or over 4 decimals. */
export function priceOf(value: Scalar | undefined): number | null | 'bad' {
  if (value === undefined || value === null) return null
  if (typeof value === 'boolean') return 'bad'
  if (typeof value === 'string') {
    if (NO_PRICE.has(value.trim().toLowerCase()) || placeholderIn(value) !== null) return null
  }
  // +50 is fifty more than something, not a price.
  const n = typeof value === 'string' && /^\s*[+＋]/.test(value) ? null : numberOf(value)
  if (n === 0) return null
  if (n === null || n < 0 || n > PRICE_MAX) return 'bad'
  if (isDecimal4(n)) return n
  // What a platform's binary arithmetic left behind is rounded away, never to the tick: averages are legitimate.
  const near = Math.round(n * 10_000) / 10_000
  return Math.abs(near - n) <= 0.000_001 && near > 0 ? near : 'bad'
}

const LEAST = Date.UTC(2000, 0, 1)

/**
 * Milliseconds of a sender's time: ISO, epoch seconds or milliseconds, YYYYMMDD[HHMMSS], YYYY/MM/DD HH:mm:ss. Without a
 * zone it is Taipei's. null = none was said, 'bad' = unreadable or before 2000.
 */
export function timeOf(value: Scalar | undefined): number | null | 'bad' {
  if (value === undefined || value === null) return null
  if (typeof value === 'boolean') return 'bad'
  const text = String(value).slice(0, 60).normalize('NFKC').trim()
  if (text === '' || placeholderIn(text) !== null) return null
  const ms = readTime(text)
  return Number.isNaN(ms) || ms < LEAST ? 'bad' : ms
}

function readTime(text: string): number {
  const bare = /^(\d{8,14})(?:\.\d{1,9})?$/.exec(text)?.[1]
  if (bare?.length === 10) return Number(bare) * 1000
  if (bare?.length === 13) return Number(bare)
  if (bare?.length === 14 || bare?.length === 12 || bare?.length === 8) return compact(bare)
  const m =
    /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[T ]+(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)? ?(Z|UTC|[+-]\d{2}:?\d{2})?$/i.exec(
      text,
    )
  if (!m) return Number.NaN
  const [, y = '', mo = '', d = '', h = '0', mi = '00', s = '00', fraction = '', zone] = m
  const local = wall(y, mo, d, h, mi, s)
  if (Number.isNaN(local)) return local
  const ms = local + Number(fraction.padEnd(3, '0').slice(0, 3))
  if (zone === undefined) return ms
  const utc = ms + 8 * 3_600_000
  if (/^(?:Z|UTC)$/i.test(zone)) return utc
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2))
  return zone.startsWith('-') ? utc + minutes * 60_000 : utc - minutes * 60_000
}

function compact(digits: string): number {
  const part = (from: number) => digits.slice(from, from + 2) || '00'
  return wall(digits.slice(0, 4), part(4), part(6), part(8), part(10), part(12))
}

/** A Taipei wall time in ms, NaN when the calendar has no such day or hour. */
function wall(y: string, mo: string, d: string, h: string, mi: string, s: string): number {
  const [month, day, hour] = [mo, d, h].map((x) => x.padStart(2, '0')) as [string, string, string]
  if (Number(hour) > 23 || Number(mi) > 59 || Number(s) > 59) return Number.NaN
  const date = `${y}-${month}-${day}`
  const ms = Date.parse(`${date}T00:00:00.000Z`)
  // Some engines roll 02-30 over to March instead of refusing it.
  if (Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== date) return Number.NaN
  return Date.parse(instantOf(date, `${hour}:${mi}:${s}`))
}

// Variables that the sender's platform did not fill in, in every spelling that platforms use (domain §4.8, rule 12).
const WHOLE =
  /^(?:\{\{[^{}]{0,120}\}\}|\$\{[^{}]{1,120}\}|\{[A-Za-z_][\w.]{0,80}\}|\[\[[\w .]{1,80}\]\]|%[A-Za-z_][\w.]{0,80}%|<[A-Za-z_][\w.]{0,80}>|<%=?[^<>]{1,80}%>|\$[A-Za-z_]\w{0,60}|__[A-Z][A-Z0-9_]{1,60}__)$/

/** The first variable in a text, with its braces as sent; null when there is none. */
export function placeholderIn(text: string): string | null {
  const from = text.indexOf('{{')
  if (from >= 0) {
    const to = text.indexOf('}}', from)
    if (to >= 0 && to - from <= 120) return text.slice(from, to + 2)
  }
  const trimmed = text.trim()
  if (trimmed.length <= 130 && WHOLE.test(trimmed)) return trimmed
  return /\$\{[\w.]{1,80}\}/.exec(text.slice(0, 400))?.[0] ?? null
}

/** TradingView's strategy variables, as they must be written: an alert of an indicator leaves them in the text. */
const STRATEGY_ONLY =
  /^\{\{strategy\.(?:position_size|order\.(?:action|contracts|price|id|comment|alert_message)|(?:prev_)?market_position(?:_size)?)\}\}$/

/** Why a variable in braces stands in the way; that it belongs to strategy alerts is said of those only. */
export function unfilled(variable: string): string {
  return STRATEGY_ONLY.test(variable)
    ? `訊息含有未替換的變數 ${variable}，此變數只能用在策略快訊`
    : `訊息含有未替換的變數 ${variable}：請檢查變數名稱是否拼對、這個平台是否支援，或直接填入文字`
}

// What one of a message's numbers counts, before any unit is written.
/** Shares in one unit of what the strategy's settings count; 1 for futures. */
export function sizeOf(strategy: Pick<PayloadStrategy, 'unit'>): number {
  return UNIT_FACTS[strategy.unit].size
}

/** A reported position's number: lots, and shares on stock (TradingView counts shares), unless the mapping says what bare numbers are. */
export function positionFactor(strategy: PayloadStrategy, mapping: Mapping | null): number {
  if (assetOf(strategy) === 'futures') return 1
  return mapping?.units[''] === 'board_lot' ? BOARD_LOT : 1
}

// Why a message is not taken: thrown once inside the reader, so that every step can be written as if all went well.
/** A refusal, or an understood message that is no signal; `field` names the leaf it is about. */
export class Refusal extends Error {
  readonly code: ReadReason | 'test' | 'not_a_trade'
  readonly field: string | null

  constructor(code: Refusal['code'], field: string | null, reason: string) {
    super(reason)
    this.code = code
    this.field = field
  }
}

/** One leaf as a reason names it. */
interface Named {
  key: string
  value: unknown
}

/** A refusal of one leaf: what it is, and what to do about it. */
export function refusal(code: Refusal['code'], { key, value }: Named, why: string, what = ''): Refusal {
  return new Refusal(code, key, `${what}${quoted(value)}（欄位 ${key}）${why}`)
}

/** Two leaves that say one thing differently. */
export function twice(what: string, a: Named, b: Named, more = ''): Refusal {
  const both = `${a.key}${quoted(a.value)}、${b.key}${quoted(b.value)}`
  return new Refusal('contradiction', b.key, `${what}寫了兩種：${both}，請只留一個${more}`)
}

/** What a leaf says, as text. Throws where a platform left its variable in it. */
export function filled({ value }: Pick<Named, 'value'>): string {
  const text = String(value)
  const variable = placeholderIn(text)
  if (variable) throw new Refusal('unresolved_placeholder', variable, unfilled(variable))
  return text
}

/** A value as a reason quotes it. */
export function quoted(value: unknown): string {
  const text = String(value).toWellFormed().trim()
  return `「${text.length > 40 ? `${text.slice(0, 40)}…` : text}」`
}
