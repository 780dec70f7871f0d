// Forms: the message inside a field of its own, or the fields as the message.
import { isPrivate } from '#trading/reader/json.ts'
import { decodeText } from './charset.ts'

/** Under these names a form carries the whole message. */
const CARRIERS = new Set(['payload', 'payload_json', 'message', 'body', 'content', 'data', 'json', 'text'])
/** Far more than an order has; a body of 64 KB could hold twenty thousand. */
const FIELDS_MOST = 200
/** One of these inside a value, and a line of pairs would be cut in another place than the form was. */
const CUTS = /[;&,\r\n="'{}]/
const ENCODED = /%[0-9a-f]{2}/i
/** No blank, bracket or separator of another kind anywhere, as every encoder leaves it; lines of pairs are the reader's. */
const SHAPE = /^[\w.\-[\]%+*]{1,80}=[^\s&={}"<>;,]*(?:&[\w.\-[\]%+*]{1,80}=[^\s&={}"<>;,]*)*&?$/

export type FormField = readonly [name: string, value: string]
export type FormRead =
  | { kind: 'text'; text: string }
  | { kind: 'bad'; why: 'bad_encoding' | 'too_many' | 'duplicate_key'; field: string | null; text: string }

/** A percent-encoded form as a message; null when the text is none, whatever its header says. */
export function readForm(text: string, content_type: string): FormRead | null {
  const body = text.trim()
  if (/^[[{"]/.test(body)) return null
  const said = /x-www-form-urlencoded/i.test(content_type)
  if (said && /^%7b/i.test(body)) return decoded([['payload', body]])
  const raw = said ? /^(\w{1,40})=\s{0,9}(?=\{)/.exec(body) : null
  if (raw && CARRIERS.has(raw[1]?.toLowerCase() ?? ''))
    return unencoded(raw[1] ?? '', body.slice(raw[0].length))
  if (!SHAPE.test(body) || !(ENCODED.test(body) || (said && /[&+]/.test(body)))) return null
  return decoded(pairsOf(body))
}

/** Fields that are readable as one message. */
export function messageOf(fields: readonly FormField[]): FormRead {
  const lines = linesOf(fields)
  const seen = linesOf(fields.filter(([name]) => !isPrivate(name)))
  if (fields.length > FIELDS_MOST) return { kind: 'bad', why: 'too_many', field: null, text: seen }
  const names = fields.map(([name]) => name.toLowerCase())
  const twice = names.find((name, i) => names.indexOf(name) < i)
  if (twice !== undefined) return { kind: 'bad', why: 'duplicate_key', field: twice, text: seen }
  const carrier = fields.find(
    ([name, value]) => (CARRIERS.has(name.toLowerCase()) || fields.length === 1) && isObject(value),
  )
  if (carrier) return { kind: 'text', text: beside(carrier, fields) }
  const [only] = fields
  if (fields.length === 1 && only && CARRIERS.has(only[0].toLowerCase()))
    return { kind: 'text', text: only[1] }
  if (!fields.some(([name, value]) => CUTS.test(name) || CUTS.test(value)))
    return { kind: 'text', text: lines }
  return { kind: 'text', text: `{${fields.map(asMember).join(',')}}` }
}

function linesOf(fields: readonly FormField[]): string {
  return fields.map(([name, value]) => `${name}=${value}`).join('\n')
}

/** The message with what was sent beside it, at its own level: a secret there counts like one inside. */
function beside(carrier: FormField, fields: readonly FormField[]): string {
  const others = fields.filter((field) => field !== carrier).map(asMember)
  if (others.length === 0) return carrier[1]
  const inner = carrier[1].trim().slice(1).trimStart()
  return `{${others.join(',')}${inner.startsWith('}') ? '' : ','}${inner}`
}

/** In a form, as in pairs, VOLUME is the order's size; in JSON it would be the bar's. */
function asMember([name, value]: FormField, _at: number, all: readonly FormField[]): string {
  const sized = all.some(([other]) => /^(?:quantity|qty|contracts|size)$/i.test(other))
  const key = /^volume$/i.test(name) && !sized ? 'quantity' : name
  return `${JSON.stringify(key)}:${JSON.stringify(value)}`
}

/** curl -d 'payload={…}' encodes nothing: the message stands there as it is, other fields behind it. */
function unencoded(name: string, rest: string): FormRead {
  const end = rest.lastIndexOf('}') + 1
  const tail = rest.slice(end)
  if (end === 0 || !tail.startsWith('&')) return { kind: 'text', text: rest }
  return decoded(pairsOf(tail), [[name, rest.slice(0, end)]])
}

function pairsOf(text: string): FormField[] {
  const pieces = text.split('&').filter((piece) => piece !== '')
  return pieces.map((piece) => {
    const at = piece.indexOf('=')
    return at < 0 ? [piece, ''] : [piece.slice(0, at), piece.slice(at + 1)]
  })
}

function decoded(fields: readonly FormField[], before: readonly FormField[] = []): FormRead {
  const read: FormField[] = [...before]
  for (const [name, value] of fields) {
    const [key, text] = [unescaped(name), unescaped(value)]
    if (key === null || text === null) {
      const seen = fields.filter(([other]) => !isPrivate(unescaped(other) ?? ''))
      return { kind: 'bad', why: 'bad_encoding', field: key, text: linesOf(seen) }
    }
    read.push([key, text])
  }
  return messageOf(read)
}

function unescaped(text: string): string | null {
  if (!/[%+]/.test(text)) return text
  const bytes: number[] = []
  const from = Buffer.from(text.replaceAll('+', ' '))
  for (let i = 0; i < from.length; i++) {
    const hex = from[i] === 0x25 ? from.toString('latin1', i + 1, i + 3) : ''
    const coded = /^[0-9a-f]{2}$/i.test(hex)
    bytes.push(coded ? Number.parseInt(hex, 16) : (from[i] as number))
    if (coded) i += 2
  }
  return decodeText(Uint8Array.from(bytes))
}

function isObject(value: string): boolean {
  if (!/^\s*\{/.test(value)) return false
  try {
    return typeof JSON.parse(value) === 'object'
  } catch {
    // Nearly JSON is the reader's to judge, as it stands.
    return false
  }
}
