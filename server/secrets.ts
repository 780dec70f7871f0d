// Secrets that stand in addresses: made here, found again by their hash, never stored in plain.
import { hash, randomBytes } from 'node:crypto'

const TOKEN_BYTES = 24

/** A new token (192 random bits as 32 characters of base64url) with the hash under which it is found. */
export function mintToken(): { token: string; hash: string } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  return { token, hash: hashToken(token) }
}

/** Lower-case hex SHA-256 of a token as it stands in the URL. */
export function hashToken(token: string): string {
  return sha256(token)
}

/** Lower-case hex SHA-256 of bytes, of a text as UTF-8. */
export function sha256(of: string | Uint8Array): string {
  return hash('sha256', of, 'hex')
}
