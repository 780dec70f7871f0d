// Compressed messages: unpacked up to the size any message may have, whatever the headers say about them.
import { gunzipSync, inflateRawSync, inflateSync, constants as zlib } from 'node:zlib'
import { HOOK_BODY_BYTES } from '#contract/limits.ts'
import type { ReasonCode } from '#contract/webhook.ts'
import { isPrivate } from '#trading/reader/json.ts'

/** A sender compresses once; a second layer comes from a proxy in between. More is a bomb's trick. */
const LAYERS = 2
const CODINGS = /\b(?:x-)?(gzip|deflate|br|zstd|compress)\b/gi

type Unpacked =
  | { kind: 'bytes'; bytes: Uint8Array }
  /** More than any message may have. */
  | { kind: 'large' }
  /** Torn or of a kind that is not read; `bytes` = what could be made of it. */
  | { kind: 'broken'; bytes: Uint8Array; coding: string }

/** The bytes without their compression; those that only claim one come back as they are. */
export function unpack(body: Uint8Array, content_encoding: string): Unpacked {
  const claimed = [...content_encoding.matchAll(CODINGS)].map(([, coding = '']) => coding.toLowerCase())
  const deflated = claimed.includes('deflate')
  let bytes = body
  for (let layer = 0; layer <= LAYERS; layer++) {
    const open = openerOf(bytes, deflated && layer === 0)
    if (open === null) break
    if (layer === LAYERS) return { kind: 'broken', bytes: body, coding: 'gzip' }
    const inner = tried(open, bytes)
    if (inner === 'large') return { kind: 'large' }
    if (inner === null) {
      // Raw data without a mark of its own: what does not open was never packed.
      if (open === inflateRawSync) break
      return { kind: 'broken', bytes: partOf(open, bytes), coding: claimed.at(-1) ?? 'gzip' }
    }
    bytes = inner
  }
  const foreign = claimed.find((coding) => coding !== 'gzip' && coding !== 'deflate')
  // A header may be a proxy's leftover: only bytes that are no text are taken at its word.
  if (foreign !== undefined && bytes === body && !Buffer.from(body).toString('utf8').startsWith('{'))
    return { kind: 'broken', bytes, coding: foreign }
  return { kind: 'bytes', bytes }
}

type Opener = typeof gunzipSync

function openerOf(bytes: Uint8Array, deflated: boolean): Opener | null {
  const [first = 0, second = 0] = bytes
  if (first === 0x1f && second === 0x8b) return gunzipSync
  const zlib_mark = (first & 0x0f) === 8 && first >> 4 <= 7 && ((first << 8) | second) % 31 === 0
  // «x» and a byte that begins no character: without the header, too, this is no text.
  if (zlib_mark && (deflated || second >= 0x80)) return inflateSync
  return deflated && bytes.length > 0 ? inflateRawSync : null
}

function tried(open: Opener, bytes: Uint8Array): Uint8Array | 'large' | null {
  try {
    return open(bytes, { maxOutputLength: HOOK_BODY_BYTES })
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? 'large' : null
  }
}

/** What stands before the tear, for the eyes of whoever looks for the reason. */
function partOf(open: Opener, bytes: Uint8Array): Uint8Array {
  try {
    return open(bytes, { maxOutputLength: HOOK_BODY_BYTES, finishFlush: zlib.Z_SYNC_FLUSH })
  } catch {
    // Not torn but wrong inside: it is kept as it came.
    return bytes
  }
}

// multipart/form-data: its text fields as a form; files are no messages.

/** What is kept of a form without a message: its parts, without the private ones. */
interface RefusedForm {
  kind: 'refused'
  why: 'bad_encoding' | 'no_field'
  bytes: Uint8Array
}

const NAME = /;\s*name="((?:[^"\\]|\\.){1,200})"/i

