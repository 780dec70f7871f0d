// Ids of this process: UUIDv7, strictly rising, so that records stored in one millisecond keep the order of their arrival.
import { hash, randomBytes, randomFillSync, randomInt } from 'node:crypto'
import { JOIN_CODE_LETTERS } from '#contract/fields.ts'

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
/** Random bytes are asked for in pages: every request to the system costs more than the bytes. Bytes used once are never used again. */
const pool = new Uint8Array(4_096)
let unused = pool.length
let last_ms = 0
let counter = 0

/** A fresh UUIDv7, larger than every one before it (RFC 9562 §6.2: the 12 bits after the time count within a millisecond). */
export function newId(): string {
  const now = Date.now()
  if (now > last_ms) {
    last_ms = now
    counter = random()
  } else if (++counter > 0xfff) {
    last_ms++
    counter = 0
  }
  const time = last_ms.toString(16).padStart(12, '0')
  const within = (0x7000 | counter).toString(16)
  const variant = HEX[0x80 | (random() & 0x3f)] as string
  return `${time.slice(0, 8)}-${time.slice(8)}-${within}-${variant}${hex(1)}-${hex(6)}`
}

function random(): number {
  if (unused === pool.length) {
    randomFillSync(pool)
    unused = 0
  }
  return pool[unused++] as number
}

function hex(bytes: number): string {
  let text = ''
  for (let i = 0; i < bytes; i++) text += HEX[random()]
  return text
}

// Secrets that stand in addresses: made here, found again by their hash, never stored in plain.

const TOKEN_BYTES = 24

/** A new token (192 random bits as 32 characters of base64url) with the hash under which it is found. */
export function mintToken(): { token: string; hash: string } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  return { token, hash: hashToken(token) }
}

/** A code that people read out and type: eight letters and digits, about 40 random bits, in two groups. */
export function mintJoinCode(): string {
  const four = () =>
    Array.from({ length: 4 }, () => JOIN_CODE_LETTERS[randomInt(JOIN_CODE_LETTERS.length)]).join('')
  return `${four()}-${four()}`
}

/** Lower-case hex SHA-256 of a token as it stands in the URL. */
export function hashToken(token: string): string {
  return sha256(token)
}

/** Lower-case hex SHA-256 of bytes, of a text as UTF-8. */
export function sha256(of: string | Uint8Array): string {
  return hash('sha256', of, 'hex')
}
