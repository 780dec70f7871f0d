// What this device knows of the server's clock: survives closing the browser, so that a wrong device clock signs nobody out (F33).
import { KEYS, type StorageLike } from './storage.ts'

/** Written again only when it has moved by so much: the measurement itself is good to half a second. */
const WORTH_MS = 2_000

export interface ServerClock {
  /** The server's time now, ms since 1970, as far as it is known. */
  now(): number
  /** Server's clock minus the device's, ms; 0 before the first measurement. */
  offset_ms(): number
  /** A new measurement. */
  learn(offset_ms: number): void
}

/** `now_ms` is the device's clock. */
export function createServerClock(storage: StorageLike, now_ms: () => number): ServerClock {
  const kept = () => {
    const value = Number(storage.getItem(KEYS.clock) ?? 0)
    return Number.isFinite(value) ? value : 0
  }
  let offset_ms = kept()
  return {
    now: () => now_ms() + offset_ms,
    offset_ms: () => offset_ms,
    learn(measured) {
      offset_ms = Math.round(measured)
      if (Math.abs(offset_ms - kept()) >= WORTH_MS) storage.setItem(KEYS.clock, String(offset_ms))
    },
  }
}
