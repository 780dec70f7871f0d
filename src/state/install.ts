// Whether it is time to offer the installation: never on the first visit, only once it was useful, and not again for a month.
import { proxy } from 'valtio'
import { KEYS, type StorageLike } from './storage.ts'

const DAY_MS = 86_400_000
const ASK_AGAIN_MS = 30 * DAY_MS

/** `offer`: how the browser can install it; `ios` = by the person's own hand from the share menu; null = not, or not yet. */
export const install = proxy<{ offer: 'prompt' | 'ios' | null }>({ offer: null })

/**
 * The sheet that makes a phone ring once: `asked` when somebody has just signed in here, `open` when a screen opens it. Which of
 * them it is for, the sheet finds out by itself.
 */
export const ringing = proxy({ asked: false, open: false })

interface Visits {
  /** Days (UTC numbers) on which it was opened, counted once each. */
  days: number
  last: number
  refused_at: number | null
}

/** Counts today's visit and says whether the installation may be offered: from the second day on. */
export function countVisit(storage: StorageLike, now_ms: number): boolean {
  const visits = read(storage)
  const today = Math.floor(now_ms / DAY_MS)
  if (visits.last !== today) {
    visits.days += 1
    visits.last = today
    storage.setItem(KEYS.install, JSON.stringify(visits))
  }
  const rests = visits.refused_at !== null && now_ms - visits.refused_at < ASK_AGAIN_MS
  return visits.days >= 2 && !rests
}

/** The person said not now. */
export function refuseInstall(storage: StorageLike, now_ms: number): void {
  storage.setItem(KEYS.install, JSON.stringify({ ...read(storage), refused_at: now_ms }))
  install.offer = null
}

function read(storage: StorageLike): Visits {
  const fresh: Visits = { days: 0, last: -1, refused_at: null }
  try {
    const kept = JSON.parse(storage.getItem(KEYS.install) ?? 'null') as Partial<Visits> | null
    return {
      days: typeof kept?.days === 'number' ? kept.days : 0,
      last: typeof kept?.last === 'number' ? kept.last : -1,
      refused_at: typeof kept?.refused_at === 'number' ? kept.refused_at : null,
    }
  } catch {
    return fresh // damaged: counted anew
  }
}

// A new version of the app that waits to take over.

/** `waiting`: the worker is ready; `applying`: the person said yes; `apply` is set by whoever registered the worker. */
export const update = proxy<{ waiting: boolean; applying: boolean }>({ waiting: false, applying: false })

let apply: (() => void) | null = null

/** A new worker waits; `how` makes it take over. */
export function updateWaits(how: () => void): void {
  apply = how
  update.waiting = true
}

/** Lets the waiting version take over. */
export function applyUpdate(): void {
  if (!apply) return
  update.applying = true
  apply()
}
