// UUIDv7: 48 bits of time, then random bits. Pure: the caller brings the clock and the random bytes.

/** A UUIDv7 from milliseconds since 1970 and 10 random bytes (RFC 9562 §5.7). */
export function uuidv7(now_ms: number, random: Uint8Array): string {
  if (random.length < 10) throw new RangeError('uuidv7 needs 10 random bytes')
  const bytes = new Uint8Array(16)
  for (let i = 5, t = now_ms; i >= 0; i--, t = Math.floor(t / 256)) bytes[i] = t % 256
  bytes.set(random.subarray(0, 10), 6)
  bytes[6] = 0x70 | ((bytes[6] as number) & 0x0f)
  bytes[8] = 0x80 | ((bytes[8] as number) & 0x3f)
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** True for any well-formed UUID in lower case. */
export function isId(value: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(value)
}
