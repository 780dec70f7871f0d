// Compressed messages: unpacked up to the size any message may have, whatever the headers say about them.
import { gunzipSync, inflateRawSync, inflateSync, constants as zlib } from 'node:zlib'
import { HOOK_BODY_BYTES } from '#contract/limits.ts'

/** A sender compresses once; a second layer comes from a proxy in between. More is a bomb's trick. */
const LAYERS = 2
const CODINGS = /\b(?:x-)?(gzip|deflate|br|zstd|compress)\b/gi

export type Unpacked =
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
