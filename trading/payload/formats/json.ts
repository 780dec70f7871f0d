// JSON, a JSON text inside a JSON text, a Python dict, or one object with words around it.
import { leavesOf } from '../leaf.ts'
import { placeholderIn, unfilled } from '../placeholder.ts'
import { redact } from '../private.ts'
import { type JsonRead, MAX_DEPTH, readJson } from './lenient-json.ts'
import { type Format, type Message, SEVERAL, type UnreadMessage, unread } from './message.ts'

const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype'])

export const json: Format = { id: 'json', read }

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
  const { secret, clean, changed } = redact(found.tree)
  const outside = found.outside.trim()
  if (outside !== '')
    leaves.push({ path: '#outside', name: '', value: outside.slice(0, 500), zone: 'unknown', inside: [] })
  return { kind: 'message', shape: 'json', leaves, secret, clean: changed ? JSON.stringify(clean) : body }
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
function bare(text: string): Found | null {
  if (!/^["']?[\w.-]{1,40}["']?\s{0,3}:/.test(text) || !/,\s{0,9}["']?[\w.-]{1,40}["']?\s{0,3}:/.test(text))
    return null
  const all = whole(`{${text}}`)
  return all && isObject(all.value) ? { tree: all.value, twice: all.twice, outside: '' } : null
}

/** A text inside a text is looked into once. */
function inner(text: string): Found | 'many' | null {
  const all = whole(text)
  return all && typeof all.value !== 'string' ? one(all, '') : null
}

function one(read: JsonRead, outside: string): Found | 'many' | null {
  const value = Array.isArray(read.value) && read.value.length === 1 ? read.value[0] : read.value
  if (Array.isArray(value)) return value.filter(isObject).length > 1 ? 'many' : null
  return isObject(value) ? { tree: value, twice: read.twice, outside } : null
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
