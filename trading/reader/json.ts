// JSON, a JSON text inside a JSON text, a Python dict, or one object with words around it; and what every way of writing gives: the
// leaves of one message, or why there is none.
import type { ReadReason, Scalar } from './shape.ts'
import { placeholderIn, unfilled } from './values.ts'
import { compact, fieldOfName, isDoubted, isTrialName, keyName, meaningOf, otherWord } from './words.ts'

/** `line`: its time is when it happened, not when a bar began. */
export type Shape = 'json' | 'pairs' | 'sentence' | 'line' | 'csv' | 'words'

/** One leaf of a message: nothing is flattened away, so that nothing can be overlooked (domain §4.8, rules 1 and 6). */
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
  /** What may be stored, where more is known of it than that nobody could read it. */
  clean?: string
}

/** One way of writing: tries a trimmed text; null = it is not written so. `body` is the text as it came; `loose`: a person looks at it before it counts. */
export interface TextReader {
  read(text: string, body: string, loose?: boolean): Message | UnreadMessage | null
}

/** A message that is not to be read, with its reason. */
export function unread(code: ReadReason, reason: string, field: string | null = null): UnreadMessage {
  return { kind: 'unread', code, field, reason }
}

export const SEVERAL = '一則訊息只能有一筆委託：請一筆送一則（橋接程式一行送一次，快訊拆成兩個）'
export const keyTwice = (key: string): UnreadMessage =>
  unread('duplicate_key', `欄位「${key.slice(0, 40)}」出現兩次：請只留一個`, key)

