// `k=v` pairs between ; & | , blanks or line ends, also after 達錢's TOTC.…@ head; and lines of `name: value`.
import { isSize } from '../amount.ts'
import type { Leaf } from '../leaf.ts'
import { isPrivate, isSecret } from '../private.ts'
import { fieldOfName, isWeightless } from '../vocabulary/names.ts'
import { compact, keyName } from '../vocabulary/spell.ts'

import { type Format, type Message, type UnreadMessage, unread } from './message.ts'

export const pairs: Format = { id: 'pairs', read: readPairs }
export const lines: Format = { id: 'lines', read: readLines }

/** In pairs VOLUME is the order's size, but beside a bar's prices; in JSON it is the bar's volume. */
const VOLUMES = new Set(['volume', 'vol'])
/** Who sends these sends a bar, and its volume with it. */
const BARS = new Set('open high low 開盤 最高 最低 開盤價 最高價 最低價'.split(' '))

function readPairs(text: string, body: string): Message | UnreadMessage | null {
  if (!text.includes('=')) return null
  const at = text.startsWith('TOTC.') ? text.indexOf('@') : -1
  const head = text.slice(0, at + 1)
  const rest = text.slice(at + 1)
  const separator = separatorOf(rest)
  const pieces = rest
    .split(separator === ' ' ? /[ \t\r\n]+/ : separator === '\n' ? /\r?\n/ : separator)
    .flatMap((piece) => (separator === ' ' || separator === '\n' ? [piece] : piece.split(/[\r\n]+/)))
  return gather(pieces, '=', body, (kept) => head + kept.join(separator))
}

/** Lines of `name: value`; two of the names at least must be known, or it is prose. */
function readLines(text: string, body: string): Message | UnreadMessage | null {
  const all = text.split(/\r?\n/).map((line) => line.replace('：', ':'))
  const named = all.filter((line) => fieldOfName(line.slice(0, Math.max(line.indexOf(':'), 0))) !== undefined)
  if (named.length < 2) return null
  return gather(all, ':', body, (kept) => kept.join('\n'))
}

function gather(
  pieces: readonly string[],
  sign: '=' | ':',
  body: string,
  join: (kept: string[]) => string,
): Message | UnreadMessage | null {
  const leaves: Leaf[] = []
  const kept: string[] = []
  const seen = new Map<string, string>()
  let secret: string | null = null
  let whole = true
  let count = 0
  for (const [i, piece] of pieces.entries()) {
    const eq = piece.indexOf(sign)
    const key = unquote(piece.slice(0, Math.max(eq, 0)))
    const value = unquote(piece.slice(eq + 1))
    const named = eq > 0 && key !== '' && key.length <= 40 && !key.startsWith('//')
    if (named && isSecret(key)) secret ??= value
    if (named && isPrivate(key)) {
      whole = false
      continue
    }
    if (piece.trim() === '') continue
    kept.push(piece.trim())
    if (!named) {
      leaves.push({ path: `#${i + 1}`, name: '', value: unquote(piece), zone: 'legs', inside: [] })
      continue
    }
    if (['__proto__', 'constructor', 'prototype'].includes(key.toLowerCase()))
      return unread('unreadable', '訊息含有不允許的欄位名稱（__proto__、constructor、prototype），請改名')
    const name = compact(keyName(key))
    const before = seen.get(name)
    if (before !== undefined)
      return unread('duplicate_key', `欄位「${key.slice(0, 40)}」出現兩次：請只留一個`, key)
    if (sign === '=' && MIXED.test(value))
      return unread(
        'unreadable',
        `欄位「${key.slice(0, 40)}」的內容裡還有另一個欄位：請全部用同一種分隔符號`,
        key,
      )
    count += 1
    seen.set(name, value)
    leaves.push({ path: key, name: key, value, zone: 'order', inside: [] })
  }
  if (count < 2 || !leaves.some(({ name }) => fieldOfName(name) !== undefined || isWeightless(name)))
    return null
  const has = (names: ReadonlySet<string>) => leaves.some(({ name }) => names.has(compact(keyName(name))))
  if (sign === '=' && !leaves.some(({ name }) => isSize(fieldOfName(name))) && !has(BARS))
    for (const leaf of leaves) if (VOLUMES.has(compact(keyName(leaf.name)))) leaf.name = 'quantity'
  return { kind: 'message', shape: 'pairs', leaves, secret, clean: whole ? body : join(kept) }
}

/** A second pair inside a value: the separators are mixed. */
const MIXED = /[\s,;&|][^\s=,;&|]{1,40}=/

function separatorOf(text: string): ';' | '&' | '|' | '\n' | ',' | ' ' {
  if (text.includes(';')) return ';'
  if (text.includes('&')) return '&'
  if (text.includes('|')) return '|'
  const first = text.includes('\n') ? text.slice(0, text.indexOf('\n')) : ''
  if (text.includes('\n') && !first.includes(',')) return '\n'
  return !text.includes(',') && text.split(/\s+/).filter((token) => token.indexOf('=') > 0).length > 1
    ? ' '
    : ','
}

function unquote(text: string): string {
  const trimmed = text.trim()
  // {{…}} is a variable, not a quotation.
  if (trimmed.startsWith('{{')) return trimmed
  return trimmed
    .replace(/^["'{“]+/, '')
    .replace(/["'}”]{1,4}$/, '')
    .trim()
}
