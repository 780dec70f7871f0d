// Names of everything kept in localStorage (wire.md §1), and a storage that never throws.

/** The parts of `Storage` that are used; handed in, so that tests and locked-down browsers work alike. */
export interface StorageLike {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

export const KEYS = {
  token: 'token',
  user: 'lingbo_user',
  organization: 'currentOrganizationId',
  theme_mode: 'themeMode',
  ui_theme: 'ui-theme',
  privacy: 'privacyMode',
  strategy_list: 'strategyListStorage',
  visited_strategies: 'isVisitedStrategiesPage',
  just_logged_in: 'justLoggedInHandled',
  from_my_organization: 'fromMyOrganizationAdmin',
  /** The draft of a new strategy (draft.ts). */
  draft: 'lingbo_strategy_draft',
  /** Not in wire §1: by how much the server's clock differs from this device's (clock.ts). */
  clock: 'lingbo_clock',
  /** Not in wire §1: domain §7.0 wants the choice 紅漲綠跌 / 綠漲紅跌. */
  up_colour: 'upColour',
  /** 'off' silences the single-key shortcuts. */
  single_keys: 'lingbo_keys',
  signal_lasts: 'lingbo_signal_lasts',
  /** Days of visits, for the offer to install (install.ts). */
  install: 'lingbo_install',
} as const

/**
 * Wraps the browser's storage. Where it is forbidden or full the values live in memory until the page closes,
 * and the failure is reported once.
 */
export function openStorage(get: () => StorageLike, report: (error: unknown) => void): StorageLike {
  const memory = new Map<string, string | null>()
  let reported = false
  const attempt = <T>(work: (storage: StorageLike) => T, otherwise: T): T => {
    try {
      return work(get())
    } catch (error) {
      if (!reported) report(error)
      reported = true
      return otherwise
    }
  }
  return {
    getItem: (key) =>
      memory.get(key) ?? (memory.has(key) ? null : attempt((storage) => storage.getItem(key), null)),
    setItem(key, value) {
      const kept = attempt((storage) => {
        storage.setItem(key, value)
        return true
      }, false)
      if (kept) memory.delete(key)
      else memory.set(key, value)
    },
    removeItem(key) {
      const removed = attempt((storage) => {
        storage.removeItem(key)
        return true
      }, false)
      if (removed) memory.delete(key)
      else memory.set(key, null)
    },
  }
}

// What this device knows of the server's clock: survives closing the browser, so that a wrong device clock signs nobody out (F33).

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
