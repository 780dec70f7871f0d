// Messages that are text: k=v pairs, TradingView's default sentence, XQ and MultiCharts lines, a CSV line (domain §4.5, 4).
import { type Fields, isPrivate, isSecret, keyName } from './fields.ts'
import { meaningOf } from './words.ts'

export interface PairsRead {
  fields: Fields
  secret: string | null
  /** The text without its private pairs; null when it has none, and stays as it came. */
  clean: string | null
}

/** `k=v` pairs separated by ; or & or newlines or commas, also after 達錢's TOTC.…@ head; null when it is none. */
export function readPairs(text: string): PairsRead | null {
  if (!text.includes('=')) return null
  const at = text.startsWith('TOTC.') ? text.indexOf('@') : -1
  const head = text.slice(0, at + 1)
  const separator = separatorOf(text.slice(at + 1))
  const pieces = text
    .slice(at + 1)
    .split(separator === '\n' ? /\r?\n/ : separator)
    .flatMap((p) => (separator === '\n' ? [p] : p.split(/[\r\n]+/)))
  const fields: Fields = new Map()
  const kept: string[] = []
  let secret: string | null = null
  let whole = true
  let count = 0
  for (const piece of pieces) {
    const eq = piece.indexOf('=')
    const key = unquote(piece.slice(0, Math.max(eq, 0)))
    const value = unquote(piece.slice(eq + 1))
    if (eq > 0 && isSecret(key)) secret ??= value
    if (eq > 0 && isPrivate(key)) {
      whole = false
      continue
    }
    if (piece.trim() !== '') kept.push(piece.trim())
    if (eq <= 0 || key.length > 40 || /\s/.test(key)) continue
    count += 1
    if (!fields.has(keyName(key))) fields.set(keyName(key), value)
  }
  if (count < 2) return null
  // In pairs VOLUME is the order's size; in JSON it is the bar's volume.
  const volume = fields.get('volume')
  if (volume !== undefined && !['quantity', 'qty', 'contracts', 'size'].some((k) => fields.has(k))) {
    fields.set('quantity', volume)
    fields.delete('volume')
  }
  return { fields, secret, clean: whole ? null : head + kept.join(separator) }
}

function separatorOf(text: string): ';' | '&' | '\n' | ',' {
  if (text.includes(';')) return ';'
  if (text.includes('&')) return '&'
  return text.includes('\n') && !text.slice(0, text.indexOf('\n')).includes(',') ? '\n' : ','
}

function unquote(text: string): string {
  return text
    .trim()
    .replace(/^["'{]+/, '')
    .replace(/["'}]{1,4}$/, '')
    .trim()
}

const SENTENCE =
  /order (buy|sell) @ ([\d.,]{1,20}) filled on (\S{1,60}?)\.? New strategy position is (-?[\d.,]{1,20}?)\.?(?: |$)/i

/** TradingView's default strategy sentence; the strategy's name in front becomes the note. */
export function readSentence(line: string): Fields | null {
  const m = SENTENCE.exec(line)
  if (!m) return null
  const [, action = '', contracts = '', ticker = '', position = ''] = m
  const name = line.slice(0, m.index).replace(/:? ?$/, '').trim()
  return new Map([
    ['action', action],
    ['contracts', contracts],
    ['ticker', ticker],
    ['position_size', position],
    ['note', name],
  ])
}

/** `20261120093000 46520 新買`, `20261120.000000 93000.000000 2330.TW 1085.00 突破20日高`, PowerLanguage dates too. */
export function readEventLine(line: string): Fields | null {
  const tokens = line.split(' ')
  const clock = readClock(tokens)
  if (!clock) return null
  const rest = tokens.slice(clock.used)
  const [a, b, c] = [rest[0] ?? '', rest[1] ?? '', rest[2]]
  const said = (word: string | undefined) => word !== undefined && meaningOf(word) !== null
  const fields: Fields = new Map([['timenow', clock.text]])
  const set = (pairs: [string, string][], noteFrom: number) => {
    for (const [key, value] of pairs) fields.set(key, value)
    const note = rest.slice(noteFrom).join(' ')
    if (note !== '') fields.set('note', note)
    return fields
  }
  if (isNumber(a) && said(b))
    return set(
      [
        ['price', a],
        ['action', b],
      ],
      2,
    )
  if (said(a) && isNumber(b))
    return set(
      [
        ['action', a],
        ['price', b],
      ],
      2,
    )
  if (isNumber(b) && said(c))
    return set(
      [
        ['symbol', a],
        ['price', b],
        ['action', c as string],
      ],
      3,
    )
  if (said(b) && isNumber(c ?? ''))
    return set(
      [
        ['symbol', a],
        ['action', b],
        ['price', c as string],
      ],
      3,
    )
  if (a !== '' && isNumber(b))
    return set(
      [
        ['symbol', a],
        ['price', b],
      ],
      2,
    )
  return null
}

/** Date and time tokens at the head of a line; a decimal tail is what XQ's Print adds to numbers. */
function readClock(tokens: readonly string[]): { text: string; used: number } | null {
  const digits = (i: number) => /^(\d{1,14})(?:\.0{1,9})?$/.exec(tokens[i] ?? '')?.[1] ?? ''
  const first = digits(0)
  if (first.length === 14) return { text: first, used: 1 }
  // PowerLanguage writes years since 1900: 1261120 is 2026-11-20.
  const date = first.length === 7 ? String(Number(first) + 19_000_000) : first
  if (date.length !== 8) return null
  const time = digits(1)
  if (time === '' || time.length > 6) return null
  const full = first.length === 7 && time.length <= 4 ? `${time.padStart(4, '0')}00` : time.padStart(6, '0')
  return { text: `${date}${full}`, used: 2 }
}

/** `symbol,action,price[,qty]` with commas or tabs. */
export function readCsv(line: string): Fields | null {
  const cells = line.split(line.includes('\t') ? '\t' : ',').map((cell) => unquote(cell))
  const [symbol = '', action = '', price = '', quantity = ''] = cells
  if (cells.length < 3 || cells.length > 5 || symbol === '' || meaningOf(action) === null) return null
  if (price !== '' && !isNumber(price)) return null
  return new Map([
    ['symbol', symbol],
    ['action', action],
    ['price', price],
    ['quantity', quantity],
    ['timenow', cells[4] ?? ''],
  ])
}

function isNumber(text: string): boolean {
  return /^\d{1,9}(?:,\d{3}){0,3}(?:\.\d{0,12})?$/.test(text)
}
