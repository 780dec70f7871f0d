// JSON, a JSON text inside a JSON text, a Python dict, or one object with words around it.
import { type JsonRead, MAX_DEPTH, readJson } from './lenient-json.ts'
import type { ReadReason, Scalar } from './shape.ts'
import { placeholderIn, unfilled } from './values.ts'
import { compact, fieldOfName, keyName } from './vocabulary.ts'
import { isDoubted, otherWord } from './words.ts'

const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype'])

export const json: TextReader = { id: 'json', read }

function read(text: string, body: string): Message | UnreadMessage | null {
  const found = find(text)
  if (found === 'deep') return unread('unreadable', `JSON 巢狀超過 ${MAX_DEPTH} 層，請改用單層的訊息範本`)
  if (found === 'many') return unread('several_orders', SEVERAL)
  if (found === null) return /^[{[]/.test(text) && !LABELLED.test(text) ? broken(text) : null
  if (found.twice !== null)
    return unread('duplicate_key', `欄位「${found.twice.slice(0, 40)}」出現兩次：請只留一個`, found.twice)
  if (forbidden(found.tree))
    return unread('unreadable', '訊息含有不允許的欄位名稱（__proto__、constructor、prototype），請改名')
  const { leaves, several } = leavesOf(found.tree, (inner) => whole(inner)?.value)
  if (several !== null) return unread('several_orders', SEVERAL, several)
  const outside = blot(found.outside.trim())
  if (outside !== '')
    leaves.push({ path: '#outside', name: '', value: outside.slice(0, 500), zone: 'unknown' })
  return { kind: 'message', shape: 'json', leaves, ...storable(found.tree, found.outside, body) }
}

/** What of a body may be stored, and its secret: as it came, or its object without what is private, the words around behind it. */
export function storable(
  tree: Record<string, unknown>,
  outside: string,
  body: string,
): { secret: string | null; clean: string } {
  const { secret, clean, changed } = redact(tree)
  const around = blot(outside)
  if (!changed && around === outside) return { secret, clean: body }
  return { secret, clean: `${JSON.stringify(clean)} ${around.trim()}`.trim() }
}

/** [TEST] in front of TradingView's sentence opens no list. */
const LABELLED = /^\[[^\]]{0,40}\] .{0,200} filled on /

/** The one object of a text, with the words around it; null when there is none, or more than one. */
export function objectIn(text: string): { tree: Record<string, unknown>; outside: string } | null {
  const found = find(text)
  if (found === null || typeof found === 'string' || found.twice !== null || forbidden(found.tree))
    return null
  return { tree: found.tree, outside: found.outside }
}

/** The object a text holds, whatever else is wrong with it; null when it holds none. */
export function treeOf(text: string): Record<string, unknown> | null {
  const found = find(text)
  return found === null || typeof found === 'string' || forbidden(found.tree) ? null : found.tree
}

interface Found {
  tree: Record<string, unknown>
  twice: string | null
  outside: string
}

function find(text: string): Found | 'many' | 'deep' | null {
  if (!/[{["“:]/.test(text)) return null
  if (tooDeep(text)) return 'deep'
  const all = whole(text)
  if (all) {
    if (typeof all.value === 'string') return inner(all.value.trim())
    return one(all, '')
  }
  const from = opening(text)
  if (from < 0) return bare(text)
  const block = readJson(text, from)
  if (!block) return null
  const after = text.slice(block.end)
  if (opening(after) >= 0 && readJson(after, opening(after))) return 'many'
  return one(block, `${text.slice(0, from)} ${after}`)
}

/** Somebody left the braces away: `action: "buy", symbol: "MXF1!"`. */
function bare(text: string): Found | 'many' | null {
  if (!/^["']?[\w.-]{1,40}["']?\s{0,3}:/.test(text) || !/,\s{0,9}["']?[\w.-]{1,40}["']?\s{0,3}:/.test(text))
    return null
  const all = whole(`{${text}}`)
  return all && isObject(all.value) ? one(all, '') : null
}

/** A text inside a text is looked into once. */
function inner(text: string): Found | 'many' | null {
  const all = whole(text)
  return all && typeof all.value !== 'string' ? one(all, '') : null
}

function one(read: JsonRead, outside: string): Found | 'many' | null {
  const value = Array.isArray(read.value) && read.value.length === 1 ? read.value[0] : read.value
  if (Array.isArray(value)) return value.filter(isObject).length > 1 ? 'many' : null
  return isObject(value)
    ? { tree: value, twice: read.twice, outside: `${outside} ${weighty(read.comments)}` }
    : null
}

/** A comment is no part of a message, unless it takes the message back. */
function weighty(comments: string): string {
  const said = comments.split(/[^\p{L}\p{N}_-]+/u).map(otherWord)
  const against = said.includes('test') || said.includes('not_a_trade')
  return against || isDoubted(comments) || /測試|模擬/.test(comments) ? comments : ''
}

/** The value when it is the whole text. */
function whole(text: string): JsonRead | null {
  const read = readJson(text)
  return read && text.slice(read.end).trim() === '' ? read : null
}

/** Where the first object begins; {{…}} and ${…} are variables. */
function opening(text: string): number {
  for (let at = text.indexOf('{'); at >= 0; at = text.indexOf('{', at + 1)) {
    if (text[at + 1] === '{') at += 1
    else if (text[at - 1] !== '$' && text[at - 1] !== '{') return at
  }
  return -1
}

function broken(text: string): UnreadMessage {
  const variable = placeholderIn(text)
  if (variable) return unread('unresolved_placeholder', unfilled(variable), variable)
  if (text.startsWith('[') && !text.includes('{'))
    return unread(
      'unreadable',
      '訊息是一串值，看不出哪一個是動作、哪一個是商品：請改用訊息範本，例如 {"action":"buy","symbol":"MXF1!","quantity":1}',
    )
  return unread('unreadable', 'JSON 格式錯誤：請檢查大括號、引號與逗號是否成對')
}

/** Deepest nesting of brackets outside double quotes. */
function tooDeep(text: string): boolean {
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    const c = text[i]
    if (c === '"') {
      for (i++; i < text.length && text[i] !== '"'; i++) if (text[i] === '\\') i++
    } else if (c === '{' || c === '[') {
      if (++depth > MAX_DEPTH) return /^[[{"]/.test(text)
    } else if (c === '}' || c === ']') depth--
  }
  return false
}

function forbidden(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(forbidden)
  return (
    isObject(value) && Object.entries(value).some(([key, inner]) => FORBIDDEN.has(key) || forbidden(inner))
  )
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

// Fields that are never stored: second factors, accounts, passwords (domain §4.5, rules 1 and 5).
const set = (names: string): ReadonlySet<string> => new Set(names.split(/\s+/).map(compact))
const SECRETS = set(
  'secret passphrase token key webhook_secret secret_key access_key auth auth_key auth_token',
)
const PRIVATE = set(
  'account accounts account_id account_no account_name account_number acct acc 帳號 帳戶 password passwd pwd pass_word pin api_key api_secret person_id id_number 密碼 身分證字號 secret_token bearer authorization ca_passwd cert_password',
)

/** Whether a field is a second factor for the webhook. */
export function isSecret(key: string): boolean {
  return SECRETS.has(compact(keyName(key)))
}

/** Whether a field must never be stored: secrets, accounts, passwords. `value`: in some markets a token is what is traded. */
export function isPrivate(key: string, value?: unknown): boolean {
  const name = compact(keyName(key))
  return (SECRETS.has(name) || PRIVATE.has(name)) && !isProduct(key, value)
}

/** The value without private fields, and the first secret found on its outer level. */
export function redact(tree: Record<string, unknown>): {
  secret: string | null
  clean: Record<string, unknown>
  changed: boolean
} {
  let secret: string | null = null
  for (const [key, value] of Object.entries(tree))
    if (secret === null && isSecret(key) && (typeof value === 'string' || typeof value === 'number'))
      secret = String(value)
  if (!hasPrivate(tree)) return { secret, clean: tree, changed: false }
  return { secret, clean: strip(tree) as Record<string, unknown>, changed: true }
}

function hasPrivate(value: unknown): boolean {
  if (typeof value === 'string') return withoutPrivate(value) !== value
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.some(hasPrivate)
  for (const key in value) {
    const inner = (value as Record<string, unknown>)[key]
    if (isPrivate(key, inner) || hasPrivate(inner)) return true
  }
  return false
}

/** A text that holds an object, or pairs, may hold something private, too. */
export function withoutPrivate(text: string): string {
  if (!/[:=：]/.test(text)) return text
  const read = /^\s*[{[]/.test(text) ? whole(text) : null
  const value = read?.value
  if (typeof value === 'object' && value !== null)
    return hasPrivate(value) ? JSON.stringify(strip(value)) : text
  return blot(text)
}

function strip(value: unknown): unknown {
  if (typeof value === 'string') return withoutPrivate(value)
  if (Array.isArray(value)) return value.map(strip)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([key, inner]) => !isPrivate(key, inner))
  return Object.fromEntries(kept.map(([key, inner]) => [key, strip(inner)]))
}

const LOOSE =
  /(["']?(?:secret|passphrase|token|key|account|acct|password|passwd|api_key|apikey|(?<![a-z])(?:pwd|pin|auth|bearer|authorization)|密語|密碼|帳號|帳戶|身分證字號)["']?\s{0,3}[:=：]\s{0,3}["']?)[^"',;&\s}]{1,200}/gi

/** A body nobody could read, with what looks like a secret blotted out. */
export function blot(body: string): string {
  return body.replace(LOOSE, '$1***')
}

// Every leaf of a message with its place and its zone: nothing is flattened away, so that nothing can be overlooked (domain §4.8, rules 1 and 6).
export interface Leaf {
  /** `a.b.0.c`, or `#n` for a cell of a line. */
  path: string
  /** The last name on the path: an array's entries have the array's. */
  name: string
  /** The key as the sender wrote it, where its documents give it another name: that is what a person reads. */
  wrote?: string
  value: Scalar
  zone: Zone
}

export interface Grown {
  leaves: Leaf[]
  /** An array of orders, or more than one leg. */
  several: string | null
}

/** Fields that one order has once. */
const LISTED: ReadonlySet<string> = new Set(['action', 'quantity', 'contracts', 'lots', 'shares'])

/** Leaves at most: a message with more is no order. */
const LEAVES_MOST = 600

/** The leaves of an object, without private ones; text that is itself a JSON object is entered where a message may stand. */
export function leavesOf(tree: Record<string, unknown>, parse: (text: string) => unknown): Grown {
  const grown: Grown = { leaves: [], several: null }
  const visit = (value: unknown, name: string, path: string, zone: Zone) => {
    if (grown.leaves.length > LEAVES_MOST) return
    if (Array.isArray(value)) {
      const objects = value.filter((one) => typeof one === 'object' && one !== null).length
      if (objects > 1 && zone !== 'light') grown.several ??= path
      // Two sizes in one list are two orders, equal or not.
      if (value.length > 1 && zone === 'order' && LISTED.has(fieldOfName(name) ?? '')) grown.several ??= path
      for (const [i, one] of value.entries()) visit(one, name, `${path}.${i}`, zone)
      return
    }
    if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) {
        if (isPrivate(key, inner)) continue
        const below = path === '' ? key : `${path}.${key}`
        const compound = typeof inner === 'object' && inner !== null
        if (!compound) {
          visit(inner, key, below, zone)
          continue
        }
        // A list of plain values is a field said more than once.
        const plain = Array.isArray(inner) && inner.every((one) => typeof one !== 'object' || one === null)
        const next = plain ? zone : zoneOf(key, zone)
        visit(inner, key, below, next)
      }
      return
    }
    const scalar = typeof value === 'string' ? value.trim() : (value as Scalar)
    if (zone === 'order' && typeof scalar === 'string' && scalar.startsWith('{') && mayHoldMessage(name)) {
      const found = parse(scalar)
      if (typeof found === 'object' && found !== null && !Array.isArray(found)) {
        visit(found, name, path, zone)
        return
      }
    }
    grown.leaves.push({
      path,
      name,
      value: typeof scalar === 'string' ? withoutPrivate(scalar) : scalar,
      zone,
    })
  }
  visit(tree, '', '', 'order')
  return grown
}

/** In some markets a token is what is traded; as a secret it would be too short. */
function isProduct(key: string, value: unknown): boolean {
  return /^token$/i.test(key) && typeof value === 'string' && PRODUCT.test(value)
}

const PRODUCT = /^(?:[A-Z]+:)?[A-Z]{3}(?:\d!|[A-L]\d|R\d)?$/

/** Leaves of a text's fields, in order; they lie in no object. */
export function flatLeaves(fields: Iterable<readonly [path: string, name: string, value: string]>): Leaf[] {
  return [...fields].map(([path, name, value]) => ({
    path,
    name,
    value: value.trim(),
    zone: 'order',
  }))
}

/** A leaf without a value says nothing. */
export function isEmpty(value: Scalar): boolean {
  return value === null || value === ''
}

// Objects inside a message: which are entered for the order, which hold the bar, which never say anything about it (domain §4.8, rule 6).
/** `order`: its leaves are the message's own. `bar`: only close and time. `light`: weightless with all below. `legs`: several orders. */
export type Zone = 'order' | 'bar' | 'light' | 'legs' | 'unknown'

const ORDER = set(
  'order orders strategy signal signals alert alerts data payload body message msg content text request event trade trades tradingview tv webhook params_order input json order_request general market contract instrument 訊號 委託 資料 內容',
)
const BAR = set('bar candle kline ohlc ohlcv k_bar quote')
const LIGHT = set(
  'take_profit take_profits stop_loss stop_losses sl tp tps sls bracket brackets trailing trailing_stop trail plots plot indicators chart syminfo user sender author source script strategy_info risk_management exits_plan',
)
const LEGS = set('legs leg options option entries exits positions baskets basket')

/** The zone of an object under a name, inside another zone. */
export function zoneOf(name: string, inside: Zone): Zone {
  if (inside === 'light' || inside === 'legs' || inside === 'unknown') {
    return inside
  }
  const key = compact(keyName(name))
  if (LIGHT.has(key) || /^bracket\d+$/.test(key)) return 'light'
  if (LEGS.has(key)) return 'legs'
  if (inside === 'bar') return 'bar'
  if (BAR.has(key)) return 'bar'
  return ORDER.has(key) ? 'order' : 'unknown'
}

/** Whether a text under this name may hold the whole message. */
export function mayHoldMessage(name: string): boolean {
  return ORDER.has(compact(keyName(name)))
}

// What every format gives: the leaves of one message, or why there is none.
/** `line`: its time is when it happened, not when a bar began. */
export type Shape = 'json' | 'pairs' | 'sentence' | 'line' | 'csv' | 'words'

export interface Message {
  kind: 'message'
  shape: Shape
  leaves: Leaf[]
  secret: string | null
  /** The body as it may be stored: without private fields. */
  clean: string
}

export interface UnreadMessage {
  kind: 'unread'
  code: ReadReason
  field: string | null
  reason: string
}

/** One format: tries to read a trimmed text; null = it is not written in this format. `body` is the text as it came; `loose`: a person looks at it before it counts. */
export interface TextReader {
  id: string
  read(text: string, body: string, loose?: boolean): Message | UnreadMessage | null
}

/** A message that is not to be read, with its reason. */
export function unread(code: ReadReason, reason: string, field: string | null = null): UnreadMessage {
  return { kind: 'unread', code, field, reason }
}

export const SEVERAL = '一則訊息只能有一筆委託：請一筆送一則（橋接程式一行送一次，快訊拆成兩個）'
