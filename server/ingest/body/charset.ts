// From bytes to text: UTF-8, a marked UTF-16, what the sender says it is, and Big5, the way old programs of Taiwan write.

/** Kept as it came, a mark of the byte order included: the reader skips it by itself. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
/** Signs of a table's private corners and of its controls: no Big5 text has them, foreign bytes do. */
const NO_BIG5 = /[\u0080-\u009f\ue000-\uf8ff\ufffd]/
const ITS_NAMES = /^(?:utf-?8|(?:x-)?(?:big5|cp950|ms950|windows-950)\S*|us-ascii|ascii|)$/i

/** The text of a body, null when it is none in any of the ways read here. A NUL makes it none. */
export function decodeBody(bytes: Uint8Array, content_type: string): string | null {
  const [first, second] = bytes
  const marked =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : null
  return withoutNul(marked === null ? readText(bytes, content_type) : tried(marked, bytes))
}

/** The same for a part of a body. */
export function decodeText(bytes: Uint8Array): string | null {
  return withoutNul(readText(bytes, ''))
}

function withoutNul(text: string | null): string | null {
  return text?.includes('\0') ? null : text
}

function readText(bytes: Uint8Array, content_type: string): string | null {
  try {
    return utf8.decode(bytes)
  } catch {
    // Not UTF-8: the other ways are tried.
  }
  const said = /charset\s*=\s*["']?([\w:.-]{1,40})/i.exec(content_type)?.[1] ?? ''
  if (!ITS_NAMES.test(said)) return tried(said, bytes)
  const big5 = tried('big5', bytes)
  return big5 === null || NO_BIG5.test(big5) ? null : big5
}

function tried(name: string, bytes: Uint8Array): string | null {
  try {
    return new TextDecoder(name, { fatal: true }).decode(bytes)
  } catch {
    // No text of that kind, or no name that anybody knows.
    return null
  }
}
