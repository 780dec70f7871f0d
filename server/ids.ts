// Ids of this process: UUIDv7, strictly rising, so that records stored in one millisecond keep the order of their arrival.
import { randomFillSync } from 'node:crypto'

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
