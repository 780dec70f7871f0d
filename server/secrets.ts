// Secrets that stand in addresses: made here, found again by their hash, never stored in plain.
import { hash, randomBytes, randomInt } from 'node:crypto'
import { JOIN_CODE_LETTERS } from '#contract/fields.ts'

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
