// A body opened: compression, character set and forms taken off until the message itself lies there, or the reason why not.
import type { ReasonCode } from '#contract/webhook.ts'
import { decodeBody, decodeText } from './charset.ts'
import { type FormRead, readForm } from './form.ts'
import { unpack } from './inflate.ts'
import { readMultipart } from './multipart.ts'

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
