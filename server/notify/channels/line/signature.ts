// Whether a post is LINE's: HMAC-SHA-256 of the bytes as they came, by the channel's secret.
import { createHmac, timingSafeEqual } from 'node:crypto'

export function isSigned(secret: string, bytes: Uint8Array, said: string | null): boolean {
  const right = createHmac('sha256', secret).update(bytes).digest()
  const given = Buffer.from(said ?? '', 'base64')
  return given.length === right.length && timingSafeEqual(given, right)
}
