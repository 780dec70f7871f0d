// From a body to named fields, whatever it is written in and whatever its Content-Type said (domain §4.5, 4).
import { blot, type Fields, flatten, redact } from './fields.ts'
import { readCsv, readEventLine, readPairs, readSentence } from './lines.ts'
import { depthOf, dictToJson, firstBlock, hasForbiddenKey, MAX_DEPTH, parsed } from './scan.ts'
import { placeholderIn } from './values.ts'

export type Decoded =
  | {
      kind: 'fields'
      shape: 'json' | 'pairs' | 'sentence' | 'line' | 'csv'
      fields: Fields
      /** The object itself, for mappings by path. */
      tree: Record<string, unknown> | null
      secret: string | null
      clean: string
    }
  | {
      kind: 'bad'
      code: 'unreadable' | 'unresolved_placeholder'
      field: string | null
      reason: string
      clean: string
    }
  /** Free text: only an unparsed rule can take it. */
  | { kind: 'text'; text: string; clean: string }

/** Reads a trimmed, non-empty body. */
export function decode(text: string, body: string): Decoded {
  const bad = (reason: string): Decoded => ({
    kind: 'bad',
    code: 'unreadable',
    field: null,
    reason,
    clean: blot(body),
  })
  if (depthOf(text) > MAX_DEPTH && /^[[{"]/.test(text))
    return bad(`JSON 巢狀超過 ${MAX_DEPTH} 層，請改用單層的訊息範本`)
  const found = readObject(text)
  if (found === 'many') return bad('一則訊息只能有一筆訊號，請拆成多則快訊送出')
  if (found) {
    if (hasForbiddenKey(found.tree))
      return bad('訊息含有不允許的欄位名稱（__proto__、constructor、prototype），請改名')
    const { secret, clean, changed } = redact(found.tree)
    const kept = changed ? JSON.stringify(clean) : body
    return {
      kind: 'fields',
      shape: 'json',
      fields: flatten(found.tree),
      tree: found.tree,
      secret,
      clean: kept,
    }
  }
  if (text.startsWith('{') || text.startsWith('[')) {
    const variable = placeholderIn(text)
    if (variable) return unresolved(variable, blot(body))
    return bad('JSON 格式錯誤：請檢查大括號、引號與逗號是否成對')
  }
  return readText(text, body)
}

/** The rejection of a variable the sender's platform did not fill in. */
export function unresolved(variable: string, clean: string): Decoded & { kind: 'bad' } {
  const reason = `訊息含有未替換的變數 ${variable}，此變數只能用在策略快訊`
  return { kind: 'bad', code: 'unresolved_placeholder', field: variable, reason, clean }
}

function readText(text: string, body: string): Decoded {
  const of = (shape: 'sentence' | 'line' | 'csv', fields: Fields): Decoded => ({
    kind: 'fields',
    shape,
    fields,
    tree: null,
    secret: null,
    clean: body,
  })
  const joined = text.split(/\s+/).join(' ')
  const sentence = readSentence(joined)
  if (sentence) return of('sentence', sentence)
  const pairs = readPairs(text)
  if (pairs) {
    const forbidden = ['__proto__', 'constructor', 'prototype'].some((key) => pairs.fields.has(key))
    if (forbidden)
      return {
        kind: 'bad',
        code: 'unreadable',
        field: null,
        reason: '訊息含有不允許的欄位名稱',
        clean: blot(body),
      }
    return { kind: 'fields', shape: 'pairs', tree: null, ...pairs, clean: pairs.clean ?? body }
  }
  const lines = text
    .split('\n')
    .map((line) =>
      line
        .trim()
        .split(/[ \r\u3000]+/)
        .join(' '),
    )
    .filter((line) => line !== '' && !isHeader(line))
  const reads = lines.map((line) => readEventLine(line.replaceAll('\t', ' ')))
  const csv = lines.map((line) => readCsv(line))
  if (lines.length > 1 && (reads.some(Boolean) || csv.some(Boolean))) {
    const reason = '一則訊息只能有一筆訊號：橋接程式請一行送一次'
    return { kind: 'bad', code: 'unreadable', field: null, reason, clean: blot(body) }
  }
  if (reads[0]) return of('line', reads[0])
  if (csv[0]) return of('csv', csv[0])
  return { kind: 'text', text: joined, clean: blot(body) }
}

/** XQ's files may begin with a line of parameters: twelve numbers or more. */
function isHeader(line: string): boolean {
  return line.split(/[ ,]/).filter((token) => /^-?\d{1,20}(?:\.\d{1,20})?$/.test(token)).length >= 12
}

function readObject(text: string, inner = false): { tree: Record<string, unknown> } | 'many' | null {
  const value = parsed(text)
  if (typeof value === 'string' && !inner && depthOf(value) <= MAX_DEPTH)
    return readObject(value.trim(), true)
  if (Array.isArray(value) && value.length > 1) return 'many'
  const one = Array.isArray(value) ? value[0] : value
  if (isObject(one)) return { tree: one }
  const found = firstBlock(text)
  if (!found || depthOf(found.block) > MAX_DEPTH) return null
  for (const candidate of [found.block, dictToJson(found.block)]) {
    const block = parsed(candidate)
    if (!isObject(block)) continue
    return found.after.includes('{') ? 'many' : { tree: block }
  }
  return null
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
