// What of a body is kept: its text without secrets, base64 of what is no text, and of what nobody can read only the beginning.

import { BODY_KEPT_BYTES } from '#contract/limits.ts'
import type { ReasonCode } from '#contract/webhook.ts'
import { sha256 } from '../secrets.ts'
import type { OpenedBody } from './body/open.ts'

export interface BodyKept {
  body: string | null
  body_encoding: 'utf-8' | 'base64'
  body_sha256: string
  body_cut: boolean
}

export function keepBody(opened: OpenedBody): BodyKept {
  const { text, bytes } = opened
  if (text !== null) return keptText(text)
  if (bytes === null) return { body: null, body_encoding: 'utf-8', body_sha256: '', body_cut: false }
  const body = Buffer.from(bytes).toString('base64')
  return { body, body_encoding: 'base64', body_sha256: sha256(bytes), body_cut: false }
}

/** The same without what `clean` takes out of a text: a refused message may hold a secret as well as a taken one. */
export function keepCleanBody(opened: OpenedBody, clean: (text: string) => string): BodyKept {
  if (opened.text !== null) return keptText(clean(opened.text))
  if (opened.bytes === null) return keepBody(opened)
  // One sign per byte there and back, so that what is no text can be looked through like one.
  const signs = Buffer.from(opened.bytes).toString('latin1')
  const seen = signs.replaceAll('\0', '')
  const found = clean(seen)
  return found === seen ? keepBody(opened) : keepBody({ ...opened, bytes: Buffer.from(found, 'latin1') })
}

/** Of what could not be read at all the beginning is enough to see what it is (wire §5). */
export function cut<K extends BodyKept>(kept: K, code: ReasonCode | null): K {
  if (kept.body === null || (code !== 'unreadable' && code !== 'bad_encoding')) return kept
  const base64 = kept.body_encoding === 'base64'
  const bytes = Buffer.from(kept.body, base64 ? 'base64' : 'utf8')
  if (bytes.byteLength <= BODY_KEPT_BYTES) return kept
  const head = bytes.subarray(0, BODY_KEPT_BYTES)
  // No half of a character at the end.
  const body = base64 ? head.toString('base64') : head.toString('utf8').replace(/\ufffd+$/, '')
  return { ...kept, body, body_cut: true }
}

function keptText(text: string): BodyKept {
  return { body: text, body_encoding: 'utf-8', body_sha256: sha256(text), body_cut: false }
}
