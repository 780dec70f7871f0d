// Ids of this process: UUIDv7, strictly rising, so that records stored in one millisecond keep the order of their arrival.
import { randomBytes } from 'node:crypto'
import { uuidv7 } from '#contract/ids.ts'

let last_ms = 0
let counter = 0

/** A fresh UUIDv7, larger than every one before it (RFC 9562 §6.2: the 12 bits after the time count within a millisecond). */
export function newId(): string {
  const now = Date.now()
  if (now > last_ms) {
    last_ms = now
    counter = randomBytes(1)[0] as number
  } else if (++counter > 0xfff) {
    last_ms++
    counter = 0
  }
  const random = randomBytes(10)
  random[0] = counter >> 8
  random[1] = counter & 0xff
  return uuidv7(last_ms, random)
}
