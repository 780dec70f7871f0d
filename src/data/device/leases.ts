// How long this device may keep what belongs to an organization: also offline, also with its clock set back (rulings A13, C23).
import type { OutputOf } from '#contract/endpoint.ts'
import type { Profile } from '#contract/profile.ts'
import type { signalFeed } from '#contract/signal.ts'
import { type Ctx, ctxOf, orgOf, type StorageLike } from '../context.ts'

export const LEASES_KEY = 'lingbo_leases'
/** Without hearing from the server a copy is kept this long. */
const OFFLINE_MS = 7 * 86_400_000
/** How far the newest time seen may be ahead of what is stored. */
const WORTH_MS = 60_000

/** What is past its time: whole contexts, and single strategies of contexts that go on. */
export interface EndedLeases {
  contexts: Ctx[]
  strategies: { ctx: Ctx; strategy_id: string }[]
}

/** Everything in ms since 1970, by the server's clock. Read and written without waiting: guards need it before the first paint. */
export interface Leases {
  /** Now, for judging: never before the newest time this device has seen. */
  now(): number
  /** The server has just told its time; the only thing that may set the newest time back. */
  heard(server_ms: number): void
  /** The clock has gone on: remembered, so that setting it back does not help. */
  tick(): void
  /** What a page of the feed says about a context. */
  take(ctx: Ctx, answer: Pick<OutputOf<typeof signalFeed>, 'access' | 'lease_until'>): void
  /** What the profile says about all of them; gives the organizations that it does not name any more. */
  takeProfile(organizations: Profile['organizations']): string[]
  over(ctx: Ctx): boolean
  ended(): EndedLeases
  drop(ctx: Ctx): void
  dropStrategy(ctx: Ctx, strategy_id: string): void
  /** Signed out: nothing of the person stays. */
  clear(): void
}

interface Kept {
  uid: string
  seen: number
  until: Record<string, number>
  /** By `<ctx> <strategy id>`. */
  strategies: Record<string, number>
}

/** The end of a day in Taipei (UTC+8 without summer time). */
export function endOfDay(day: string): number {
  return Date.parse(`${day}T00:00:00+08:00`) + 86_400_000
}

/** `now_ms`: this device's clock, corrected by what is known of the server's. */
export function createLeases(
  storage: StorageLike,
  uid: string,
  now_ms: () => number,
  /** Takes what is kept whenever it is written, for the worker; `alive` = this person's still. */
  mirror?: (kept: Kept, alive: () => boolean) => void,
): Leases {
  const kept = read(storage.getItem(LEASES_KEY), uid)
  let stored_seen = kept.seen
  let alive = true
  const save = () => {
    if (!alive) return
    stored_seen = kept.seen
    storage.setItem(LEASES_KEY, JSON.stringify(kept))
    mirror?.(kept, () => alive)
  }
  const now = () => Math.max(kept.seen, now_ms())
  const see = (ms: number) => {
    kept.seen = ms
    if (Math.abs(kept.seen - stored_seen) >= WORTH_MS) save()
  }
  return {
    now,
    heard: see,
    tick: () => see(now()),
    take(ctx, { access, lease_until }) {
      if (ctx === 'personal') return
      kept.until[ctx] = lease_until === null ? now() + OFFLINE_MS : Date.parse(lease_until)
      if (access) {
        for (const name of Object.keys(kept.strategies))
          if (name.startsWith(`${ctx} `)) delete kept.strategies[name]
        for (const { strategy_id, valid_until } of access)
          if (valid_until !== null) kept.strategies[`${ctx} ${strategy_id}`] = endOfDay(valid_until)
      }
      save()
    },
    takeProfile(organizations) {
      const names = new Set(organizations.map(({ id }) => ctxOf(id)))
      const gone = Object.keys(kept.until).filter((ctx) => !names.has(ctx as Ctx)) as Ctx[]
      for (const { id, expires_on } of organizations) {
        const last = expires_on ? endOfDay(expires_on) : Number.POSITIVE_INFINITY
        kept.until[ctxOf(id)] = Math.min(last, now() + OFFLINE_MS)
      }
      save()
      return gone.flatMap((ctx) => orgOf(ctx) ?? [])
    },
    over: (ctx) => (kept.until[ctx] ?? Number.POSITIVE_INFINITY) <= now(),
    ended() {
      const moment = now()
      const past = (ends: Record<string, number>) =>
        Object.entries(ends).flatMap(([name, end]) => (end <= moment ? [name] : []))
      return {
        contexts: past(kept.until) as Ctx[],
        strategies: past(kept.strategies).map((name) => {
          const [ctx = '', strategy_id = ''] = name.split(' ')
          return { ctx: ctx as Ctx, strategy_id }
        }),
      }
    },
    drop(ctx) {
      delete kept.until[ctx]
      for (const name of Object.keys(kept.strategies))
        if (name.startsWith(`${ctx} `)) delete kept.strategies[name]
      save()
    },
    dropStrategy(ctx, strategy_id) {
      delete kept.strategies[`${ctx} ${strategy_id}`]
      save()
    },
    clear() {
      alive = false
      storage.removeItem(LEASES_KEY)
    },
  }
}

/** What is stored, when it is this person's and whole. */
function read(text: string | null, uid: string): Kept {
  const nothing: Kept = { uid, seen: 0, until: {}, strategies: {} }
  if (text === null) return nothing
  try {
    const value = JSON.parse(text) as Partial<Kept> | null
    if (value?.uid !== uid || typeof value.seen !== 'number') return nothing
    return { ...nothing, ...value }
  } catch {
    return nothing // damaged: the next answer of the server writes it anew
  }
}