/** The fields of a multipart body as a message; null when the bytes are none, whatever their header says. */
function readMultipart(bytes: Uint8Array): FormRead | RefusedForm | null {
  if (bytes[0] !== 0x2d && bytes[0] !== 0x0d && bytes[0] !== 0x0a) return null
  // One sign per byte, so that a part can be cut out before anybody knows how it is written.
  const raw = Buffer.from(bytes).toString('latin1')
  const first = /^(?:\r?\n)?--([^\r\n]{1,200})\r?\ncontent-/i.exec(raw)
  if (!first) return null
  const parts = `\n${raw}`.split(`\n--${first[1]}`).slice(1)
  const refuse = (why: RefusedForm['why']): RefusedForm => ({
    kind: 'refused',
    why,
    bytes: Buffer.from(parts.filter((part) => !isPrivate(nameOf(part))).join(`--${first[1]}`), 'latin1'),
  })
  // Without its last line something of it is missing.
  if (!parts.some((part) => part.startsWith('--'))) return refuse('no_field')
  const fields: FormField[] = []
  for (const part of parts) {
    if (part.startsWith('--')) break
    const field = fieldOf(part)
    if (typeof field === 'string') return refuse(field)
    if (field !== null) fields.push(field)
  }
  return fields.length === 0 ? refuse('no_field') : messageOf(fields)
}

/** A part as a field; null = a file. */
function fieldOf(part: string): FormField | RefusedForm['why'] | null {
  const cut = /\r?\n\r?\n/.exec(part)
  const head = part.slice(0, cut?.index ?? 0)
  if (/^content-disposition:.*;\s*filename\*?=/im.test(head)) return null
  const name = nameOf(part)
  if (!cut || name === '') return 'no_field'
  if (/^content-transfer-encoding:\s*(?:base64|quoted-printable)/im.test(head)) return 'no_field'
  const value = part.slice(cut.index + cut[0].length).replace(/\r$/, '')
  const [key, text] = [name, value].map((one) => decodeText(Buffer.from(one, 'latin1')))
  return typeof key === 'string' && typeof text === 'string' ? [key, text] : 'bad_encoding'
}

function nameOf(part: string): string {
  const disposition = /^content-disposition:\s*form-data(.*)$/im.exec(part)?.[1] ?? ''
  return NAME.exec(disposition)?.[1] ?? ''
}

// From bytes to text: UTF-8, a marked UTF-16, what the sender says it is, and Big5, the way old programs of Taiwan write.

/** Kept as it came, a mark of the byte order included: the reader skips it by itself. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
/** Signs of a table's private corners and of its controls: no Big5 text has them, foreign bytes do. */
const NO_BIG5 = /[\u0080-\u009f\ue000-\uf8ff\ufffd]/
const ITS_NAMES = /^(?:utf-?8|(?:x-)?(?:big5|cp950|ms950|windows-950)\S*|us-ascii|ascii|)$/i

/** The text of a body, null when it is none in any of the ways read here. A NUL makes it none. */
function decodeBody(bytes: Uint8Array, content_type: string): string | null {
  const [first, second] = bytes
  const marked =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : null
  return withoutNul(marked === null ? readText(bytes, content_type) : triedCharset(marked, bytes))
}

/** The same for a part of a body. */
function decodeText(bytes: Uint8Array): string | null {
  return withoutNul(readText(bytes, ''))
}

function withoutNul(text: string | null): string | null {
  return text?.includes('\0') ? null : text
}

