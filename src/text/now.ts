// Now, by the server's clock: a device's own may be a day off.

let offset_ms = 0
const on_set = new Set<() => void>()

/** The server's clock minus this device's, as it was measured last. */
export function setServerOffset(ms: number): void {
  const moved = Math.abs(ms - offset_ms) > 1_000
  offset_ms = ms
  if (moved) for (const listener of on_set) listener()
}

/** Calls when `serverNow` moved by more than a measurement's error; gives the way to stop. */
export function onServerOffset(listener: () => void): () => void {
  on_set.add(listener)
  return () => on_set.delete(listener)
}

/** Now by the server's clock, ms since 1970: a device's own may be a day off. */
export const serverNow = (): number => Date.now() + offset_ms

/** The same as an ISO instant. */
export const serverNowIso = (): string => new Date(serverNow()).toISOString()

/** A moment that this device noted, by the server's clock. */
export const byServerClock = (device_ms: number): number => device_ms + offset_ms