export const json: TextReader = {
  read(text, body) {
    const found = find(text)
    if (found === 'deep') return unread('unreadable', `JSON 巢狀超過 ${MAX_DEPTH} 層，請改用單層的訊息範本`)
    if (found === 'many') return unread('several_orders', SEVERAL)
    if (found === null) return /^[{[]/.test(text) && !LABELLED.test(text) ? broken(text) : null
    if (found.twice !== null) return keyTwice(found.twice)
    if (forbidden(found.tree)) return unread('unreadable', FORBIDDEN_NAME)
    const grown = leavesOf(found.tree)
    const { leaves, several } = grown
    if (several !== null) return unread('several_orders', SEVERAL, several)
    if (leaves.length > LEAVES_MOST)
      return { ...unread('unreadable', TOO_MANY), clean: storable(grown, found, body).clean }
    const outside = blot(found.outside.trim()).slice(0, 500)
    if (outside !== '') leaves.push({ path: '#outside', name: '', value: outside, zone: 'unknown' })
    return { kind: 'message', shape: 'json', leaves, ...storable(grown, found, body) }
  },
}

/** What of a body may be stored, and its secret: as it came, or its object without what is private, the words around behind it. */
export function storable({ hidden, secret }: Grown, { tree, outside }: Omit<Found, 'twice'>, body: string) {
  const around = blot(outside)
  if (!hidden && around === outside) return { secret, clean: body }
  return { secret, clean: `${JSON.stringify(strip(tree))} ${around.trim()}`.trim() }
}

/** [TEST] in front of TradingView's sentence opens no list. */
const LABELLED = /^\[[^\]]{0,40}\] .{0,200} filled on /
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype'])
export const FORBIDDEN_NAME = '訊息含有不允許的欄位名稱（__proto__、constructor、prototype），請改名'
export const isForbidden = (key: string): boolean => FORBIDDEN.has(key)

interface Found {
  tree: Record<string, unknown>
  twice: string | null
  outside: string
}

/** The one object of a text, with the words around it; null when there is none, or more than one. */
export function objectIn(text: string): Omit<Found, 'twice'> | null {
  const found = find(text)
  return found === null || typeof found === 'string' || found.twice !== null || forbidden(found.tree)
    ? null
    : found
}

function find(text: string): Found | 'many' | 'deep' | null {
  if (!/[{["“:]/.test(text)) return null
  if (tooDeep(text)) return 'deep'
  let all = whole(text)
  // A text inside a text is looked into once.
  if (typeof all?.value === 'string') all = whole(all.value.trim())
  if (all) return one(all, '')
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
  const named =
    /^["']?[\w.-]{1,40}["']?\s{0,3}:/.test(text) && /,\s{0,9}["']?[\w.-]{1,40}["']?\s{0,3}:/.test(text)
  const all = named ? whole(`{${text}}`) : null
  return all && isObject(all.value) ? one(all, '') : null
}

function one({ value: read, twice, comments }: JsonRead, outside: string): Found | 'many' | null {
  const value = Array.isArray(read) && read.length === 1 ? read[0] : read
  if (Array.isArray(value)) return value.filter(isObject).length > 1 ? 'many' : null
  return isObject(value) ? { tree: value, twice, outside: `${outside} ${weighty(comments)}` } : null
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
  const why =
    text.startsWith('[') && !text.includes('{')
      ? '訊息是一串值，看不出哪一個是動作、哪一個是商品：請改用訊息範本，例如 {"action":"buy","symbol":"MXF1!","quantity":1}'
      : 'JSON 格式錯誤：請檢查大括號、引號與逗號是否成對'
  return unread('unreadable', why)
}

/** Whether brackets outside double quotes stand too deep in each other. */
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
  return isObject(value) && Object.entries(value).some(([key, inner]) => isForbidden(key) || forbidden(inner))
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

/** As a secret it would be too short. */
const isProduct = (key: string, value: unknown): boolean =>
  /^token$/i.test(key) &&
  typeof value === 'string' &&
  /^(?:[A-Z]+:)?[A-Z]{3}(?:\d!|[A-L]\d|R\d)?$/.test(value)

/** A text that holds an object, or pairs, may hold something private, too. */
function withoutPrivate(text: string): string {
  if (!/[:=：]/.test(text)) return text
  const value = /^\s*[{[]/.test(text) ? whole(text)?.value : null
  if (typeof value !== 'object' || value === null) return blot(text)
  return leavesOf({ value }).hidden ? JSON.stringify(strip(value)) : text
}

function strip(value: unknown): unknown {
  if (typeof value === 'string') return withoutPrivate(value)
  if (Array.isArray(value)) return value.map(strip)
  if (!isObject(value)) return value
  const kept = Object.entries(value).filter(([key, inner]) => !isPrivate(key, inner))
  return Object.fromEntries(kept.map(([key, inner]) => [key, strip(inner)]))
}

const LOOSE =
  /(["']?(?:secret|passphrase|token|key|account|acct|password|passwd|api_key|apikey|(?<![a-z])(?:pwd|pin|auth|bearer|authorization)|密語|密碼|帳號|帳戶|身分證字號)["']?\s{0,3}[:=：]\s{0,3}["']?)[^"',;&\s}]{1,200}/gi

/** A body nobody could read, with what looks like a secret blotted out. */
export function blot(body: string): string {
  return body.replace(LOOSE, '$1***')
}

/** PineConnector's lines begin with a licence, which is an account: it is not kept. */
export const unlicensed = (text: string): string => text.replace(/^\s*\d{6,20},\s*(?=[a-z]{2,}\s*,)/i, '')

/** A leaf without a value says nothing. */
export function isEmpty(value: Scalar): boolean {
  return value === null || value === ''
}

/** Leaves of a text's fields, in order; they lie in no object. */
export function flatLeaves(fields: Iterable<readonly [path: string, name: string, value: string]>): Leaf[] {
  return [...fields].map(([path, name, value]) => ({ path, name, value: value.trim(), zone: 'order' }))
}

interface Grown {
  leaves: Leaf[]
  /** An array of orders, or more than one leg. */
  several: string | null
  /** The second factor, and whether anything is not to be stored. */
  secret: string | null
  hidden: boolean
  /** A private field that holds an order: what stands in it is kept nowhere, so it can confirm nothing. */
  closed: string | null
  /** A name that is none, or two parts of one path. */
  odd: boolean
}

/** Fields that one order has once. */
const LISTED: ReadonlySet<string> = new Set(['action', 'quantity', 'contracts', 'lots', 'shares'])
/** Leaves at most: a message with more is no order. */
export const LEAVES_MOST = 200
const TOO_MANY = `訊息有超過 ${LEAVES_MOST} 個欄位，不像一筆委託：請改用訊息範本`

/** The leaves of an object, without private ones; text that is itself a JSON object is entered. */
export function leavesOf(tree: Record<string, unknown>): Grown {
  const grown: Grown = { leaves: [], several: null, secret: null, hidden: false, closed: null, odd: false }
  let dotted = false
  const visit = (value: unknown, name: string, path: string, zone: Zone): void => {
    if (grown.leaves.length > LEAVES_MOST) {
      grown.hidden = true
    } else if (Array.isArray(value)) {
      const objects = value.filter((one) => typeof one === 'object' && one !== null).length
      if (objects > 1 && zone !== 'light') grown.several ??= path
      // Two sizes in one list are two orders, equal or not.
      if (value.length > 1 && zone === 'order' && LISTED.has(fieldOfName(name) ?? '')) grown.several ??= path
      for (const [i, one] of value.entries()) visit(one, name, `${path}.${i}`, zone)
      if (value.length === 0) grown.leaves.push({ path, name, value: '', zone })
    } else if (isObject(value)) {
      const entries = Object.entries(value)
      // What is left of it when it is stored: nothing.
      if (path !== '' && entries.every(([key, inner]) => isPrivate(key, inner)))
        grown.leaves.push({ path, name, value: '', zone })
      for (const [key, inner] of entries) {
        grown.hidden ||= grown.leaves.length > LEAVES_MOST
        if (grown.leaves.length > LEAVES_MOST) break
        member(key, inner, path === '' ? key : `${path}.${key}`, zone)
      }
    } else {
      const scalar = typeof value === 'string' ? value.trim() : (value as Scalar)
      const inner = typeof scalar === 'string' && scalar.startsWith('{') ? objectIn(scalar) : null
      if (inner && inner.outside.trim() === '') visit(inner.tree, name, path, zoneOf(name, zone))
      else {
        const kept = typeof scalar === 'string' ? withoutPrivate(scalar) : scalar
        grown.hidden ||= kept !== scalar
        grown.leaves.push({ path, name, value: kept, zone })
      }
    }
  }
  const member = (key: string, inner: unknown, path: string, zone: Zone): void => {
    const compound = typeof inner === 'object' && inner !== null
    grown.odd ||= key === ''
    dotted ||= key.includes('.') || key.startsWith('#')
    if (isPrivate(key, inner)) {
      grown.hidden = true
      if ((compound || String(inner).startsWith('{')) && holdsOrder(inner)) grown.closed ??= path
      if (path === key && isSecret(key) && (typeof inner === 'string' || typeof inner === 'number'))
        grown.secret ??= String(inner)
      return
    }
    // A list of plain values is a field said more than once.
    const plain = Array.isArray(inner) && inner.every((one) => typeof one !== 'object' || one === null)
    visit(inner, key, path, compound && !plain ? zoneOf(key, zone) : zone)
  }
  visit(tree, '', '', 'order')
  if (dotted) grown.odd ||= new Set(grown.leaves.map(({ path }) => path)).size < grown.leaves.length
  return grown
}

/** Whether what is kept nowhere says something of an order. */
function holdsOrder(value: unknown): boolean {
  if (typeof value === 'string') {
    if (value.trimStart().startsWith('{')) return holdsOrder(objectIn(value)?.tree)
    return meaningOf(value) !== null && value.length > 1
  }
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(
    ([key, inner]) => ORDERS.has(fieldOfName(key) ?? '') || isTrialName(key) || holdsOrder(inner),
  )
}

const ORDERS: ReadonlySet<string> = new Set(
  `action side position_side sentiment open_close reduce_only close_position reverse position market_position market_size
  quantity contracts lots futures_lots board_lots shares unit symbol month order_kind state test mode option credit`.split(
    /\s+/,
  ),
)

// Objects inside a message: which are entered for the order, which hold the bar, which never say anything about it (domain §4.8, rule 6).
/** `order`: its leaves are the message's own. `bar`: only close and time. `light`: weightless with all below. `legs`: several orders. */
type Zone = 'order' | 'bar' | 'light' | 'legs' | 'unknown'

const ZONES: readonly [Zone, ReadonlySet<string>][] = [
  [
    'light',
    set(
      'take_profit take_profits stop_loss stop_losses sl tp tps sls bracket brackets trailing trailing_stop trail plots plot indicators chart syminfo user sender author source script strategy_info risk_management exits_plan',
    ),
  ],
  ['legs', set('legs leg options option entries exits positions baskets basket')],
  ['bar', set('bar candle kline ohlc ohlcv k_bar quote')],
  [
    'order',
    set(
      'order orders strategy signal signals alert alerts data payload body message msg content text request event trade trades tradingview tv webhook params_order input json order_request general market contract instrument 訊號 委託 資料 內容',
    ),
  ],
]

/** The zone of an object under a name, inside another zone. */
function zoneOf(name: string, inside: Zone): Zone {
  if (inside === 'light' || inside === 'legs' || inside === 'unknown') return inside
  const key = compact(keyName(name)).replace(/^bracket\d+$/, 'bracket')
  const zone = ZONES.find(([, names]) => names.has(key))?.[0] ?? 'unknown'
  return inside === 'bar' && (zone === 'order' || zone === 'unknown') ? 'bar' : zone
}

// JSON as people and platforms write it: read strictly where it is strict, and beyond that with comments, trailing commas, single or
// typographic quotes, bare names, Python's words and variables that were not filled in. One pass, no pattern that could backtrack.

/** Deeper nesting than this is refused before anything is read. */
const MAX_DEPTH = 32

interface JsonRead {
  value: unknown
  /** The first name that stands twice in one object. */
  twice: string | null
  /** What its comments say. */
  comments: string
  /** Where the value ends in the text. */
  end: number
}

/** Which quotes close which. */
const QUOTES = new Map(
  Object.entries({
    '"': '"',
    "'": "'",
    '“': '”“',
    '”': '”“',
    '„': '”“',
    '‘': '’‘',
    '’': '’‘',
    '＂': '＂',
    '「': '」',
  }),
)
const ESCAPES = new Map(Object.entries({ n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }))
const WORDS = new Map<string, unknown>([
  ...['true', 'True', 'TRUE'].map((word) => [word, true] as const),
  ...['false', 'False', 'FALSE'].map((word) => [word, false] as const),
  ...['null', 'None', 'NULL', 'undefined'].map((word) => [word, null] as const),
  ['NaN', 'NaN'],
])
const BLANK = /[\s\u3000\uFEFF]/
const NUMBER = /[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y
const BARE = /[^\s,:，：{}[\]"'“”]{1,200}/y
const ENDS = /[\s,，\]}/#]/
const VARIABLE =
  /^(?:\{\{[^{}]{1,120}\}\}|\$\{[^{}]{1,120}\}|\[\[[^[\]]{1,120}\]\]|%[\w.]{1,80}%|<[\w.]{1,80}>)/

/** Thrown where the text is no JSON in any of these spellings; one object, because it is made for every text that is not. */
const STOP = new Error('not JSON')

/** The value that begins at `from`; null when there is none that can be read to its end. */
function readJson(text: string, from = 0): JsonRead | null {
  const reader = new Reader(text, from)
  try {
    const value = reader.value(0)
    return { value, twice: reader.twice, comments: reader.comments.join(' '), end: reader.at }
  } catch (error) {
    if (error === STOP) return null
    throw error
  }
}

class Reader {
  at: number
  twice: string | null = null
  readonly comments: string[] = []
  readonly #text: string

  constructor(text: string, from: number) {
    this.#text = text
    this.at = from
  }

  value(depth: number): unknown {
    if (depth > MAX_DEPTH) throw STOP
    this.#blank()
    const c = this.#text[this.at]
    if (c === undefined) throw STOP
    if (c === '{' && this.#text[this.at + 1] !== '{') return this.#object(depth)
    if (c === '[' && !/^\[\[\w[\w.]*\]\]/.test(this.#text.slice(this.at, this.at + 80))) {
      const list: unknown[] = []
      this.#each(']', () => list.push(this.value(depth + 1)))
      return list
    }
    return QUOTES.has(c) ? this.#string(c) : this.#bare()
  }

  #object(depth: number): Record<string, unknown> {
    const object: Record<string, unknown> = Object.create(null)
    this.#each('}', (c) => {
      const name = QUOTES.has(c) ? this.#string(c) : this.#name()
      this.#blank()
      const colon = this.#text[this.at]
      if (colon !== ':' && colon !== '：') throw STOP
      this.at += 1
      if (name in object) this.twice ??= name
      object[name] = this.value(depth + 1)
    })
    return object
  }

  /** What stands between brackets, with commas: two values without one between them are no list. */
  #each(close: string, read: (first: string) => void): void {
    this.at += 1
    for (let parted = true; ; ) {
      this.#blank()
      const c = this.#text[this.at]
      if (c === undefined) throw STOP
      if (c === ',' || c === '，' || c === close) {
        this.at += 1
        if (c === close) return
        parted = true
      } else {
        if (!parted) throw STOP
        read(c)
        parted = false
      }
    }
  }

  #string(open: string): string {
    const close = QUOTES.get(open) as string
    let out = ''
    let start = this.at + 1
    for (let i = start; i < this.#text.length; i++) {
      const c = this.#text[i] as string
      if (c === '\\') {
        out += this.#text.slice(start, i)
        const next = this.#text[i + 1] ?? ''
        const code = next === 'u' ? /^[0-9a-fA-F]{4}$/.exec(this.#text.slice(i + 2, i + 6))?.[0] : undefined
        out += code ? String.fromCharCode(Number.parseInt(code, 16)) : (ESCAPES.get(next) ?? next)
        i += code ? 5 : 1
        start = i + 1
      } else if (close.includes(c)) {
        this.at = i + 1
        return out + this.#text.slice(start, i)
      }
    }
    throw STOP
  }

  #name(): string {
    BARE.lastIndex = this.at
    const found = BARE.exec(this.#text)
    if (!found) throw STOP
    this.at = BARE.lastIndex
    return found[0]
  }

  /** A number, a word, or a variable that was not filled in; anything else without quotes is no value. */
  #bare(): unknown {
    NUMBER.lastIndex = this.at
    const number = NUMBER.exec(this.#text)
    if (number && ENDS.test(this.#text[NUMBER.lastIndex] ?? ',')) {
      this.at = NUMBER.lastIndex
      // A number that a double cannot hold exactly, or a code like 0050, stays the text that was sent.
      return number[0].length > 15 || /^[+-]?0\d/.test(number[0]) ? number[0] : Number(number[0])
    }
    const variable = VARIABLE.exec(this.#text.slice(this.at, this.at + 160))?.[0]
    if (variable !== undefined) this.at += variable.length
    else {
      const word = this.#name()
      if (WORDS.has(word)) return WORDS.get(word)
      throw STOP
    }
    return variable
  }

  #blank(): void {
    for (;;) {
      const c = this.#text[this.at]
      if (c === undefined) return
      const two = c === '/' ? this.#text[this.at + 1] : c
      if (BLANK.test(c)) this.at += 1
      else if (c === '#' || (c === '/' && two === '/')) this.#skip('\n')
      else if (c === '/' && two === '*') this.#skip('*/')
      else return
    }
  }

  #skip(end: string): void {
    const from = this.at + (this.#text[this.at] === '#' ? 1 : 2)
    const at = this.#text.indexOf(end, from)
    this.comments.push(this.#text.slice(from, at < 0 ? undefined : at).trim())
    this.at = at < 0 ? this.#text.length : at + end.length
  }
}