function readText(bytes: Uint8Array, content_type: string): string | null {
  try {
    return utf8.decode(bytes)
  } catch {
    // Not UTF-8: the other ways are triedCharset.
  }
  const said = /charset\s*=\s*["']?([\w:.-]{1,40})/i.exec(content_type)?.[1] ?? ''
  if (!ITS_NAMES.test(said)) return triedCharset(said, bytes)
  const big5 = triedCharset('big5', bytes)
  return big5 === null || NO_BIG5.test(big5) ? null : big5
}

function triedCharset(name: string, bytes: Uint8Array): string | null {
  try {
    return new TextDecoder(name, { fatal: true }).decode(bytes)
  } catch {
    // No text of that kind, or no name that anybody knows.
    return null
  }
}

// Forms: the message inside a field of its own, or the fields as the message.

/** Under these names a form carries the whole message. */
const CARRIERS = new Set(['payload', 'payload_json', 'message', 'body', 'content', 'data', 'json', 'text'])
/** Far more than an order has; a body of 64 KB could hold twenty thousand. */
const FIELDS_MOST = 200
/** One of these inside a value, and a line of pairs would be cut in another place than the form was. */
const CUTS = /[;&,\r\n="'{}]/
const ENCODED = /%[0-9a-f]{2}/i
/** No blank, bracket or separator of another kind anywhere, as every encoder leaves it; lines of pairs are the reader's. */
const SHAPE = /^[\w.\-[\]%+*]{1,80}=[^\s&={}"<>;,]*(?:&[\w.\-[\]%+*]{1,80}=[^\s&={}"<>;,]*)*&?$/

type FormField = readonly [name: string, value: string]
type FormRead =
  | { kind: 'text'; text: string }
  | { kind: 'bad'; why: 'bad_encoding' | 'too_many' | 'duplicate_key'; field: string | null; text: string }

/** A percent-encoded form as a message; null when the text is none, whatever its header says. */
function readForm(text: string, content_type: string): FormRead | null {
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

// A body opened: compression, character set and forms taken off until the message itself lies there, or the reason why not.

/** A form in a form in a form: what is still encoded after that is nobody's message. */
const FORMS_MOST = 3

export interface Fault {
  code: ReasonCode
  reason: string
  field: string | null
}

/** The message as text; or bytes that are none (null = too large to keep). */
export type OpenedBody =
  | { text: string; bytes: null; fault: null }
  | { text: string | null; bytes: Uint8Array | null; fault: Fault }

export interface Sealed {
  /** null = longer than any message may be. */
  readonly body: Uint8Array | null
  readonly content_type: string
  readonly content_encoding: string
}

const REASONS = {
  bad_encoding: '訊息的文字編碼無法辨識：請改用 UTF-8 送出（也接受 Big5）',
  no_field: '表單不完整，或裡面沒有可讀的文字欄位：請把訊息放在名為 payload 的文字欄位，不要用附檔',
  too_many: '表單的欄位太多，最多 200 個：請把訊息放在名為 payload 的欄位',
  layers: '訊息被重複編碼太多次，請只編碼一次',
}

/** Opens a body; never throws, and opening its result again changes nothing. */
export function openBody({ body, content_type, content_encoding }: Sealed): OpenedBody {
  if (body === null) return none(null, 'too_large', '訊息超過 64 KB，請縮短後再送')
  const unpacked = unpack(body, content_encoding)
  if (unpacked.kind === 'large') return none(null, 'too_large', '訊息解壓縮後超過 64 KB，請縮短後再送')
  if (unpacked.kind === 'broken') {
    const known = unpacked.coding === 'gzip' || unpacked.coding === 'deflate'
    const reason = known
      ? '訊息的壓縮內容不完整或已損壞：請重送，或改成不壓縮'
      : `不支援 ${unpacked.coding} 壓縮：請改用 gzip，或不要壓縮`
    return none(unpacked.bytes, 'bad_encoding', reason)
  }
  const { bytes } = unpacked
  const parts = readMultipart(bytes)
  if (parts?.kind === 'refused') {
    const text = decodeText(parts.bytes)
    return { text, bytes: text === null ? parts.bytes : null, fault: because(parts.why, null) }
  }
  if (parts) return parts.kind === 'text' ? openText(parts.text, '') : refused(parts)
  const text = decodeBody(bytes, content_type)
  if (text === null) return none(bytes, 'bad_encoding', REASONS.bad_encoding)
  return openText(text, content_type)
}

/** The same for what is text already. */
export function openText(text: string, content_type: string): OpenedBody {
  // No column of text takes it, and no program writes it into a message.
  if (text.includes('\0')) return none(Buffer.from(text), 'bad_encoding', REASONS.bad_encoding)
  let now = text
  for (let form = 0; form <= FORMS_MOST; form++) {
    const read = readForm(now, form === 0 ? content_type : '')
    if (read === null || (read.kind === 'text' && read.text === now)) break
    if (read.kind === 'bad') return refused(read)
    if (form === FORMS_MOST) return { text: now, bytes: null, fault: because('layers', null) }
    now = read.text
  }
  return { text: now, bytes: null, fault: null }
}

function refused({ why, field, text }: FormRead & { kind: 'bad' }): OpenedBody {
  return { text, bytes: null, fault: because(why, field) }
}

/** Whatever lacks at the door is no matter of the webhook's settings: such a body is never read again. */
function because(why: keyof typeof REASONS | 'duplicate_key', field: string | null): Fault {
  const named = field?.slice(0, 200) ?? null
  if (why !== 'duplicate_key') return { code: 'bad_encoding', reason: REASONS[why], field: named }
  return { code: why, reason: `表單欄位「${field?.slice(0, 40)}」出現兩次，請只送一次`, field: named }
}

function none(bytes: Uint8Array | null, code: ReasonCode, reason: string): OpenedBody {
  return { text: null, bytes, fault: { code, reason, field: null } }
}
